package attendance

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"moothall/internal/dbtest"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// world is an event, its organizer, somebody who joins, and who follows them.
type world struct {
	event                       domain.EventID
	organizer, viewer, follower domain.UserID

	status, visibility, price, shown      string
	listed, over, unfollowed              bool
	invitation, participation             string // their states, "" for none
	viewerBlocks, organizerBlocks, itself bool   // itself: the organizer joins
	capacity, taken                       int64  // capacity 0 is any number
}

// deviations are all facts in which a case may differ from the usual one.
var deviations = []struct {
	name string
	make func(*world)
}{
	{"as usual", func(*world) {}},
	{"a draft", func(w *world) { w.status, w.listed = "draft", false }},
	{"canceled", func(w *world) { w.status, w.listed = "canceled", false }},
	{"private", func(w *world) { w.visibility, w.listed = "private", false }},
	{"over", func(w *world) { w.over = true }},
	{"of somebody suspended", func(w *world) { w.listed = false }},
	{"paid", func(w *world) { w.price = "paid" }},
	{"the last seat", func(w *world) { w.capacity = 1 }},
	{"a few seats", func(w *world) { w.capacity, w.taken = 20, 18 }},
	{"full", func(w *world) { w.capacity, w.taken = 2, 2 }},
	{"invited", func(w *world) { w.invitation = Pending }},
	{"invited and declined", func(w *world) { w.invitation = Declined }},
	{"going", func(w *world) { w.participation = statusGoing }},
	{"gone", func(w *world) { w.participation = statusLeft }},
	{"blocked", func(w *world) { w.organizerBlocks = true }},
	{"blocking", func(w *world) { w.viewerBlocks = true }},
	{"their own", func(w *world) { w.itself = true }},
	{"incognito", func(w *world) { w.shown = Incognito }},
	{"nobody follows", func(w *world) { w.unfollowed = true }},
}

var (
	addUser = db.SQL("test.add_user", `INSERT INTO users (id, email_verified, test_profile, created_at) VALUES ($1, FALSE, FALSE, $2)`)

	addEvent = db.SQL("test.add_event", `INSERT INTO events (id, organizer_id, status, visibility, listed, swept, title, starts_at, over_at, starts_key,
		timezone, date_mode, price, capacity, sequence, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, FALSE, 'Chess', $6, $6, $7, 'UTC', 'fixed', $8, $9, 0, $6, $6)`)
	addFollow      = db.SQL("test.add_follow", `INSERT INTO follows (follower_id, followed_id, created_at) VALUES ($1, $2, $3)`)
	addBlock       = db.SQL("test.add_block", `INSERT INTO blocks (blocker_id, blocked_id, id, created_at) VALUES ($1, $2, $3, $4)`)
	addInvitation  = db.SQL("test.add_invitation", `INSERT INTO invitations (event_id, user_id, id, invited_by, status, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)`)
	addParticipant = db.SQL("test.add_participant", `INSERT INTO participants (event_id, user_id, id, status, visibility, slot, joined_at, created_at, updated_at)
		VALUES ($1, $2, $3, $4, 'public', 0, $5, $5, $5)`)

	// left is all that a join may write, with roles in the place of ids. Which slot
	// has the seat is left to chance.
	leftStmt = db.SQL("test.left", `
		SELECT 'participant ' || p.status || ' ' || p.visibility || ' ' || p.joined_at || ' ' || p.created_at || ' ' || p.updated_at || ' ' || COALESCE(CAST(p.left_at AS TEXT), '-')
			FROM participants p WHERE p.event_id = $1 AND p.user_id = $2
		UNION ALL SELECT 'seats ' || COALESCE(SUM(s.n), 0) FROM event_slots s WHERE s.event_id = $1
		UNION ALL SELECT 'invitation ' || i.status || ' ' || i.updated_at FROM invitations i WHERE i.event_id = $1
		UNION ALL SELECT 'told ' || n.kind || ' ' || n.params || ' ' || n.created_at || CASE WHEN n.user_id = $3 THEN ' organizer' ELSE ' other' END ||
				CASE WHEN n.actor_id = $2 THEN ' by viewer' ELSE ' by other' END || CASE WHEN n.subject = $4 THEN ' of event' ELSE ' of other' END
			FROM notifications n WHERE n.event_id = $1
		UNION ALL SELECT 'job ' || j.kind || ' ' || j.run_at || ' ' || j.attempts || ' ' || j.created_at FROM jobs j WHERE j.payload LIKE '%' || $4 || '%'
		ORDER BY 1`)
)

