package chat_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/chat"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// sendCase is an event and a user who sends a message to its chat.
type sendCase struct {
	event             domain.EventID
	organizer, viewer domain.UserID

	status, visibility            string
	invitation, participation     string // their status; empty for none
	viewerBlocks, organizerBlocks bool
	byOrganizer                   bool
	over                          bool // the event has ended
	repeated                      bool // the viewer has sent the message before
	chatAhead                     bool // the latest message is later than the clock
}

// deviations are the facts in which a case may differ from the usual one.
var deviations = []struct {
	name  string
	apply func(*sendCase)
}{
	{"usual", func(*sendCase) {}},
	{"draft", func(c *sendCase) { c.status = "draft" }},
	{"canceled", func(c *sendCase) { c.status = "canceled" }},
	{"private", func(c *sendCase) { c.visibility = "private" }},
	{"over", func(c *sendCase) { c.over = true }},
	{"invited", func(c *sendCase) { c.invitation = "pending" }},
	{"accepted", func(c *sendCase) { c.invitation = "accepted" }},
	{"tentative", func(c *sendCase) { c.invitation = "tentative" }},
	{"declined", func(c *sendCase) { c.invitation = "declined" }},
	{"not going", func(c *sendCase) { c.participation = "" }},
	{"left", func(c *sendCase) { c.participation = "left" }},
	{"organizer blocks", func(c *sendCase) { c.organizerBlocks = true }},
	{"viewer blocks", func(c *sendCase) { c.viewerBlocks = true }},
	{"by the organizer", func(c *sendCase) { c.byOrganizer = true }},
	{"repeated", func(c *sendCase) { c.repeated = true }},
	{"chat ahead", func(c *sendCase) { c.chatAhead = true }},
}

// want returns the error of the policy (policy "Seeing an event", contract §7).
func (c sendCase) want() error {
	going := c.participation == "going"
	sees := c.visibility == "public" && c.status != "draft" ||
		c.visibility == "private" && (c.invitation != "" || going && c.status != "draft")
	switch {
	case c.byOrganizer && c.status == "draft":
		return domain.Forbid(domain.EventDraft)
	case c.byOrganizer:
		return nil
	case c.organizerBlocks, c.viewerBlocks, !sees:
		return domain.NotFound
	case !going && c.invitation != "accepted" && c.invitation != "tentative":
		return domain.Forbid(domain.NotParticipant)
	case c.status == "draft":
		return domain.Forbid(domain.EventDraft)
	}
	return nil
}

var (
	addUser  = db.SQL("test.add_user", `INSERT INTO users (id, email_verified, test_profile, created_at) VALUES ($1, FALSE, FALSE, $2)`)
	addEvent = db.SQL("test.add_event", `INSERT INTO events (id, organizer_id, status, visibility, listed, swept, title, starts_at, over_at,
		starts_key,
		timezone, date_mode, price, sequence, created_at, updated_at, published_at)
		VALUES ($1, $2, $3, $4, FALSE, FALSE, 'Chess', $5, $5, $6, 'UTC', 'fixed', 'free', 0, $5, $5, CASE WHEN $3 <> 'draft'
			THEN CAST($5 AS BIGINT) END)`)
	addBlock      = db.SQL("test.add_block", `INSERT INTO blocks (blocker_id, blocked_id, id, created_at) VALUES ($1, $2, $3, $4)`)
	addInvitation = db.SQL("test.add_invitation", `INSERT INTO invitations (event_id, user_id, id, invited_by, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $6)`)
	addParticipant = db.SQL("test.add_participant", `INSERT INTO participants (event_id, user_id, id, status, visibility, slot, joined_at,
		created_at, updated_at)
		VALUES ($1, $2, $3, $4, 'public', 0, $5, $5, $5)`)
	addMessage = db.SQL("test.add_message", `INSERT INTO messages (event_id, created_at, id, author_id, client_message_id, body)
		VALUES ($1, $2, $3, $4, $5, 'first')`)

	readMessages = db.SQL("test.read_messages", `SELECT m.body || CASE WHEN m.author_id = $2 THEN ' by viewer' ELSE ' by other' END
		FROM messages m WHERE m.event_id = $1 ORDER BY m.created_at`)
)

