package feed

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/post"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/eventtest"
)

// followedEventsStmt returns the candidates because of followed people by one statement, which reads all their activity.
var followedEventsStmt = db.SQL("feed.test_followed_events", `
	WITH close AS MATERIALIZED (
		SELECT f.followed_id AS id FROM follows f WHERE f.follower_id = $1 AND f.created_at <= $2
		ORDER BY f.followed_id LIMIT 24 OFFSET (SELECT CAST($4 AS BIGINT)))
	SELECT starts_key, `+bit(FollowedOrganizer)+` FROM (
		SELECT e.starts_key FROM close c CROSS JOIN events e
		WHERE e.organizer_id = c.id AND e.listed AND e.starts_key > $3
		AND e.starts_key <= `+nth("events", "x.organizer_id = c.id AND x.listed AND x.starts_key > $3", "starts_key", 3)+`
		ORDER BY e.starts_key LIMIT 40) AS organized
	UNION ALL SELECT e.starts_key, `+bit(FollowedGoing)+` FROM (
		SELECT p.event_id FROM close c CROSS JOIN participants p
		WHERE p.user_id = c.id AND `+isPublic("p")+` AND p.joined_at <= $2
		AND p.joined_at >= `+nth("participants", "x.user_id = c.id AND "+isPublic("x")+" AND x.joined_at <= $2", "joined_at DESC", 4)+`
		ORDER BY p.joined_at DESC LIMIT 24) AS g CROSS JOIN events e
		WHERE e.id = g.event_id AND e.starts_key > $3 AND e.listed
	UNION ALL SELECT e.starts_key, `+bit(FollowedRepost)+` FROM (
		SELECT r.post_id FROM close c CROSS JOIN reposts r
		WHERE r.user_id = c.id AND r.created_at <= $2
		AND r.created_at >= `+nth("reposts", "x.user_id = c.id AND x.created_at <= $2", "created_at DESC", 3)+`
		ORDER BY r.created_at DESC LIMIT 8) AS s CROSS JOIN posts p CROSS JOIN events e
		WHERE p.id = s.post_id AND p.deleted_at IS NULL AND e.id = p.event_id AND e.starts_key > $3 AND e.listed`)

// world is random activity of followed people.
type world struct {
	*testing.T
	metrics *prometheus.Registry
	reader  reader
	random  *rand.Rand
	now     time.Time
	people  []domain.UserID
	events  []event.Event
	posts   []domain.PostID // one of each event
}

const worldPeople, worldEvents = 30, 90

func newWorld(t *testing.T, d *db.DB) *world {
	w := &world{T: t, metrics: prometheus.NewRegistry(), random: rand.New(rand.NewPCG(1, 2))}
	w.now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return w.now }
	memory := cache.NewMemory(d, clock, 64<<20, w.metrics)
	service := &Service{DB: d, Clock: clock, Activities: NewActivities(memory, d)}
	w.reader = reader{Service: service, followed: true, follows: worldPeople}
	w.reader.viewer.UserID = w.user()
	for range worldPeople {
		w.people = append(w.people, w.user())
		w.run("follow", `INSERT INTO follows (follower_id, followed_id, created_at) VALUES ($1, $2, $3)`, nil, w.reader.viewer.UserID,
			w.people[len(w.people)-1], w.now)
	}
	for i := range worldEvents {
		starts := w.now.Add(time.Duration(w.random.IntN(600)-60) * time.Minute)
		w.events = append(w.events, event.Event{ID: domain.NewID[domain.EventKind](w.now), OrganizerID: w.people[w.random.IntN(12)],
			Status: access.Published, StartsKey: starts.UnixNano() + int64(i), CreatedAt: w.now, UpdatedAt: w.now, PublishedAt: &w.now,
			Fields: event.Fields{Title: "Tea", StartsAt: starts, Timezone: "UTC", Visibility: access.Public, DateMode: "fixed", Price: event.Free}})
	}
	if err := eventtest.Insert(t.Context(), d, w.now.Add(-24*time.Hour), w.events); err != nil {
		t.Fatal(err)
	}
	for _, e := range w.events {
		id := domain.NewID[domain.PostKind](w.now)
		w.posts = append(w.posts, id)
		w.run("post", `INSERT INTO posts (id, event_id, seq, author_id, kind, body, like_count, repost_count, comment_count, last_comment,
			commented_at, created_at, updated_at) VALUES ($1, $2, 1, $3, 'post', 'News', 0, 0, 0, 0, $4, $4, $4)`,
			nil, id, e.ID, e.OrganizerID, w.now)
	}
	return w
}

func (w *world) user() domain.UserID {
	id := domain.NewID[domain.UserKind](w.now)
	w.run("user", `INSERT INTO users (id, email_verified, test_profile, created_at) VALUES ($1, FALSE, FALSE, $2)`, nil, id, w.now)
	return id
}

