package policy

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestMain sets how many sequences of actions TestModel compares.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", strconv.Itoa(testutil.Rounds(8, 1300))); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// TestModel runs random sequences of actions and compares every response with a
// small model. A failure names the seed that repeats it (-rapid.seed).
func TestModel(t *testing.T) {
	t.Cleanup(func() { t.Logf("%d steps", steps.Load()) })
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		lives := 0
		rapid.Check(t, func(rt *rapid.T) {
			lives++
			m := newModel(a, lives)
			rt.Repeat(map[string]func(*rapid.T){
				"create":   m.create,
				"publish":  m.publish,
				"cancel":   m.cancel,
				"join":     m.join,
				"leave":    m.leave,
				"follow":   m.follow,
				"block":    m.block,
				"unblock":  m.unblock,
				"post":     m.post,
				"like":     m.like,
				"comment":  m.comment,
				"withdraw": m.withdraw,
				"look":     m.look,
				"list":     m.list,
				"read":     m.read,
			})
		})
	}, apptest.StartAt(today))
}

// person is who does something; the number is their place among the people.
type person int

// modelEvent is what the model knows of one event.
type modelEvent struct {
	id        string
	organizer person
	status    string
	shown     bool // it was published
	private   bool
	seats     int // 0 is any number
	guests    map[person]string
	posts     []*modelPost
}

// note is a post with its likes and comments.
type modelPost struct {
	id       string
	likes    map[person]bool
	comments []*remark
}

type remark struct {
	id      string
	author  person
	deleted bool
}

// steps counts the answers that were compared, on both engines.
var steps atomic.Int64

type pair struct{ from, to person }

type model struct {
	people  []*apptest.Client
	events  []*modelEvent
	blocks  map[pair]bool
	follows map[pair]bool
}

func newModel(a *apptest.App, life int) *model {
	m := &model{blocks: map[pair]bool{}, follows: map[pair]bool{}}
	for i := range 4 {
		m.people = append(m.people, a.As(fmt.Sprintf("life%d-person%d", life, i)))
	}
	return m
}

func (m *model) blocked(a, b person) bool { return m.blocks[pair{a, b}] || m.blocks[pair{b, a}] }

func (m *model) sees(p person, e *modelEvent) bool {
	switch {
	case p == e.organizer:
		return true
	case m.blocked(p, e.organizer):
		return false
	}
	return !e.private && e.shown
}

func (e *modelEvent) going() (n int) {
	for _, status := range e.guests {
		if status == "going" {
			n++
		}
	}
	return n
}

// passOver ends an action that has no target yet. The Skip of a rapid.T does not skip the
// test: rapid draws another action.
func passOver(t *rapid.T, why string) { t.Skip(why) }

// Drawing.

func (m *model) anybody(t *rapid.T) person {
	return person(rapid.IntRange(0, len(m.people)-1).Draw(t, "who"))
}

func (m *model) two(t *rapid.T) (a, b person) {
	a = m.anybody(t)
	b = person((int(a) + rapid.IntRange(1, len(m.people)-1).Draw(t, "whom")) % len(m.people))
	return a, b
}

func (m *model) event(t *rapid.T) *modelEvent {
	if len(m.events) == 0 {
		passOver(t, "no event yet")
	}
	return rapid.SampledFrom(m.events).Draw(t, "event")
}

func (m *model) note(t *rapid.T) (*modelEvent, *modelPost) {
	e := m.event(t)
	if len(e.posts) == 0 {
		passOver(t, "no post yet")
	}
	return e, rapid.SampledFrom(e.posts).Draw(t, "post")
}

// want fails the step unless the answer has the status.
func want(t *rapid.T, r *apptest.Reply, status int) bool {
	steps.Add(1)
	if r.Status != status {
		t.Fatalf("%d, want %d: %s", r.Status, status, r.Body)
	}
	return status < 300
}

// equal fails the step unless the answer holds the value at the path.
func equal(t *rapid.T, r *apptest.Reply, path string, value any) {
	if got := r.Get(path); got != value {
		t.Fatalf("%s is %v, want %v: %s", path, got, value, r.Body)
	}
}

// Actions.

