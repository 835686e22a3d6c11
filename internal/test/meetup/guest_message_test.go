package meetup_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

// audiences are all audiences of messages to guests.
var audiences = []string{"going", "waiting", "invited_unanswered", "requested"}

// writeTo sends a message to an audience. Its text names the audience.
func writeTo(c *apptest.Client, path, audience string) *apptest.Reply {
	return c.Post(path+"/guest-messages", apptest.Fields{"audience": audience, "body": "For " + audience})
}

// messageWorld has a guest in each audience of an event of org: a guest is called as their audience. Nobody may be in two audiences of one
// event, so each audience has an event of its own.
func messageWorld(a *apptest.App) (paths map[string]string) {
	org, path := a.As("org"), func(changes apptest.Fields) string { return "/events/" + a.As("org").Publish(changes) }
	paths = map[string]string{
		"going": path(nil), "waiting": path(apptest.Fields{"capacity": 1, "waitlist": "offer"}),
		"invited_unanswered": path(apptest.Fields{"visibility": "private"}), "requested": path(apptest.Fields{"join_policy": "approval"}),
	}
	a.As("going").Post(paths["going"]+"/join", nil).Want(200)
	a.As("seated").Post(paths["waiting"]+"/join", nil).Want(200)
	a.As("waiting").Post(paths["waiting"]+"/waitlist", nil).Want(201)
	for _, name := range []string{"invited_unanswered", "accepted"} {
		a.As(name)
		org.Post(paths["invited_unanswered"]+"/invitations", apptest.Fields{"email": apptest.Email(name)}).Want(201)
	}
	a.As("accepted").Patch(paths["invited_unanswered"]+"/rsvp", apptest.Fields{"status": "accepted"}).Want(200)
	a.As("requested").Post(paths["requested"]+"/join", nil).Want(200)
	return paths
}

// bodies returns the messages that a user reads, as a line.
func bodies(c *apptest.Client, path string) string {
	return fieldsOf(c.Get(path+"/guest-messages").Want(200), "items", "body")
}

// messageNotes returns the bodies of the user's notifications of messages.
func messageNotes(a *apptest.App, c *apptest.Client) (all []string) {
	a.RunJobs()
	page := c.Get("/notifications?limit=100").Want(200)
	for i, kind := range strings.Fields(fieldsOf(page, "items", "kind")) {
		if kind == "guest_message" {
			body, _ := page.Get(fmt.Sprintf("items.%d.body", i)).(string)
			all = append(all, body)
		}
	}
	return all
}

