package ops_test

import (
	"fmt"
	"maps"
	"path"
	"time"

	"moothall/internal/test/apptest"
)

func statementSettings() []apptest.Option {
	return []apptest.Option{
		apptest.StartAt(time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)),
		apptest.Setting("ACCESS_TOKEN_TTL", "24h"),
		apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email(moderator)),
		apptest.Setting("PAYMENTS_ENABLED", "true"),
		apptest.Setting("PAYMENT_WEBHOOK_SECRETS", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
	}
}

// statementWorldMaker creates a statementsWorld.
type statementWorldMaker struct {
	*statementsWorld
	app    *apptest.App
	guests []*apptest.Client
}

// newStatementsWorld creates size things of each kind that the rows use.
func newStatementsWorld(a *apptest.App, size int) *statementsWorld {
	w := statementWorldMaker{app: a, statementsWorld: &statementsWorld{clients: map[string]*apptest.Client{anonymous: a.Anonymous()},
		names: map[string]string{}}}
	for _, who := range []string{ann, organizer, moderator, leaver} {
		w.clients[who] = a.As(who)
		w.names[who] = w.clients[who].UserID
	}
	for i := range size {
		w.guests = append(w.guests, a.As(fmt.Sprint("guest", i)))
		w.names["session"] = a.SignIn(apptest.Email(ann)).SessionID
	}
	w.names["guest"] = w.guests[0].UserID
	w.clients[organizer].Patch("/me/payment-profile", map[string]any{"status": "verified"}).Want(200)
	w.events()
	w.names["event_code"] = eventCodeOf(w.clients[organizer].Get("/events/" + w.names["event"]))
	w.names["organizer_name"] = w.clients[organizer].Get("/me").Text("profile.username")
	w.discussions()
	w.calendars()
	a.Clock.Advance(6 * time.Hour) // {past} is over
	for _, guest := range w.guests {
		guest.Post("/events/"+w.names["past"]+"/reviews", map[string]any{"rating": 5, "body": "Good."}).Want(201)
	}
	a.RunJobs()
	// A sweep beside the reviews may have skipped an event whose row was locked.
	a.Clock.Advance(time.Minute)
	a.RunJobs()
	return w.statementsWorld
}

// event creates a published event of the organizer.
func (w *statementWorldMaker) event(name, starts string, more map[string]any) {
	body := map[string]any{"title": "Tea in the garden", "starts_at": starts, "lat": 52.5, "lng": 13.4, "city": "Berlin"}
	maps.Copy(body, more)
	org := w.clients[organizer]
	w.names[name] = org.Post("/events", body).Want(201).Text("event.id")
	org.Post("/events/"+w.names[name]+"/publish", nil).Want(200)
}

// events creates as many events of each kind as there are guests. All guests join the
// first kind.
func (w *statementWorldMaker) events() {
	priced := map[string]any{"price": "paid", "price_amount": 100, "price_currency": "RUB"}
	for range w.guests {
		w.event("event", "2026-06-20T18:00:00Z", nil)
		w.event("private", "2026-06-20T18:00:00Z", map[string]any{"visibility": "private"})
		w.event("linked", "2026-06-20T18:00:00Z", map[string]any{"visibility": "private"})
		w.event("voted", "2026-06-20T18:00:00Z", map[string]any{"date_mode": "vote"})
		w.event("asking", "2026-06-20T18:00:00Z", map[string]any{"join_policy": "approval"})
		w.event("full", "2026-06-20T18:00:00Z", map[string]any{"capacity": 1, "waitlist": "offer", "max_party_size": 2})
		w.event("paid", "2026-06-20T18:00:00Z", priced)
		w.event("priced", "2026-06-20T18:00:00Z", priced)
		w.event("past", "2026-06-01T13:00:00Z", nil)
		w.clients[organizer].Post("/events/"+w.names["private"]+"/invitations", map[string]any{"email": apptest.Email(ann)}).Want(201)
		w.names["token"] = path.Base(w.clients[organizer].Post("/events/"+w.names["linked"]+"/invite-links", nil).Want(201).Text("url"))
		w.clients[ann].Post("/events/"+w.names["past"]+"/join", nil).Want(200)
	}
	w.clients[ann].Post("/events/"+w.names["voted"]+"/join", nil).Want(200)
	for i, guest := range w.guests {
		w.clients[ann].Post("/users/"+guest.UserID+"/follow", nil).Want(200)
		guest.Post("/users/"+w.names[organizer]+"/follow", nil).Want(200)
		if i == 0 {
			guest.Post("/events/"+w.names["full"]+"/join", nil).Want(200)
		} else {
			guest.Post("/events/"+w.names["full"]+"/waitlist", nil).Want(201)
		}
		for _, name := range []string{"event", "past"} {
			guest.Post("/events/"+w.names[name]+"/join", nil).Want(200)
		}
		w.clients[organizer].Post("/events/"+w.names["private"]+"/invitations",
			map[string]any{"email": apptest.Email(fmt.Sprint("guest", i))}).Want(201)
		guest.Post("/reports", map[string]any{"target_type": "event", "target_id": w.names["event"], "reason": "spam"}).Want(201)
	}
}

// mostOptions is below the limit of date options, so that a row can add one.
const mostOptions = 15

// discussions creates posts, date options, messages, comments, likes and reposts.
func (w *statementWorldMaker) discussions() {
	org, about, old := w.clients[organizer], "/events/"+w.names["event"], ""
	for i, guest := range w.guests {
		w.names["post"] = org.Post(about+"/posts", map[string]any{"body": "News."}).Want(201).Text("id")
		old = org.Post("/events/"+w.names["past"]+"/posts", map[string]any{"body": "News."}).Want(201).Text("id")
		w.clients[ann].Post(about+"/posts/"+w.names["post"]+"/repost", nil).Want(200)
		if i < mostOptions {
			starts := time.Date(2026, 7, 1+i, 18, 0, 0, 0, time.UTC)
			w.names["option"] = org.Post("/events/"+w.names["voted"]+"/date-options", map[string]any{"starts_at": starts}).Want(201).Text("id")
		}
		guest.Post(about+"/messages", map[string]any{"body": "Hi."}).Want(201)
	}
	w.clients[ann].Delete(about + "/posts/" + w.names["post"] + "/repost").Want(200)
	w.clients[ann].Post("/events/"+w.names["past"]+"/posts/"+old+"/repost", nil).Want(200)
	for _, guest := range w.guests {
		guest.Post(about+"/posts/"+w.names["post"]+"/comments", map[string]any{"body": "Well."}).Want(201)
		guest.Post(about+"/posts/"+w.names["post"]+"/like", nil).Want(200)
	}
}

// calendars creates entries of Ann and entries to which others invite her.
func (w *statementWorldMaker) calendars() {
	entry := map[string]any{"title": "Tea", "starts_at": "2026-12-01T18:00:00Z"}
	with := map[string]any{"title": "Tea", "starts_at": "2026-12-01T18:00:00Z", "invitee_user_ids": []string{w.names[ann]}}
	for _, guest := range w.guests {
		w.clients[ann].Post("/calendar/entries", entry).Want(201)
		guest.Post("/calendar/entries", with).Want(201)
	}
	w.names["invite"] = w.guests[0].Get("/calendar/invites?role=outgoing").Want(200).Text("items.0.invite.id")
}