func (m *model) create(t *rapid.T) {
	if len(m.events) == 6 {
		passOver(t, "enough events")
	}
	e := &modelEvent{organizer: m.anybody(t), status: "draft", private: rapid.IntRange(0, 4).Draw(t, "private") == 0,
		seats: rapid.IntRange(0, 2).Draw(t, "seats"), guests: map[person]string{}}
	body := fields{"title": "Tea", "starts_at": "2026-07-01T16:00:00Z"}
	if e.private {
		body["visibility"] = "private"
	}
	if e.seats > 0 {
		body["capacity"] = e.seats
	}
	r := m.people[e.organizer].Post("/events", body)
	want(t, r, 201)
	e.id = r.Text("event.id")
	m.events = append(m.events, e)
}

func (m *model) publish(t *rapid.T) {
	p, e := m.anybody(t), m.event(t)
	status := 200
	switch {
	case p != e.organizer:
		status = 404
	case e.status == "canceled":
		status = 403
	}
	if want(t, m.people[p].Post("/events/"+e.id+"/publish", nil), status) {
		e.status, e.shown = "published", true
	}
}

func (m *model) cancel(t *rapid.T) {
	p, e := m.anybody(t), m.event(t)
	status := 200
	if p != e.organizer {
		status = 404
	}
	if want(t, m.people[p].Post("/events/"+e.id+"/cancel", nil), status) {
		e.status = "canceled"
	}
}

func (m *model) join(t *rapid.T) {
	p, e := m.anybody(t), m.event(t)
	status := 200
	switch full := e.seats > 0 && e.going() >= e.seats && e.guests[p] != "going"; {
	case !m.sees(p, e), e.status == "draft":
		status = 404
	case e.private, e.status != "published", full:
		status = 403
	}
	visibility := rapid.SampledFrom([]string{"public", "incognito"}).Draw(t, "visibility")
	if want(t, m.people[p].Post("/events/"+e.id+"/join", fields{"participation_visibility": visibility}), status) {
		e.guests[p] = "going"
	}
}

func (m *model) leave(t *rapid.T) {
	p, e := m.anybody(t), m.event(t)
	status := 200
	if e.guests[p] == "" {
		status = 404
	}
	if want(t, m.people[p].Delete("/events/"+e.id+"/join"), status) {
		e.guests[p] = "left"
	}
}

func (m *model) follow(t *rapid.T) {
	a, b := m.two(t)
	status := 200
	if m.blocked(a, b) {
		status = 404
	}
	r := m.people[a].Post("/users/"+m.people[b].UserID+"/follow", nil)
	if !want(t, r, status) {
		return
	}
	m.follows[pair{a, b}] = true
	followers := 0
	for p := range m.follows {
		if p.to == b {
			followers++
		}
	}
	equal(t, r, "follower_count", float64(followers))
	equal(t, r, "followed_by", m.follows[pair{b, a}])
}

// block ends follows and attendance at each other's coming events.
func (m *model) block(t *rapid.T) {
	a, b := m.two(t)
	want(t, m.people[a].Post("/users/"+m.people[b].UserID+"/block", nil), 200)
	m.blocks[pair{a, b}] = true
	delete(m.follows, pair{a, b})
	delete(m.follows, pair{b, a})
	for _, e := range m.events {
		for p := range e.guests {
			if coming := e.status != "canceled"; coming && (pair{p, e.organizer} == pair{a, b} || pair{e.organizer, p} == pair{a, b}) {
				e.guests[p] = "left"
			}
		}
	}
}

func (m *model) unblock(t *rapid.T) {
	a, b := m.two(t)
	want(t, m.people[a].Delete("/users/"+m.people[b].UserID+"/block"), 204)
	delete(m.blocks, pair{a, b})
}

func (m *model) post(t *rapid.T) {
	p, e := m.anybody(t), m.event(t)
	status := 201
	switch {
	case !m.sees(p, e):
		status = 404
	case p != e.organizer, e.status == "draft":
		status = 403
	}
	r := m.people[p].Post("/events/"+e.id+"/posts", fields{"body": "News."})
	if want(t, r, status) {
		e.posts = append(e.posts, &modelPost{id: r.Text("id"), likes: map[person]bool{}})
	}
}