// TestMessageReachesItsAudience sends a message to each audience. Its member is notified and reads it; nobody else does, besides hosts.
func TestMessageReachesItsAudience(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		paths := messageWorld(a)
		a.As("host")
		for _, of := range audiences {
			newHost(org, a.As("host"), strings.TrimPrefix(paths[of], "/events/"))
			sent := writeTo(org, paths[of], of).Want(201)
			if sent.Number("recipients") != 1 || sent.Text("author.user_id") != org.UserID {
				t.Errorf("%s: %s", of, sent.Body)
			}
		}
		for _, of := range audiences {
			for _, who := range []string{"going", "waiting", "invited_unanswered", "requested", "seated", "accepted", "stranger"} {
				c, path, want := a.As(who), paths[of], ""
				if who == of {
					want = "For " + of
				}
				if of == "invited_unanswered" && who != of && who != "accepted" {
					c.Get(path+"/guest-messages").WantError(404, "not_found")
					continue
				}
				if got := bodies(c, path); got != want {
					t.Errorf("%s reads %q of the messages to %s", who, got, of)
				}
			}
			if got := bodies(a.As("host"), paths[of]); got != "For "+of {
				t.Errorf("a host reads %q of the messages to %s", got, of)
			}
			a.Anonymous().Get(paths[of]+"/guest-messages").WantError(401, "unauthorized")
			if got := messageNotes(a, a.As(of)); !slices.Equal(got, []string{"For " + of}) {
				t.Errorf("%s has the notifications %q", of, got)
			}
		}
		for _, who := range []string{"seated", "accepted", "host", "org"} {
			if got := messageNotes(a, a.As(who)); len(got) > 0 {
				t.Errorf("%s has the notifications %q", who, got)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestMessagesFollowTheAudience lets guests enter and leave audiences after a message: only current members read it.
func TestMessagesFollowTheAudience(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		paths := messageWorld(a)
		for _, of := range audiences {
			writeTo(org, paths[of], of).Want(201)
		}
		for _, row := range []struct {
			of    string
			leave func(c *apptest.Client, path string)
		}{
			{"going", func(c *apptest.Client, path string) { c.Delete(path + "/join").Want(200) }},
			{"waiting", func(c *apptest.Client, path string) { c.Delete(path + "/waitlist").Want(204) }},
			{"invited_unanswered", func(c *apptest.Client, path string) {
				c.Patch(path+"/rsvp", apptest.Fields{"status": "tentative"}).Want(200)
			}},
			{"requested", func(c *apptest.Client, path string) { c.Delete(path + "/join").Want(200) }},
		} {
			c := a.As(row.of)
			row.leave(c, paths[row.of])
			if got := bodies(c, paths[row.of]); got != "" {
				t.Errorf("after leaving %s, the guest reads %q", row.of, got)
			}
			if got := messageNotes(a, c); !slices.Equal(got, []string{""}) {
				t.Errorf("after leaving %s, the notifications are %q", row.of, got)
			}
		}
		late := a.As("late")
		late.Post(paths["going"]+"/join", nil).Want(200)
		if got := bodies(late, paths["going"]); got != "For going" || len(messageNotes(a, late)) > 0 {
			t.Errorf("a later guest reads %q", got)
		}
		org.Delete(paths["going"] + "/participants/" + late.Post(paths["going"]+"/join", nil).Want(200).Text("id")).Want(204)
		if got := bodies(late, paths["going"]); got != "" {
			t.Errorf("a removed guest reads %q", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestMessagesAppearInNoList compares what others read before and after messages: not a byte changes.
func TestMessagesAppearInNoList(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, fan := a.As("org"), a.As("fan")
		paths := messageWorld(a)
		fan.Follow(org)
		event := strings.TrimPrefix(paths["going"], "/events/")
		fan.Post(paths["going"]+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		reads := []string{paths["going"], paths["going"] + "/posts", "/events/posts?event_id=" + event, "/events?q=for",
			"/users/" + org.UserID + "/profile"}
		signedIn := append([]string{"/feed", "/me/reposts", "/me/chats", "/notifications", paths["waiting"] + "/guest-messages"}, reads...)
		read := func() (all string) {
			for _, path := range reads {
				all += string(a.Anonymous().Get(path).Want(200).Body) + "\n"
			}
			for _, path := range signedIn {
				all += string(a.As("stranger").Get(path).Want(200).Body) + "\n"
			}
			return all
		}
		before := read()
		for _, of := range audiences {
			writeTo(org, paths[of], of).Want(201)
		}
		a.RunJobs()
		if after := read(); after != before {
			t.Errorf("after the messages, others read\n%s\nnot\n%s", after, before)
		}
		if got := bodies(fan, paths["going"]); got != "For going" {
			t.Errorf("a guest who goes incognito reads %q", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestMessagesAreRefused checks who may write to whom in which state, and what.
func TestMessagesAreRefused(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		paths := messageWorld(a)
		draft := "/events/" + org.Draft(nil)
		canceled := "/events/" + org.Publish(nil)
		org.Post(canceled+"/cancel", nil).Want(200)
		begun := "/events/" + org.Publish(apptest.Fields{"starts_at": apptest.Today.Add(-time.Hour).Format(time.RFC3339), "ends_at": nil})
		for _, row := range []struct {
			who, path, audience string
			status              int
			reason              string
		}{
			{"going", paths["going"], "going", 403, "not_organizer"},
			{"stranger", paths["going"], "going", 403, "not_organizer"},
			{"stranger", paths["invited_unanswered"], "going", 404, ""},
			{"org", draft, "going", 403, "event_draft"},
			{"org", draft, "invited_unanswered", 403, "event_draft"},
			{"org", canceled, "going", 201, ""},
			{"org", canceled, "waiting", 403, "event_canceled"},
			{"org", begun, "going", 201, ""},
			{"org", begun, "requested", 403, "event_ended"},
			{"org", paths["going"], "everyone", 400, ""},
		} {
			r := writeTo(a.As(row.who).With("Accept", "application/problem+json"), row.path, row.audience)
			if reason, _ := r.Get("reason").(string); r.Status != row.status || reason != row.reason {
				t.Errorf("%s to %s: %d %s", row.who, row.audience, r.Status, r.Body)
			}
		}
		org.Post(paths["going"]+"/guest-messages", apptest.Fields{"audience": "going", "body": " \u202e"}).WantError(400, "invalid_request")
		a.As("going").Get(paths["going"]+"/guest-audiences").WantError(403, "forbidden")
	}, apptest.StartAt(apptest.Today))
}

// TestEventSendsFiveMessagesADay sends eight messages at once: five succeed, deleted ones count, and the next day has five again.
func TestEventSendsFiveMessagesADay(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		path := "/events/" + event
		host := a.As("host")
		newHost(org, host, event)
		replies := make([]*apptest.Reply, 8)
		apptest.Concurrently(len(replies), func(i int) {
			replies[i] = writeTo([]*apptest.Client{org, host}[i%2], path, "going")
		})
		var sent []string
		for _, r := range replies {
			switch {
			case r.Status == 201:
				sent = append(sent, r.Text("id"))
			case r.Status != 429 || r.Header.Get("Retry-After") != "86400":
				t.Errorf("%d %s, again after %s", r.Status, r.Body, r.Header.Get("Retry-After"))
			}
		}
		if len(sent) != 5 {
			t.Fatalf("%d messages were sent", len(sent))
		}
		for _, id := range sent[:2] {
			a.Anonymous().Delete(path+"/guest-messages/"+id).WantError(401, "unauthorized")
			for _, c := range []*apptest.Client{org, host} {
				c.Delete(path + "/guest-messages/" + id)
			}
		}
		writeTo(org, path, "going").WantError(429, "rate_limited")
		if r := org.Get(path + "/guest-audiences").Want(200); r.Number("left_today") != 0 || org.Get(path+"/guest-messages").Len("items") != 3 {
			t.Errorf("%s", r.Body)
		}
		writeTo(org, "/events/"+org.Publish(nil), "going").Want(201) // another event has its own limit
		a.Clock.Advance(24 * time.Hour)
		org = a.SignIn(apptest.Email("org"))
		if n := org.Get(path + "/guest-audiences").Want(200).Number("left_today"); n != 5 {
			t.Errorf("the next day has %v messages", n)
		}
		writeTo(org, path, "going").Want(201)
	}, apptest.StartAt(apptest.Today))
}

// TestMessagesAreDeletedByTheirAuthor also retracts the notification.
func TestMessagesAreDeletedByTheirAuthor(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, host, guest := a.As("org"), a.As("host"), a.As("going")
		path := messageWorld(a)["going"]
		newHost(org, host, strings.TrimPrefix(path, "/events/"))
		message := path + "/guest-messages/" + writeTo(host, path, "going").Want(201).Text("id")
		other := "/events/" + org.Publish(nil) + "/guest-messages/" + message[strings.LastIndexByte(message, '/')+1:]
		for _, row := range []struct {
			who    *apptest.Client
			path   string
			status int
		}{{org, message, 403}, {guest, message, 403}, {a.As("stranger"), message, 404}, {host, other, 404}, {host, message, 204},
			{host, message, 204}, {org, message, 404}, {guest, message, 404}} {
			if r := row.who.Delete(row.path); r.Status != row.status {
				t.Errorf("%s: %d %s", row.path, r.Status, r.Body)
			}
		}
		if got := messageNotes(a, guest); len(got) > 0 || bodies(guest, path) != "" {
			t.Errorf("the guest has the notifications %q", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestHostsLearnNothingFromNumbers compares what hosts, API keys and the organizer read while guests accept, ask and wait incognito.
func TestHostsLearnNothingFromNumbers(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, host := a.As("org"), a.As("host")
		paths := messageWorld(a)
		a.As("uma")
		org.Post(paths["invited_unanswered"]+"/invitations", apptest.Fields{"email": apptest.Email("uma")}).Want(201)
		for _, path := range paths {
			newHost(org, host, strings.TrimPrefix(path, "/events/"))
		}
		till := apptest.Fields{"name": "Till", "scopes": []string{"guest_messages:read"}}
		key := a.WithBearer(org.Post("/me/api-keys", till).Want(201).Text("key"))
		incognito := apptest.Fields{"participation_visibility": "incognito"}
		numbers := func(c *apptest.Client) string {
			unanswered := c.Get(paths["invited_unanswered"] + "/guest-audiences").Want(200)
			requested := c.Get(paths["requested"] + "/guest-audiences").Want(200)
			return fmt.Sprintf("invited_unanswered: %v, requested: %v", unanswered.Get("items.2.recipients"), requested.Get("items.3.recipients"))
		}
		const before = "invited_unanswered: 2, requested: 1"
		for _, c := range []*apptest.Client{org, host, key} {
			if got := numbers(c); got != before {
				t.Fatalf("before: %s", got)
			}
		}
		accepted := apptest.Fields{"status": "accepted", "participation_visibility": "incognito"}
		a.As("uma").Patch(paths["invited_unanswered"]+"/rsvp", accepted).Want(200)
		a.As("ida").Post(paths["requested"]+"/join", incognito).Want(200)
		for name, c := range map[string]*apptest.Client{"a host": host, "an API key": key} {
			if got := numbers(c); got != before {
				t.Errorf("%s reads %s", name, got)
			}
		}
		if got := numbers(org); got != "invited_unanswered: 1, requested: 2" {
			t.Errorf("the organizer reads %s", got)
		}
		sent := writeTo(org, paths["invited_unanswered"], "invited_unanswered").Want(201)
		if sent.Number("recipients") != 1 || messageNotes(a, a.As("uma")) != nil {
			t.Errorf("the message: %s", sent.Body)
		}
		for name, c := range map[string]*apptest.Client{"a host": host, "an API key": key} {
			r := c.Get(paths["invited_unanswered"] + "/guest-messages").Want(200)
			if r.Get("items.0.recipients") != nil || r.Get("later") != nil {
				t.Errorf("%s reads %s", name, r.Body)
			}
		}
		if got := bodies(a.As("ida"), paths["requested"]); got != "" {
			t.Errorf("ida reads %q", got)
		}
		writeTo(host, paths["requested"], "requested").Want(201)
		if got := messageNotes(a, a.As("ida")); len(got) != 1 {
			t.Errorf("a user who asks incognito has the notifications %q", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestBlocksHideMessages sends no notification between users in a block, and hides the author.
func TestBlocksHideMessages(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, host, guest := a.As("org"), a.As("host"), a.As("going")
		path := messageWorld(a)["going"]
		newHost(org, host, strings.TrimPrefix(path, "/events/"))
		guest.Block(host)
		if n := host.Get(path + "/guest-audiences").Want(200).Number("items.0.recipients"); n != 1 { // who reads it without its author
			t.Errorf("the host reaches %v guests", n)
		}
		writeTo(host, path, "going").Want(201)
		if got := messageNotes(a, guest); len(got) > 0 {
			t.Errorf("the guest has the notifications %q", got)
		}
		if r := guest.Get(path + "/guest-messages").Want(200); r.Len("items") != 1 || r.Get("items.0.author") != nil {
			t.Errorf("the guest reads %s", r.Body)
		}
		guest.Block(org)
		guest.Get(path+"/guest-messages").WantError(404, "not_found")
	}, apptest.StartAt(apptest.Today))
}
