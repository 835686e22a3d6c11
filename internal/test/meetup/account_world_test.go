package meetup_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// world is the result of every operation of the service, sent once by the user leaver
// and once by another user about leaver. All texts of leaver contain that word.
type world struct {
	a                     *apptest.App
	leaver, friend, other *apptest.Client
	over, coming          string // events of leaver
	friends               string // an event of friend that has ended
	dated                 string // an event of friend with a date vote
	post                  string // a post of friend in friends
	laptop                *apptest.Client
	series                string // of friend, joined by leaver
	group                 string // the id of a group of friend, joined by leaver
}

// word is in every text of leaver.
const word = "leaver"

func newWorld(t *testing.T, a *apptest.App) *world {
	t.Helper()
	w := &world{a: a, leaver: a.As("leaver"), friend: a.As("friend"), other: a.As("other"), laptop: a.SignIn("leaver@example.org")}
	w.signIns()
	w.people()
	w.events()
	w.posts()
	w.dates()
	w.calendars()
	w.payments()
	w.a.Clock.Advance(3 * time.Hour)
	w.afterwards()
	a.RunJobs()
	w.openSignIns()
	return w
}

// openSignIns starts sign-ins, which expire soon.
func (w *world) openSignIns() {
	w.leaver.Post("/me/passkeys/options", nil).Want(200)
	w.leaver.Post("/me/webhooks", apptest.Fields{"url": "https://example.com/leaver", "kinds": []string{"attendance.joined"}}).Want(201)
	calendar := "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:leaver-uid\nDTSTART:20990101T180000Z\nSUMMARY:A leaver import\nEND:VEVENT\nEND:VCALENDAR\n"
	w.leaver.With("Content-Type", "text/calendar").Post("/me/imports", calendar).Want(200)
	w.leaver.Post("/me/api-keys", apptest.Fields{"name": "leaver printer", "scopes": []string{"events:read"}}).Want(201)
	w.a.Anonymous().Post("/auth/email/start", apptest.Fields{"email": "leaver@example.org", "return_to": "/leaver"}).Want(200)
	w.leaver.Post("/me/push-subscriptions", pushSubscription("leaver")).Want(201)
	w.a.Anonymous().Post("/auth/passkey/options", apptest.Fields{"email": "leaver@example.org"}).Want(200)
}

