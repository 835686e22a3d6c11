package identity_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

var (
	broadcastsStmt = db.SQL("test.broadcasts", `SELECT COUNT(*) FROM broadcasts`)
	positionsStmt  = db.SQL("test.positions", `SELECT COUNT(*) FROM broadcasts_received`)
	unfollowStmt   = db.SQL("test.unfollow", `DELETE FROM follows WHERE follower_id = $1`)
	refollowStmt   = db.SQL("test.refollow", `UPDATE follows SET created_at = $2 WHERE follower_id = $1`)
	leaveStmt      = db.SQL("test.leave", `UPDATE participants SET status = 'left', left_at = $2 WHERE user_id = $1`)
	rejoinStmt     = db.SQL("test.rejoin", `UPDATE participants SET joined_at = $2 WHERE user_id = $1`)
	declineStmt    = db.SQL("test.decline", `UPDATE invitations SET status = 'declined', responded_at = $2 WHERE user_id = $1`)
)

func (h *fixture) count(s *db.Stmt) (n int) {
	h.t.Helper()
	h.must(h.db.One(h.t.Context(), s).Scan(&n))
	return n
}

// large is the number of users that makes every audience large.
const large = notify.MaxRows + 20

// celebrity makes all users but the first follow the first.
func (h *fixture) celebrity() domain.UserID {
	h.follow(h.users[0], h.users[1:]...)
	return h.users[0]
}

// TestBroadcastReachesItsAudience announces to large audiences. Users whose membership
// changes before or after the announcement receive it, or not.
func TestBroadcastReachesItsAudience(t *testing.T) {
	type change func(h *fixture, user domain.UserID, at time.Time)
	exec := func(s *db.Stmt) change {
		return func(h *fixture, user domain.UserID, at time.Time) { h.exec(s, user, at) }
	}
	block := func(h *fixture, user domain.UserID, _ time.Time) { h.block(user, h.users[0]) }
	everybody := func(status string) map[int]string {
		all := map[int]string{}
		for n := 1; n < large; n++ {
			all[n] = status
		}
		return all
	}
	followers := func(h *fixture) notify.Audience { h.celebrity(); return notify.FollowersOf(h.users[0]) }
	going := func(h *fixture) notify.Audience { h.going(everybody("going")); return notify.Going(h.event) }
	invited := func(h *fixture) notify.Audience {
		h.invited(everybody("pending"))
		return notify.GoingAndInvited(h.event)
	}
	for _, c := range []struct {
		name          string
		audience      func(h *fixture) notify.Audience
		change        change
		before, after int // unread notifications if the change is before or after the announcement
	}{
		{"a follower", followers, nil, 1, 1},
		{"a follower who unfollows", followers, func(h *fixture, user domain.UserID, _ time.Time) { h.exec(unfollowStmt, user) }, 0, 0},
		{"a follower since then", followers, exec(refollowStmt), 1, 0},
		{"a follower in a block", followers, block, 0, 0},
		{"a participant", going, nil, 1, 1},
		{"a participant who leaves", going, exec(leaveStmt), 0, 1},
		{"a participant since then", going, exec(rejoinStmt), 1, 0},
		{"a participant who blocks the organizer", going, block, 0, 0},
		{"an invited user", invited, nil, 1, 1},
		{"an invited user who declines", invited, exec(declineStmt), 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, large, func(t *testing.T, h *fixture) {
				to := c.audience(h)
				early, late := h.users[1], h.users[2]
				h.advance(time.Minute)
				if c.change != nil {
					c.change(h, early, h.clock())
				}
				h.advance(time.Minute)
				h.announce(notify.Notification{Kind: notify.EventUpdated, Actor: h.users[0], Event: h.event}, to)
				if h.count(broadcastsStmt) != 1 {
					t.Fatal("no broadcast")
				}
				h.advance(time.Minute)
				if c.change != nil {
					c.change(h, late, h.clock())
				}
				h.advance(time.Minute)
				h.wantUnread(early, c.before)
				h.wantUnread(late, c.after)
				h.wantUnread(h.users[3], 1)
				h.wantUnread(h.users[0], 0) // the actor
			})
		})
	}
}

// TestBroadcastIsARowOnceItWasRead follows one broadcast through all operations: its row
// behaves as that of any notification.
func TestBroadcastIsARowOnceItWasRead(t *testing.T) {
	each(t, large, func(t *testing.T, h *fixture) {
		star, fan := h.celebrity(), domain.Viewer{UserID: h.users[1]}
		s := h.service()
		read := func(q notify.Query) notify.Page {
			t.Helper()
			if q.Limit == 0 {
				q.Limit = 10
			}
			page, err := s.List(t.Context(), fan, q, notify.BestLanguage(""))
			h.must(err)
			return page
		}
		h.put(h.joined(fan.UserID, h.users[2]))
		h.advance(time.Minute)
		h.announce(h.published(star), notify.FollowersOf(star))
		h.advance(time.Minute)
		h.put(h.joined(fan.UserID, h.users[3]))

		page := read(notify.Query{Limit: 2})
		if page.Unread != 3 || len(page.Items) != 2 || page.Items[1].Kind != notify.FollowedUserEvent || page.Next == "" {
			t.Fatalf("%+v", page)
		}
		if rest := read(notify.Query{Limit: 2, Cursor: page.Next}); len(rest.Items) != 1 || rest.Items[0].Kind != notify.EventJoined {
			t.Errorf("%+v", rest)
		}
		id := page.Items[1].ID
		first, err := s.Read(t.Context(), fan, id, notify.BestLanguage(""))
		h.must(err)
		h.advance(time.Minute)
		again, err := s.Read(t.Context(), fan, id, notify.BestLanguage(""))
		h.must(err)
		if first.ReadAt == nil || !again.ReadAt.Equal(*first.ReadAt) {
			t.Errorf("read at %v, then at %v", first.ReadAt, again.ReadAt)
		}
		h.wantUnread(fan.UserID, 2)

		h.announce(h.published(star), notify.FollowersOf(star)) // a repeat
		if n, err := s.ReadAll(t.Context(), fan); n != 3 || err != nil {
			t.Errorf("%d marked as read, %v", n, err)
		}
		if page := read(notify.Query{}); page.Unread != 0 || len(page.Items) != 3 || page.Items[0].ID != id {
			t.Errorf("%+v", page)
		}
		if page := read(notify.Query{UnreadOnly: true}); len(page.Items) != 0 {
			t.Errorf("%+v", page)
		}
	})
}

