package notify_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/dbtest"
	"moothall/internal/domain"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
)

// published returns the notification that followers get of an event of an organizer.
func (h *fixture) published(organizer domain.UserID) notify.Notification {
	return notify.Notification{Kind: notify.FollowedUserEvent, Actor: organizer, Event: h.event}
}

// going inserts participants of the event. status maps indexes of users to statuses.
func (h *fixture) going(status map[int]string) {
	h.t.Helper()
	columns := []string{"event_id", "user_id", "id", "status", "visibility", "slot", "joined_at", "created_at", "updated_at"}
	h.bulk("participants", columns, func(yield func([]any) bool) {
		for n, s := range status {
			if !yield([]any{h.event, h.users[n], domain.RandomID[any](), s, "incognito", 0, int64(0), int64(0), int64(0)}) {
				return
			}
		}
	})
}

// invited inserts the event, organized by the first user, and invitations to it.
func (h *fixture) invited(status map[int]string) {
	h.t.Helper()
	columns := []string{"id", "organizer_id", "status", "visibility", "listed", "swept", "title", "starts_at", "over_at", "starts_key", "timezone",
		"date_mode", "price", "sequence", "created_at", "updated_at"}
	h.bulk("events", columns, func(yield func([]any) bool) {
		yield([]any{h.event, h.users[0], "published", "private", false, false, "Dinner", int64(0), int64(0), int64(0), "UTC",
			"fixed", "free", 0, int64(0), int64(0)})
	})
	h.bulk("invitations", []string{"event_id", "user_id", "id", "invited_by", "status", "created_at", "updated_at"}, func(yield func([]any) bool) {
		for n, s := range status {
			if !yield([]any{h.event, h.users[n], domain.RandomID[any](), h.users[0], s, int64(0), int64(0)}) {
				return
			}
		}
	})
}

func TestAudiences(t *testing.T) {
	each(t, 10, func(t *testing.T, h *fixture) {
		p := h.users
		actor := p[0]
		h.follow(actor, p[1], p[2], p[3], p[9])
		h.follow(p[5], p[1])
		h.going(map[int]string{0: "going", 2: "going", 4: "going", 5: "left", 9: "going"})
		h.invited(map[int]string{4: "accepted", 5: "pending", 6: "tentative", 7: "declined", 8: "pending"})
		h.block(p[3], actor)
		h.block(actor, p[8])
		h.exec(suspendStmt, p[9])

		for _, c := range []struct {
			name string
			to   notify.Audience
			want []domain.UserID
		}{
			{"followers", notify.FollowersOf(actor), []domain.UserID{p[1], p[2]}},
			{"few followers", notify.FollowersOfUpTo(actor, 4), []domain.UserID{p[1], p[2]}},
			{"too many followers", notify.FollowersOfUpTo(actor, 3), nil},
			{"no followers", notify.FollowersOf(p[7]), nil},
			{"going", notify.Going(h.event), []domain.UserID{p[2], p[4]}},
			{"going and invited", notify.GoingAndInvited(h.event), []domain.UserID{p[2], p[4], p[5], p[6]}},
			{"no members", notify.GoingAndInvited(domain.RandomID[domain.EventKind]()), nil},
		} {
			h.announce(h.published(actor), c.to)
			if len(c.want) == 0 && h.queued() != 0 {
				t.Errorf("%s: a job was queued without recipients", c.name)
			}
			h.runDue()
			t.Log(c.name)
			h.wantRecipients(c.want...)
			h.inTx(func(ctx context.Context, tx db.Tx) error {
				notify.Retract(ctx, tx, notify.FollowedUserEvent, actor, h.event.String())
				return nil
			})
			h.wantRecipients()
		}
	})
}

func TestAnnouncementRollsBackWithTransaction(t *testing.T) {
	each(t, 2, func(t *testing.T, h *fixture) {
		h.follow(h.users[0], h.users[1])
		undone := errors.New("undone")
		err := h.db.InTx(t.Context(), func(tx db.Tx) error {
			h.must(notify.Announce(t.Context(), tx, h.clock(), h.published(h.users[0]), notify.FollowersOf(h.users[0])))
			return undone
		})
		if !errors.Is(err, undone) {
			t.Fatal(err)
		}
		h.runDue()
		h.wantRecipients()
		h.announce(h.published(h.users[0]), notify.FollowersOf(h.users[0]))
		h.wantRecipients() // none before the job
		h.runDue()
		h.wantRecipients(h.users[1])
	})
}

