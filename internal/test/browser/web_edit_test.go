package browser

import (
	"bytes"
	"html"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// step sends one step of the form of an event and returns where the browser is sent.
func (b *webBrowser) step(action, page string, fields map[string]string) string {
	b.t.Helper()
	values := url.Values{}
	for name, value := range fields {
		values.Set(name, value)
	}
	r := b.submit(action, page, values)
	if r.StatusCode != http.StatusSeeOther {
		b.t.Fatalf("%s: %d %s", action, r.StatusCode, r.Body)
	}
	return r.Header.Get("Location")
}

// TestCreateEventInSteps stores a draft at the first step, adds to it, publishes it, changes its time
// and cancels it.
func TestCreateEventInSteps(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := signedIn(t, a, "org")
		where := org.step("createEvent", "/events/new", map[string]string{
			"title": "Chess in the park", "starts_at": "2026-06-20T19:30", "timezone": "Europe/Berlin", "description": "Bring\r\na board.",
			"key": "first",
		})
		id := strings.Split(where, "/")[2]
		read := func() *apptest.Reply { return a.As("org").Get("/events/" + id).Want(http.StatusOK) }
		who := org.step("updateEvent", where, map[string]string{
			"event_id": id, "step": "where", "location_text": "Café am Park", "city": "Berlin", "lat": "52,52", "lng": "13.405",
		})
		publish := org.step("updateEvent", who, map[string]string{
			"event_id": id, "step": "who", "visibility": "public", "capacity": "12", "price_amount": "12,50", "price_currency": "eur",
		})
		e := read()
		for path, want := range map[string]any{
			"event.status": "draft", "event.starts_at": "2026-06-20T17:30:00Z", "event.ends_at": nil, "event.description": "Bring\na board.",
			"event.capacity": 12.0, "event.price_amount": 1250.0, "event.price_currency": "EUR", "location.lat": 52.52, "location.lng": 13.405,
			"location.city": "Berlin",
		} {
			if got := e.Get(path); got != want {
				t.Errorf("%s: %v, want %v", path, got, want)
			}
		}
		if body := org.open(who).Body; !strings.Contains(body, `value="12.50"`) || !strings.Contains(body, `value="EUR"`) {
			t.Errorf("%s", body)
		}
		org.step("updateEvent", who, map[string]string{"event_id": id, "step": "who", "visibility": "public", "capacity": "12"}) // free
		if to := org.step("publishEvent", publish, map[string]string{"event_id": id}); to != "/events/"+id+"/share?published" {
			t.Errorf("to %s", to)
		}
		what := map[string]string{"event_id": id, "step": "what", "title": "Chess by the lake", "starts_at": "2026-06-21T20:00",
			"timezone": "Europe/Berlin"}
		org.step("updateEvent", "/events/"+id+"/edit", what)
		if e := read(); e.Text("event.starts_at") != "2026-06-21T18:00:00Z" || e.Text("event.title") != "Chess by the lake" ||
			e.Get("event.capacity") != 12.0 {
			t.Errorf("%s", e.Body)
		}
		org.step("cancelEvent", publish, map[string]string{"event_id": id})
		if e := read(); e.Text("event.status") != "canceled" {
			t.Errorf("%s", e.Body)
		}
		if body := org.open("/events/" + id + "/edit").Body; strings.Contains(body, "<textarea") || !strings.Contains(body, "canceled") {
			t.Errorf("a canceled event can be changed: %s", body)
		}
	}, append(slices.Clip(settings), apptest.Setting("PAYMENT_CURRENCIES", "EUR"))...)
}

func TestEventFormExplainsWhatIsWrong(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Draft(nil)
	org := signedIn(t, a, "org")
	for _, c := range []struct{ action, step, field, value string }{
		{"createEvent", "", "title", ""},
		{"createEvent", "", "starts_at", "tomorrow"},
		{"createEvent", "", "ends_at", "2026-06-01T10:00"},
		{"createEvent", "", "timezone", "Berlin"},
		{"updateEvent", "where", "lat", "north"},
		{"updateEvent", "where", "conference_url", "ftp://a.example"},
		{"updateEvent", "who", "capacity", "many"},
		{"updateEvent", "who", "capacity", "2.5"},
		{"updateEvent", "who", "price_amount", "NaN"},
	} {
		fields := url.Values{"event_id": {event}, "step": {c.step}, "title": {"Chess"}, "starts_at": {"2026-06-20T19:30"},
			"timezone": {"Europe/Berlin"}, "visibility": {"public"}}
		fields.Set(c.field, c.value)
		page := "/events/new"
		if c.action == "updateEvent" {
			page = "/events/" + event + "/edit?step=" + c.step
		}
		r := org.submit(c.action, page, fields)
		if r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(r.Body, `id="error-`+c.field+`"`) ||
			!strings.Contains(r.Body, `value="`+c.value+`"`) {
			t.Errorf("%s: %d %s", c.field, r.StatusCode, r.Body)
		}
	}
}

