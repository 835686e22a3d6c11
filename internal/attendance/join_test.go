package attendance

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"moothall/internal/access"
	"moothall/internal/dbtest"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

func TestMayJoin(t *testing.T) {
	usual := access.EventFacts{Status: access.Published, Visibility: access.Public}
	change := func(changes ...func(*access.EventFacts)) access.EventFacts {
		f := usual
		for _, c := range changes {
			c(&f)
		}
		return f
	}
	draft := func(f *access.EventFacts) { f.Status = access.Draft }
	private := func(f *access.EventFacts) { f.Visibility = access.Private }
	organizer := func(f *access.EventFacts) { f.Organizer = true }
	invited := func(f *access.EventFacts) { f.Invitation = access.Pending }
	paid := func(f *access.EventFacts) { f.Paid = true }
	for _, row := range []struct {
		name    string
		facts   access.EventFacts
		hasPaid bool
		want    error
	}{
		{"a published public event", usual, false, nil},
		{"the viewer's own event", change(organizer), false, nil},
		{"a draft", change(draft), false, domain.NotFound},
		{"the viewer's own draft", change(draft, organizer), false, domain.NotFound},
		{"a private draft with an invitation", change(draft, private, invited), false, domain.NotFound},
		{"a canceled event", change(func(f *access.EventFacts) { f.Status = access.Canceled }), false, domain.Forbidden},
		{"a completed event", change(func(f *access.EventFacts) { f.Status = access.Completed }), false, domain.Forbidden},
		{"a private event with an invitation", change(private, invited), false, domain.Forbidden},
		{"the viewer's own private event", change(private, organizer), false, domain.Forbidden},
		{"a paid event", change(paid), false, domain.Forbidden},
		{"a paid event after the payment", change(paid), true, nil},
	} {
		if got := mayJoin(row.facts, row.hasPaid); !errors.Is(got, row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}

// world is an event, its organizer, a viewer who joins it and their follower.
type world struct {
	event                       domain.EventID
	organizer, viewer, follower domain.UserID

	status, visibility, price string
	join                      string // the visibility that the viewer sends
	listed, over, noFollowers bool
	invitation                access.Invitation
	participation             string // status, or "" for none
	blocked, own              bool   // own: the organizer joins
	viewerBlocks              bool   // the block is the viewer's
	capacity, taken           int64  // seats; capacity 0 is no limit
}

// deviations are the facts in which a case may differ from the usual one.
var deviations = []struct {
	name  string
	apply func(*world)
}{
	{"usual", func(*world) {}},
	{"draft", func(w *world) { w.status, w.listed = "draft", false }},
	{"canceled", func(w *world) { w.status, w.listed = "canceled", false }},
	{"private", func(w *world) { w.visibility, w.listed = "private", false }},
	{"over", func(w *world) { w.over = true }},
	{"organizer suspended", func(w *world) { w.listed = false }},
	{"paid", func(w *world) { w.price = "paid" }},
	{"one seat", func(w *world) { w.capacity = 1 }},
	{"two free seats", func(w *world) { w.capacity, w.taken = 20, 18 }},
	{"full", func(w *world) { w.capacity, w.taken = 2, 2 }},
	{"invited", func(w *world) { w.invitation = access.Pending }},
	{"declined", func(w *world) { w.invitation = access.Declined }},
	{"going", func(w *world) { w.participation = statusGoing }},
	{"left", func(w *world) { w.participation = statusLeft }},
	{"organizer blocks", func(w *world) { w.blocked = true }},
	{"viewer blocks", func(w *world) { w.blocked, w.viewerBlocks = true, true }},
	{"own event", func(w *world) { w.own = true }},
	{"incognito", func(w *world) { w.join = Incognito }},
	{"no followers", func(w *world) { w.noFollowers = true }},
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

	// writtenStmt reads all that a join may write, with roles in place of ids. The
	// slot that has the seat is random.
	writtenStmt = db.SQL("test.written", `
		SELECT 'participant ' || p.status || ' ' || p.visibility || ' ' || p.joined_at || ' ' || p.created_at || ' ' || p.updated_at || ' ' || COALESCE(CAST(p.left_at AS TEXT), '-') AS line
			FROM participants p WHERE p.event_id = $1 AND p.user_id = $2
		UNION ALL SELECT 'seats ' || COALESCE(SUM(s.n), 0) FROM event_slots s WHERE s.event_id = $1
		UNION ALL SELECT 'invitation ' || i.status || ' ' || i.updated_at FROM invitations i WHERE i.event_id = $1
		UNION ALL SELECT 'notification ' || n.kind || ' ' || n.params || ' ' || n.created_at || CASE WHEN n.user_id = $3 THEN ' to organizer' ELSE ' to other' END ||
				CASE WHEN n.actor_id = $2 THEN ' by viewer' ELSE ' by other' END || CASE WHEN n.subject = $4 THEN ' of event' ELSE ' of other' END
			FROM notifications n WHERE n.event_id = $1
		UNION ALL SELECT 'job ' || j.kind || ' ' || j.run_at || ' ' || j.attempts || ' ' || j.created_at FROM jobs j WHERE j.payload LIKE '%' || $4 || '%'`)
)

func (w *world) build(t *testing.T, d *db.DB, now time.Time) {
	t.Helper()
	w.event, w.organizer = domain.RandomID[domain.EventKind](), domain.RandomID[domain.UserKind]()
	w.viewer, w.follower = domain.RandomID[domain.UserKind](), domain.RandomID[domain.UserKind]()
	if w.own {
		w.viewer = w.organizer
	}
	before, over := now.Add(-time.Hour), now.Add(time.Hour)
	if w.over {
		over = now
	}
	blocker, blocked := w.organizer, w.viewer
	if w.viewerBlocks {
		blocker, blocked = blocked, blocker
	}
	var capacity *int64
	if w.capacity > 0 {
		capacity = &w.capacity
	}
	err := d.InTx(t.Context(), func(tx db.Tx) error {
		queue := func(on bool, s *db.Stmt, args ...any) {
			if on {
				tx.Queue(t.Context(), s, args...)
			}
		}
		queue(true, addUser, w.organizer, before)
		queue(!w.own, addUser, w.viewer, before)
		queue(true, addUser, w.follower, before)
		queue(true, addEvent, w.event, w.organizer, w.status, w.visibility, w.listed, over, rand.Int64(), w.price, capacity)
		queue(!w.noFollowers, addFollow, w.follower, w.viewer, before)
		queue(w.blocked && !w.own, addBlock, blocker, blocked, domain.RandomID[domain.UserKind](), before)
		queue(w.invitation != "", addInvitation, w.event, w.viewer, domain.RandomID[domain.InvitationKind](), w.organizer, w.invitation, before)
		queue(w.participation != "", addParticipant, w.event, w.viewer, domain.RandomID[domain.ParticipantKind](), w.participation, before)
		if capacity == nil {
			return nil
		}
		if err := (Seats{}).SetCapacity(t.Context(), tx, w.event, capacity); err != nil {
			return err
		}
		for range w.taken {
			if err := takeFromAnySlot(t.Context(), tx, &Participant{EventID: w.event}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// refusal is the table of contract §4.7 in words of its own.
func (w *world) refusal() error {
	hidden := w.visibility == "private" && !w.own && w.invitation == "" && w.participation != statusGoing
	switch {
	case w.status == "draft", w.blocked && !w.own, hidden:
		return domain.NotFound
	case w.status == "canceled", w.visibility == "private", w.over, w.price == "paid":
		return domain.Forbidden
	case w.capacity > 0 && w.taken == w.capacity && w.participation != statusGoing:
		return domain.Forbidden
	default:
		return nil
	}
}

// wantWritten returns what writtenStmt reads after the viewer has joined.
func (w *world) wantWritten(now time.Time) []string {
	joins := w.refusal() == nil && w.participation != statusGoing
	shown, at, before := Public, now.UnixMicro(), now.Add(-time.Hour).UnixMicro()
	if w.join == Incognito {
		shown = Incognito
	}
	seats := w.taken
	var lines []string
	switch {
	case joins:
		seats++
		created := at
		if w.participation != "" {
			created = before
		}
		lines = append(lines, fmt.Sprintf("participant going %s %d %d %d -", shown, at, created, at))
	case w.participation != "" && w.refusal() == nil && shown == Incognito:
		lines = append(lines, fmt.Sprintf("participant going incognito %d %d %d -", before, before, at))
	case w.participation != "":
		lines = append(lines, fmt.Sprintf("participant %s public %d %d %d -", w.participation, before, before, before))
	}
	lines = append(lines, fmt.Sprintf("seats %d", seats))
	switch {
	case w.invitation != "" && w.refusal() == nil:
		lines = append(lines, fmt.Sprintf("invitation accepted %d", at))
	case w.invitation != "":
		lines = append(lines, fmt.Sprintf("invitation %s %d", w.invitation, before))
	}
	if joins && w.participation == "" && !w.own {
		lines = append(lines, fmt.Sprintf("notification event_joined {} %d to organizer by viewer of event", at))
	}
	if joins && shown == Public && !w.noFollowers {
		lines = append(lines, fmt.Sprintf("job notify.announce %d 0 %d", at, at))
	}
	slices.Sort(lines)
	return lines
}

// TestJoinInEveryCase joins in every case that differs from the usual one in two
// facts, and compares the answer and what was written.
func TestJoinInEveryCase(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := &Service{DB: d, Clock: func() time.Time { return now }}
		scan := func(row db.Row, line *string) error { return row.Scan(line) }
		for i, one := range deviations {
			for _, other := range deviations[i:] {
				name := one.name + ", " + other.name
				w := world{status: "published", visibility: "public", price: "free", listed: true}
				one.apply(&w)
				other.apply(&w)
				w.build(t, d, now)
				p, err := s.Join(t.Context(), domain.Viewer{UserID: w.viewer}, w.event, w.join)
				if !errors.Is(err, w.refusal()) {
					t.Errorf("%s: %v, want %v", name, err, w.refusal())
				}
				if err == nil && (p.EventID != w.event || p.UserID != w.viewer || p.Status != statusGoing || p.Visibility == Incognito != (w.join == Incognito)) {
					t.Errorf("%s: returned %+v", name, p)
				}
				got, err := db.All(t.Context(), d, scan, writtenStmt, w.event, w.viewer, w.organizer, w.event.String())
				if err != nil {
					t.Fatal(err)
				}
				slices.Sort(got)
				if want := w.wantWritten(now); !slices.Equal(got, want) {
					t.Errorf("%s: wrote %q, want %q", name, got, want)
				}
			}
		}
	})
}
