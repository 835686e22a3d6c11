package bench

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/post"
)

// Half of the people who sign in are a circle: they follow one host, have been
// told of the host's events, write about them and talk in their chats.
const (
	hostEmail    = "host@bench.example"
	hosted       = 50 // events, as many as one request may ask the posts of
	chats        = 16 // of them; each guest is in one
	mostPosts    = 20 // of an event
	commentsEach = 50 // on a post
)

// circle is what requests of its people are made of.
type circle struct {
	guests  []login
	events  []domain.EventID
	posts   []domain.PostID // of the first event, then as many of the next
	threads string          // asks for all of them
}

// together makes the circle through the API: everybody is told of 50 events.
func together(ctx context.Context, address string, host login, guests []login) (q circle, err error) {
	q.guests = guests
	c, err := dial(ctx, address, patience)
	if err != nil {
		return q, err
	}
	defer func() { _ = c.net.Close() }() // everything was read
	for _, guest := range guests {
		if _, err := c.ask(request{method: "POST", target: "/users/" + host.CurrentUser.User.ID + "/follow", token: guest.Access}); err != nil {
			return q, err
		}
	}
	drafts, err := c.drafts(host.Access, hosted, epoch.AddDate(1, 0, 0)) // on no first page
	if err != nil {
		return q, err
	}
	for _, d := range drafts {
		id, err := domain.ParseID[domain.EventKind](d.id)
		if err != nil {
			return q, err
		}
		q.events = append(q.events, id)
		if _, err := c.ask(d.publish()); err != nil {
			return q, err
		}
	}
	for i, guest := range guests {
		if _, err := c.ask(joining(q.chat(i), guest.Access)); err != nil {
			return q, err
		}
	}
	return q, nil
}

// chat is the event that a guest goes to.
func (q *circle) chat(guest int) domain.EventID { return q.events[guest%chats] }

// discuss has the host write so many posts about each of the events and the
// guests comment on them.
func (q *circle) discuss(ctx context.Context, url string, host login, posts int) (err error) {
	var people []domain.UserID
	for _, l := range append([]login{host}, q.guests...) {
		id, err := domain.ParseID[domain.UserKind](l.CurrentUser.User.ID)
		if err != nil {
			return err
		}
		people = append(people, id)
	}
	var all []post.Imported
	var targets []string
	for _, event := range q.events {
		targets = append(targets, "event_id="+event.String())
		for n := range posts {
			p := written(event, people, epoch.Add(time.Duration(n)*time.Hour))
			q.posts, all = append(q.posts, p.ID), append(all, p)
		}
	}
	q.threads = "/events/posts?" + strings.Join(targets, "&")
	d, err := db.Open(ctx, url, db.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return post.Import(ctx, d, all)
}

// written is a post of the first of the people, on which the others comment.
func written(event domain.EventID, people []domain.UserID, at time.Time) post.Imported {
	p := post.Imported{
		ID: domain.NewID[domain.PostKind](at), EventID: event, AuthorID: people[0], Kind: post.Plain, At: at,
		Body: "We meet at the main entrance ten minutes before. Bring something to sit on and tell me what you do not eat.",
	}
	for i := range commentsEach {
		now := at.Add(time.Duration(i+1) * time.Minute)
		p.Comments = append(p.Comments, post.ImportedComment{
			ID: domain.NewID[domain.CommentKind](now), AuthorID: people[1+i%(len(people)-1)], Answers: i / 2, At: now,
			Body: fmt.Sprintf("Good to know. I bring chairs for %d, who else has some?", i),
		})
	}
	return p
}

func (q *circle) token(n int) string { return q.guests[n%len(q.guests)].Access }

func (q *circle) reads() []*operation {
	return []*operation{
		{
			name: "threads", does: "GET /events/posts of 50 events with 20 posts of 50 comments each", callers: one, most: 100,
			make: func(_, _ int) (request, bool) { return request{method: "GET", target: q.threads}, true },
		},
		{name: "notifications", does: "GET /notifications, the first page of 20", callers: some, make: func(_, n int) (request, bool) {
			return request{method: "GET", target: "/notifications", token: q.token(n)}, true
		}},
		{name: "unread", does: "GET /notifications/unread-count, of 50", callers: some, make: func(_, n int) (request, bool) {
			return request{method: "GET", target: "/notifications/unread-count", token: q.token(n)}, true
		}},
	}
}

func (q *circle) changes() []*operation {
	return []*operation{
		{name: "like", does: "POST /events/{event_id}/posts/{post_id}/like, each request another post or person", callers: fewAndMany, make: q.like},
		{name: "send message", does: "POST /events/{event_id}/messages, in 16 chats", callers: fewAndMany, make: q.send},
		{name: "messages", does: "GET /events/{event_id}/messages, the newest 50", callers: some, needs: "send message", make: func(_, n int) (request, bool) {
			return request{method: "GET", target: q.messages(n), token: q.token(n)}, true
		}},
	}
}

func (q *circle) messages(n int) string {
	return "/events/" + q.chat(n%len(q.guests)).String() + "/messages"
}

// like ends when everybody likes everything.
func (q *circle) like(_, n int) (r request, more bool) {
	round := n / len(q.posts)
	if round >= len(q.guests) {
		return r, false
	}
	at := n % len(q.posts)
	target := "/events/" + q.events[at*len(q.events)/len(q.posts)].String() + "/posts/" + q.posts[at].String() + "/like"
	return request{method: "POST", target: target, token: q.token(at + round)}, true
}

func (q *circle) send(_, n int) (request, bool) {
	body := fmt.Sprintf(`{"body":"Is anybody there yet? I am number %d."}`, n)
	return request{method: "POST", target: q.messages(n), token: q.token(n), body: body}, true
}
