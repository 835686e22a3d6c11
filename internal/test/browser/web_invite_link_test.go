package browser

import (
	"net/http"
	"net/url"
	"path"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// newInviteLink makes an invitation link, and returns its id and the address of its page.
func newInviteLink(org *apptest.Client, event string) (id, page string) {
	link := org.Post("/events/"+event+"/invite-links", nil).Want(http.StatusCreated)
	return link.Text("id"), "/i/" + path.Base(link.Text("url"))
}

// TestInviteLinkPage opens the page as chat apps, strangers and guests do. It shows what the operation shows, and no cache stores it.
func TestInviteLinkPage(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(apptest.Fields{"title": "Dinner", "visibility": "private", "city": "Berlin", "location_text": "Secret street 5",
			"description": "A secret.", "conference_url": "https://secret.example/", "lat": 52.5, "lng": 13.4})
		org.Post("/events/"+event+"/posts", apptest.Fields{"body": "A secret post."}).Want(http.StatusCreated)
		id, page := newInviteLink(org, event)
		for _, accept := range []string{"text/html", "*/*", ""} { // previews ask for anything
			r := visitor(t, a).navigate(page, "Accept", accept)
			for _, want := range []string{"<h1 dir=\"auto\">Dinner</h1>", "Berlin", `property="og:title" content="Dinner"`,
				`<meta name="robots" content="noindex">`, "invites you"} {
				if !strings.Contains(r.Body, want) {
					t.Errorf("no %s in %s", want, r.Body)
				}
			}
			if strings.Contains(strings.ToLower(r.Body), "secret") || strings.Contains(r.Body, event) {
				t.Errorf("the page shows too much: %s", r.Body)
			}
			if got := r.Header.Get("Cache-Control"); got != "private, no-store" || r.Header.Get("Referrer-Policy") != "same-origin" ||
				r.Header.Get("ETag") != "" {
				t.Errorf("%v", r.Header)
			}
		}
		if r := signedIn(t, a, "org").navigate(page); r.Header.Get("Location") != "/events/"+event {
			t.Errorf("the host gets %d %v", r.StatusCode, r.Header)
		}
		ben := signedIn(t, a, "ben")
		r := ben.submit("joinEvent", page, url.Values{"token": {path.Base(page)}, "participation_visibility": {"incognito"}})
		if r.Header.Get("Location") != "/events/"+event+"?joined=yes" {
			t.Errorf("%d %v %s", r.StatusCode, r.Header, r.Body)
		}
		chloe := signedIn(t, a, "chloe")
		if r := chloe.submit("joinEvent", page, url.Values{"token": {path.Base(page)}, "status": {"tentative"}}); r.Header.Get(
			"Location") != "/events/"+event {
			t.Errorf("%d %v %s", r.StatusCode, r.Header, r.Body)
		}
		org.Delete("/events/" + event + "/invite-links/" + id).Want(http.StatusNoContent)
		if r := visitor(t, a).open(page); r.StatusCode != http.StatusNotFound {
			t.Errorf("after its end: %d", r.StatusCode)
		}
	}, settings...)
}

// TestHostMakesInviteLinks makes a link on the page of the guests, and ends it.
func TestHostMakesInviteLinks(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Publish(apptest.Fields{"visibility": "private"})
	org, guests := signedIn(t, a, "org"), "/events/"+event+"/guests"
	for _, wrong := range []string{"0", "501", "x"} {
		r := org.submit("createInviteLink", guests, url.Values{"event_id": {event}, "max_uses": {wrong}, "days": {"7"}})
		if r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(r.Body, `id="error-max_uses"`) {
			t.Errorf("%s: %d %s", wrong, r.StatusCode, r.Body)
		}
	}
	r := org.submit("createInviteLink", guests, url.Values{"event_id": {event}, "max_uses": {"5"}, "days": {"7"}})
	if r.Header.Get("Location") != guests+"#links" {
		t.Fatalf("%d %s", r.StatusCode, r.Body)
	}
	link := a.As("org").Get("/events/" + event + "/invite-links").Want(http.StatusOK)
	body := org.open(guests).Body
	for _, want := range []string{`value="` + link.Text("items.0.url") + `"`, "0 of 5 people", "Until ", `class="qr"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	org.submit("endInviteLink", guests, url.Values{"event_id": {event}, "link_id": {link.Text("items.0.id")}})
	if body := org.open(guests).Body; strings.Contains(body, link.Text("items.0.url")) {
		t.Errorf("%s", body)
	}
}

// TestMissingEventsOfferSignIn opens hidden and missing events as signed-out visitors: the pages differ only in the address, and lead back.
func TestMissingEventsOfferSignIn(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		private, draft := org.Publish(apptest.Fields{"visibility": "private"}), org.Draft(nil)
		share := func(event string) string {
			u, _ := url.Parse(org.Get("/events/" + event).Want(http.StatusOK).Text("event.share_url"))
			return u.Path
		}
		const unknown = "018f3b0a-5c1d-7000-8000-000000000999"
		show := func(address string) string {
			r := visitor(t, a).open(address)
			login := "/login?return_to=" + url.QueryEscape(address)
			for _, want := range []string{"Nothing here, or only for invited people", `<a class="button primary" href="` + login + `">`} {
				if r.StatusCode != http.StatusNotFound || !strings.Contains(r.Body, want) {
					t.Errorf("%s: %d, no %s in %s", address, r.StatusCode, want, r.Body)
				}
			}
			return strings.NewReplacer(url.QueryEscape(address), "", address, "").Replace(r.Body)
		}
		want := show("/events/" + unknown)
		for _, address := range []string{"/events/" + private, "/events/" + draft, share(private), share(draft), "/e/nothing", "/e/x-22222222",
			"/i/nothing", "/i/" + strings.Repeat("x", 200), "/events/" + private[:30], "/events/" + private + "/share",
		} {
			if got := show(address); got != want {
				t.Errorf("%s differs:\n%s\n%s", address, got, want)
			}
		}
		if r := visitor(t, a).open("/p/nobody"); strings.Contains(r.Body, "invited people") {
			t.Errorf("a person: %s", r.Body)
		}
		r := signedIn(t, a, "ben").open("/events/" + private)
		if r.StatusCode != http.StatusNotFound || strings.Contains(r.Body, "invited people") {
			t.Errorf("a member: %d %s", r.StatusCode, r.Body)
		}
	}, settings...)
}
