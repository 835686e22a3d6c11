package identity_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
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
	columns := []string{"id", "organizer_id", "status", "visibility", "listed", "swept", "title", "starts_at", "over_at", "starts_key",
		"timezone",
		"date_mode", "price", "sequence", "created_at", "updated_at"}
	h.bulk("events", columns, func(yield func([]any) bool) {
		yield([]any{h.event, h.users[0], "published", "private", false, false, "Dinner", int64(0), int64(0), int64(0), "UTC",
			"fixed", "free", 0, int64(0), int64(0)})
	})
	h.bulk("invitations", []string{"event_id", "user_id", "id", "invited_by", "status", "created_at", "updated_at"},
		func(yield func([]any) bool) {
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
		h.exec(notifySuspendStmt, p[9])

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
			n := notify.Notification{Kind: notify.FollowedUserGoing, Actor: actor, Event: h.event}
			h.announce(n, c.to)
			t.Log(c.name)
			h.wantRecipients(c.want...)
			h.retract(n)
			h.wantRecipients()
		}
	})
}

func TestAnnouncementRollsBackWithTransaction(t *testing.T) {
	each(t, notify.MaxRows+2, func(t *testing.T, h *fixture) {
		undone := errors.New("undone")
		for _, followers := range []int{1, notify.MaxRows + 1} {
			h.follow(h.users[followers], h.users[:followers]...)
			err := h.db.InTx(t.Context(), func(tx db.Tx) error {
				h.must(notify.Announce(t.Context(), tx, h.clock(), h.published(h.users[followers]), notify.FollowersOf(h.users[followers])))
				return undone
			})
			if !errors.Is(err, undone) {
				t.Fatal(err)
			}
			h.wantUnread(h.users[0], 0)
		}
	})
}

func TestRepeatedAnnouncementUsesNewestParams(t *testing.T) {
	each(t, 3, func(t *testing.T, h *fixture) {
		h.follow(h.users[0], h.users[1:]...)
		n := h.published(h.users[0])
		for _, number := range []string{"1", "2"} {
			n.Params = map[string]string{"n": number}
			h.announce(n, notify.FollowersOf(h.users[0]))
			h.advance(time.Second)
		}
		h.wantRecipients(h.users[1:]...)
		for _, r := range h.rows() {
			if r.params != `{"n":"2"}` {
				t.Errorf("%+v", r)
			}
		}
	})
}

func TestRetract(t *testing.T) {
	each(t, 4, func(t *testing.T, h *fixture) {
		joiner := h.users[0]
		h.follow(joiner, h.users[1:]...)
		n := notify.Notification{Kind: notify.FollowedUserGoing, Actor: joiner, Event: h.event}
		other := n
		other.Kind = notify.PostCommented

		h.announce(n, notify.FollowersOfUpTo(joiner, 500))
		h.wantRecipients(h.users[1:]...)
		h.retract(other)
		h.wantRecipients(h.users[1:]...)
		h.retract(n)
		h.wantRecipients()

		h.announce(n, notify.FollowersOfUpTo(joiner, 500))
		n.To = h.users[2]
		h.retract(n)
		h.wantRecipients(h.users[1], h.users[3])
		h.exec(readStmt, h.clock())
		n.To = domain.UserID{}
		h.retract(n)
		h.wantCounts(2, 0) // read ones stay
	})
}

// TestAnnounceWithoutStatistics notifies an audience when the planner has no statistics
// and thousands of users block the organizer. The plan looks blocks up by index for each recipient.
func TestAnnounceWithoutStatistics(t *testing.T) {
	const members, blocking = notify.MaxRows / 2, notify.MaxRows / 5
	others := 20_000 / scale
	for engine, before := range map[db.Engine]string{db.SQLite: "EXPLAIN QUERY PLAN ", db.PostgreSQL: "EXPLAIN (COSTS OFF) "} {
		t.Run(engine.String(), func(t *testing.T) {
			h := newFixture(t, open(t, dbtest.URL(t, engine)), 2*members+others+1)
			going, invited := map[int]string{}, map[int]string{}
			for n := range members {
				going[1+n], invited[1+n+members] = "going", "accepted"
			}
			h.going(going)
			h.invited(invited)
			h.bulk("blocks", []string{"blocker_id", "blocked_id", "id", "created_at"}, func(yield func([]any) bool) {
				for i, p := range h.users[1:] {
					if (i < blocking || i >= 2*members) && !yield([]any{p, h.users[0], domain.RandomID[any](), int64(0)}) {
						return
					}
				}
			})
			started := time.Now()
			h.announce(notify.Notification{Kind: notify.EventCanceled, Actor: h.users[0], Event: h.event}, notify.GoingAndInvited(h.event))
			t.Logf("%s: %d rows in %v", engine, 2*members-blocking, time.Since(started).Round(time.Millisecond))
			h.wantCounts(2*members-blocking, 2*members-blocking)
			columns := map[db.Engine]int{db.SQLite: 3, db.PostgreSQL: 0} // before that of the step
			explain := db.SQL("notify_test.explain "+engine.String(),
				before+dbtest.Statement(t, "notify.announce.going_and_invited").Text(db.PostgreSQL))
			scan := func(row db.Row, step *string) error { return row.Scan(append(make([]any, columns[engine]), step)...) }
			steps, err := db.All(t.Context(), h.db, scan, explain, domain.RandomID[domain.NotificationKind](), notify.EventCanceled, "", h.users[0],
				h.event, "{}", h.clock(), h.clock(), h.event)
			h.must(err)
			if plan := strings.Join(steps, "\n"); regexp.MustCompile(`Anti Join|Seq Scan on (users|blocks)|SCAN (u|b)\b`).MatchString(plan) {
				t.Errorf("the plan joins or reads all users or blocks:\n%s", plan)
			}
		})
	}
}