func (w *world) build(t *testing.T, d *db.DB, now time.Time) {
	t.Helper()
	w.event, w.organizer = domain.RandomID[domain.EventKind](), domain.RandomID[domain.UserKind]()
	w.viewer, w.follower = domain.RandomID[domain.UserKind](), domain.RandomID[domain.UserKind]()
	if w.itself {
		w.viewer = w.organizer
	}
	before, over := now.Add(-time.Hour), now.Add(time.Hour)
	if w.over {
		over = now
	}
	var capacity *int64
	if w.capacity > 0 {
		capacity = &w.capacity
	}
	err := d.InTx(t.Context(), func(tx db.Tx) (err error) {
		run := func(on bool, s *db.Stmt, args ...any) {
			if on && err == nil {
				_, err = tx.Exec(t.Context(), s, args...)
			}
		}
		run(true, addUser, w.organizer, before)
		run(!w.itself, addUser, w.viewer, before)
		run(true, addUser, w.follower, before)
		run(true, addEvent, w.event, w.organizer, w.status, w.visibility, w.listed, over, rand.Int64(), w.price, capacity)
		run(!w.unfollowed, addFollow, w.follower, w.viewer, before)
		run(w.viewerBlocks && !w.itself, addBlock, w.viewer, w.organizer, domain.RandomID[domain.UserKind](), before)
		run(w.organizerBlocks && !w.itself, addBlock, w.organizer, w.viewer, domain.RandomID[domain.UserKind](), before)
		run(w.invitation != "", addInvitation, w.event, w.viewer, domain.RandomID[domain.InvitationKind](), w.organizer, w.invitation, before)
		run(w.participation != "", addParticipant, w.event, w.viewer, domain.RandomID[domain.ParticipantKind](), w.participation, before)
		if err == nil && capacity != nil {
			err = Seats{}.SetCapacity(t.Context(), tx, w.event, capacity)
		}
		for range w.taken {
			if err == nil {
				_, _, err = takeAny(t.Context(), tx, w.event)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// left gives what the store holds of the world.
func (w world) left(t *testing.T, d *db.DB) []string {
	t.Helper()
	scan := func(row db.Row, s *string) error { return row.Scan(s) }
	rows, err := db.All(t.Context(), d, scan, leftStmt, w.event, w.viewer, w.organizer, w.event.String())
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestBothWaysOfJoining holds the statements for the usual case and the general
// rules together: for every two deviations from the usual case, joining leaves
// and answers what the general way alone does.
func TestBothWaysOfJoining(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := &Service{DB: d, Clock: func() time.Time { return now }}
		usual := 0
		for i, one := range deviations {
			for _, other := range deviations[i:] {
				both := world{status: "published", visibility: "public", price: "free", listed: true}
				one.make(&both)
				other.make(&both)
				atOnce, generally := both, both
				atOnce.build(t, d, now)
				generally.build(t, d, now)
				_, done, err := s.joinAtOnce(t.Context(), domain.Viewer{UserID: atOnce.viewer}, atOnce.event, orPublic(both.shown))
				if err != nil {
					t.Fatal(err)
				}
				if done {
					usual++
				} else {
					err = s.generally(t, atOnce)
				}
				name := one.name + ", " + other.name
				if want := s.generally(t, generally); !errors.Is(err, want) {
					t.Errorf("%s: %v, generally %v", name, err, want)
				}
				if got, want := atOnce.left(t, d), generally.left(t, d); !slices.Equal(got, want) {
					t.Errorf("%s: %q, generally %q", name, got, want)
				}
			}
		}
		if usual == 0 {
			t.Error("nobody joined at once")
		}
	})
}

// generally joins without trying it at once.
func (s *Service) generally(t *testing.T, w world) error {
	return s.seated(t.Context(), w.event, func(find seat) error {
		_, err := s.join(t.Context(), domain.Viewer{UserID: w.viewer}, w.event, w.shown, find)
		return err
	})
}
