package attendance_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// hasNotPaid is Service.MustHavePaid of a user who has not paid.
func hasNotPaid(context.Context, db.Querier, domain.EventID, domain.UserID) error {
	return domain.Forbid(domain.PaymentRequired)
}

// joiningService returns a service that can join.
func joiningService(d *db.DB, now time.Time) *attendance.Service {
	return &attendance.Service{DB: d, Clock: func() time.Time { return now }, MustHavePaid: hasNotPaid,
		OnChange: func(context.Context, db.Tx, domain.EventID, domain.UserID, time.Time) {}}
}

// going is the status of participants.
const going = "going"

// joinCase is an event, its organizer, a viewer who joins it and their follower.
type joinCase struct {
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
	apply func(*joinCase)
}{
	{"usual", func(*joinCase) {}},
	{"draft", func(c *joinCase) { c.status, c.listed = "draft", false }},
	{"canceled", func(c *joinCase) { c.status, c.listed = "canceled", false }},
	{"private", func(c *joinCase) { c.visibility, c.listed = "private", false }},
	{"over", func(c *joinCase) { c.over = true }},
	{"organizer suspended", func(c *joinCase) { c.listed = false }},
	{"paid", func(c *joinCase) { c.price = "paid" }},
	{"one seat", func(c *joinCase) { c.capacity = 1 }},
	{"two free seats", func(c *joinCase) { c.capacity, c.taken = 20, 18 }},
	{"full", func(c *joinCase) { c.capacity, c.taken = 2, 2 }},
	{"invited", func(c *joinCase) { c.invitation = access.Pending }},
	{"declined", func(c *joinCase) { c.invitation = access.Declined }},
	{"going", func(c *joinCase) { c.participation = going }},
	{"left", func(c *joinCase) { c.participation = "left" }},
	{"organizer blocks", func(c *joinCase) { c.blocked = true }},
	{"viewer blocks", func(c *joinCase) { c.blocked, c.viewerBlocks = true, true }},
	{"own event", func(c *joinCase) { c.own = true }},
	{"incognito", func(c *joinCase) { c.join = attendance.Incognito }},
	{"no followers", func(c *joinCase) { c.noFollowers = true }},
}

var (
	addUser = db.SQL("test.add_user", `INSERT INTO users (id, email_verified, test_profile, created_at) VALUES ($1, FALSE, FALSE, $2)`)

	addEvent = db.SQL("test.add_event", `INSERT INTO events (id, organizer_id, status, visibility, listed, swept, title, starts_at, over_at,
		starts_key,
		timezone, date_mode, price, capacity, sequence, created_at, updated_at, published_at)
		VALUES ($1, $2, $3, $4, $5, FALSE, 'Chess', $6, $6, $7, 'UTC', 'fixed', $8, $9, 0, $6, $6, CASE WHEN $3 <> 'draft'
			THEN CAST($6 AS BIGINT) END)`)
	addFollow     = db.SQL("test.add_follow", `INSERT INTO follows (follower_id, followed_id, created_at) VALUES ($1, $2, $3)`)
	addBlock      = db.SQL("test.add_block", `INSERT INTO blocks (blocker_id, blocked_id, id, created_at) VALUES ($1, $2, $3, $4)`)
	addInvitation = db.SQL("test.add_invitation", `INSERT INTO invitations (event_id, user_id, id, invited_by, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $6)`)
	addParticipant = db.SQL("test.add_participant", `INSERT INTO participants (event_id, user_id, id, status, visibility, slot, joined_at,
		created_at, updated_at)
		VALUES ($1, $2, $3, $4, 'public', 0, $5, $5, $5)`)

	takeAllSeats = db.SQL("test.take_all_seats", `UPDATE event_slots SET n = cap WHERE event_id = $1`)

	// writtenStmt reads all that a join may write, with roles in place of ids. The
	// seat row that has the seat is random.
	writtenStmt = db.SQL("test.written", `
		SELECT 'participant ' || p.status || ' ' || p.visibility || ' ' || p.joined_at || ' ' || p.created_at || ' ' || p.updated_at || ' ' ||
				COALESCE(CAST(p.left_at AS TEXT), '-') AS line
			FROM participants p WHERE p.event_id = $1 AND p.user_id = $2
		UNION ALL SELECT 'seats ' || COALESCE(SUM(s.n), 0) FROM event_slots s WHERE s.event_id = $1
		UNION ALL SELECT 'invitation ' || i.status || ' ' || i.updated_at FROM invitations i WHERE i.event_id = $1
		UNION ALL SELECT 'notification ' || n.kind || ' ' || n.params || ' ' || n.created_at || CASE WHEN n.user_id = $3 THEN ' to organizer'
			ELSE ' to other' END ||
				CASE WHEN n.actor_id = $2 THEN ' by viewer' ELSE ' by other' END || CASE WHEN n.subject IN ($4, '') THEN ' of event' ELSE ' of other' END
			FROM notifications n WHERE n.event_id = $1`)
)

