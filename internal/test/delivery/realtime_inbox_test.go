package delivery_test

import (
	"slices"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// wantCounts reads counts until they are as expected: several changes can be one frame.
func wantCounts(s *apptest.Socket, notifications float64, event string, messages any) {
	for {
		f := s.Want("counts")
		if f.Number("notifications") == notifications && f.Get("chats."+event) == messages {
			return
		}
	}
}

func TestCountsAndNotifications(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(nil)
		ann.Join(event)
		instance := 0 // one process serves SQLite
		if a.Engine() == db.PostgreSQL {
			instance = 1
		}
		s := ann.On(instance).Socket("/realtime")
		s.Send(apptest.Fields{"op": "subscribe", "topic": "me"})
		wantCounts(s, 0, event, nil)

		say(org, event, 1)
		say(org, event, 2)
		wantCounts(s, 0, event, 2.0)
		position := ann.Get("/me/chats").Want(200).Text("items.0.position")
		s.Send(apptest.Fields{"op": "read", "topic": "chat:" + event, "position": position})
		wantCounts(s, 0, event, nil)

		org.Follow(ann)
		if n := s.Want("notification"); n.Text("notification.kind") != "user_followed" || n.Text("notification.actor.user_id") != org.UserID {
			t.Errorf("notification: %s", n.Body)
		}
		wantCounts(s, 1, event, nil)
		ann.Post("/notifications/read-all", nil).Want(200)
		wantCounts(s, 0, event, nil)

		s.Send(apptest.Fields{"op": "read", "id": 3, "topic": "chat:" + event, "position": "soon"})
		if f := s.Want("error"); f.Text("error") != "invalid_request" || f.Number("id") != 3 {
			t.Errorf("a malformed position: %s", f.Body)
		}
	}, apptest.Instances(2), apptest.StartAt(apptest.Today))
}

// TestAnnouncementsArrive publishes an event while a follower of the organizer has a socket.
func TestAnnouncementsArrive(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, fan := a.As("org"), a.As("fan")
		fan.Follow(org)
		s := fan.Stream("/realtime/stream?topic=me")
		s.Want("counts")
		event := org.Publish(nil)
		if n := s.Want("notification"); n.Text("notification.event_id") != event {
			t.Errorf("notification: %s", n.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestJoinsArrive lets a user whom a reader follows join an event while the reader has a socket at another instance.
// The join writes nothing for the reader: the instance of the socket finds it.
func TestJoinsArrive(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		fan, ann := a.As("fan"), a.As("ann")
		event := a.As("org").Publish(nil)
		fan.Follow(ann)
		instance := 0 // one process serves SQLite
		if a.Engine() == db.PostgreSQL {
			instance = 1
		}
		s := fan.On(instance).Socket("/realtime")
		s.Send(apptest.Fields{"op": "subscribe", "topic": "me"})
		wantCounts(s, 0, event, nil)
		ann.Join(event)
		if n := s.Want("notification"); n.Text("notification.kind") != "followed_user_going" || n.Text("notification.event_id") != event ||
			n.Text("notification.actor.user_id") != ann.UserID {
			t.Errorf("notification: %s", n.Body)
		}
		wantCounts(s, 1, event, nil)
	}, apptest.Instances(2), apptest.StartAt(apptest.Today))
}

func TestChangedEvents(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(nil)
		s := ann.On(1).Socket("/realtime")
		s.Send(apptest.Fields{"op": "subscribe", "topic": "event:" + event})
		first := s.Want("changed")
		if got := ann.Get("/events/" + event).Want(200).Header.Get("ETag"); first.Text("etag") != got || len(first.Get("fields").([]any)) != 0 {
			t.Errorf("after the subscription: %s; the ETag is %s", first.Body, got)
		}
		org.Patch("/events/"+event, apptest.Fields{"title": "Chess indoors", "city": "Riga"}).Want(200)
		changed := s.Want("changed")
		if fields := changed.Get("fields").([]any); !slices.Equal(fields, []any{"city", "title"}) {
			t.Errorf("after a change: %s", changed.Body)
		}
		if got := ann.Get("/events/" + event).Want(200).Header.Get("ETag"); changed.Text("etag") != got {
			t.Errorf("%s; the ETag is %s", changed.Body, got)
		}
		a.As("ben").Join(event)
		if guests := s.Want("changed"); !slices.Equal(guests.Get("fields").([]any), []any{"participant_count"}) ||
			guests.Text("etag") != changed.Text("etag") || guests.Get("participant_count").(float64) != 1 {
			t.Errorf("after somebody has joined: %s", guests.Body)
		}
	}, apptest.Instances(2), apptest.StartAt(apptest.Today))
}

// TestTyping passes typing on to those who may see the author.
func TestTyping(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob, shy := a.As("org"), a.As("ann"), a.As("bob"), a.As("shy")
		event := org.Publish(nil)
		for _, c := range []*apptest.Client{ann, bob} {
			c.Join(event)
		}
		shy.Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		bob.Block(ann)
		open := func(c *apptest.Client) *apptest.Socket {
			s := c.Socket("/events/" + event + "/ws")
			s.Want("caught_up")
			return s
		}
		typing := apptest.Fields{"op": "typing", "topic": "chat:" + event}
		reader, writer, blocked, incognito := open(org), open(ann), open(bob), open(shy)
		incognito.Send(typing)
		incognito.Send(apptest.Fields{"op": "subscribe", "topic": "me"}) // the answer comes after the typing
		incognito.Want("subscribed")
		writer.Send(typing)
		if f := reader.Want("typing"); f.Text("user_id") != ann.UserID {
			t.Errorf("typing: %s", f.Body)
		}
		say(org, event, 1)
		for name, s := range map[string]*apptest.Socket{"the author": writer, "a blocked user": blocked} {
			if f := s.Want("typing", "message"); f.Text("op") == "typing" {
				t.Errorf("%s gets %s", name, f.Body)
			}
		}
		stranger := a.As("stranger").Socket("/realtime")
		stranger.Send(typing)
		if f := stranger.Want("error"); f.Text("error") != "not_found" {
			t.Errorf("a stranger: %s", f.Body)
		}
	}, apptest.StartAt(apptest.Today))
}