// TestEditShowsWhatOthersHaveStored changes an event while its form is open in another browser.
func TestEditShowsWhatOthersHaveStored(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, b := a.As("org"), signedIn(t, a, "org")
		id := org.Publish(apptest.Fields{"title": "Chess", "description": "Bring\na board."})
		path := "/events/" + id + "/edit?step=what"
		form := b.open(path)
		org.Patch("/events/"+id, apptest.Fields{"title": "Chess & Go"}).Want(http.StatusOK)
		fields := url.Values{
			"event_id": {id}, "step": {"what"}, "etag": {html.UnescapeString(valueOf(t, form, "etag"))},
			"title": {"Chess for all"}, "description": {"Bring\r\na board."}, "starts_at": {"2026-06-20T19:30"}, "timezone": {"Europe/Berlin"},
		}
		refused := b.submit("updateEvent", path, fields)
		if refused.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(refused.Body, "This has changed since you opened it") {
			t.Fatalf("%d %s", refused.StatusCode, refused.Body)
		}
		for text, want := range map[string]bool{`value="Chess for all"`: true, `<bdi class="prose">Chess &amp; Go</bdi>`: true,
			`id="stored-description"`: false} {
			if strings.Contains(refused.Body, text) != want {
				t.Errorf("%s: want %v in %s", text, want, refused.Body)
			}
		}
		fields.Set("etag", html.UnescapeString(valueOf(t, refused, "etag")))
		if again := b.submit("updateEvent", path, fields); again.StatusCode != http.StatusSeeOther ||
			org.Get("/events/"+id).Text("event.title") != "Chess for all" {
			t.Errorf("saved again: %d", again.StatusCode)
		}
	}, settings...)
}

func TestOnlyTheOrganizerEdits(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	page := "/events/" + a.As("org").Publish(nil) + "/edit"
	if r := signedIn(t, a, "ben").open(page); r.Header.Get("Location") != pageOf(a.As("org"), path.Base(path.Dir(page))) {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
	for _, page := range []string{page, "/events/new"} {
		if r := visitor(t, a).open(page); r.Header.Get("Location") != "/login?return_to="+url.QueryEscape(page) {
			t.Errorf("%d %v", r.StatusCode, r.Header)
		}
	}
}

func TestCoverByForm(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Draft(nil)
	org := signedIn(t, a, "org")
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 60, 40))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, content string
		status        int
		publish       bool
	}{
		{"a picture", picture.String(), http.StatusSeeOther, false},
		{"no picture", "", http.StatusSeeOther, false},
		{"a text", "hello", http.StatusUnprocessableEntity, true},
		{"too large", picture.String() + strings.Repeat("x", 11<<20), http.StatusRequestEntityTooLarge, false},
	} {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		for name, value := range map[string]string{"page": "/events/" + event + "/edit?step=publish", "event_id": event, "image_alt": "A board"} {
			_ = form.WriteField(name, value) // a buffer does not fail
		}
		if c.publish {
			_ = form.WriteField("publish", "yes")
		}
		if c.content != "" {
			file, _ := form.CreateFormFile("cover", "cover")
			_, _ = file.Write([]byte(c.content))
		}
		_ = form.Close()
		r := org.send(http.MethodPost, "/do/setEventCover", body.String(), []string{"Accept", "text/html", "Content-Type",
			form.FormDataContentType(), "Sec-Fetch-Site", "same-origin"})
		if r.StatusCode != c.status {
			t.Errorf("%s: %d %s", c.name, r.StatusCode, r.Body)
		}
		if e := a.As("org").Get("/events/" + event).Want(http.StatusOK); e.Get("event.image_url") == nil ||
			e.Text("event.image_alt") != "A board" || e.Text("event.status") != "draft" {
			t.Errorf("%s: %s", c.name, e.Body)
		}
	}
	org.step("deleteEventCover", "/events/"+event+"/edit?step=publish", map[string]string{"event_id": event})
	if e := a.As("org").Get("/events/" + event).Want(http.StatusOK); e.Get("event.image_url") != nil {
		t.Errorf("%s", e.Body)
	}
}

