package post_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/post"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// likeCase is a post of an event and a user who likes it.
type likeCase struct {
	event, otherEvent domain.EventID
	post              domain.PostID
	organizer, viewer domain.UserID

	status, visibility            string
	invitation, participation     string // their status; empty for none
	viewerBlocks, organizerBlocks bool
	byOrganizer                   bool
	over                          bool // the event has ended
	liked                         bool // the viewer has liked the post before
	suspended                     bool // the organizer is suspended
	ofOtherEvent                  bool // the post belongs to another event
}

// deviations are the facts in which a case may differ from the usual one.
var deviations = []struct {
	name  string
	apply func(*likeCase)
}{
	{"usual", func(*likeCase) {}},
	{"draft", func(c *likeCase) { c.status = "draft" }},
	{"canceled", func(c *likeCase) { c.status = "canceled" }},
	{"private", func(c *likeCase) { c.visibility = "private" }},
	{"over", func(c *likeCase) { c.over = true }},
	{"invited", func(c *likeCase) { c.invitation = "pending" }},
	{"declined", func(c *likeCase) { c.invitation = "declined" }},
	{"going", func(c *likeCase) { c.participation = "going" }},
	{"left", func(c *likeCase) { c.participation = "left" }},
	{"organizer blocks", func(c *likeCase) { c.organizerBlocks = true }},
	{"viewer blocks", func(c *likeCase) { c.viewerBlocks = true }},
	{"by the organizer", func(c *likeCase) { c.byOrganizer = true }},
	{"liked", func(c *likeCase) { c.liked = true }},
	{"organizer suspended", func(c *likeCase) { c.suspended = true }},
	{"of another event", func(c *likeCase) { c.ofOtherEvent = true }},
}

// want returns the error of the policy (policy "Seeing an event", "Doing something").
func (c likeCase) want() error {
	sees := c.visibility == "public" && c.status != "draft" ||
		c.visibility == "private" && (c.invitation != "" || c.participation == "going" && c.status != "draft")
	switch {
	case !c.byOrganizer && (c.organizerBlocks || c.viewerBlocks || !sees):
		return domain.NotFound
	case c.status == "draft":
		return domain.Forbid(domain.EventDraft)
	case c.ofOtherEvent:
		return domain.NotFound
	}
	return nil
}

// wantStored returns the expected rows of readLike after the like.
func (c likeCase) wantStored(now time.Time) []string {
	added := c.want() == nil && !c.liked
	var stored []string
	count := 0
	switch {
	case c.liked:
		count, stored = 1, []string{fmt.Sprintf("like %d by viewer", now.Add(-time.Hour).UnixMicro())}
	case added:
		count, stored = 1, []string{fmt.Sprintf("like %d by viewer", now.UnixMicro())}
	}
	stored = append(stored, fmt.Sprintf("post %d %d", count, now.Add(-time.Hour).UnixMicro()))
	if added && !c.byOrganizer && !c.suspended {
		stored = append([]string{fmt.Sprintf("a notification post_liked {} %d to organizer by viewer at event", now.UnixMicro())}, stored...)
	}
	return stored
}

var (
	addUser = db.SQL("test.add_user", `INSERT INTO users (id, email_verified, test_profile, created_at, suspended_at)
		VALUES ($1, FALSE, FALSE, $2, $3)`)

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

	// readLike reads everything that a like may write, with roles instead of ids.
	readLike = db.SQL("test.read_like", `
		SELECT 'post ' || p.like_count || ' ' || p.updated_at FROM posts p WHERE p.id = $1
		UNION ALL SELECT 'like ' || k.created_at || CASE WHEN k.user_id = $2 THEN ' by viewer' ELSE ' by other' END FROM post_likes k
			WHERE k.post_id = $1
		UNION ALL SELECT 'a notification ' || n.kind || ' ' || n.params || ' ' || n.created_at || CASE WHEN n.user_id = $3 THEN ' to organizer'
			ELSE ' to other' END ||
				CASE WHEN n.actor_id = $2 THEN ' by viewer' ELSE ' by other' END || CASE WHEN n.event_id = $4 THEN ' at event' ELSE ' elsewhere' END
			FROM notifications n WHERE n.subject = $5
		ORDER BY 1`)
)

func (c *likeCase) store(t *testing.T, d *db.DB, now time.Time) {
	t.Helper()
	c.event, c.otherEvent, c.post = domain.RandomID[domain.EventKind](), domain.RandomID[domain.EventKind](),
		domain.RandomID[domain.PostKind]()
	c.organizer, c.viewer = domain.RandomID[domain.UserKind](), domain.RandomID[domain.UserKind]()
	if c.byOrganizer {
		c.viewer = c.organizer
	}
	before, over := now.Add(-time.Hour), now.Add(time.Hour)
	if c.over {
		over = now
	}
	var suspended *time.Time
	if c.suspended {
		suspended = &before
	}
	home := c.event
	if c.ofOtherEvent {
		home = c.otherEvent
	}
	err := d.InTx(t.Context(), func(tx db.Tx) error {
		run := func(on bool, s *db.Stmt, args ...any) {
			if on {
				tx.Queue(t.Context(), s, args...)
			}
		}
		run(true, addUser, c.organizer, before, suspended)
		run(!c.byOrganizer, addUser, c.viewer, before, nil)
		run(true, addEvent, c.event, c.organizer, c.status, c.visibility, over, rand.Int64())
		run(true, addEvent, c.otherEvent, c.organizer, "published", "public", over, rand.Int64())
		run(c.viewerBlocks && !c.byOrganizer, addBlock, c.viewer, c.organizer, domain.RandomID[domain.UserKind](), before)
		run(c.organizerBlocks && !c.byOrganizer, addBlock, c.organizer, c.viewer, domain.RandomID[domain.UserKind](), before)
		run(c.invitation != "", addInvitation, c.event, c.viewer, domain.RandomID[domain.InvitationKind](), c.organizer, c.invitation, before)
		run(c.participation != "", addParticipant, c.event, c.viewer, domain.RandomID[domain.ParticipantKind](), c.participation, before)
		run(true, dbtest.Statement(t, "post.insert_post"), c.post, home, c.organizer, post.Plain, "Hello", before)
		run(c.liked, dbtest.Statement(t, "post.add_post_likes"), c.viewer, c.post, before)
		run(c.liked, dbtest.Statement(t, "post.count_post_likes"), c.post, 1)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestLike likes a post in every pair of deviations from the usual case, a user who
// likes a post of a public event.
func TestLike(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := &post.Service{DB: d, Clock: func() time.Time { return now }}
		for i, one := range deviations {
			for _, other := range deviations[i:] {
				c := likeCase{status: "published", visibility: "public"}
				one.apply(&c)
				other.apply(&c)
				t.Run(one.name+", "+other.name, func(t *testing.T) {
					c.store(t, d, now)
					state, err := s.Like(t.Context(), domain.Viewer{UserID: c.viewer}, c.event, c.post)
					want := c.want()
					if !errors.Is(err, want) || want == nil && state != (post.State{PostID: c.post, Count: 1, Viewer: true}) {
						t.Errorf("%+v, %v, want %v", state, err, want)
					}
					got, err := db.All(t.Context(), d, func(row db.Row, s *string) error { return row.Scan(s) },
						readLike, c.post, c.viewer, c.organizer, c.event, c.post.String())
					if err != nil {
						t.Fatal(err)
					}
					if want := c.wantStored(now); !slices.Equal(got, want) {
						t.Errorf("stored %q, want %q", got, want)
					}
				})
			}
		}
	})
}
