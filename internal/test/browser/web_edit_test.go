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
	"moothall/internal/web/view"
)

// step sends a form and returns where the browser is sent.
func (b *webBrowser) step(action, page string, fields map[string]string) string {
	b.t.Helper()
	r := b.submit(action, page, asForm(fields))
	if r.StatusCode != http.StatusSeeOther {
		b.t.Fatalf("%s: %d %s", action, r.StatusCode, r.Body)
	}
	return r.Header.Get("Location")
}

// TestCreateEventByForm stores a draft, adds to it, publishes it, changes its time and cancels it with a message.
func TestCreateEventByForm(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := signedIn(t, a, "org")
		fields := map[string]string{
			"starts_at": "2026-06-20T19:30", "timezone": "Europe/Berlin", "description": "Bring\r\na board.", "key": "first",
			"location_text": "Café am Park", "city": "Berlin", "lat": "52,52", "lng": "13.405", "visibility": "public", "capacity": "12",
			"price_amount": "12,50", "price_currency": "EUR", "category": view.OtherCategory, "other_category": "Chess", "theme": "mint",
		}
		if first := between(org.open("/events/new").Body, `<div class="row submit">`, "</button>"); strings.Contains(first, "publish") {
			t.Errorf("Enter presses %s", first)
		}
		edit := org.step("createEvent", "/events/new", fields)
		id := strings.Split(edit, "/")[2]
		if edit != "/events/"+id+"/edit?saved=yes" || org.step("createEvent", "/events/new", fields) != edit {
			t.Errorf("sent twice: %s", edit)
		}
		read := func() *apptest.Reply { return a.As("org").Get("/events/" + id).Want(http.StatusOK) }
		e := read()
		for path, want := range map[string]any{
			"event.status": "draft", "event.title": "", "event.starts_at": "2026-06-20T17:30:00Z", "event.ends_at": nil,
			"event.description": "Bring\na board.", "event.category": "Chess", "event.theme": "mint",
			"event.capacity": 12.0, "event.price_amount": 1250.0, "event.price_currency": "EUR", "location.lat": 52.52, "location.lng": 13.405,
			"location.city": "Berlin",
		} {
			if got := e.Get(path); got != want {
				t.Errorf("%s: %v, want %v", path, got, want)
			}
		}
		if r := a.As("org").Get("/events/" + id + "/reminders").Want(http.StatusOK); r.Get("enabled") != true {
			t.Errorf("reminders: %s", r.Body)
		}
		org.open(edit).want(t, http.StatusOK, `value="12.50"`, `value="EUR" selected`, "Saved")
		fields["event_id"], fields["price_amount"], fields["publish"] = id, "", "yes"
		org.submit("updateEvent", edit, asForm(fields)).want(t, http.StatusUnprocessableEntity, `id="error-title"`)
		fields["title"] = "Chess in the park"
		if to := org.step("updateEvent", edit, fields); to != "/events/"+id+"/share?published" {
			t.Errorf("to %s", to)
		}
		if e := read(); e.Text("event.status") != "published" || e.Text("event.price") != "free" {
			t.Errorf("%s", e.Body)
		}
		org.step("updateEvent", edit, map[string]string{"event_id": id, "starts_at": "2026-06-21T20:00", "ends_at": "",
			"timezone": "Europe/Berlin"})
		if e := read(); e.Text("event.starts_at") != "2026-06-21T18:00:00Z" || e.Get("event.capacity") != 12.0 {
			t.Errorf("%s", e.Body)
		}
		a.As("ann").Join(id)
		org.step("cancelEvent", edit, map[string]string{"event_id": id, "message": "It rains.\r\nSorry!"})
		if got := a.As("ann").Get("/notifications").Get("items.0.body"); read().Text("event.status") != "canceled" || got != "It rains.\nSorry!" {
			t.Errorf("canceled with %q", got)
		}
		org.open("/events/"+id+"/edit").want(t, http.StatusOK, "canceled", "not", "<textarea")
		clone := org.step("cloneEvent", "/events/"+id, map[string]string{"event_id": id, "key": "clone"})
		if e := a.As("org").Get(strings.TrimSuffix(clone, "/edit")).Want(http.StatusOK); e.Text("event.title") != "Chess in the park" ||
			e.Text("event.status") != "draft" {
			t.Errorf("%s", e.Body)
		}
	}, append(slices.Clip(settings), apptest.Setting("PAYMENT_CURRENCIES", "EUR"))...)
}