func TestRepeatedAnnouncementUsesNewestParams(t *testing.T) {
	each(t, 3, func(t *testing.T, h *fixture) {
		h.follow(h.users[0], h.users[1:]...)
		n := h.published(h.users[0])
		n.Params = map[string]string{"n": "1"}
		h.announce(n, notify.FollowersOf(h.users[0]))
		n.Params = map[string]string{"n": "2"}
		h.announce(n, notify.FollowersOf(h.users[0]))
		if h.queued() != 1 {
			t.Errorf("%d jobs", h.queued())
		}
		h.runDue()
		h.wantRecipients(h.users[1:]...)
		for _, r := range h.rows() {
			if r.params != `{"n":"2"}` {
				t.Errorf("%+v", r)
			}
		}
	})
}

// TestKilledAnnouncementResumes kills the worker between writing a batch and its
// commit. Another instance resumes: each recipient is notified once, and
// notifications that were read stay read.
func TestKilledAnnouncementResumes(t *testing.T) {
	for engine, batch := range map[db.Engine]int{db.SQLite: 1000, db.PostgreSQL: 5000} {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t, engine)
			connect := func(hook func(context.Context, *db.Stmt, []any)) *db.DB {
				d, err := db.Open(t.Context(), url, db.Options{OnStatement: hook, Wait: time.Minute})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = d.Close() })
				return d
			}
			d := connect(nil)
			if err := d.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			h := newFixture(t, d, 12_001)
			h.follow(h.users[0], h.users[1:]...)
			h.announce(h.published(h.users[0]), notify.FollowersOf(h.users[0]))

			for killed := range 2 {
				saved := 0
				dying := connect(func(_ context.Context, s *db.Stmt, _ []any) {
					if s.Name() == "job.save" || s.Name() == "job.finish" {
						if saved++; saved == 2 {
							panic("killed")
						}
					}
				})
				if err := h.workersOn(dying).RunDue(t.Context()); err == nil {
					t.Fatalf("worker %d was not killed", killed)
				}
				h.exec(readStmt, h.clock())
				h.wantCounts((killed+1)*batch, 0)
				h.advance(time.Minute)
			}
			for range 2 {
				h.runDue()
				h.wantCounts(12_000, 12_000-2*batch)
			}
		})
	}
}

