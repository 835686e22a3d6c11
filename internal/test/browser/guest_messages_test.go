package browser

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

// messageGuests writes to those who have not answered an invitation. One of them reads it on the page of the event, the others do not.
func messageGuests(j *journey) {
	host := j.App.SignIn(j.Email("host")).In(j.T)
	event := host.Publish(j.eventFields("Dinner for eight", apptest.Fields{"visibility": "private"}))
	guests := map[string]*apptest.Client{}
	for _, name := range []string{"silent", "quiet", "coming"} {
		guests[name] = j.App.SignIn(j.Email(name)).In(j.T)
		host.Post("/events/"+event+"/invitations", apptest.Fields{"email": j.Email(name)}).Want(http.StatusCreated)
	}
	guests["coming"].Patch("/events/"+event+"/rsvp", apptest.Fields{"status": "accepted"}).Want(http.StatusOK)
	j.signInWith(j.Email("host"))
	j.Open("/events/" + event + "/guests")
	j.Press("Message guests")
	j.Choose("Invited, not answered")
	j.Fill("Message", "Do you come? I cook on Saturday.")
	j.AccessibleAgain()
	j.Press("Preview")
	j.See("Check your message")
	j.See("Send to 2 people")
	j.Accessible()
	j.Press("Change")
	j.Fill("Message", "Do you come? I cook on Sunday.")
	j.Press("Preview")
	j.Press("Send to 2 people")
	j.See("4 messages left today")
	j.See("I cook on Sunday.")
	j.AccessibleAgain()
	for name, want := range map[string]int{"silent": 1, "quiet": 1, "coming": 0} {
		if n := guests[name].Get("/events/" + event + "/guest-messages").Want(http.StatusOK).Len("items"); n != want {
			j.T.Errorf("%s reads %d messages", name, n)
		}
	}
	j.signInWith(j.Email("silent"))
	j.Open("/events/" + event + "/guest-messages") // the address in the mail
	j.See("From the hosts to you")
	j.See("I cook on Sunday.")
	j.Accessible()
}

// TestGuestMessagesPage sends and deletes by forms.
func TestGuestMessagesPage(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := a.As("org").Publish(nil)
		a.As("ann").Join(event)
		org, ann, page := signedIn(t, a, "org"), signedIn(t, a, "ann"), "/events/"+event+"/guest-messages"
		send := func(more ...string) answer {
			form := url.Values{"event_id": {event}, "audience": {"going"}, "body": {"Bring\r\ncake"}}
			for _, name := range more {
				form.Set(name, "yes")
			}
			return org.submit("sendGuestMessage", page, form)
		}
		if r := send(); r.StatusCode != http.StatusOK || !strings.Contains(r.Body, "Send to 1 person") {
			t.Errorf("the preview: %d %s", r.StatusCode, r.Body)
		}
		if r := send("change"); r.StatusCode != http.StatusOK || !strings.Contains(r.Body, "cake</textarea>") {
			t.Errorf("the text to change: %d %s", r.StatusCode, r.Body)
		}
		empty := url.Values{"event_id": {event}, "audience": {"going"}, "body": {" "}}
		if r := org.submit("sendGuestMessage", page, empty); r.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("an empty text: %d", r.StatusCode)
		}
		if n := a.As("ann").Get(page).Want(http.StatusOK).Len("items"); n != 0 {
			t.Errorf("%d messages before the confirmation", n)
		}
		outside := func() (all string) {
			for _, path := range []string{"/events/" + event, "/feeds/events.atom", "/embed/events"} {
				all += visitor(t, a).open(path).Body
			}
			return all
		}
		for range 5 {
			if r := send("confirmed"); r.Header.Get("Location") != page+"#sent" {
				t.Fatalf("%d %s", r.StatusCode, r.Body)
			}
		}
		if strings.Contains(outside(), "Bring") {
			t.Error("anonymous visitors read a message")
		}
		if body := org.open(page).Body; !strings.Contains(body, "has sent five messages") || strings.Contains(body, "sendGuestMessage") {
			t.Errorf("after five messages: %s", body)
		}
		if body := ann.open("/events/" + event).Body; strings.Count(body, "Bring\ncake") != 3 {
			t.Errorf("the guest sees %s", body)
		}
		for range 5 {
			id := a.As("org").Get(page).Want(http.StatusOK).Text("items.0.id")
			org.submit("deleteGuestMessage", page, url.Values{"event_id": {event}, "message_id": {id}})
		}
		if body := ann.open("/events/" + event).Body; strings.Contains(body, "From the hosts") {
			t.Errorf("after the deletion, the guest sees %s", body)
		}
	}, settings...)
}
