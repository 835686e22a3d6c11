package identity_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/platform/job"
	"moothall/internal/test/dbtest"
)

var (
	notifyBlockStmt   = db.SQL("test.block", `INSERT INTO blocks (blocker_id, blocked_id, id, created_at) VALUES ($1, $2, $3, 0)`)
	notifySuspendStmt = db.SQL("test.suspend", `UPDATE users SET suspended_at = 1 WHERE id = $1`)
	readStmt          = db.SQL("test.read", `UPDATE notifications SET read_at = $1 WHERE read_at IS NULL`)
	notifyRowsStmt    = db.SQL("test.rows", `
		SELECT user_id, kind, subject, actor_id, event_id, params, read_at, created_at FROM notifications ORDER BY user_id, created_at, actor_id`)
	notifyCountStmt = db.SQL("test.count", `SELECT COUNT(*), COUNT(*) FILTER (WHERE read_at IS NULL) FROM notifications`)
)

// scale divides the large audiences: the race detector is tens of times slower.
var scale = func() int {
	info, _ := debug.ReadBuildInfo()
	if slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return 10
	}
	return 1
}()

// fixture is a database with users, and a clock that only the test advances.
type fixture struct {
	t     *testing.T
	db    *db.DB
	url   string // of the database
	now   atomic.Int64
	users []domain.UserID // in the order of their ids
	event domain.EventID
}

func each(t *testing.T, users int, test func(t *testing.T, h *fixture)) {
	t.Helper()
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t, engine)
			h := newFixture(t, open(t, url), users)
			h.url = url
			test(t, h)
		})
	}
}

// open opens a database with a long wait for the writer: batches are large and the
// machine may be busy.
func open(t *testing.T, url string) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), url, db.Options{Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	if err := migrate.Run(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	return d
}

func newFixture(t *testing.T, d *db.DB, users int) *fixture {
	t.Helper()
	h := &fixture{t: t, db: d, event: domain.RandomID[domain.EventKind]()}
	h.now.Store(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC).UnixMicro())
	for range users {
		h.users = append(h.users, domain.RandomID[domain.UserKind]())
	}
	slices.SortFunc(h.users, func(a, b domain.UserID) int { return slices.Compare(a[:], b[:]) })
	h.bulk("users", []string{"id", "email_verified", "test_profile", "created_at"}, func(yield func([]any) bool) {
		for _, p := range h.users {
			if !yield([]any{p, false, false, int64(0)}) {
				return
			}
		}
	})
	return h
}

func (h *fixture) bulk(table string, columns []string, rows iter.Seq[[]any]) {
	h.t.Helper()
	_, err := h.db.Bulk(h.t.Context(), table, columns, rows)
	h.must(err)
}

func (h *fixture) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *fixture) clock() time.Time        { return time.UnixMicro(h.now.Load()).UTC() }
func (h *fixture) advance(d time.Duration) { h.now.Add(d.Microseconds()) }

func (h *fixture) inTx(fn func(ctx context.Context, tx db.Tx) error) {
	h.t.Helper()
	h.must(h.db.InTx(h.t.Context(), func(tx db.Tx) error { return fn(h.t.Context(), tx) }))
}

func (h *fixture) exec(s *db.Stmt, args ...any) {
	h.t.Helper()
	_, err := h.db.Exec(h.t.Context(), s, args...)
	h.must(err)
}

func (h *fixture) put(n notify.Notification) {
	h.t.Helper()
	h.inTx(func(ctx context.Context, tx db.Tx) error { return notify.Put(ctx, tx, h.clock(), n) })
}

func (h *fixture) announce(n notify.Notification, to notify.Audience) {
	h.t.Helper()
	h.inTx(func(ctx context.Context, tx db.Tx) error { return notify.Announce(ctx, tx, h.clock(), n, to) })
}

func (h *fixture) retract(n notify.Notification) {
	h.t.Helper()
	h.inTx(func(ctx context.Context, tx db.Tx) error { notify.Retract(ctx, tx, n); return nil })
}

func (h *fixture) follow(followed domain.UserID, followers ...domain.UserID) {
	h.t.Helper()
	h.bulk("follows", []string{"follower_id", "followed_id", "created_at"}, func(yield func([]any) bool) {
		for _, f := range followers {
			if !yield([]any{f, followed, int64(0)}) {
				return
			}
		}
	})
}

func (h *fixture) block(blocker, blocked domain.UserID) {
	h.exec(notifyBlockStmt, blocker, blocked, domain.RandomID[any]())
}