// run runs a statement that changes entities.
func (w *world) run(name, text string, entities []db.Entity, args ...any) {
	w.Helper()
	d := w.reader.DB
	err := d.InTx(w.Context(), func(tx db.Tx) error {
		tx.Changed(entities...)
		_, err := tx.Exec(w.Context(), db.SQL("feed.test_"+name, text), args...)
		return err
	})
	if err != nil {
		w.Fatal(name, err)
	}
}

// change changes something at random.
func (w *world) change() string {
	who, i := w.people[w.random.IntN(worldPeople)], w.random.IntN(worldEvents)
	e, few := w.events[i], i%10 // few posts, so that those that are removed have reposts
	active, content := []db.Entity{user.Activity.Of(who)}, []db.Entity{event.Content.Of(e.ID), user.Activity.Of(e.OrganizerID)}
	switch w.random.IntN(10) {
	case 0, 1, 2:
		w.run("join", `INSERT INTO participants (event_id, user_id, id, status, visibility, slot, joined_at, created_at, updated_at, party)
			VALUES ($1, $2, $3, 'going', 'public', 0, $4, $4, $4, 1)
			ON CONFLICT (event_id, user_id) DO UPDATE SET status = 'going', visibility = 'public', joined_at = excluded.joined_at`,
			active, e.ID, who, domain.NewID[domain.ParticipantKind](w.now), w.now)
		return "join"
	case 3:
		w.run("leave", `UPDATE participants SET status = 'left' WHERE event_id = $1 AND user_id = $2`, active, e.ID, who)
		return "leave"
	case 4:
		w.run("hide", `UPDATE participants SET visibility = 'incognito' WHERE user_id = $1`, active, who)
		return "incognito"
	case 5, 6:
		w.run("repost", `INSERT INTO reposts (user_id, post_id, created_at) VALUES ($1, $2, $3) ON CONFLICT (user_id, post_id) DO NOTHING`,
			active, who, w.posts[few], w.now)
		return "repost"
	case 7:
		w.run("remove_post", `UPDATE posts SET deleted_at = CASE WHEN deleted_at IS NULL THEN CAST($2 AS BIGINT) END WHERE id = $1`,
			[]db.Entity{post.Posts.Of(w.events[few].ID)}, w.posts[few], w.now)
		return "removal of a post"
	case 8:
		w.run("list", `UPDATE events SET listed = NOT listed WHERE id = $1`, content, e.ID)
		return "listing"
	default:
		w.run("move", `UPDATE events SET starts_key = starts_key + 7200000000000 WHERE id = $1`, content, e.ID)
		return "new start"
	}
}

// TestFollowedEventsAreTheSameWithCache changes random activity of followed people and compares the candidates with those of one
// statement, for feeds of now and of earlier moments.
func TestFollowedEventsAreTheSameWithCache(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		started, reasons := w.now, Reasons(0)
		for step := range 150 {
			changed := w.change()
			for _, ago := range []time.Duration{0, 3 * time.Minute, 2 * time.Hour} {
				at := cursor{moment: w.now.Add(-ago)}
				if at.moment.Before(started) {
					continue
				}
				got, want := candidates{events: map[int64]candidate{}}, w.reader.readFollowedEvents(t, at)
				if err := w.reader.addReasons(t.Context(), at, &got); err != nil {
					t.Fatal(err)
				}
				if !maps.Equal(got.events, want) {
					t.Fatalf("step %d, after a %s, %v ago: %v, want %v", step, changed, ago, got.events, want)
				}
				for _, c := range got.events {
					reasons |= c.reasons
				}
			}
			w.now = w.now.Add(time.Duration(w.random.IntN(120)) * time.Second)
		}
		if w.hits() == 0 {
			t.Error("nothing came from the cache")
		}
		if reasons != FollowedOrganizer|FollowedGoing|FollowedRepost {
			t.Errorf("the random activity led only to %v", reasons.Names())
		}
	})
}

func (r reader) readFollowedEvents(t *testing.T, at cursor) map[int64]candidate {
	t.Helper()
	found := candidates{events: map[int64]candidate{}}
	var key int64
	var reason int
	for row, err := range r.DB.Query(context.Background(), followedEventsStmt, r.viewer.UserID, at.moment, at.moment.UnixNano(),
		followedOffset(r.follows, at.moment)) {
		if err == nil {
			err = row.Scan(&key, &reason)
		}
		if err != nil {
			t.Fatal(fmt.Errorf("readFollowedEvents: %w", err))
		}
		found.add(key, Reasons(reason))
	}
	return found.events
}

// hits returns how many values came from caches.
func (w *world) hits() (n float64) {
	families, err := w.metrics.Gather()
	if err != nil {
		w.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			for _, label := range m.GetLabel() {
				if label.GetValue() == "hit" {
					n += m.GetCounter().GetValue()
				}
			}
		}
	}
	return n
}
