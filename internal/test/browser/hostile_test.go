package browser

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/outboundtest"
)

// hostile are texts by which users could run code in the pages of others, or break them.
var hostile = []string{
	`<script>document.title = "hacked"</script>`,
	`"><img src=x onerror="document.title = 'hacked'">`,
	`' autofocus onfocus=document.title='hacked' x='`,
	`</style><svg/onload=document.title="hacked">`,
	`javascript:document.title="hacked"//https://a.example/"onmouseover="x`,
	`{{constructor.constructor("document.title='hacked'")()}} ${1}`,
	strings.Repeat("W", 110),
}

// hostileWorld is a service in which every text is hostile.
type hostileWorld struct {
	*apptest.App
	shift int               // of the texts against the fields
	names *strings.Replacer // gives the ids of things
}

// hostilePages returns a folder with a page of hostile texts.
func hostilePages(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	page := "# " + strings.Repeat("W", 80) + "\n\n" + strings.Join(hostile, "\n\n") + "\n\n| a | b |\n| - | - |\n| " +
		strings.Repeat("W", 200) + " | 2 |\n\n```\n" + strings.Repeat("W", 200) + "\n```\n"
	if err := os.WriteFile(filepath.Join(folder, "imprint.md"), []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

// text returns one of the hostile texts, cut to a length in characters.
func (w *hostileWorld) text(field, length int) string {
	text := hostile[(field+w.shift)%len(hostile)]
	return text[:min(length, len(text))]
}

// newHostileWorld starts a service. A higher shift puts other texts into the fields.
func newHostileWorld(t *testing.T, shift int, options ...apptest.Option) *hostileWorld {
	t.Helper()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 40, 40))); err != nil {
		t.Fatal(err)
	}
	w := &hostileWorld{shift: shift}
	others := outboundtest.New(t, func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".ics") {
			_, _ = rw.Write([]byte(w.calendar()))
			return
		}
		_, _ = rw.Write(picture.Bytes())
	})
	others.Names[hostileHost] = outboundtest.Always(outboundtest.Public)
	w.App = apptest.New(t, db.SQLite, append(options, apptest.Outbound(others.Outbound()), apptest.OwnOrigin(),
		apptest.Setting("PAYMENTS_ENABLED", "true"), apptest.Setting("PAYMENT_WEBHOOK_SECRETS", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
		apptest.Setting("ACCESS_TOKEN_TTL", "24h"), apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("mod")),
		apptest.Setting("PAGES_DIR", hostilePages(t)),
		apptest.Setting("NOTIFICATIONS", "mail,push"))...)
	org, ann := w.As("org"), w.As("ann")
	for i, c := range []*apptest.Client{org, ann, w.As("ben"), w.As("mod")} {
		c.Patch("/me/profile", apptest.Fields{"display_name": w.text(i, 80), "city": w.text(i+1, 120),
			"interests": []string{w.text(i+2, 40), w.text(i+3, 40)}}).Want(http.StatusOK)
	}
	ended := w.eventOf(org, 5, w.Clock.Now().Add(time.Hour))
	ann.Join(ended)
	w.Clock.Advance(10 * time.Hour)
	ann.Post("/events/"+ended+"/reviews", apptest.Fields{"rating": 5, "body": w.text(1, 110)}).Want(http.StatusCreated)
	soon := w.Clock.Now().Add(50 * time.Hour)
	event, vote, draft := w.eventOf(org, 0, soon), w.eventOf(org, 1, soon), org.Draft(w.fields(2, soon))
	for i := 2; i < len(hostile); i++ {
		w.eventOf(org, i, soon)
	}
	post := w.discuss(event)
	org.Patch("/events/"+vote+"/date-mode", apptest.Fields{"mode": "vote"}).Want(http.StatusNoContent)
	for day := range 3 {
		org.Post("/events/"+vote+"/date-options", apptest.Fields{"starts_at": soon.AddDate(0, 0, day).UTC().Format(time.RFC3339),
			"note": w.text(day, 110)}).Want(http.StatusCreated)
	}
	ann.Join(vote)
	private := org.Publish(apptest.Fields{"title": w.text(3, 110), "visibility": "private", "starts_at": soon.UTC().Format(time.RFC3339)})
	org.Post("/events/"+private+"/invitations", apptest.Fields{"email": apptest.Email("ann"),
		"message": w.text(4, 110)}).Want(http.StatusCreated)
	linked := w.fields(4, soon)
	linked["visibility"] = "private"
	org.Post("/events/"+private+"/invite-links", apptest.Fields{"max_uses": 3}).Want(http.StatusCreated)
	link := org.Post("/events/"+org.Publish(linked)+"/invite-links", nil).Want(http.StatusCreated).Text("url")
	org.Post("/calendar/entries", apptest.Fields{
		"title": w.text(1, 110), "starts_at": soon.UTC().Format(time.RFC3339), "location_text": w.text(2, 110), "notes": w.text(3, 110),
		"invitee_user_ids": []string{ann.UserID},
	}).Want(http.StatusCreated)
	invite := ann.Get("/calendar/invites").Want(http.StatusOK).Text("items.0.invite.id")
	ann.Post("/calendar/feed", nil).Want(http.StatusCreated)
	ann.Post("/me/api-keys", apptest.Fields{"name": w.text(4, 60), "scopes": []string{"events:read"}}).Want(http.StatusCreated)
	webhook := ann.Post("/me/webhooks", apptest.Fields{"url": "https://example.com/" + strings.Repeat("W", 200),
		"kinds": []string{"event.canceled"}}).Want(http.StatusCreated).Text("id")
	ann.Post("/reports", apptest.Fields{"target_type": "event", "target_id": event, "reason": "other",
		"comment": w.text(5, 110)}).Want(http.StatusCreated)
	group := w.group(2)
	ann.Post("/reports", apptest.Fields{"target_type": "group", "target_id": group, "reason": "fraud"}).Want(http.StatusCreated)
	ann.Post("/reports", apptest.Fields{"target_type": "post", "target_id": post, "reason": "spam"}).Want(http.StatusCreated)
	payment := w.pay(soon)
	calendar := strings.ReplaceAll(apptest.Calendar, "SUMMARY:Tea", "SUMMARY:"+w.text(1, 110)+"\r\nLOCATION:"+w.text(2, 110)+
		"\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:2\r\nSTATUS:CANCELLED\r\nSUMMARY:"+w.text(3, 110))
	read := org.With("Content-Type", "text/calendar").Post("/me/imports", calendar).Want(http.StatusOK).Text("id")
	series := org.Post("/event-series", apptest.Fields{"rrule": "FREQ=WEEKLY;COUNT=2", "starts_at": soon.UTC().Format("2006-01-02T15:04:05"),
		"timezone": "UTC", "template": apptest.Fields{"title": w.text(2, 110),
			"location_text": w.text(3, 110)}}).Want(http.StatusCreated).Text("id")
	asking := w.ask(soon)
	w.RunJobs()
	foreign := org.Get("/groups/" + group + "/events").Want(http.StatusOK).Text("items.0.event.id")
	w.names = strings.NewReplacer("{event}", event, "{vote}", vote, "{private}", private, "{payment}", payment, "{draft}", draft, "{ended}",
		ended, "{invite}", invite, "{post}", post, "{webhook}", webhook, "{org}", org.UserID, "{ann}", ann.UserID,
		"{link}", "/i/"+path.Base(link), "{import}", read, "{series}", series, "{asking}", asking, "{group}", group,
		"{foreign}", foreign)
	return w
}

