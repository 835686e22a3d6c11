package main

import (
	"fmt"
	"net/http"

	"moothall/bench/load"
	"moothall/internal/domain"
)

// Half of the signed-in users are a group. They follow one host, are notified of the
// host's events, comment on them and write in their chats.
const (
	hostedEvents    = 50 // the limit of GET /events/posts
	chats           = 16 // events with a chat; each guest is in one
	mostPosts       = 20 // about each event
	commentsPerPost = 50
)

// threads is the operation with the largest response.
const threads = "threads"

// group is the data that the requests of these users need.
type group struct {
	guests []login
	events []domain.EventID
	posts  []domain.PostID // all of the first event, then all of the next
}

func (g *group) token(n int) string { return g.guests[n%len(g.guests)].Access }

// chat returns the event whose chat a guest is in.
func (g *group) chat(guest int) domain.EventID { return g.events[guest%chats] }

func (g *group) reads() []*operation {
	signedIn := func(r *load.Request, n int) { r.Token = g.token(n) }
	target := "/events/posts?"
	for i, id := range g.events {
		if i > 0 {
			target += "&"
		}
		target += "event_id=" + id.String()
	}
	all := page(threads, "GET /events/posts of 50 events with 20 posts of 50 comments each", one, same(target))
	all.most = 100
	return []*operation{
		all,
		page("notifications", "GET /notifications, the first page of 20", some, same("/notifications")).with(signedIn),
		page("unread", "GET /notifications/unread-count, of 50", some, same("/notifications/unread-count")).with(signedIn),
	}
}

func (g *group) writes() []*operation {
	return []*operation{
		{name: "like", does: "POST /events/{event_id}/posts/{post_id}/like, another post or user each time", callers: someAndMost, make: g.like},
		{name: "send message", does: "POST /events/{event_id}/messages, in 16 chats", callers: someAndMost, make: g.send},
		{name: "messages", does: "GET /events/{event_id}/messages, the newest 50", callers: some, needs: "send message",
			make: func(_, n int) (load.Request, bool) {
				return load.Request{Method: http.MethodGet, Target: g.messages(n), Token: g.token(n)}, true
			}},
	}
}

func (g *group) messages(n int) string {
	return "/events/" + g.chat(n%len(g.guests)).String() + "/messages"
}

// like lets every guest like every post once.
func (g *group) like(_, n int) (r load.Request, more bool) {
	round := n / len(g.posts)
	if round >= len(g.guests) {
		return r, false
	}
	at := n % len(g.posts)
	target := "/events/" + g.events[at*len(g.events)/len(g.posts)].String() + "/posts/" + g.posts[at].String() + "/like"
	return load.Request{Method: http.MethodPost, Target: target, Token: g.token(at + round)}, true
}

func (g *group) send(_, n int) (load.Request, bool) {
	body := fmt.Sprintf(`{"body":"Is anybody there yet? I am number %d."}`, n)
	return load.Request{Method: http.MethodPost, Target: g.messages(n), Token: g.token(n), Body: body}, true
}