func (c *joinCase) build(t *testing.T, d *db.DB, now time.Time) {
	t.Helper()
	c.event, c.organizer = domain.RandomID[domain.EventKind](), domain.RandomID[domain.UserKind]()
	c.viewer, c.follower = domain.RandomID[domain.UserKind](), domain.RandomID[domain.UserKind]()
	if c.own {
		c.viewer = c.organizer
	}
	before, over := now.Add(-time.Hour), now.Add(time.Hour)
	if c.over {
		over = now
	}
	blocker, blocked := c.organizer, c.viewer
	if c.viewerBlocks {
		blocker, blocked = blocked, blocker
	}
	var capacity *int64
	if c.capacity > 0 {
		capacity = &c.capacity
	}
	err := d.InTx(t.Context(), func(tx db.Tx) error {
		queue := func(on bool, s *db.Stmt, args ...any) {
			if on {
				tx.Queue(t.Context(), s, args...)
			}
		}
		queue(true, addUser, c.organizer, before)
		queue(!c.own, addUser, c.viewer, before)
		queue(true, addUser, c.follower, before)
		queue(true, addEvent, c.event, c.organizer, c.status, c.visibility, c.listed, over, rand.Int64(), c.price, capacity)
		queue(!c.noFollowers, addFollow, c.follower, c.viewer, before)
		queue(c.blocked && !c.own, addBlock, blocker, blocked, domain.RandomID[domain.UserKind](), before)
		queue(c.invitation != "", addInvitation, c.event, c.viewer, domain.RandomID[domain.InvitationKind](), c.organizer, c.invitation, before)
		queue(c.participation != "", addParticipant, c.event, c.viewer, domain.RandomID[domain.ParticipantKind](), c.participation, before)
		if capacity == nil {
			return nil
		}
		set := func(capacity *int64) error {
			return attendance.Seats{}.Set(t.Context(), tx, event.SeatRules{Event: c.event, Capacity: capacity, MaxParty: 1}, now)
		}
		if err := set(&c.taken); err != nil {
			return err
		}
		tx.Queue(t.Context(), takeAllSeats, c.event)
		return set(capacity)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// refusal is the table of contract §4.7, written independently of access.MustBeJoinable.
func (c *joinCase) refusal() error {
	hidden := c.visibility == "private" && !c.own && c.invitation == "" && c.participation != going
	switch {
	case c.status == "draft", c.blocked && !c.own, hidden:
		return domain.NotFound
	case c.status == "canceled":
		return domain.Forbid(domain.EventCanceled)
	case c.over:
		return domain.Forbid(domain.EventEnded)
	case c.visibility == "private":
		return domain.Forbid(domain.EventPrivate)
	case c.price == "paid":
		return domain.Forbid(domain.PaymentRequired)
	case c.capacity > 0 && c.taken == c.capacity && c.participation != going:
		return domain.Forbid(domain.EventFull)
	default:
		return nil
	}
}

// wantWritten returns the expected rows of writtenStmt after the viewer has joined.
func (c *joinCase) wantWritten(now time.Time) []string {
	joins := c.refusal() == nil && c.participation != going
	shown, at, before := attendance.Public, now.UnixMicro(), now.Add(-time.Hour).UnixMicro()
	if c.join == attendance.Incognito {
		shown = attendance.Incognito
	}
	seats := c.taken
	var lines []string
	switch {
	case joins:
		seats++
		created := at
		if c.participation != "" {
			created = before
		}
		lines = append(lines, fmt.Sprintf("participant going %s %d %d %d -", shown, at, created, at))
	case c.participation != "" && c.refusal() == nil && shown == attendance.Incognito:
		lines = append(lines, fmt.Sprintf("participant going incognito %d %d %d -", before, before, at))
	case c.participation != "":
		lines = append(lines, fmt.Sprintf("participant %s public %d %d %d -", c.participation, before, before, before))
	}
	lines = append(lines, fmt.Sprintf("seats %d", seats))
	switch {
	case c.invitation != "" && c.refusal() == nil:
		lines = append(lines, fmt.Sprintf("invitation accepted %d", at))
	case c.invitation != "":
		lines = append(lines, fmt.Sprintf("invitation %s %d", c.invitation, before))
	}
	if joins && c.participation == "" && !c.own {
		lines = append(lines, fmt.Sprintf("notification event_joined {} %d to organizer by viewer of event", at))
	}
	if joins && shown == attendance.Public && !c.noFollowers {
		lines = append(lines, fmt.Sprintf("notification followed_user_going {} %d to other by viewer of event", at))
	}
	slices.Sort(lines)
	return lines
}

// receive lets the follower look at their notifications: all are new, and those in the list.
func (c *joinCase) receive(t *testing.T, s *attendance.Service) {
	t.Helper()
	notifications, follower := notify.Service{DB: s.DB, Clock: s.Clock}, domain.Viewer{UserID: c.follower}
	unread, err := notifications.Unread(t.Context(), follower)
	if err != nil {
		t.Fatal(err)
	}
	page, err := notifications.List(t.Context(), follower, notify.Query{Limit: 10}, notify.BestLanguage(""))
	if err != nil || page.Unread != unread || len(page.Items) != unread {
		t.Errorf("%d unread notifications before the list of %d, %d after it: %v", unread, len(page.Items), page.Unread, err)
	}
}

// TestJoinInEveryCase joins in every case that differs from the usual one in two
// facts, and compares the result and the written rows.
func TestJoinInEveryCase(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := joiningService(d, now)
		scan := func(row db.Row, line *string) error { return row.Scan(line) }
		for i, one := range deviations {
			for _, other := range deviations[i:] {
				name := one.name + ", " + other.name
				c := joinCase{status: "published", visibility: "public", price: "free", listed: true}
				one.apply(&c)
				other.apply(&c)
				c.build(t, d, now)
				p, err := s.Join(t.Context(), domain.Viewer{UserID: c.viewer}, c.event, attendance.Terms{Visibility: c.join})
				if !errors.Is(err, c.refusal()) {
					t.Errorf("%s: %v, want %v", name, err, c.refusal())
				}
				if err == nil && (p.EventID != c.event || p.UserID != c.viewer || p.Status != going ||
					p.Visibility == attendance.Incognito != (c.join == attendance.Incognito)) {
					t.Errorf("%s: returned %+v", name, p)
				}
				c.receive(t, s)
				got, err := db.All(t.Context(), d, scan, writtenStmt, c.event, c.viewer, c.organizer, c.event.String())
				if err != nil {
					t.Fatal(err)
				}
				slices.Sort(got)
				if want := c.wantWritten(now); !slices.Equal(got, want) {
					t.Errorf("%s: wrote %q, want %q", name, got, want)
				}
			}
		}
	})
}

// TestJoinRefusesClosedSeats joins an event that is canceled after the join has read its status.
func TestJoinRefusesClosedSeats(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := joiningService(d, now)
		for _, capacity := range []int64{0, 3} {
			c := joinCase{status: "published", visibility: "public", price: "free", listed: true, capacity: capacity, taken: min(capacity, 2)}
			c.build(t, d, now)
			err := d.InTx(t.Context(), func(tx db.Tx) error {
				return attendance.Seats{}.Close(t.Context(), tx, event.SeatRules{Event: c.event}, now)
			})
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Join(t.Context(), domain.Viewer{UserID: c.viewer}, c.event, attendance.Terms{})
			if !errors.Is(err, domain.Forbid(domain.EventCanceled)) {
				t.Errorf("capacity %d: %v", capacity, err)
			}
		}
	})
}
