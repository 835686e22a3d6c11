package faulttest

import (
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"moothall/internal/dbtest"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const (
	followers = 60_000
	maxEvents = 5 // that are published until the service was killed often enough
	minKills  = 2
	maxKills  = 4
)

// TestFanOutSurvivesKills kills the service while it notifies the followers of an
// organizer of an event: in the end each follower has exactly one notification.
// Notifications that were read before a kill stay read.
func TestFanOutSurvivesKills(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		killDuringFanOut(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"))
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		killDuringFanOut(t, dbtest.URL(t, db.PostgreSQL))
	})
}

var (
	unreadStmt   = db.SQL("faulttest.unread", `SELECT EXISTS (SELECT 1 FROM notifications WHERE read_at IS NULL)`)
	readStmt     = db.SQL("faulttest.read", `UPDATE notifications SET read_at = 1 WHERE read_at IS NULL`)
	receivedStmt = db.SQL("faulttest.received", `SELECT COUNT(*), COUNT(DISTINCT user_id), COUNT(*) FILTER (WHERE read_at = 1) FROM notifications WHERE event_id = $1`)
	queuedStmt   = db.SQL("faulttest.queued", `SELECT COUNT(*) FROM jobs WHERE kind = 'notify.announce'`)
	expireStmt   = db.SQL("faulttest.expire", `UPDATE jobs SET run_at = 0 WHERE kind = 'notify.announce'`)
)

func killDuringFanOut(t *testing.T, database string) {
	s := newService(t, database, nil)
	s.start()
	c := newClient(t)
	organizer := c.signIn(t, s.url(), 1)[0]
	d, err := db.Open(t.Context(), database, db.Options{Wait: patience})
	must(t, err)
	t.Cleanup(func() { _ = d.Close() })
	followedBy(t, d, organizer, followers)

	killed := 0
	for range maxEvents {
		event := publish(t, c, s, organizer)
		var read int64
		for awaitUnread(t, d) && killed < maxKills {
			s.kill()
			n, err := d.Exec(t.Context(), readStmt)
			must(t, err)
			if read += n; read < followers {
				killed++
			}
			_, err = d.Exec(t.Context(), expireStmt) // as if the lease of the killed service had expired
			must(t, err)
			s.start()
		}
		for deadline := time.Now().Add(patience); !fanOutDone(t, d) && time.Now().Before(deadline); {
			time.Sleep(10 * time.Millisecond)
		}
		var rows, people, stillRead int64
		must(t, d.One(t.Context(), receivedStmt, event).Scan(&rows, &people, &stillRead))
		if rows != followers || people != followers || stillRead != read {
			t.Fatalf("%d notifications for %d people; %d were read before, %d now", rows, people, read, stillRead)
		}
		_, err = d.Exec(t.Context(), readStmt)
		must(t, err)
		if killed >= minKills {
			break
		}
	}
	t.Logf("killed %d times during a fan-out", killed)
	if killed < minKills {
		t.Error("every fan-out ended before the kill")
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

func fanOutDone(t *testing.T, d *db.DB) bool {
	t.Helper()
	var waiting int
	must(t, d.One(t.Context(), queuedStmt).Scan(&waiting))
	return waiting == 0
}

// awaitUnread waits until there is an unread notification. It returns false when
// the fan-out has ended.
func awaitUnread(t *testing.T, d *db.DB) bool {
	t.Helper()
	for deadline := time.Now().Add(patience); !fanOutDone(t, d); time.Sleep(time.Millisecond) {
		var unread bool
		must(t, d.One(t.Context(), unreadStmt).Scan(&unread))
		if unread {
			return true
		}
		if time.Now().After(deadline) {
			t.Fatal("the fan-out does not start")
		}
	}
	return false
}