// asForm returns fields as a form.
func asForm(fields map[string]string) url.Values {
	form := url.Values{}
	for name, value := range fields {
		form.Set(name, value)
	}
	return form
}

func TestEventFormExplainsWhatIsWrong(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Draft(nil)
	org := signedIn(t, a, "org")
	for _, c := range []struct{ action, field, value, shown string }{
		{"createEvent", "title", strings.Repeat("x", 121), `value="xxx`},
		{"createEvent", "starts_at", "tomorrow", `value="tomorrow"`},
		{"createEvent", "ends_at", "2026-06-01T10:00", `value="2026-06-01T10:00"`},
		{"createEvent", "timezone", "Berlin", `value="Berlin" selected`},
		{"updateEvent", "lat", "north", `value="north"`},
		{"updateEvent", "conference_url", "ftp://a.example", `value="ftp://a.example"`},
		{"updateEvent", "capacity", "many", `value="many"`},
		{"updateEvent", "capacity", "2.5", `value="2.5"`},
		{"updateEvent", "price_amount", "NaN", `value="NaN"`},
	} {
		fields := url.Values{"title": {"Chess"}, "starts_at": {"2026-06-20T19:30"}, "timezone": {"Europe/Berlin"}}
		page := "/events/new"
		if c.action == "updateEvent" {
			page = "/events/" + event + "/edit"
			fields.Set("event_id", event)
		}
		fields.Set(c.field, c.value)
		org.submit(c.action, page, fields).want(t, http.StatusUnprocessableEntity, `id="error-`+c.field+`"`, c.shown)
	}
}

// TestEditMergesChanges changes an event while its form is open in another browser. Only a field that both have changed needs a decision.
func TestEditMergesChanges(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, b := a.As("org"), signedIn(t, a, "org")
		id := org.Publish(apptest.Fields{"title": "Chess", "description": "Bring\na board.", "city": "Berlin", "capacity": 8})
		path := "/events/" + id + "/edit"
		fields := url.Values{"event_id": {id}, "shown": {html.UnescapeString(valueOf(t, b.open(path), "shown"))}, "title": {"Chess for all"},
			"description": {"Bring\r\na board."}, "city": {"Berlin"}, "capacity": {"9"}}
		org.Patch("/events/"+id, apptest.Fields{"title": "Chess & Go", "description": "Bring a clock."}).Want(http.StatusOK)
		refused := b.submit("updateEvent", path, fields)
		refused.want(t, http.StatusUnprocessableEntity, "The same fields were changed meanwhile", `value="Chess for all"`,
			`<bdi class="prose">Chess &amp; Go</bdi>`, `value="9"`, "Bring a clock.", "not", `id="stored-description"`, `id="stored-capacity"`,
			"Bring\na board.")
		fields.Set("shown", html.UnescapeString(valueOf(t, refused, "shown")))
		fields.Set("description", "Bring a clock.")
		org.Patch("/events/"+id, apptest.Fields{"city": "Potsdam"}).Want(http.StatusOK) // which this browser has not changed
		b.submit("updateEvent", path, fields).redirects(t, path+"?saved=yes")
		e := org.Get("/events/" + id)
		if got := []any{e.Get("event.title"), e.Get("event.description"), e.Get("location.city"), e.Get("event.capacity")}; !slices.Equal(got,
			[]any{"Chess for all", "Bring a clock.", "Potsdam", 9.0}) {
			t.Error(got)
		}
	}, settings...)
}