// fields are those of an event with hostile texts.
func (w *hostileWorld) fields(i int, starts time.Time) apptest.Fields {
	return apptest.Fields{
		"title": w.text(i, 110), "description": w.text(i+1, 110) + "\n" + strings.Repeat(w.text(i, 110), 3), "location_text": w.text(i+2, 110),
		"city":     w.text(i+3, 110),
		"category": w.text(i+4, 80), "image_alt": w.text(i+5, 110), "image_url": `https://example.com/%22onerror=%22document.title='hacked'`,
		"conference_url": `https://example.com/'onclick='document.title="hacked"`,
		"starts_at":      starts.UTC().Format(time.RFC3339), "ends_at": starts.Add(2 * time.Hour).UTC().Format(time.RFC3339),
	}
}

func (w *hostileWorld) eventOf(organizer *apptest.Client, i int, starts time.Time) string {
	return organizer.Publish(w.fields(i, starts))
}

// ask publishes an event with questions, which ann has answered.
func (w *hostileWorld) ask(starts time.Time) string {
	fields := w.fields(6, starts)
	fields["max_party_size"] = 3
	event, options := w.As("org").Publish(fields), []string{w.text(1, 80), w.text(2, 80), w.text(6, 80)}
	set := w.As("org").Put("/events/"+event+"/questions", apptest.Fields{"items": []any{
		apptest.Fields{"kind": "choice", "label": w.text(0, 200), "options": options, "required": true},
		apptest.Fields{"kind": "choices", "label": w.text(6, 200), "options": options},
		apptest.Fields{"kind": "checkbox", "label": w.text(1, 200)},
		apptest.Fields{"kind": "text", "label": w.text(2, 200)},
		apptest.Fields{"kind": "text", "label": w.text(3, 200), "applies_to": "companion"},
	}}).Want(http.StatusOK)
	answer := func(i string, value any) apptest.Fields {
		return apptest.Fields{"question_id": set.Text("items." + i + ".id"), "value": value}
	}
	companion := answer("4", w.text(5, 110))
	companion["companion"] = 1
	w.As("ann").Post("/events/"+event+"/join", apptest.Fields{"party_size": 2, "answers": []any{answer("0", options[0]), answer("1", options),
		answer("2", true), answer("3", w.text(4, 110)), companion}}).Want(http.StatusOK)
	return event
}

