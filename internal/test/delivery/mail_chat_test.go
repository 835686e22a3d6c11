package delivery_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// unreadSubjects returns the subjects of all mails to a user about unread messages, the newest first.
func unreadSubjects(t *testing.T, a *apptest.App, name string) (all []string) {
	t.Helper()
	for _, m := range mailsTo(t, a, name) {
		if strings.Contains(m.Subject, "unread message") {
			all = append(all, m.Subject)
		}
	}
	return all
}

// TestUnreadMessagesAreMailed sends messages in a chat and lets time pass. Ann wants mails
// about unread messages, ben has the default.
func TestUnreadMessagesAreMailed(t *testing.T) {
	rows := []struct {
		name   string
		change func(w *unreadWorld) // after the first message
		after  time.Duration
		want   []string // subjects of the mails to ann
	}{
		{"unread for less than two minutes", nil, 2*time.Minute - time.Second, nil},
		{"unread for two minutes", nil, 2 * time.Minute, []string{"1 unread message in the chat of “Tea”"}},
		{"several messages", func(w *unreadWorld) { w.say(w.org, "more") }, 2 * time.Minute, []string{"2 unread messages in the chat of “Tea”"}},
		{"read in time", func(w *unreadWorld) { w.read(w.ann) }, time.Hour, nil},
		{"read, and a new message", func(w *unreadWorld) { w.read(w.ann); w.say(w.org, "more") }, 2 * time.Minute, []string{"1 unread message in the chat of “Tea”"}},
		{"one's own message", func(w *unreadWorld) { w.read(w.ann); w.say(w.ann, "mine") }, time.Hour, nil},
		{"the event is muted", func(w *unreadWorld) { w.ann.Put("/events/"+w.event+"/mute", nil).Want(200) }, time.Hour, nil},
		{"a block", func(w *unreadWorld) { w.read(w.ann); w.ann.Block(w.ben); w.say(w.ben, "hidden") }, time.Hour, nil},
		{"after leaving", func(w *unreadWorld) { w.ann.Delete("/events/" + w.event + "/join").Want(200) }, time.Hour, nil},
		{"a block of the organizer", func(w *unreadWorld) { w.ann.Block(w.org) }, time.Hour, nil},
		{"switched off", func(w *unreadWorld) { w.ann.Patch(preferencesPath, rule("chat_unread", "email", "off")).Want(200) }, time.Hour, nil},
		{"quiet hours", func(w *unreadWorld) { w.quietForAnHour(w.ann) }, 59 * time.Minute, nil},
		{"after quiet hours", func(w *unreadWorld) { w.quietForAnHour(w.ann) }, time.Hour, []string{"1 unread message in the chat of “Tea”"}},
		{"once until it is read", func(w *unreadWorld) {
			w.pass(5 * time.Minute)
			w.say(w.org, "more")
			w.pass(5 * time.Minute)
			w.say(w.ben, "and more")
		}, time.Hour, []string{"1 unread message in the chat of “Tea”"}},
		{"again after it was read", func(w *unreadWorld) {
			w.pass(5 * time.Minute)
			w.read(w.ann)
			w.say(w.org, "more")
			w.say(w.ben, "and more")
		}, time.Hour, []string{"2 unread messages in the chat of “Tea”", "1 unread message in the chat of “Tea”"}},
		{"a busy chat", func(w *unreadWorld) {
			for range 5 {
				w.pass(time.Minute)
				w.say(w.org, "more")
			}
		}, 0, []string{"2 unread messages in the chat of “Tea”"}},
	}
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		for i, row := range rows {
			w := newUnreadWorld(a, fmt.Sprint(i))
			w.say(w.org, "first")
			if row.change != nil {
				row.change(w)
			}
			w.pass(row.after)
			if got := unreadSubjects(t, a, w.name("ann")); !slices.Equal(got, row.want) {
				t.Errorf("%s: %q, want %q", row.name, got, row.want)
			}
			if others := len(unreadSubjects(t, a, w.name("ben"))) + len(unreadSubjects(t, a, w.name("org"))); others != 0 {
				t.Errorf("%s: %d mails to others", row.name, others)
			}
		}
	}, delivers...)
}

