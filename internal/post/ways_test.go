package post

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

// world is a post of an event, its organizer, and somebody who likes it.
type world struct {
	event, elsewhere  domain.EventID
	post              domain.PostID
	organizer, viewer domain.UserID

	status, visibility                    string
	invitation, participation             string // their states, "" for none
	viewerBlocks, organizerBlocks, itself bool   // itself: the organizer likes it
	over, liked, suspended, lost          bool   // suspended: the organizer is; lost: the post is another event's
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
	{"invited and declined", func(w *world) { w.invitation = "declined" }},
	{"going", func(w *world) { w.participation = "going" }},
	{"gone", func(w *world) { w.participation = "left" }},
	{"blocked", func(w *world) { w.organizerBlocks = true }},
	{"blocking", func(w *world) { w.viewerBlocks = true }},
	{"their own", func(w *world) { w.itself = true }},
	{"liked", func(w *world) { w.liked = true }},
	{"of somebody suspended", func(w *world) { w.suspended = true }},
	{"of another event", func(w *world) { w.lost = true }},
}

var (
	addUser = db.SQL("test.add_user", `INSERT INTO users (id, email_verified, test_profile, created_at, suspended_at) VALUES ($1, FALSE, FALSE, $2, $3)`)

	addEvent = db.SQL("test.add_event", `INSERT INTO events (id, organizer_id, status, visibility, listed, swept, title, starts_at, over_at, starts_key,
		timezone, date_mode, price, sequence, created_at, updated_at)
		VALUES ($1, $2, $3, $4, FALSE, FALSE, 'Chess', $5, $5, $6, 'UTC', 'fixed', 'free', 0, $5, $5)`)
	addBlock       = db.SQL("test.add_block", `INSERT INTO blocks (blocker_id, blocked_id, id, created_at) VALUES ($1, $2, $3, $4)`)
	addInvitation  = db.SQL("test.add_invitation", `INSERT INTO invitations (event_id, user_id, id, invited_by, status, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)`)
	addParticipant = db.SQL("test.add_participant", `INSERT INTO participants (event_id, user_id, id, status, visibility, slot, joined_at, created_at, updated_at)
		VALUES ($1, $2, $3, $4, 'public', 0, $5, $5, $5)`)

	// left is all that a like may write, with roles in the place of ids.
	leftStmt = db.SQL("test.left", `
		SELECT 'post ' || p.like_count || ' ' || p.updated_at FROM posts p WHERE p.id = $1
		UNION ALL SELECT 'like ' || k.created_at || CASE WHEN k.user_id = $2 THEN ' of viewer' ELSE ' of other' END FROM post_likes k WHERE k.post_id = $1
		UNION ALL SELECT 'told ' || n.kind || ' ' || n.params || ' ' || n.created_at || CASE WHEN n.user_id = $3 THEN ' organizer' ELSE ' other' END ||
				CASE WHEN n.actor_id = $2 THEN ' by viewer' ELSE ' by other' END || CASE WHEN n.event_id = $4 THEN ' at event' ELSE ' elsewhere' END
			FROM notifications n WHERE n.subject = $5
		ORDER BY 1`)
)

func (w *world) build(t *testing.T, d *db.DB, now time.Time) {
	t.Helper()
	w.event, w.elsewhere, w.post = domain.RandomID[domain.EventKind](), domain.RandomID[domain.EventKind](), domain.RandomID[domain.PostKind]()
	w.organizer, w.viewer = domain.RandomID[domain.UserKind](), domain.RandomID[domain.UserKind]()
	if w.itself {
		w.viewer = w.organizer
	}
	before, over := now.Add(-time.Hour), now.Add(time.Hour)
	if w.over {
		over = now
	}
	var suspended *time.Time
	if w.suspended {
		suspended = &before
	}
	home := w.event
	if w.lost {
		home = w.elsewhere
	}
	err := d.InTx(t.Context(), func(tx db.Tx) (err error) {
		run := func(on bool, s *db.Stmt, args ...any) {
			if on && err == nil {
				_, err = tx.Exec(t.Context(), s, args...)
			}
		}
		run(true, addUser, w.organizer, before, suspended)
		run(!w.itself, addUser, w.viewer, before, nil)
		run(true, addEvent, w.event, w.organizer, w.status, w.visibility, over, rand.Int64())
		run(true, addEvent, w.elsewhere, w.organizer, "published", "public", over, rand.Int64())
		run(w.viewerBlocks && !w.itself, addBlock, w.viewer, w.organizer, domain.RandomID[domain.UserKind](), before)
		run(w.organizerBlocks && !w.itself, addBlock, w.organizer, w.viewer, domain.RandomID[domain.UserKind](), before)
		run(w.invitation != "", addInvitation, w.event, w.viewer, domain.RandomID[domain.InvitationKind](), w.organizer, w.invitation, before)
		run(w.participation != "", addParticipant, w.event, w.viewer, domain.RandomID[domain.ParticipantKind](), w.participation, before)
		run(true, insertPostStmt, w.post, home, w.organizer, Plain, "Hello", before)
		run(w.liked, like.add, home, w.post, w.viewer, before)
		run(w.liked, like.count, home, w.post, 1)
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
	rows, err := db.All(t.Context(), d, scan, leftStmt, w.post, w.viewer, w.organizer, w.event, w.post.String())
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestBothWaysOfLiking holds the statements for the usual case and the general
// rules together: for every two deviations from the usual case, a like leaves
// and answers what the general way alone does.
func TestBothWaysOfLiking(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := &Service{DB: d, Clock: func() time.Time { return now }}
		usual := 0
		for i, one := range deviations {
			for _, other := range deviations[i:] {
				both := world{status: "published", visibility: "public"}
				one.make(&both)
				other.make(&both)
				atOnce, generally := both, both
				atOnce.build(t, d, now)
				generally.build(t, d, now)
				state, done, err := s.likeAtOnce(t.Context(), domain.Viewer{UserID: atOnce.viewer}, atOnce.event, atOnce.post, now)
				if err != nil {
					t.Fatal(err)
				}
				if done {
					usual++
				} else {
					state, err = s.generally(t.Context(), domain.Viewer{UserID: atOnce.viewer}, atOnce.event, atOnce.post, like, now)
				}
				name := one.name + ", " + other.name
				want, wantErr := s.generally(t.Context(), domain.Viewer{UserID: generally.viewer}, generally.event, generally.post, like, now)
				if !errors.Is(err, wantErr) || err == nil && (state.Count != want.Count || state.Viewer != want.Viewer || state.others != want.others) {
					t.Errorf("%s: %+v, %v, generally %+v, %v", name, state, err, want, wantErr)
				}
				if got, want := atOnce.left(t, d), generally.left(t, d); !slices.Equal(got, want) {
					t.Errorf("%s: %q, generally %q", name, got, want)
				}
			}
		}
		if usual == 0 {
			t.Error("nobody liked at once")
		}
	})
}