// group founds a group of org, of which ann is a member. ben asks to join.
func (w *hostileWorld) group(i int) string {
	org, ann := w.As("org"), w.As("ann")
	id := org.Post("/groups", apptest.Fields{"name": w.text(i, 80), "description": w.text(i+1, 110) + "\n" + strings.Repeat(w.text(i, 110), 3),
		"city": w.text(i+2, 110), "join_policy": "approval", "member_list": "public"}).Want(http.StatusCreated).Text("id")
	org.Post("/groups/"+id+"/invitations", apptest.Fields{"user_id": ann.UserID}).Want(http.StatusOK)
	for _, c := range []*apptest.Client{ann, w.As("ben")} {
		c.Post("/groups/"+id+"/membership", nil).Want(http.StatusOK)
	}
	for _, path := range []string{"/a.ics", "/" + strings.Repeat("W", 200)} { // the second one is a picture
		org.Put("/groups/"+id+"/sources", apptest.Fields{"url": "https://" + hostileHost + path}).Want(http.StatusOK)
	}
	return id
}

// hostileHost is a long name of a host.
const hostileHost = "a-very-long-name-of-a-host-for-the-calendars-of-a-group.example.com"

// calendar is an event at another service, with hostile texts.
func (w *hostileWorld) calendar() string {
	return "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:" + w.Clock.Now().Add(50*time.Hour).UTC().Format("20060102T150405Z") +
		"\r\nSUMMARY:" + w.text(1, 110) + "\r\nLOCATION:" + w.text(2, 110) + "\r\nURL:https://" + hostileHost +
		"/'onclick='document.title=\"hacked\"\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
}

// pay lets ann begin to pay for an event. It returns the payment.
func (w *hostileWorld) pay(starts time.Time) string {
	org := w.As("org")
	org.Patch("/me/payment-profile", apptest.Fields{"status": "verified"}).Want(http.StatusOK)
	fields := w.fields(3, starts)
	fields["price"], fields["price_amount"], fields["price_currency"] = "paid", 100, "RUB"
	return w.As("ann").Post("/events/"+org.Publish(fields)+"/payment-intents", nil).Want(http.StatusCreated).Text("id")
}

// discuss fills an event with posts, comments and messages. It returns the last post.
func (w *hostileWorld) discuss(event string) (post string) {
	org, ann := w.As("org"), w.As("ann")
	ann.Join(event)
	ann.Post("/users/"+org.UserID+"/follow", nil).Want(http.StatusOK)
	for i := range hostile {
		post = org.Post("/events/"+event+"/posts", apptest.Fields{"body": w.text(i, 110)}).Want(http.StatusCreated).Text("id")
		ann.Post("/events/"+event+"/posts/"+post+"/comments", apptest.Fields{"body": w.text(i+1, 110)}).Want(http.StatusCreated)
		org.Post("/events/"+event+"/messages", apptest.Fields{"body": w.text(i, 110)}).Want(http.StatusCreated)
	}
	org.Post("/events/"+event+"/guest-messages", apptest.Fields{"audience": "going", "body": w.text(0, 110)}).Want(http.StatusCreated)
	ann.Post("/events/"+event+"/posts/"+post+"/repost", nil).Want(http.StatusOK)
	return post
}