// runDue runs the jobs that are due.
func (h *fixture) runDue() {
	h.t.Helper()
	w := job.New(job.Options{DB: h.db, Clock: h.clock, Logger: slog.New(slog.DiscardHandler)})
	notify.Register(w, h.db, h.clock)
	h.must(w.RunDue(h.t.Context()))
}

// row is one notification as it is stored.
type row struct {
	to            domain.UserID
	kind, subject string
	actor         *domain.UserID
	event         *domain.EventID
	params        string
	readAt        *time.Time
	createdAt     time.Time
}

func (h *fixture) rows() []row {
	h.t.Helper()
	all, err := db.All(h.t.Context(), h.db, func(r db.Row, n *row) error {
		return r.Scan(&n.to, &n.kind, &n.subject, &n.actor, &n.event, &n.params, &n.readAt, &n.createdAt)
	}, notifyRowsStmt)
	h.must(err)
	return all
}

// wantRecipients checks that exactly these users have one notification each.
func (h *fixture) wantRecipients(users ...domain.UserID) {
	h.t.Helper()
	var got []domain.UserID
	for _, r := range h.rows() {
		got = append(got, r.to)
	}
	want := slices.Clone(users)
	slices.SortFunc(want, func(a, b domain.UserID) int { return slices.Compare(a[:], b[:]) })
	if !slices.Equal(got, want) {
		h.t.Fatalf("%d recipients, want %d: %v", len(got), len(want), got)
	}
}

func (h *fixture) wantCounts(all, unread int) {
	h.t.Helper()
	var gotAll, gotUnread int
	h.must(h.db.One(h.t.Context(), notifyCountStmt).Scan(&gotAll, &gotUnread))
	if gotAll != all || gotUnread != unread {
		h.t.Fatalf("%d notifications, %d unread; want %d, %d", gotAll, gotUnread, all, unread)
	}
}

// wantUnread checks the number of a user's unread notifications.
func (h *fixture) wantUnread(user domain.UserID, want int) {
	h.t.Helper()
	got, err := h.service().Unread(h.t.Context(), domain.Viewer{UserID: user})
	h.must(err)
	if got != want {
		h.t.Errorf("%d unread notifications, want %d", got, want)
	}
}

func (h *fixture) service() *notify.Service { return &notify.Service{DB: h.db, Clock: h.clock} }

// joined notifies the organizer of a join.
func (h *fixture) joined(organizer, guest domain.UserID) notify.Notification {
	return notify.Notification{To: organizer, Kind: notify.EventJoined, Actor: guest, Event: h.event}
}

func TestPutSkipsActorBlockedAndSuspended(t *testing.T) {
	each(t, 5, func(t *testing.T, h *fixture) {
		organizer, guest, blocked, blocker, suspended := h.users[0], h.users[1], h.users[2], h.users[3], h.users[4]
		h.block(organizer, blocked)
		h.block(blocker, organizer)
		h.exec(notifySuspendStmt, suspended)
		h.put(notify.Notification{To: organizer, Kind: notify.EventJoined, Actor: guest, Event: h.event,
			Params: map[string]string{"visibility": "incognito"}})
		h.put(h.joined(organizer, organizer))
		h.put(h.joined(organizer, blocked))
		h.put(h.joined(organizer, blocker))
		h.put(h.joined(suspended, guest))
		h.put(h.joined(domain.RandomID[domain.UserKind](), guest))
		h.put(notify.Notification{To: guest, Kind: notify.ReportUpdated, Subject: "42"})

		rows := h.rows()
		if len(rows) != 2 {
			t.Fatalf("%+v", rows)
		}
		got := rows[0]
		if got.to != organizer || got.kind != "event_joined" || got.subject != h.event.String() || *got.actor != guest || *got.event != h.event ||
			got.params != `{"visibility":"incognito"}` || got.readAt != nil || !got.createdAt.Equal(h.clock()) {
			t.Errorf("%+v", got)
		}
		got = rows[1]
		if got.to != guest || got.actor != nil || got.event != nil || got.params != "{}" {
			t.Errorf("%+v", got)
		}
	})
}

func TestUnknownKindIsRefused(t *testing.T) {
	each(t, 2, func(t *testing.T, h *fixture) {
		h.follow(h.users[0], h.users[1])
		n := notify.Notification{To: h.users[1], Kind: "rumour", Actor: h.users[0], Event: h.event}
		err := h.db.InTx(t.Context(), func(tx db.Tx) error { return notify.Put(t.Context(), tx, h.clock(), n) })
		if err == nil {
			t.Error("Put accepts an unknown kind")
		}
		err = h.db.InTx(t.Context(), func(tx db.Tx) error {
			return notify.Announce(t.Context(), tx, h.clock(), n, notify.FollowersOf(h.users[0]))
		})
		if err == nil {
			t.Error("Announce accepts an unknown kind")
		}
	})
}