func TestOnlyTheOrganizerEdits(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	page := "/events/" + a.As("org").Publish(nil) + "/edit"
	if r := signedIn(t, a, "ben").open(page); r.Header.Get("Location") != pageOf(a.As("org"), path.Base(path.Dir(page))) {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
	if r := visitor(t, a).open(page); r.Header.Get("Location") != "/login?return_to="+url.QueryEscape(page) {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
	visitor(t, a).open("/events/new").want(t, http.StatusOK, `name="title"`, "not", `type="file"`)
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
		fields := map[string]string{"page": "/events/" + event + "/edit", "event_id": event, "image_alt": "A board"}
		if c.publish {
			fields["publish"] = "yes"
		}
		if r := org.sendCover("updateEvent", fields, c.content, nil); r.StatusCode != c.status {
			t.Errorf("%s: %d %s", c.name, r.StatusCode, r.Body)
		}
		if e := a.As("org").Get("/events/" + event).Want(http.StatusOK); e.Get("event.image_url") == nil ||
			e.Text("event.image_alt") != "A board" || e.Text("event.status") != "draft" {
			t.Errorf("%s: %s", c.name, e.Body)
		}
	}
	org.step("deleteEventCover", "/events/"+event+"/edit", map[string]string{"event_id": event})
	if e := a.As("org").Get("/events/" + event).Want(http.StatusOK); e.Get("event.image_url") != nil {
		t.Errorf("%s", e.Body)
	}
}

// sendCover sends a form with a picture between its fields.
func (b *webBrowser) sendCover(action string, before map[string]string, content string, after map[string]string) answer {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	write := func(fields map[string]string) {
		for name, value := range fields {
			_ = form.WriteField(name, value) // a buffer does not fail
		}
	}
	write(before)
	if content != "" {
		file, _ := form.CreateFormFile("cover", "cover")
		_, _ = file.Write([]byte(content))
	}
	write(after)
	_ = form.Close()
	return b.send(http.MethodPost, "/do/"+action, body.String(), []string{"Accept", "text/html", "Content-Type", form.FormDataContentType(),
		"Sec-Fetch-Site", "same-origin"})
}

// TestNewEventWithCover creates and publishes an event with a picture by one form.
func TestNewEventWithCover(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	org := signedIn(t, a, "org")
	before := map[string]string{"page": "/events/new", "key": "first", "title": "Chess",
		"starts_at": "2026-06-20T19:30", "timezone": "Europe/Berlin"}
	after := map[string]string{"image_alt": "A board", "description": "Come!", "publish": "yes"}
	r := org.sendCover("createEvent", before, apptest.Pixel, after)
	event := strings.TrimSuffix(r.Header.Get("Location"), "/share?published")
	if e := a.As("org").Get(event).Want(http.StatusOK); e.Text("event.status") != "published" || e.Get("event.image_url") == nil ||
		e.Text("event.image_alt") != "A board" || e.Text("event.description") != "Come!" {
		t.Errorf("%s", e.Body)
	}
	before["key"] = "second"
	org.sendCover("createEvent", before, "hello", after).want(t, http.StatusUnprocessableEntity, `/do/updateEvent`, `value="Chess"`, "Come!")
	before["key"] = "third"
	r = org.sendCover("createEvent", before, apptest.Pixel, map[string]string{"date_mode": "vote"})
	event = strings.TrimSuffix(r.Header.Get("Location"), "/edit?saved=yes")
	if e := a.As("org").Get(event).Want(http.StatusOK); e.Text("event.date_mode") != "vote" {
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
			org, page := signedIn(t, a, "org"), "/events/"+event+"/edit"
			publish := func() answer {
				return org.submit("updateEvent", page, url.Values{"event_id": {event}, "publish": {"yes"}})
			}
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
	org, page := signedIn(t, a, "org"), "/events/"+event+"/edit"
	if body := org.open(page).Body; strings.Contains(body, `name="visibility"`) || !strings.Contains(body, "cannot change this") {
		t.Errorf("%s", body)
	}
	org.step("updateEvent", page, map[string]string{"event_id": event, "capacity": "5"})
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