func (m *model) like(t *rapid.T) {
	e, n := m.note(t)
	p, on := m.anybody(t), rapid.Bool().Draw(t, "on")
	status, method := 200, "POST"
	if !on {
		method = "DELETE"
	}
	if !m.sees(p, e) {
		status = 404
	}
	r := m.people[p].Do(method, "/events/"+e.id+"/posts/"+n.id+"/like", nil)
	if !want(t, r, status) {
		return
	}
	if delete(n.likes, p); on {
		n.likes[p] = true
	}
	equal(t, r, "like_count", float64(len(n.likes)))
	equal(t, r, "viewer_liked", on)
}

func (m *model) comment(t *rapid.T) {
	e, n := m.note(t)
	p, status := m.anybody(t), 201
	if !m.sees(p, e) {
		status = 404
	}
	r := m.people[p].Post("/events/"+e.id+"/posts/"+n.id+"/comments", fields{"body": "Well."})
	if want(t, r, status) {
		n.comments = append(n.comments, &remark{id: r.Text("id"), author: p})
	}
}

// withdraw deletes a comment, twice.
func (m *model) withdraw(t *rapid.T) {
	e, n := m.note(t)
	if len(n.comments) == 0 {
		passOver(t, "no comment yet")
	}
	p, c := m.anybody(t), rapid.SampledFrom(n.comments).Draw(t, "comment")
	status := 204
	switch {
	case !m.sees(p, e):
		status = 404
	case p != c.author:
		status = 403
	}
	if want(t, m.people[p].Delete("/events/"+e.id+"/posts/"+n.id+"/comments/"+c.id), status) {
		c.deleted = true
	}
}

// Reads.

func (m *model) look(t *rapid.T) {
	p, e := m.anybody(t), m.event(t)
	r := m.people[p].Get("/events/" + e.id)
	if !m.sees(p, e) {
		want(t, r, 404)
		return
	}
	want(t, r, 200)
	equal(t, r, "event.status", e.status)
	equal(t, r, "participant_count", float64(e.going()))
	equal(t, r, "feed_context.viewer_going", e.guests[p] == "going")
	if status := e.guests[p]; status != "" {
		equal(t, r, "viewer_participation_status", status)
	}
}

// list compares what one finds of an organizer's events.
func (m *model) list(t *rapid.T) {
	p, organizer := m.anybody(t), m.anybody(t)
	r := m.people[p].Get("/events?limit=100&organizer_id=" + m.people[organizer].UserID)
	want(t, r, 200)
	var found, there []string
	for i := range r.Len("items") {
		found = append(found, r.Text(fmt.Sprintf("items.%d.event.id", i)))
	}
	for _, e := range m.events {
		if e.organizer == organizer && e.status == "published" && !e.private && !m.blocked(p, organizer) {
			there = append(there, e.id)
		}
	}
	slices.Sort(found)
	slices.Sort(there)
	if !slices.Equal(found, there) {
		t.Fatalf("found %v, there are %v", found, there)
	}
}

// read compares the threads of an event.
func (m *model) read(t *rapid.T) {
	p, e := m.anybody(t), m.event(t)
	r := m.people[p].Get("/events/" + e.id + "/posts")
	if !m.sees(p, e) {
		want(t, r, 404)
		return
	}
	want(t, r, 200)
	if n := r.Len("items"); n != len(e.posts) {
		t.Fatalf("%d posts, want %d", n, len(e.posts))
	}
	for i, n := range e.posts {
		at := fmt.Sprintf("items.%d.", len(e.posts)-1-i) // newest first
		equal(t, r, at+"post.like_count", float64(len(n.likes)))
		equal(t, r, at+"post.viewer_liked", n.likes[p])
		for j, c := range n.comments {
			hidden := c.deleted || m.blocked(p, c.author)
			node := fmt.Sprintf("%scomments.%d.", at, j)
			equal(t, r, node+"id", c.id)
			if shown := r.Get(node+"author") != nil; shown == hidden {
				t.Fatalf("author shown %t, hidden %t: %s", shown, hidden, r.Body)
			}
		}
	}
}