// TestWorkersShareAnnouncements lets several workers run several announcements.
func TestWorkersShareAnnouncements(t *testing.T) {
	each(t, 6001, func(t *testing.T, h *fixture) {
		h.follow(h.users[0], h.users[1:]...)
		for range 3 {
			h.event = domain.RandomID[domain.EventKind]()
			h.announce(h.published(h.users[0]), notify.FollowersOf(h.users[0]))
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if err := h.workersOn(h.db).RunDue(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		h.wantCounts(18_000, 18_000)
	})
}

func TestRetract(t *testing.T) {
	each(t, 4, func(t *testing.T, h *fixture) {
		joiner := h.users[0]
		h.follow(joiner, h.users[1:]...)
		n := notify.Notification{Kind: notify.FollowedUserGoing, Actor: joiner, Event: h.event}
		retract := func(kind notify.Kind) {
			h.inTx(func(ctx context.Context, tx db.Tx) error {
				notify.Retract(ctx, tx, kind, joiner, h.event.String())
				return nil
			})
		}
		h.announce(n, notify.FollowersOfUpTo(joiner, 500))
		retract(notify.FollowedUserGoing) // before the job has run
		h.runDue()
		h.wantRecipients()

		h.announce(n, notify.FollowersOfUpTo(joiner, 500))
		h.runDue()
		h.wantRecipients(h.users[1:]...)
		retract(notify.EventJoined) // another kind
		h.wantRecipients(h.users[1:]...)
		retract(notify.FollowedUserGoing)
		h.wantRecipients()

		h.announce(n, notify.FollowersOfUpTo(joiner, 500))
		h.runDue()
		h.exec(readStmt, h.clock())
		retract(notify.FollowedUserGoing)
		h.wantCounts(3, 0) // read ones stay
	})
}

// TestRetractRacesAnnouncement retracts an announcement while it runs: no notification
// remains.
func TestRetractRacesAnnouncement(t *testing.T) {
	each(t, 300, func(t *testing.T, h *fixture) {
		joiner := h.users[0]
		h.follow(joiner, h.users[1:]...)
		for range 60 {
			h.announce(notify.Notification{Kind: notify.FollowedUserGoing, Actor: joiner, Event: h.event}, notify.FollowersOf(joiner))
			var both sync.WaitGroup
			both.Go(func() { _ = h.workersOn(h.db).RunDue(t.Context()) }) // fails if the job is canceled meanwhile
			both.Go(func() {
				err := h.db.InTx(t.Context(), func(tx db.Tx) error {
					notify.Retract(t.Context(), tx, notify.FollowedUserGoing, joiner, h.event.String())
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
			both.Wait()
			h.runDue()
			h.wantCounts(0, 0)
		}
	})
}

// TestAnnounceToHundredThousandFollowers logs the rate of an announcement and how
// long concurrent writes wait.
func TestAnnounceToHundredThousandFollowers(t *testing.T) {
	followers := 100_000 / scale
	for _, engine := range []db.Engine{db.SQLite, db.PostgreSQL} { // not in parallel, because it measures times
		t.Run(engine.String(), func(t *testing.T) {
			h := newFixture(t, open(t, dbtest.URL(t, engine)), followers+1)
			h.follow(h.users[0], h.users[1:]...)
			h.announce(h.published(h.users[0]), notify.FollowersOf(h.users[0]))

			var longest atomic.Int64
			stop := make(chan struct{})
			var writer sync.WaitGroup
			writer.Go(func() {
				for n := 0; ; n++ {
					select {
					case <-stop:
						return
					case <-time.After(5 * time.Millisecond):
					}
					started := time.Now()
					h.put(notify.Notification{To: h.users[0], Kind: notify.EventReview, Actor: h.users[1], Event: h.event})
					longest.Store(max(longest.Load(), int64(time.Since(started))))
				}
			})
			started := time.Now()
			h.runDue()
			took := time.Since(started)
			close(stop)
			writer.Wait()
			h.wantCounts(followers+1, followers+1)
			t.Logf("%s: %d rows in %v, %.0f rows/s; the longest concurrent write took %v", engine, followers,
				took.Round(time.Millisecond), float64(followers)/took.Seconds(), time.Duration(longest.Load()).Round(time.Millisecond))
		})
	}
}

// TestAnnounceToLargeEvent notifies an audience when the planner has no statistics and
// thousands of users block the organizer: no plan may join all users with all blocks.
func TestAnnounceToLargeEvent(t *testing.T) {
	each, both, blocking := 25_000/scale, 5_000/scale, 4_000/scale
	for _, engine := range []db.Engine{db.SQLite, db.PostgreSQL} { // not in parallel, because it measures times
		t.Run(engine.String(), func(t *testing.T) {
			h := newFixture(t, open(t, dbtest.URL(t, engine)), 2*each-both+1)
			going, invited := map[int]string{}, map[int]string{}
			for n := range each {
				going[1+n], invited[1+n+each-both] = "going", "accepted"
			}
			h.going(going)
			h.invited(invited)
			h.bulk("blocks", []string{"blocker_id", "blocked_id", "id", "created_at"}, func(yield func([]any) bool) {
				for _, p := range h.users[1 : 1+blocking] {
					if !yield([]any{p, h.users[0], domain.RandomID[any](), int64(0)}) {
						return
					}
				}
			})
			h.announce(notify.Notification{Kind: notify.EventCanceled, Actor: h.users[0], Event: h.event}, notify.GoingAndInvited(h.event))
			started := time.Now()
			h.runDue()
			took := time.Since(started)
			h.wantCounts(2*each-both-blocking, 2*each-both-blocking)
			t.Logf("%s: %d rows in %v", engine, 2*each-both-blocking, took.Round(time.Millisecond))
			if took > 30*time.Second {
				t.Error("it takes too long")
			}
		})
	}
}