func (c *sendCase) store(t *testing.T, d *db.DB, now time.Time) {
	t.Helper()
	c.event, c.organizer, c.viewer = domain.RandomID[domain.EventKind](), domain.RandomID[domain.UserKind](),
		domain.RandomID[domain.UserKind]()
	if c.byOrganizer {
		c.viewer = c.organizer
	}
	before, over := now.Add(-time.Hour), now.Add(time.Hour)
	if c.over {
		over = now
	}
	nextTime := dbtest.Statement(t, "chat.next_time")
	err := d.InTx(t.Context(), func(tx db.Tx) error {
		run := func(on bool, s *db.Stmt, args ...any) {
			if on {
				tx.Queue(t.Context(), s, args...)
			}
		}
		run(true, addUser, c.organizer, before)
		run(!c.byOrganizer, addUser, c.viewer, before)
		run(true, addEvent, c.event, c.organizer, c.status, c.visibility, over, rand.Int64())
		run(c.viewerBlocks && !c.byOrganizer, addBlock, c.viewer, c.organizer, domain.RandomID[domain.UserKind](), before)
		run(c.organizerBlocks && !c.byOrganizer, addBlock, c.organizer, c.viewer, domain.RandomID[domain.UserKind](), before)
		run(c.invitation != "", addInvitation, c.event, c.viewer, domain.RandomID[domain.InvitationKind](), c.organizer, c.invitation, before)
		run(c.participation != "", addParticipant, c.event, c.viewer, domain.RandomID[domain.ParticipantKind](), c.participation, before)
		run(c.repeated, nextTime, c.event, before)
		run(c.repeated, addMessage, c.event, before, domain.RandomID[domain.MessageKind](), c.viewer, c.client())
		run(c.chatAhead, nextTime, c.event, now.Add(time.Minute))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (c sendCase) client() *domain.MessageID { return new(domain.MessageID(c.viewer)) }

// check compares the returned message and the stored messages with the case.
func (c sendCase) check(t *testing.T, d *db.DB, m chat.Message, err error, now time.Time) {
	t.Helper()
	want := c.want()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
	var stored []string // the messages in the end
	body, at := "second", now
	switch {
	case c.repeated:
		body, at = "first", now.Add(-time.Hour)
	case c.chatAhead:
		at = now.Add(time.Minute + time.Microsecond)
	}
	if c.repeated || want == nil {
		stored = []string{body + " by viewer"}
	}
	if want == nil && (m.Body != body || !m.CreatedAt.Equal(at) || m.EventID != c.event || m.AuthorID != c.viewer || m.ClientID == nil ||
		*m.ClientID != *c.client()) {
		t.Errorf("message %+v, want %q at %s", m, body, at)
	}
	got, err := db.All(t.Context(), d, func(row db.Row, s *string) error { return row.Scan(s) }, readMessages, c.event, c.viewer)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, stored) {
		t.Errorf("messages %q, want %q", got, stored)
	}
}

// TestSend sends a message in every pair of deviations from the usual case, a
// participant who writes in the chat of a public event.
func TestSend(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := &chat.Service{DB: d, Clock: func() time.Time { return now }}
		for i, one := range deviations {
			for _, other := range deviations[i:] {
				c := sendCase{status: string(access.Published), visibility: string(access.Public), participation: "going"}
				one.apply(&c)
				other.apply(&c)
				t.Run(one.name+", "+other.name, func(t *testing.T) {
					c.store(t, d, now)
					m, err := s.Send(t.Context(), domain.Viewer{UserID: c.viewer}, c.event, "second", c.client())
					c.check(t, d, m, err, now)
				})
			}
		}
	})
}
