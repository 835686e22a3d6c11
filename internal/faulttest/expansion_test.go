package faulttest

import (
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/pgtest"
	"moothall/internal/platform/db"
)

const (
	followers    = 60_000
	expansions   = 5 // events that may be published until it was killed often enough
	enoughKilled = 2
	mostKilled   = 4
)

// TestExpansionIsKilled kills the service while it tells the followers of an
// organizer about an event: in the end each was told, and nobody twice. Who had
// been told when it was killed has read it by then, and has nothing unread
// afterwards.
func TestExpansionIsKilled(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		killExpansions(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"))
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		killExpansions(t, pgtest.Database(t))
	})
}

var (
	moreStmt   = db.SQL("faulttest.more", `SELECT EXISTS (SELECT 1 FROM notifications WHERE read_at IS NULL)`)
	readStmt   = db.SQL("faulttest.read", `UPDATE notifications SET read_at = 1 WHERE read_at IS NULL`)
	toldStmt   = db.SQL("faulttest.told", `SELECT COUNT(*), COUNT(DISTINCT user_id), COUNT(*) FILTER (WHERE read_at = 1) FROM notifications WHERE event_id = $1`)
	queuedStmt = db.SQL("faulttest.queued", `SELECT COUNT(*) FROM jobs WHERE kind = 'notify.announce'`)
	expireStmt = db.SQL("faulttest.expire", `UPDATE jobs SET run_at = 0 WHERE kind = 'notify.announce'`)
)

func killExpansions(t *testing.T, database string) {
	s := newService(t, database, nil)
	s.start()
	c := newClient(t)
	organizer := c.signIn(t, s.url(), 1)[0]
	d, err := db.Open(t.Context(), database, db.Options{Wait: patience})
	must(t, err)
	t.Cleanup(func() { _ = d.Close() })
	followedBy(t, d, organizer, followers)

	killed := 0
	for range expansions {
		event := publish(t, c, s, organizer)
		var read int64
		for awaitMore(t, d) && killed < mostKilled {
			s.kill()
			n, err := d.Exec(t.Context(), readStmt)
			must(t, err)
			if read += n; read < followers {
				killed++
			}
			_, err = d.Exec(t.Context(), expireStmt) // as if the lease of the dead had run out
			must(t, err)
			s.start()
		}
		for deadline := time.Now().Add(4 * patience); !toldEverybody(t, d) && time.Now().Before(deadline); {
			time.Sleep(10 * time.Millisecond)
		}
		var rows, people, stillRead int64
		must(t, d.One(t.Context(), toldStmt, event).Scan(&rows, &people, &stillRead))
		if rows != followers || people != followers || stillRead != read {
			t.Fatalf("%d rows for %d people; %d had read it, now %d have", rows, people, read, stillRead)
		}
		_, err = d.Exec(t.Context(), readStmt)
		must(t, err)
		if killed >= enoughKilled {
			break
		}
	}
	t.Logf("killed in the middle %d times", killed)
	if killed < enoughKilled {
		t.Error("it was always too fast")
	}
}

func followedBy(t *testing.T, d *db.DB, organizer person, n int) {
	t.Helper()
	followed, err := domain.ParseID[domain.UserKind](organizer.id)
	must(t, err)
	people := make([]domain.UserID, n)
	for i := range people {
		people[i] = domain.RandomID[domain.UserKind]()
	}
	rows := func(row func(domain.UserID) []any) func(yield func([]any) bool) {
		return func(yield func([]any) bool) {
			for _, p := range people {
				if !yield(row(p)) {
					return
				}
			}
		}
	}
	_, err = d.Bulk(t.Context(), "users", []string{"id", "email_verified", "test_profile", "created_at"},
		rows(func(p domain.UserID) []any { return []any{p, false, false, int64(0)} }))
	must(t, err)
	_, err = d.Bulk(t.Context(), "follows", []string{"follower_id", "followed_id", "created_at"},
		rows(func(p domain.UserID) []any { return []any{p, followed, int64(0)} }))
	must(t, err)
	must(t, d.Analyze(t.Context()))
}

func publish(t *testing.T, c *client, s *service, organizer person) domain.EventID {
	t.Helper()
	starts := time.Now().Add(48 * time.Hour).UTC().Format(time.RFC3339)
	event := c.mustCall(t, http.MethodPost, s.url()+"/events", organizer.token, `{"title":"Chess","starts_at":"`+starts+`"}`).text("event.id")
	c.mustCall(t, http.MethodPost, s.url()+"/events/"+event+"/publish", organizer.token, "")
	id, err := domain.ParseID[domain.EventKind](event)
	must(t, err)
	return id
}

func toldEverybody(t *testing.T, d *db.DB) bool {
	t.Helper()
	var waiting int
	must(t, d.One(t.Context(), queuedStmt).Scan(&waiting))
	return waiting == 0
}

// awaitMore waits until some more have been told; false when all have.
func awaitMore(t *testing.T, d *db.DB) bool {
	t.Helper()
	for deadline := time.Now().Add(4 * patience); !toldEverybody(t, d); time.Sleep(time.Millisecond) {
		var more bool
		must(t, d.One(t.Context(), moreStmt).Scan(&more))
		if more {
			return true
		}
		if time.Now().After(deadline) {
			t.Fatal("nobody is told")
		}
	}
	return false
}