// TestRepeatRenewsRow is the rule of contract §8, "a repeat within 24 h updates the
// unread row", and of the package comment for the other cases.
func TestRepeatRenewsRow(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		kind    notify.Kind
		read    bool
		after   time.Duration
		renewed bool
	}{
		{notify.EventUpdated, false, time.Minute, true},
		{notify.EventUpdated, false, 3 * day, true},
		{notify.EventUpdated, true, time.Minute, true},
		{notify.EventJoined, false, time.Minute, true},
		{notify.EventJoined, true, time.Minute, false},
		{notify.EventJoined, true, day - time.Second, false},
		{notify.EventJoined, true, day, true},
	} {
		t.Run(fmt.Sprintf("%s read=%v after %v", c.kind, c.read, c.after), func(t *testing.T) {
			each(t, 2, func(t *testing.T, h *fixture) {
				first := h.clock()
				n := notify.Notification{To: h.users[0], Kind: c.kind, Actor: h.users[1], Event: h.event, Params: map[string]string{"n": "1"}}
				h.put(n)
				if c.read {
					h.exec(readStmt, h.clock())
				}
				h.advance(c.after)
				n.Params = map[string]string{"n": "2"}
				h.put(n)
				rows := h.rows()
				if len(rows) != 1 {
					t.Fatalf("%d rows", len(rows))
				}
				got, want := rows[0], row{params: `{"n":"1"}`, createdAt: first}
				if c.renewed {
					want = row{params: `{"n":"2"}`, createdAt: h.clock()}
				}
				if got.params != want.params || !got.createdAt.Equal(want.createdAt) || (got.readAt == nil) != (c.renewed || !c.read) {
					t.Errorf("%+v", got)
				}
			})
		})
	}
}

func TestActorsShareRowOfLikes(t *testing.T) {
	each(t, 4, func(t *testing.T, h *fixture) {
		for _, actor := range h.users[1:] {
			h.advance(time.Second)
			h.put(notify.Notification{To: h.users[0], Kind: notify.PostLiked, Subject: "post", Actor: actor, Event: h.event})
			h.put(notify.Notification{To: h.users[0], Kind: notify.EventJoined, Actor: actor, Event: h.event})
		}
		rows := h.rows()
		likes := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.kind != "post_liked" })
		if len(rows) != 4 || len(likes) != 1 || *likes[0].actor != h.users[3] {
			t.Errorf("%+v", rows)
		}
	})
}

func TestParallelRepeatsMakeOneRow(t *testing.T) {
	each(t, 51, func(t *testing.T, h *fixture) {
		var all sync.WaitGroup
		for i := range 50 {
			all.Go(func() {
				for _, n := range []notify.Notification{
					h.joined(h.users[0], h.users[1]),   // the same in every goroutine
					h.joined(h.users[0], h.users[i+1]), // another one in every goroutine
				} {
					if err := h.db.InTx(t.Context(), func(tx db.Tx) error { return notify.Put(t.Context(), tx, h.clock(), n) }); err != nil &&
						!errors.Is(err, db.ErrUnavailable) {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		h.wantCounts(50, 50)
	})
}

func TestPurgeDeletesAfterRetention(t *testing.T) {
	each(t, 1, func(t *testing.T, h *fixture) {
		h.bulk("notifications", []string{"user_id", "id", "kind", "subject", "params", "created_at"}, func(yield func([]any) bool) {
			for i := range 12_000 {
				at := h.clock().Add(-time.Duration(i%4) * 100 * 24 * time.Hour) // 0, 100, 200, 300 days ago
				if !yield([]any{h.users[0], domain.RandomID[any](), "event_joined", "", "{}", at}) {
					return
				}
			}
		})
		h.runDue()
		h.wantCounts(12_000, 12_000) // the purge runs daily
		h.advance(24 * time.Hour)
		h.runDue()
		h.wantCounts(6000, 6000)
		h.advance(79*24*time.Hour - time.Hour)
		h.runDue()
		h.wantCounts(6000, 6000)
		h.advance(24 * time.Hour)
		h.runDue()
		h.wantCounts(3000, 3000)
	})
}