// TestPublishSavesTheCover presses "Publish" before the chosen picture is saved.
func TestPublishSavesTheCover(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Draft(nil)
	org, page := signedIn(t, a, "org"), "/events/"+event+"/edit?step=publish"
	if body := org.open(page).Body; !strings.Contains(between(body, `form="setEventCover"`, ">"), `name="publish"`) {
		t.Fatalf("the button is not in the form of the picture: %s", body)
	}
	if to := org.step("setEventCover", page, map[string]string{"event_id": event, "image_alt": "A board",
		"image_url": "https://pictures.example/board.png", "publish": "yes"}); to != "/events/"+event+"/share?published" {
		t.Errorf("to %s", to)
	}
	if e := a.As("org").Get("/events/" + event).Want(http.StatusOK); e.Text("event.status") != "published" ||
		e.Text("event.image_url") != "https://pictures.example/board.png" || e.Text("event.image_alt") != "A board" {
		t.Errorf("%s", e.Body)
	}
}

// TestPublishPaidEvent explains why a paid event cannot be published, and lets its organizer mend
// that.
func TestPublishPaidEvent(t *testing.T) {
	for _, c := range []struct {
		name, explained string
		enabled         bool
	}{
		{"without payments", "This service takes no payments.", false},
		{"with payments", "the payment profile of the organizer is not verified", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			options := append(slices.Clip(settings), apptest.Setting("PAYMENT_CURRENCIES", "EUR"))
			if c.enabled {
				options = append(options, apptest.Setting("PAYMENTS_ENABLED", "true"), apptest.Setting("PAYMENT_WEBHOOK_SECRETS", paymentSecret))
			}
			a := apptest.New(t, db.SQLite, options...)
			event := a.As("org").Draft(apptest.Fields{"price": "paid", "price_amount": 1250, "price_currency": "EUR"})
			org, page := signedIn(t, a, "org"), "/events/"+event+"/edit?step=publish"
			publish := func() answer { return org.submit("publishEvent", page, url.Values{"event_id": {event}}) }
			if r := publish(); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(r.Body, c.explained) ||
				!strings.Contains(r.Body, "Verify my payment profile") {
				t.Errorf("%d %s", r.StatusCode, r.Body)
			}
			verified := org.submit("updatePaymentProfile", page, url.Values{"status": {"verified"}})
			if (verified.StatusCode == http.StatusSeeOther) != c.enabled || !c.enabled && !strings.Contains(verified.Body, c.explained) {
				t.Errorf("%d %s", verified.StatusCode, verified.Body)
			}
			if r := publish(); (r.Header.Get("Location") == "/events/"+event+"/share?published") != c.enabled {
				t.Errorf("%d %s", r.StatusCode, r.Body)
			}
			if c.enabled {
				payFor(t, a, event)
			}
		})
	}
}

func TestVisibilityStaysAfterPublication(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Publish(apptest.Fields{"visibility": "private"})
	org, page := signedIn(t, a, "org"), "/events/"+event+"/edit?step=who"
	if body := org.open(page).Body; strings.Contains(body, `name="visibility"`) || !strings.Contains(body, "cannot change this") {
		t.Errorf("%s", body)
	}
	org.step("updateEvent", page, map[string]string{"event_id": event, "step": "who", "capacity": "5"})
	if e := a.As("org").Get("/events/" + event).Want(http.StatusOK); e.Get("event.capacity") != 5.0 ||
		e.Text("event.visibility") != "private" {
		t.Errorf("%s", e.Body)
	}
}

// payFor starts a payment on the page of an event, which nobody else sees.
func payFor(t *testing.T, a *apptest.App, event string) {
	t.Helper()
	ben, page := signedIn(t, a, "ben"), "/events/"+event
	if body := ben.open(page).Body; !strings.Contains(body, "Pay 12.50") {
		t.Errorf("%s", body)
	}
	if r := ben.submit("joinEvent", page, url.Values{"event_id": {event}}); r.StatusCode != http.StatusUnprocessableEntity ||
		!strings.Contains(r.Body, "Pay for the event first.") {
		t.Errorf("%d %s", r.StatusCode, r.Body)
	}
	setProfile := func(status string) {
		a.As("org").Patch("/me/payment-profile", apptest.Fields{"status": status}).Want(http.StatusOK)
	}
	setProfile("unverified")
	ben.submit("joinEvent", page, url.Values{"event_id": {event}, "pay": {"yes"}}).want(t, http.StatusUnprocessableEntity,
		"the payment profile of the organizer is not verified", "not", "your payment profile", "ake the event free")
	setProfile("verified")
	payment := ben.step("joinEvent", page, map[string]string{"event_id": event, "pay": "yes"})
	if body := ben.open(payment).Body; !strings.Contains(body, `href="https://checkout.invalid/`) || !strings.Contains(body, "12.50") ||
		!strings.Contains(body, "waits") {
		t.Errorf("%s", body)
	}
	if r := signedIn(t, a, "chloe").open(payment); r.StatusCode != http.StatusNotFound {
		t.Errorf("%d %s", r.StatusCode, r.Body)
	}
}
