package coord

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

// world is an event, its organizer, and somebody who writes in its chat.
type world struct {
	event             domain.EventID
	organizer, viewer domain.UserID

	status, visibility                    string
	invitation, participation             string // their states, "" for none
	viewerBlocks, organizerBlocks, itself bool   // itself: the organizer writes
	over, repeated                        bool   // repeated: the message is there already
	ahead                                 bool   // the chat's clock is
}

// deviations are all facts in which a case may differ from the usual one.
var deviations = []struct {
	name string
	make func(*world)
}{
	{"as usual", func(*world) {}},
	{"a draft", func(w *world) { w.status = "draft" }},
	{"canceled", func(w *world) { w.status = "canceled" }},
	{"private", func(w *world) { w.visibility = "private" }},
	{"over", func(w *world) { w.over = true }},
	{"invited", func(w *world) { w.invitation = "pending" }},
	{"accepted", func(w *world) { w.invitation = accepted }},
	{"perhaps", func(w *world) { w.invitation = tentative }},
	{"declined", func(w *world) { w.invitation = declined }},
	{"not going", func(w *world) { w.participation = "" }},
	{"gone", func(w *world) { w.participation = "left" }},
	{"blocked", func(w *world) { w.organizerBlocks = true }},
	{"blocking", func(w *world) { w.viewerBlocks = true }},
	{"their own", func(w *world) { w.itself = true }},
	{"repeated", func(w *world) { w.repeated = true }},
	{"behind", func(w *world) { w.ahead = true }},
}

var (
	addUser  = db.SQL("test.add_user", `INSERT INTO users (id, email_verified, test_profile, created_at) VALUES ($1, FALSE, FALSE, $2)`)
	addEvent = db.SQL("test.add_event", `INSERT INTO events (id, organizer_id, status, visibility, listed, swept, title, starts_at, over_at, starts_key,
		timezone, date_mode, price, sequence, created_at, updated_at)
		VALUES ($1, $2, $3, $4, FALSE, FALSE, 'Chess', $5, $5, $6, 'UTC', 'fixed', 'free', 0, $5, $5)`)
	addBlock       = db.SQL("test.add_block", `INSERT INTO blocks (blocker_id, blocked_id, id, created_at) VALUES ($1, $2, $3, $4)`)
	addInvitation  = db.SQL("test.add_invitation", `INSERT INTO invitations (event_id, user_id, id, invited_by, status, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)`)
	addParticipant = db.SQL("test.add_participant", `INSERT INTO participants (event_id, user_id, id, status, visibility, slot, joined_at, created_at, updated_at)
		VALUES ($1, $2, $3, $4, 'public', 0, $5, $5, $5)`)

	// left is all that a message may write, with roles in the place of ids.
	leftStmt = db.SQL("test.left", `
		SELECT 'chat ' || c.last_at FROM chats c WHERE c.event_id = $1
		UNION ALL SELECT 'message ' || m.body || ' ' || m.created_at || CASE WHEN m.author_id = $2 THEN ' of viewer' ELSE ' of other' END
			FROM messages m WHERE m.event_id = $1
		ORDER BY 1`)
)

func (w *world) build(t *testing.T, d *db.DB, now time.Time) {
	t.Helper()
	w.event, w.organizer, w.viewer = domain.RandomID[domain.EventKind](), domain.RandomID[domain.UserKind](), domain.RandomID[domain.UserKind]()
	if w.itself {
		w.viewer = w.organizer
	}
	before, over := now.Add(-time.Hour), now.Add(time.Hour)
	if w.over {
		over = now
	}
	err := d.InTx(t.Context(), func(tx db.Tx) (err error) {
		run := func(on bool, s *db.Stmt, args ...any) {
			if on && err == nil {
				_, err = tx.Exec(t.Context(), s, args...)
			}
		}
		run(true, addUser, w.organizer, before)
		run(!w.itself, addUser, w.viewer, before)
		run(true, addEvent, w.event, w.organizer, w.status, w.visibility, over, rand.Int64())
		run(w.viewerBlocks && !w.itself, addBlock, w.viewer, w.organizer, domain.RandomID[domain.UserKind](), before)
		run(w.organizerBlocks && !w.itself, addBlock, w.organizer, w.viewer, domain.RandomID[domain.UserKind](), before)
		run(w.invitation != "", addInvitation, w.event, w.viewer, domain.RandomID[domain.InvitationKind](), w.organizer, w.invitation, before)
		run(w.participation != "", addParticipant, w.event, w.viewer, domain.RandomID[domain.ParticipantKind](), w.participation, before)
		if err == nil && w.repeated {
			_, _, err = w.message("first", before).write(t.Context(), tx, db.Do(momentStmt, w.event, before))
		}
		run(w.ahead, momentStmt, w.event, now.Add(time.Minute))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// message is one that the viewer writes.
func (w world) message(body string, now time.Time) sent {
	return sent{event: w.event, author: w.viewer, body: body, client: new(domain.MessageID(w.viewer)), now: now}
}

// left gives what the store holds of the world.
func (w world) left(t *testing.T, d *db.DB) []string {
	t.Helper()
	scan := func(row db.Row, s *string) error { return row.Scan(s) }
	rows, err := db.All(t.Context(), d, scan, leftStmt, w.event, w.viewer)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestBothWaysOfWriting holds the statements for the usual case and the general
// rules together: for every two deviations from the usual case, a message
// leaves and answers what the general way alone does.
func TestBothWaysOfWriting(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := &Service{DB: d, Clock: func() time.Time { return now }}
		usual := 0
		for i, one := range deviations {
			for _, other := range deviations[i:] {
				both := world{status: "published", visibility: "public", participation: "going"}
				one.make(&both)
				other.make(&both)
				atOnce, generally := both, both
				atOnce.build(t, d, now)
				generally.build(t, d, now)
				m, done, err := atOnce.message("second", now).writeAtOnce(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				if done {
					usual++
				} else {
					m, err = s.write(t.Context(), atOnce.message("second", now), nil)
				}
				name := one.name + ", " + other.name
				want, wantErr := s.write(t.Context(), generally.message("second", now), nil)
				if !errors.Is(err, wantErr) || err == nil && (m.Body != want.Body || !m.CreatedAt.Equal(want.CreatedAt) || *m.ClientID != domain.MessageID(atOnce.viewer)) {
					t.Errorf("%s: %+v, %v, generally %+v, %v", name, m, err, want, wantErr)
				}
				if got, want := atOnce.left(t, d), generally.left(t, d); !slices.Equal(got, want) {
					t.Errorf("%s: %q, generally %q", name, got, want)
				}
			}
		}
		if usual == 0 {
			t.Error("nobody wrote at once")
		}
	})
}
