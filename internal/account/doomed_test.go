package account_test

import (
	"maps"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

type fields = map[string]any

var today = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// world is everything that the service lets somebody do, done once by a person
// called doomed, whose every text has that word, and once to them.
type world struct {
	a                     *apptest.App
	doomed, friend, other *apptest.Client
	over, coming          string // doomed's events
	friends               string // an event of the friend, over by the end
	dated                 string // another of theirs, whose date is voted on
	post                  string // the friend's post there
	laptop                *apptest.Client
}

// word is in every text that doomed writes.
const word = "doomed"

func newWorld(t *testing.T, a *apptest.App) *world {
	t.Helper()
	w := &world{a: a, doomed: a.As("doomed"), friend: a.As("friend"), other: a.As("other"), laptop: a.SignIn("doomed@example.org")}
	w.signIns(t)
	w.people()
	w.events()
	w.posts()
	w.dates()
	w.calendars()
	w.payments()
	w.a.Clock.Advance(3 * time.Hour)
	w.afterwards()
	a.RunJobs()
	return w
}

var (
	addIdentityStmt = db.SQL("account_test.add_identity", `INSERT INTO identities (issuer, subject, user_id, created_at) VALUES ('https://idp.example', 'doomed', $1, $2)`)
	setPhoneStmt    = db.SQL("account_test.set_phone", `UPDATE users SET phone = $2 WHERE id = $1`)
)

// signIns need another service to be made: an identity provider, a phone.
func (w *world) signIns(t *testing.T) {
	t.Helper()
	for _, stmt := range []struct {
		*db.Stmt
		arg any
	}{{addIdentityStmt, w.a.Clock.Now()}, {setPhoneStmt, "+79991230602"}} {
		if _, err := w.a.DB.Exec(t.Context(), stmt.Stmt, userID(t, w.doomed), stmt.arg); err != nil {
			t.Fatal(err)
		}
	}
	w.a.Anonymous().Post("/auth/dev/start", fields{"email": "doomed@example.org"}).Want(200)
	w.a.Anonymous().Post("/auth/phone/call/start", fields{"phone": "+79991230602"}).Want(200)
}

func (w *world) people() {
	w.doomed.Patch("/me/profile", fields{"display_name": "Doomed", "username": "doomed1", "city": "Doomed City",
		"avatar_url": "https://doomed.example/a.png", "interests": []string{"doomed"}}).Want(200)
	for _, pair := range [][2]*apptest.Client{{w.doomed, w.friend}, {w.friend, w.doomed}, {w.doomed, w.other}} {
		pair[0].Post("/users/"+pair[1].UserID+"/follow", nil).Want(200)
	}
	for _, pair := range [][2]string{{"doomed", "foe"}, {"enemy", "doomed"}} {
		w.a.As(pair[0]).Post("/users/"+w.a.As(pair[1]).UserID+"/block", nil).Want(200)
	}
	w.doomed.Post("/feed/preferences", fields{"city": "Doomed City"}).Want(200)
}

// event makes one that begins in an hour, or differently.
func event(c *apptest.Client, change fields) string {
	body := fields{"title": "An event", "starts_at": "2026-06-01T13:00:00Z", "ends_at": "2026-06-01T14:00:00Z"}
	maps.Copy(body, change)
	return c.Post("/events", body).Want(201).Text("event.id")
}

func published(c *apptest.Client, change fields) string {
	id := event(c, change)
	c.Post("/events/"+id+"/publish", nil).Want(200)
	return id
}

var later = fields{"starts_at": "2026-06-09T13:00:00Z", "ends_at": nil}

func (w *world) events() {
	w.over, w.coming, w.friends = published(w.doomed, nil), published(w.doomed, later), published(w.friend, nil)
	event(w.doomed, fields{"title": "A doomed draft", "description": "doomed", "city": "Doomed City", "location_text": "doomed",
		"category": "doomed", "image_url": "https://doomed.example/i.png", "conference_url": "https://doomed.example/c"})
	for _, id := range []string{w.over, w.coming} {
		w.friend.Post("/events/"+id+"/join", nil).Want(200)
		w.doomed.Post("/events/"+id+"/join", nil).Want(200)
	}
	w.doomed.Post("/events/"+w.friends+"/join", nil).Want(200)
	w.dated = published(w.friend, later)
	w.doomed.Post("/events/"+w.dated+"/join", fields{"participation_visibility": "incognito"}).Want(200)
	for _, pair := range [][2]*apptest.Client{{w.doomed, w.friend}, {w.friend, w.doomed}} {
		id := published(pair[0], fields{"visibility": "private", "starts_at": "2026-06-09T13:00:00Z", "ends_at": nil})
		email := map[*apptest.Client]string{w.doomed: "doomed@example.org", w.friend: "friend@example.org"}[pair[1]]
		message := map[*apptest.Client]string{w.doomed: "Come, says doomed", w.friend: "Come"}[pair[0]]
		pair[0].Post("/events/"+id+"/invitations", fields{"email": email, "message": message}).Want(201)
	}
}

func (w *world) posts() {
	at := "/events/" + w.friends + "/posts"
	w.post = w.friend.Post(at, fields{"body": "Welcome"}).Want(201).Text("id")
	comment := w.doomed.Post(at+"/"+w.post+"/comments", fields{"body": "doomed comment"}).Want(201).Text("id")
	w.friend.Post(at+"/"+w.post+"/comments", fields{"body": "A reply", "parent_comment_id": comment}).Want(201)
	for _, mark := range []string{"/like", "/repost"} {
		w.doomed.Post(at+"/"+w.post+mark, nil).Want(200)
		w.friend.Post(at+"/"+w.post+mark, nil).Want(200)
	}
	w.doomed.Post("/events/"+w.over+"/posts", fields{"body": "doomed post"}).Want(201)
}

func (w *world) dates() {
	at := "/events/" + w.dated
	w.friend.Patch(at+"/date-mode", fields{"mode": "vote"}).Want(204)
	option := w.friend.Post(at+"/date-options", fields{"starts_at": "2026-06-10T13:00:00Z"}).Want(201).Text("id")
	w.doomed.Post(at+"/date-options/"+option+"/votes", nil).Want(200)
	w.doomed.Post("/events/"+w.friends+"/messages", fields{"body": "doomed message"}).Want(201)
	own := "/events/" + w.coming
	w.doomed.Patch(own+"/date-mode", fields{"mode": "vote"}).Want(204)
	w.doomed.Post(own+"/date-options", fields{"starts_at": "2026-06-10T13:00:00Z", "note": "doomed note"}).Want(201)
	w.doomed.Patch(own+"/reminders", fields{"enabled": true, "offsets_minutes": []int{30}}).Want(200)
}

func (w *world) calendars() {
	entry := func(c, guest *apptest.Client, title string) string {
		return c.Post("/calendar/entries", fields{"title": title, "notes": title, "location_text": title, "starts_at": "2026-06-09T18:00:00Z",
			"invitee_user_ids": []string{guest.UserID}}).Want(201).Text("id")
	}
	entry(w.doomed, w.friend, "doomed dinner")
	entry(w.friend, w.doomed, "Dinner")
	w.doomed.Patch("/calendar/entries/"+w.friends, fields{"notes": "doomed notes"}).Want(200)
	w.doomed.Post("/calendar/feed", nil).Want(201)
}

func (w *world) payments() {
	for _, c := range []*apptest.Client{w.doomed, w.friend} {
		c.Patch("/me/payment-profile", fields{"status": "verified"}).Want(200)
	}
	paid := published(w.friend, fields{"price": "paid", "price_amount": 500, "price_currency": "RUB", "starts_at": "2026-06-09T13:00:00Z", "ends_at": nil})
	w.doomed.With("Idempotency-Key", "doomed-key").Post("/events/"+paid+"/payment-intents", nil).Want(201)
}

// afterwards is what people say of events that are over, and of each other.
func (w *world) afterwards() {
	w.doomed.Post("/events/"+w.friends+"/reviews", fields{"rating": 1, "body": "doomed review"}).Want(201)
	w.friend.Post("/events/"+w.over+"/reviews", fields{"rating": 5, "body": "Fine"}).Want(201)
	report := func(c *apptest.Client, target, comment string) string {
		return c.Post("/reports", fields{"target_type": "user", "target_id": target, "reason": "other", "comment": comment}).Want(201).Text("id")
	}
	report(w.doomed, w.other.UserID, "doomed report")
	moved := report(w.other, w.friend.UserID, "A report")
	report(w.other, w.doomed.UserID, "Another")
	w.doomed.Patch("/admin/reports/"+moved, fields{"status": "dismissed", "note": "doomed decision"}).Want(200)
}

func userID(t *testing.T, c *apptest.Client) domain.UserID {
	t.Helper()
	id, err := domain.ParseID[domain.UserKind](c.UserID)
	if err != nil {
		t.Fatal(err)
	}
	return id
}