// pushSubscription is the body of a push subscription at a host.
func pushSubscription(name string) apptest.Fields {
	return apptest.Fields{"endpoint": "https://" + name + ".example.com/" + name, "keys": apptest.Fields{
		"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}}
}

var (
	addPasskeyStmt = db.SQL("account_test.add_passkey", `
		INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, backup_eligible, backed_up, name, created_at)
		VALUES ($1, $2, $4, $4, 0, FALSE, FALSE, 'leaver laptop', $3)`)
	addIdentityStmt = db.SQL("account_test.add_identity", `INSERT INTO identities (issuer, subject, user_id, created_at)
		VALUES ('https://idp.example', 'leaver', $1, $2)`)
	receivedStmt  = db.SQL("account_test.received", `INSERT INTO broadcasts_received (user_id, number) VALUES ($1, 0)`)
	broadcastStmt = db.SQL("account_test.broadcast", `
		INSERT INTO broadcasts (id, audience, audience_id, kind, subject, actor_id, params, created_at, number)
		VALUES ($1, 'followers', $2, 'followed_user_event', '', $3, '{}', $4, 0)`)
	outboxStmt = db.SQL("account_test.outbox", `
		INSERT INTO notification_outbox (id, notification_id, about_at, user_id, broadcast, after_user) VALUES ($1, $1, $2, $3, FALSE, $1)`)
	deliveryStmt = db.SQL("account_test.delivery", `
		INSERT INTO deliveries (user_id, notification_id, about_at, channel, target, kind, state, due_at, expires_at, attempts)
		VALUES ($1, $1, $2, 'email', $1, 'event_joined', 'digest', $2, $2, 0)`)
	calendarMailStmt = db.SQL("account_test.calendar_mail", `
		INSERT INTO calendar_mails (user_id, event_id, sequence, version, sent) VALUES ($1, $2, 7, 'x', TRUE)`)
	appointmentOutboxStmt = db.SQL("account_test.appointment_outbox", `
		INSERT INTO appointment_outbox (id, user_id, event_id, about_at) VALUES ($1, $2, $1, $3)`)
	bouncesStmt = db.SQL("account_test.bounces", `INSERT INTO email_bounces (user_id, soft_bounces, first_at, last_at)
		VALUES ($1, 2, $2, $2)`)
	guestStmt      = db.SQL("account_test.guest", `INSERT INTO mail_guests (user_id, delete_at) VALUES ($1, $2)`)
	inviteLinkStmt = db.SQL("account_test.invite_link", `
		INSERT INTO invite_links (id, event_id, created_by, uses, created_at) VALUES ($1, $2, $3, 0, $4)`)
	emailInvitationStmt = db.SQL("account_test.email_invitation", `
		INSERT INTO email_invitations (id, event_id, mailbox, invited_by, status, name, message, user_id, created_at)
		SELECT $1, $2, $1, e.organizer_id, 'accepted', 'leaver', 'leaver', $3, $4 FROM events e WHERE e.id = $2`)
	outreachStmt = db.SQL("account_test.outreach", `
		INSERT INTO outreach (recipient_id, notification_id, about_at, sender_id, kind, weight, instant)
			VALUES ($1, $1, $3, $2, 'calendar_invite', 1, FALSE)`)
	senderStmt   = db.SQL("account_test.sender", `INSERT INTO outreach_senders (user_id, stopped_at) VALUES ($1, $2)`)
	setPhoneStmt = db.SQL("account_test.set_phone", `UPDATE users SET phone = $2 WHERE id = $1`)
)

// signIns creates the rows of sign-ins by an identity provider and by a phone call.
func (w *world) signIns() {
	w.a.Exec(addIdentityStmt, w.leaver.ID(), w.a.Clock.Now())
	w.a.Exec(setPhoneStmt, w.leaver.ID(), "+79991230602")
	w.a.Exec(addPasskeyStmt, domain.RandomID[any](), w.leaver.ID(), w.a.Clock.Now(), []byte("key"))
	w.a.Anonymous().Post("/auth/dev/start", apptest.Fields{"email": "leaver@example.org"}).Want(200)
	w.a.Anonymous().Post("/auth/phone/call/start", apptest.Fields{"phone": "+79991230602"}).Want(200)
}

func (w *world) people() {
	w.leaver.Put("/me/avatar", apptest.Pixel).Want(200)
	w.a.Exec(receivedStmt, w.leaver.ID())
	w.a.Exec(outboxStmt, domain.RandomID[any](), w.a.Clock.Now(), w.leaver.ID())
	w.a.Exec(deliveryStmt, w.leaver.ID(), w.a.Clock.Now())
	w.a.Exec(bouncesStmt, w.leaver.ID(), w.a.Clock.Now())
	w.a.Exec(outreachStmt, w.leaver.ID(), w.other.ID(), w.a.Clock.Now())
	w.a.Exec(outreachStmt, w.other.ID(), w.leaver.ID(), w.a.Clock.Now())
	w.a.Exec(senderStmt, w.leaver.ID(), w.a.Clock.Now())
	w.a.Exec(calendarMailStmt, w.leaver.ID(), domain.RandomID[any]())
	w.a.Exec(appointmentOutboxStmt, domain.RandomID[any](), w.leaver.ID(), w.a.Clock.Now())
	for _, audience := range []*apptest.Client{w.leaver, w.other} {
		w.a.Exec(broadcastStmt, domain.RandomID[any](), audience.ID(), w.leaver.ID(), w.a.Clock.Now())
	}
	w.leaver.Patch("/me/profile", apptest.Fields{"display_name": "Leaver", "username": "leaver1", "city": "Leaver City",
		"avatar_url": "https://leaver.example/a.png", "interests": []string{"leaver"}}).Want(200)
	for _, pair := range [][2]*apptest.Client{{w.leaver, w.friend}, {w.friend, w.leaver}, {w.leaver, w.other}} {
		pair[0].Post("/users/"+pair[1].UserID+"/follow", nil).Want(200)
	}
	for _, pair := range [][2]string{{"leaver", "foe"}, {"enemy", "leaver"}} {
		w.a.As(pair[0]).Post("/users/"+w.a.As(pair[1]).UserID+"/block", nil).Want(200)
	}
	w.leaver.Post("/feed/preferences", apptest.Fields{"city": "Leaver City"}).Want(200)
	w.leaver.Patch("/me/notification-preferences",
		apptest.Fields{"timezone": "Asia/Tomsk", "rules": []apptest.Fields{{"kind": "event_post", "channel": "email", "mode": "off"}}}).Want(200)
}

// draft creates an event that starts in an hour, with changed fields.
func draft(c *apptest.Client, change apptest.Fields) string {
	body := apptest.Fields{"title": "An event", "starts_at": "2026-06-01T13:00:00Z", "ends_at": "2026-06-01T14:00:00Z"}
	maps.Copy(body, change)
	return c.Post("/events", body).Want(201).Text("event.id")
}

func accountPublished(c *apptest.Client, change apptest.Fields) string {
	id := draft(c, change)
	c.Post("/events/"+id+"/publish", nil).Want(200)
	return id
}

// circle is a request for a series of two dates.
func circle(title, publish string) apptest.Fields {
	return apptest.Fields{"rrule": "FREQ=WEEKLY;COUNT=2", "starts_at": "2026-06-09T19:00:00", "timezone": "Europe/Berlin",
		"publish": publish, "template": apptest.Fields{"title": title, "description": title}}
}

var later = apptest.Fields{"starts_at": "2026-06-09T13:00:00Z", "ends_at": nil}

func (w *world) events() {
	w.leaver.Post("/event-series", circle("leaver circle", "manual")).Want(201)
	w.series = w.friend.Post("/event-series", circle("Circle", "automatic")).Want(201).Text("id")
	w.leaver.Post("/event-series/"+w.series+"/join", nil).Want(200)
	left := found(w.leaver, apptest.Fields{"name": "A leaver group", "description": "leaver", "city": "Leaver City"})
	w.leaver.Put(left+"/sources", apptest.Fields{"url": "https://calendar.example.com/leaver.ics"}).Want(200)
	group := found(w.friend, nil)
	newMember(w.friend, w.leaver, group, "host")
	w.leaver.Put(group+"/image", apptest.Pixel).Want(200)
	w.leaver.Post(group+"/announcements", apptest.Fields{"body": "A leaver announcement"}).Want(201)
	incognito := found(w.friend, nil)
	w.leaver.Post(incognito+"/membership", apptest.Fields{"visibility": "incognito"}).Want(200)
	w.group = strings.TrimPrefix(group, "/groups/")
	w.friend.Post("/me/webhooks", apptest.Fields{"url": "https://example.com/", "kinds": []string{"attendance.joined"}}).Want(201)
	w.over, w.coming, w.friends = accountPublished(w.leaver, nil), accountPublished(w.leaver, later), accountPublished(w.friend, nil)
	draft(w.leaver, apptest.Fields{"title": "A leaver draft", "description": "leaver", "city": "Leaver City", "location_text": "leaver",
		"category": "leaver", "image_url": "https://leaver.example/i.png", "image_alt": "leaver", "conference_url": "https://leaver.example/c",
		"theme": "rose"})
	w.leaver.Post("/events/"+accountPublished(w.leaver, later)+"/cancel", apptest.Fields{"message": "leaver"}).Want(200)
	for _, id := range []string{w.over, w.coming} {
		w.friend.Post("/events/"+id+"/join", nil).Want(200)
		w.leaver.Post("/events/"+id+"/join", nil).Want(200)
	}
	for _, id := range []string{w.coming, w.friends} {
		event, err := domain.ParseID[domain.EventKind](id)
		if err != nil {
			panic(err)
		}
		w.a.Exec(inviteLinkStmt, domain.RandomID[any](), event, w.leaver.ID(), w.a.Clock.Now())
		w.a.Exec(emailInvitationStmt, domain.RandomID[any](), event, w.leaver.ID(), w.a.Clock.Now())
	}
	w.a.Exec(guestStmt, w.leaver.ID(), w.a.Clock.Now().Add(time.Hour))
	question := w.friend.Put("/events/"+w.friends+"/questions", apptest.Fields{"items": []any{
		apptest.Fields{"kind": "text", "label": "What do you eat?"}}}).Want(200).Text("items.0.id")
	w.leaver.Post("/events/"+w.friends+"/join", apptest.Fields{"answers": []any{
		apptest.Fields{"question_id": question, "value": "leaver eats anything"}}}).Want(200)
	w.leaver.Do("PUT", "/events/"+w.friends+"/mute", nil).Want(200)
	asking := accountPublished(w.friend, apptest.Fields{"starts_at": "2026-06-09T13:00:00Z", "ends_at": nil, "join_policy": "approval"})
	w.leaver.Post("/events/"+asking+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
	waitlisted := apptest.Fields{"starts_at": "2026-06-09T13:00:00Z", "ends_at": nil, "capacity": 2, "waitlist": "offer"}
	full := accountPublished(w.friend, waitlisted)
	w.friend.Post("/events/"+full+"/join", nil).Want(200)
	w.leaver.Post("/events/"+full+"/join", nil).Want(200)
	w.other.Post("/events/"+full+"/waitlist", nil).Want(201)
	waitlisted["capacity"] = 1
	listed := accountPublished(w.friend, waitlisted)
	w.friend.Post("/events/"+listed+"/join", nil).Want(200)
	w.leaver.Post("/events/"+listed+"/waitlist", nil).Want(201)
	newHost(w.friend, w.leaver, listed)
	w.friend.Patch("/events/"+listed, apptest.Fields{"capacity": 2}).Want(200)
	w.a.RunJobs() // offers the seat to the leaver
	w.dated = accountPublished(w.friend, later)
	w.leaver.Post("/events/"+w.dated+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
	for _, pair := range [][2]*apptest.Client{{w.leaver, w.friend}, {w.friend, w.leaver}} {
		id := accountPublished(pair[0], apptest.Fields{"visibility": "private", "starts_at": "2026-06-09T13:00:00Z", "ends_at": nil})
		email := map[*apptest.Client]string{w.leaver: "leaver@example.org", w.friend: "friend@example.org"}[pair[1]]
		message := map[*apptest.Client]string{w.leaver: "Come, says leaver", w.friend: "Come"}[pair[0]]
		pair[0].Post("/events/"+id+"/invitations", apptest.Fields{"email": email, "message": message}).Want(201)
	}
}

func (w *world) posts() {
	at := "/events/" + w.friends + "/posts"
	w.post = w.friend.Post(at, apptest.Fields{"body": "Welcome"}).Want(201).Text("id")
	comment := w.leaver.With("Idempotency-Key", "leaver-comment").Post(at+"/"+w.post+"/comments",
		apptest.Fields{"body": "leaver comment"}).Want(201).Text("id")
	w.friend.Post(at+"/"+w.post+"/comments", apptest.Fields{"body": "A reply", "parent_comment_id": comment}).Want(201)
	for _, mark := range []string{"/like", "/repost"} {
		w.leaver.Post(at+"/"+w.post+mark, nil).Want(200)
		w.friend.Post(at+"/"+w.post+mark, nil).Want(200)
	}
	w.leaver.Post("/events/"+w.over+"/posts", apptest.Fields{"body": "leaver post"}).Want(201)
	w.leaver.Post("/events/"+w.over+"/guest-messages", apptest.Fields{"audience": "going", "body": "leaver advice"}).Want(201)
}

func (w *world) dates() {
	at := "/events/" + w.dated
	w.friend.Patch(at+"/date-mode", apptest.Fields{"mode": "vote"}).Want(204)
	option := w.friend.Post(at+"/date-options", apptest.Fields{"starts_at": "2026-06-10T13:00:00Z"}).Want(201).Text("id")
	w.leaver.Post(at+"/date-options/"+option+"/votes", nil).Want(200)
	w.leaver.Post("/events/"+w.friends+"/messages", apptest.Fields{"body": "leaver message"}).Want(201)
	w.leaver.Post("/events/"+w.friends+"/messages/read", apptest.Fields{"position": "1"}).Want(200)
	own := "/events/" + w.coming
	w.leaver.Patch(own+"/date-mode", apptest.Fields{"mode": "vote"}).Want(204)
	w.leaver.Post(own+"/date-options", apptest.Fields{"starts_at": "2026-06-10T13:00:00Z", "note": "leaver note"}).Want(201)
	w.leaver.Patch(own+"/reminders", apptest.Fields{"enabled": true, "offsets_minutes": []int{30}}).Want(200)
}

func (w *world) calendars() {
	entry := func(c, guest *apptest.Client, title string) string {
		return c.Post("/calendar/entries", apptest.Fields{"title": title, "notes": title, "location_text": title,
			"starts_at":        "2026-06-09T18:00:00Z",
			"invitee_user_ids": []string{guest.UserID}}).Want(201).Text("id")
	}
	entry(w.leaver, w.friend, "leaver dinner")
	entry(w.friend, w.leaver, "Dinner")
	w.leaver.Patch("/calendar/entries/"+w.friends, apptest.Fields{"notes": "leaver notes"}).Want(200)
	w.leaver.Post("/calendar/feed", nil).Want(201)
}

func (w *world) payments() {
	for _, c := range []*apptest.Client{w.leaver, w.friend} {
		c.Patch("/me/payment-profile", apptest.Fields{"status": "verified"}).Want(200)
	}
	paid := accountPublished(w.friend, apptest.Fields{"price": "paid", "price_amount": 500, "price_currency": "RUB",
		"starts_at": "2026-06-09T13:00:00Z", "ends_at": nil})
	w.leaver.With("Idempotency-Key", "leaver-key").Post("/events/"+paid+"/payment-intents", nil).Want(201)
}

// afterwards adds reviews and reports, after the events have ended.
func (w *world) afterwards() {
	w.leaver.Post("/events/"+w.friends+"/reviews", apptest.Fields{"rating": 1, "body": "leaver review"}).Want(201)
	w.friend.Post("/events/"+w.over+"/reviews", apptest.Fields{"rating": 5, "body": "Fine"}).Want(201)
	report := func(c *apptest.Client, target, comment string) string {
		return c.Post("/reports", apptest.Fields{"target_type": "user", "target_id": target, "reason": "other",
			"comment": comment}).Want(201).Text("id")
	}
	report(w.leaver, w.other.UserID, "leaver report")
	moved := report(w.other, w.friend.UserID, "A report")
	report(w.other, w.leaver.UserID, "Another")
	w.other.Post("/reports", apptest.Fields{"target_type": "post", "target_id": w.post, "reason": "spam"}).Want(201)
	w.leaver.Patch("/admin/reports/"+moved, apptest.Fields{"status": "dismissed", "note": "leaver decision"}).Want(200)
}