// unreadWorld is an event with a chat.
type unreadWorld struct {
	a             *apptest.App
	org, ann, ben *apptest.Client
	event         string
	id            string // in the names of the users
}

func newUnreadWorld(a *apptest.App, id string) *unreadWorld {
	w := &unreadWorld{a: a, id: id}
	w.org, w.ann, w.ben = a.As(w.name("org")), a.As(w.name("ann")), a.As(w.name("ben"))
	w.event = w.org.Publish(apptest.Fields{"title": "Tea"})
	w.ann.Join(w.event)
	w.ben.Join(w.event)
	w.ann.Patch(preferencesPath, rule("chat_unread", "email", "instant")).Want(200)
	return w
}

func (w *unreadWorld) name(of string) string { return of + w.id }

// quietForAnHour makes the next hour quiet.
func (w *unreadWorld) quietForAnHour(c *apptest.Client) {
	now := w.a.Clock.Now().UTC()
	c.Patch(preferencesPath, apptest.Fields{"timezone": "Africa/Abidjan", // UTC
		"quiet_hours": apptest.Fields{"from": now.Format("15:04"), "to": now.Add(time.Hour).Format("15:04")}}).Want(200)
}

func (w *unreadWorld) say(c *apptest.Client, text string) {
	c.Post("/events/"+w.event+"/messages", apptest.Fields{"body": text}).Want(201)
}

func (w *unreadWorld) read(c *apptest.Client) {
	c.Post("/events/"+w.event+"/messages/read", apptest.Fields{"position": "999999999999999999"}).Want(200)
}

func (w *unreadWorld) pass(d time.Duration) {
	w.a.Clock.Advance(d)
	w.a.RunJobs()
}

// TestUnreadMessagesInDigest sends the mail about a chat with the digest.
func TestUnreadMessagesInDigest(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		w := newUnreadWorld(a, "")
		w.ann.Patch(preferencesPath, rule("chat_unread", "email", "digest")).Want(200)
		w.say(w.org, "Bring <b>cups</b>.")
		w.pass(10 * time.Minute)
		if got := mailsTo(t, a, "ann"); len(got) != 0 {
			t.Errorf("before the digest: %q", got[0].Subject)
		}
		w.pass(24 * time.Hour)
		if got := mailsTo(t, a, "ann"); len(got) != 1 || !strings.Contains(got[0].Text, "1 unread message in the chat of Tea") ||
			!strings.Contains(got[0].Text, "Bring <b>cups</b>.") {
			t.Errorf("the digest: %v", got)
		}
	}, delivers...)
}

// TestUnreadMessagesArePushed sends a push message by default.
func TestUnreadMessagesArePushed(t *testing.T) {
	eachWithPush(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, s *pushService) {
		org, ann := a.As("org"), a.As("ann")
		browser := s.subscribe(ann)
		event := org.Publish(upcoming(a, apptest.Fields{"title": "Tea"}))
		ann.Join(event)
		org.Post("/events/"+event+"/messages", apptest.Fields{"body": "Who brings cups?"}).Want(201)
		a.RunJobs()
		if got := browser.received(); len(got) != 0 {
			t.Errorf("at once: %s", titles(got))
		}
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		got := browser.received()
		if len(got) != 1 || got[0].Title != "1 unread message in the chat of Tea" || got[0].Body == nil ||
			!strings.HasSuffix(*got[0].Body, "Who brings cups?") ||
			got[0].Href == nil || *got[0].Href != "/events/"+event+"/chat" {
			t.Errorf("after two minutes: %s", fmt.Sprint(got))
		}
	})
}