// TestNoBroadcastIsMissed lets a user look while many transactions announce: whatever
// the order of their commits, the user receives every broadcast.
func TestNoBroadcastIsMissed(t *testing.T) {
	each(t, 2, func(t *testing.T, h *fixture) {
		star, fan := h.celebrity(), h.users[1]
		const many = 200
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range many / 8 {
					n := notify.Notification{Kind: notify.FollowedUserEvent, Actor: star, Event: domain.RandomID[domain.EventKind]()}
					err := h.db.InTx(t.Context(), func(tx db.Tx) error {
						return notify.Announce(t.Context(), tx, h.clock(), n, notify.FollowersOf(star).Sized(large))
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		announced := make(chan struct{})
		go func() { all.Wait(); close(announced) }()
		for looking := true; looking; {
			select {
			case <-announced:
				looking = false
			default:
			}
			if _, err := h.service().Unread(t.Context(), domain.Viewer{UserID: fan}); err != nil {
				t.Fatal(err)
			}
		}
		h.wantUnread(fan, many)
	})
}

// TestOthersBroadcastsAreSkipped lets a user look at many broadcasts to others: later
// looks do not read them again.
func TestOthersBroadcastsAreSkipped(t *testing.T) {
	each(t, 2, func(t *testing.T, h *fixture) {
		for n := range 25 {
			h.wantUnread(h.users[1], 0)
			if (h.count(positionsStmt) == 1) != (n > 20) {
				t.Fatalf("after %d broadcasts, %d users have skipped them", n, h.count(positionsStmt))
			}
			h.event = domain.RandomID[domain.EventKind]()
			h.announce(h.published(h.users[0]), notify.FollowersOf(h.users[0]).Sized(large))
		}
	})
}

func TestConcurrentReadersReceiveOnce(t *testing.T) {
	each(t, large, func(t *testing.T, h *fixture) {
		star := h.celebrity()
		h.advance(time.Minute)
		h.announce(h.published(star), notify.FollowersOf(star))
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() {
				if n, err := h.service().Unread(t.Context(), domain.Viewer{UserID: h.users[1+i%4]}); n != 1 || err != nil {
					t.Errorf("%d unread, %v", n, err)
				}
			})
		}
		all.Wait()
		h.wantCounts(4, 4)
	})
}

func TestExportEraseAndPurgeOfBroadcasts(t *testing.T) {
	each(t, large, func(t *testing.T, h *fixture) {
		star, fan := h.celebrity(), h.users[1]
		h.advance(time.Minute)
		h.announce(h.published(star), notify.FollowersOf(star))
		for range 2 { // before and after the user has received it
			all, err := notify.Export(t.Context(), h.db, fan)
			h.must(err)
			if fmt.Sprint(all) == "[]" {
				t.Error("the export omits the broadcast")
			}
			h.wantUnread(fan, 1)
		}
		h.must(h.db.InTx(t.Context(), func(tx db.Tx) error { return notify.Erase(t.Context(), tx, fan, h.clock()) }))
		h.wantCounts(0, 0)
		if h.count(positionsStmt) != 0 {
			t.Error("the erased user has a position")
		}
		h.advance(181 * 24 * time.Hour)
		h.runDue()
		h.advance(24 * time.Hour)
		h.runDue()
		if h.count(broadcastsStmt) != 0 {
			t.Error("the broadcast was not purged")
		}
	})
}

// TestAnnounceToHundredThousandFollowers writes no row for each of them. It logs how long an
// announcement takes, and how long the first look of a follower.
func TestAnnounceToHundredThousandFollowers(t *testing.T) {
	testutil.OnlyLong(t)
	followers := 100_000 / scale
	for _, engine := range dbtest.Engines { // not in parallel, because it measures times
		t.Run(engine.String(), func(t *testing.T) {
			h := newFixture(t, open(t, dbtest.URL(t, engine)), followers+1)
			star := h.celebrity()
			h.advance(time.Minute)
			started := time.Now()
			h.announce(h.published(star), notify.FollowersOf(star))
			announced := time.Since(started)
			h.wantCounts(0, 0)
			looked := time.Now()
			h.wantUnread(h.users[1], 1)
			t.Logf("%s: announced in %v, received in %v", engine, announced, time.Since(looked))
		})
	}
}
