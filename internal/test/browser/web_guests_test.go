package browser

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestInvitations invites people to a private event, who answer on its page, and shows the answers to
// the organizer.
func TestInvitations(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := a.As("org").Publish(apptest.Fields{"visibility": "private", "capacity": 4})
		org, page, guests := signedIn(t, a, "org"), "/events/"+event, "/events/"+event+"/guests"
		invite := func(invitee string) answer {
			return org.submit("inviteToEvent", guests, url.Values{"event_id": {event}, "invitee": {invitee}, "message": {"Do come!"}})
		}
		for name, status := range map[string]string{"ben": "accepted", "chloe": "declined"} {
			b := signedIn(t, a, name)
			if r := invite(apptest.Email(name)); r.Header.Get("Location") != guests {
				t.Fatalf("%d %s", r.StatusCode, r.Body)
			}
			if body := b.open(page).Body; !strings.Contains(body, "Will you come?") {
				t.Errorf("%s", body)
			}
			b.step("answerInvitation", page, map[string]string{"event_id": event, "status": status, "participation_visibility": "incognito"})
			if body := b.open(page).Body; !strings.Contains(body, "Your answer is saved") {
				t.Errorf("%s", body)
			}
		}
		body := org.open(guests).Body
		for _, want := range []string{"On the guest list", "Do come!", "Comes", "Cannot come"} {
			if has := strings.Contains(body, want); has != (want != "On the guest list") {
				t.Errorf("%s: %t in %s", want, has, body)
			}
		}
		if body := org.open(guests + "?status=declined").Body; strings.Count(body, "Do come!") != 1 {
			t.Errorf("%s", body)
		}
		for _, c := range []struct{ invitee, want string }{
			{"nobody@example.net", "Nobody here has this address"},
			{"12", `id="error-invitee"`},
			{"ben@", `id="error-invitee"`},
		} {
			if r := invite(c.invitee); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(r.Body, c.want) ||
				!strings.Contains(r.Body, `value="`+c.invitee+`"`) {
				t.Errorf("%s: %d %s", c.invitee, r.StatusCode, r.Body)
			}
		}
	}, settings...)
}

// TestInvitationsByEmail invites addresses on the page of the guests of a public event, and takes one invitation back.
func TestInvitationsByEmail(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Publish(nil)
	org, guests := signedIn(t, a, "org"), "/events/"+event+"/guests"
	invite := func(emails string) answer {
		return org.submit("inviteByEmail", guests, url.Values{"event_id": {event}, "emails": {emails}})
	}
	if r := invite("ben@example.net, chloe@example.net;\r\n<dora@example.net>"); r.Header.Get("Location") != guests+"#emails" {
		t.Fatalf("%d %v %s", r.StatusCode, r.Header, r.Body)
	}
	r := invite("eve@example.net not-an-address")
	if r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(r.Body, `id="error-emails"`) ||
		!strings.Contains(r.Body, ">not-an-address</textarea>") {
		t.Errorf("an invalid address: %d %s", r.StatusCode, r.Body)
	}
	for _, emails := range []string{"", " , ", strings.Repeat("x@example.net ", 101)} {
		if r := invite(emails); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(r.Body, `id="error-emails"`) {
			t.Errorf("%.20q: %d %s", emails, r.StatusCode, r.Body)
		}
	}
	list := a.As("org").Get("/events/" + event + "/email-invitations").Want(http.StatusOK)
	for i := range list.Len("items") {
		if item := "items." + strconv.Itoa(i); list.Text(item+".email") == "eve@example.net" {
			org.submit("withdrawEmailInvitation", guests, url.Values{"event_id": {event}, "invitation_id": {list.Text(item + ".id")}})
		}
	}
	body := org.open(guests).Body
	for address, want := range map[string]bool{"ben@": true, "chloe@": true, "dora@": true, "eve@": false, "x@example.net": false} {
		if got := strings.Contains(body, "<bdi>"+address); got != want {
			t.Errorf("%s is shown: %t, want %t", address, got, want)
		}
	}
}

func TestGuestsAreForTheOrganizer(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Publish(nil)
	a.As("ben").Join(event)
	a.As("chloe").Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(http.StatusOK)
	page := "/events/" + event + "/guests"
	body := signedIn(t, a, "org").open(page).Body
	for _, name := range []string{"ben", "chloe"} {
		if page := personOf(a.As(name)); !strings.Contains(body, `href="`+page+`"`) {
			t.Errorf("no %s in %s", name, body)
		}
	}
	if r := signedIn(t, a, "ben").open(page); r.Header.Get("Location") != pageOf(a.As("org"), event) {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
	if r := visitor(t, a).open(page); r.Header.Get("Location") != "/login?return_to="+url.QueryEscape(page) {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
}
