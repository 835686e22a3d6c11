package identity_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/api/gen"
	"moothall/internal/meetup/payment"
	"moothall/internal/test/apptest"
)

const webhookSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

// actors are the users of the scenario.
var actors = []string{"org", "guest", "hidden", "invitee", "fan", "friend", "enemy", "left", "stranger", "mod"}

// scenario runs operations; their paths contain ids by names in braces.
type scenario struct {
	t   *testing.T
	a   *apptest.App
	ids map[string]string
}

func (s *scenario) as(name string) *apptest.Client { return s.a.As(name) }

// fill replaces names in braces by their ids.
func (s *scenario) fill(path string) string {
	for name, id := range s.ids {
		path = strings.ReplaceAll(path, "{"+name+"}", id)
	}
	return path
}

func (s *scenario) post(who, path string, body any) *apptest.Reply {
	s.t.Helper()
	r := s.as(who).Post(s.fill(path), body)
	if r.Status >= 300 {
		s.t.Fatalf("%s by %s: %d %s", path, who, r.Status, r.Body)
	}
	return r
}

// create sends a POST request and stores the id of the created resource.
func (s *scenario) create(name, who, path string, body any, field string) {
	s.t.Helper()
	s.ids[name] = s.post(who, path, body).Text(field)
}

func (s *scenario) publish(name string, changes apptest.Fields) {
	s.t.Helper()
	body := apptest.Fields{"title": "Go", "starts_at": "2026-06-01T20:00:00Z", "ends_at": "2026-06-01T21:00:00Z", "timezone": "Europe/Moscow"}
	maps.Copy(body, changes)
	s.create(name, "org", "/events", body, "event.id")
	s.post("org", "/events/{"+name+"}/publish", nil)
}

// pay sends the webhook of a payment.
func (s *scenario) pay(intent *apptest.Reply, result string) {
	s.t.Helper()
	id := "evt_" + intent.Text("id")
	body, err := json.Marshal(apptest.Fields{"id": id, "type": "payment." + result, "provider_payment_id": intent.Text("provider_payment_id")})
	if err != nil {
		s.t.Fatal(err)
	}
	key, err := payment.ParseSecret(webhookSecret)
	if err != nil {
		s.t.Fatal(err)
	}
	header, err := key.Sign(id, body, s.a.Clock.Now())
	if err != nil {
		s.t.Fatal(err)
	}
	provider := s.a.Anonymous()
	for name := range header {
		provider = provider.With(name, header.Get(name))
	}
	provider.Post("/payments/webhooks/development", body).Want(200)
}

// received is one notification of one user.
type received struct{ who, kind, actor, english, russian, href string }

// unread returns the unread notifications of all actors and marks them as read.
func (s *scenario) unread() []received {
	s.t.Helper()
	s.a.RunJobs()
	var all []received
	for _, who := range actors {
		r := s.as(who).Get("/notifications?unread_only=true").Want(200)
		russian := s.as(who).With("Accept-Language", "ru").Get("/notifications?unread_only=true").Want(200)
		for i := range r.Len("items") {
			text := func(r *apptest.Reply, field string) string {
				text, _ := r.Get(fmt.Sprintf("items.%d.%s", i, field)).(string)
				return text
			}
			all = append(all, received{who, text(r, "kind"), text(r, "actor.display_name"), text(r, "title"), text(russian, "title"),
				text(r, "href")})
		}
		s.as(who).Post("/notifications/read-all", nil).Want(200)
	}
	return all
}

// operations is the table of contract §8: which operation notifies which users.
var operations = []struct {
	name string
	do   func(s *scenario)
	want []received
}{
	{"follow", func(s *scenario) {
		s.post("fan", "/users/{org}/follow", nil)
		s.post("fan", "/users/{org}/follow", nil)
		s.post("friend", "/users/{guest}/follow", nil)
		s.post("friend", "/users/{hidden}/follow", nil)
		s.post("enemy", "/users/{guest}/follow", nil)
		s.post("enemy", "/users/{org}/follow", nil)
		s.post("org", "/users/{enemy}/block", nil)
	}, []received{
		{"org", "user_followed", "fan", "fan follows you now", "fan теперь среди ваших подписчиков", "/users/{fan}"},
		{"guest", "user_followed", "enemy", "enemy follows you now", "enemy теперь среди ваших подписчиков", "/users/{enemy}"},
		{"guest", "user_followed", "friend", "friend follows you now", "friend теперь среди ваших подписчиков", "/users/{friend}"},
		{"hidden", "user_followed", "friend", "friend follows you now", "friend теперь среди ваших подписчиков", "/users/{friend}"},
	}},
	{"publish", func(s *scenario) {
		s.publish("private", apptest.Fields{"title": "Dinner", "visibility": "private", "starts_at": "2026-06-03T20:00:00Z", "ends_at": nil})
		s.publish("event", nil)
	}, []received{
		{"fan", "followed_user_event", "org", "org invites everybody to Go", "org приглашает всех на встречу «Go»", "/events/{event}"},
	}},
	{"join", func(s *scenario) {
		s.post("left", "/events/{event}/join", nil)
		s.post("guest", "/events/{event}/join", nil)
		s.post("guest", "/events/{event}/join", nil)
		s.post("hidden", "/events/{event}/join", apptest.Fields{"participation_visibility": "incognito"})
		s.as("left").Delete(s.fill("/events/{event}/join")).Want(200)
		s.post("org", "/events/{event}/join", apptest.Fields{"participation_visibility": "incognito"})
	}, []received{
		{"org", "event_joined", "hidden", "hidden is coming to Go", "hidden идёт на встречу «Go»", "/events/{event}"},
		{"org", "event_joined", "guest", "guest is coming to Go", "guest идёт на встречу «Go»", "/events/{event}"},
		{"org", "event_joined", "left", "left is coming to Go", "left идёт на встречу «Go»", "/events/{event}"},
		{"friend", "followed_user_going", "guest", "guest is going to Go", "guest собирается на встречу «Go»", "/events/{event}"},
	}},
	{"invite", func(s *scenario) {
		s.post("org", "/events/{private}/invitations", apptest.Fields{"email": apptest.Email("invitee"), "message": "Come!"})
	}, []received{
		{"invitee", "event_invitation", "org", "org invites you to Dinner", "org приглашает вас на встречу «Dinner»", "/events/{private}"},
	}},
	{"answer", func(s *scenario) {
		s.as("invitee").Patch(s.fill("/events/{private}/rsvp"), apptest.Fields{"status": "tentative"}).Want(200)
	}, []received{
		{"org", "event_invitation_response", "invitee", "invitee may come to Dinner", "invitee, возможно, придёт на встречу «Dinner»", "/events/{private}"},
	}},
	{"rename", func(s *scenario) {
		s.as("org").Patch(s.fill("/events/{event}"), apptest.Fields{"description": "For all"}).Want(200)
	}, nil},
	{"move", func(s *scenario) {
		for _, event := range []string{"/events/{event}", "/events/{private}"} {
			s.as("org").Patch(s.fill(event), apptest.Fields{"location_text": "At the fountain"}).Want(200)
		}
	}, []received{
		{"guest", "event_updated", "org", "Go has a new time or place", "Новое время или место встречи «Go»", "/events/{event}"},
		{"hidden", "event_updated", "org", "Go has a new time or place", "Новое время или место встречи «Go»", "/events/{event}"},
		{"invitee", "event_updated", "org", "Dinner has a new time or place", "Новое время или место встречи «Dinner»", "/events/{private}"},
	}},
	{"date option while fixed", func(s *scenario) {
		s.post("org", "/events/{event}/date-options", apptest.Fields{"starts_at": "2026-06-01T19:00:00Z"})
	}, nil},
	{"date option", func(s *scenario) {
		s.as("org").Patch(s.fill("/events/{event}/date-mode"), apptest.Fields{"mode": "vote"}).Want(204)
		s.create("option", "org", "/events/{event}/date-options", apptest.Fields{"starts_at": "2026-06-01T19:00:00Z",
			"ends_at": "2026-06-01T20:00:00Z"}, "id")
	}, []received{
		{"guest", "event_date_option_added", "org", "Another date to vote for: Go", "Ещё одна дата для голосования: встреча «Go»", "/events/{event}"},
		{"hidden", "event_date_option_added", "org", "Another date to vote for: Go", "Ещё одна дата для голосования: встреча «Go»", "/events/{event}"},
	}},
	{"vote", func(s *scenario) { s.post("guest", "/events/{event}/date-options/{option}/votes", nil) }, nil},
	{"select", func(s *scenario) { s.post("org", "/events/{event}/date-options/{option}/select", nil) }, []received{
		{"guest", "event_date_selected", "org", "The date is set: Go", "Выбрана дата встречи «Go»", "/events/{event}"},
		{"hidden", "event_date_selected", "org", "The date is set: Go", "Выбрана дата встречи «Go»", "/events/{event}"},
	}},
	{"announcement", func(s *scenario) {
		s.post("org", "/events/{event}/posts", apptest.Fields{"body": "Hear!", "kind": "announcement"})
		s.post("org", "/events/{private}/posts", apptest.Fields{"body": "Hear!", "kind": "announcement"})
	}, []received{
		{"guest", "event_announcement", "org", "Announcement about Go", "Объявление о встрече «Go»", "/events/{event}/posts"},
		{"hidden", "event_announcement", "org", "Announcement about Go", "Объявление о встрече «Go»", "/events/{event}/posts"},
		{"invitee", "event_announcement", "org", "Announcement about Dinner", "Объявление о встрече «Dinner»", "/events/{private}/posts"},
	}},
	{"post", func(s *scenario) {
		s.create("post", "org", "/events/{event}/posts", apptest.Fields{"body": "Bring a board"}, "id")
		s.post("org", "/events/{private}/posts", apptest.Fields{"body": "Bring a plate"})
	}, []received{
		{"guest", "event_post", "org", "org writes about Go", "org пишет о встрече «Go»", "/events/{event}/posts"},
		{"hidden", "event_post", "org", "org writes about Go", "org пишет о встрече «Go»", "/events/{event}/posts"},
	}},
	{"comment", func(s *scenario) {
		s.create("comment", "guest", "/events/{event}/posts/{post}/comments", apptest.Fields{"body": "Which?"}, "id")
		s.post("org", "/events/{event}/posts/{post}/comments", apptest.Fields{"body": "Hello"})
		s.post("guest", "/events/{event}/posts/{post}/comments", apptest.Fields{"body": "I mean", "parent_comment_id": s.ids["comment"]})
	}, []received{
		{"org", "post_commented", "guest", "guest comments on your post about Go", "guest комментирует ваш пост о встрече «Go»", "/events/{event}/posts#{comment}"},
	}},
	{"reply", func(s *scenario) {
		s.create("reply", "hidden", "/events/{event}/posts/{post}/comments",
			apptest.Fields{"body": "19 x 19", "parent_comment_id": s.ids["comment"]}, "id")
	}, []received{
		{"guest", "comment_replied", "hidden", "hidden replies to your comment on Go", "hidden отвечает на ваш комментарий о встрече «Go»", "/events/{event}/posts#{reply}"},
	}},
	{"like", func(s *scenario) {
		for _, who := range []string{"guest", "fan", "fan", "org", "stranger"} {
			s.post(who, "/events/{event}/posts/{post}/like", nil)
		}
	}, []received{
		{"org", "post_liked", "stranger", "stranger and 2 others like your post about Go",
			"stranger и ещё 2 человека ставят «Нравится» вашему посту о встрече «Go»", "/events/{event}/posts"},
	}},
	{"like again", func(s *scenario) {
		s.as("fan").Delete(s.fill("/events/{event}/posts/{post}/like")).Want(200)
		s.post("fan", "/events/{event}/posts/{post}/like", nil)
	}, nil},
	{"repost", func(s *scenario) {
		s.post("fan", "/events/{event}/posts/{post}/repost", nil)
		s.post("fan", "/events/{event}/posts/{post}/repost", nil)
	}, []received{
		{"org", "post_reposted", "fan", "fan reposts your post about Go", "fan делится вашим постом о встрече «Go»", "/events/{event}/posts"},
	}},
	{"chat", func(s *scenario) { s.post("guest", "/events/{event}/messages", apptest.Fields{"body": "Hello"}) }, nil},
	{"calendar", func(s *scenario) {
		s.post("org", "/calendar/entries", apptest.Fields{"title": "Alone", "starts_at": "2026-06-03T20:00:00Z"})
		s.post("org", "/calendar/entries", apptest.Fields{"title": "Lunch", "starts_at": "2026-06-03T20:00:00Z",
			"invitee_user_ids": []string{s.ids["guest"]}})
		s.ids["invite"] = s.as("guest").Get("/calendar/invites").Want(200).Text("items.0.invite.id")
	}, []received{
		{"guest", "calendar_invite", "org", "org sends you a calendar invitation", "org присылает вам приглашение в календарь", "/calendar/invites/{invite}"},
	}},
	{"calendar answer", func(s *scenario) {
		s.as("guest").Patch(s.fill("/calendar/invites/{invite}"), apptest.Fields{"status": "accepted"}).Want(200)
	}, []received{
		{"org", "calendar_invite_response", "guest", "guest accepts your calendar invitation", "guest принимает ваше приглашение в календарь", "/calendar"},
	}},
	{"report", func(s *scenario) {
		s.create("report", "stranger", "/reports", apptest.Fields{"target_type": "event", "target_id": s.ids["event"], "reason": "spam"}, "id")
		s.as("mod").Patch(s.fill("/admin/reports/{report}"), apptest.Fields{"status": "in_review"}).Want(200)
	}, nil},
	{"warning", func(s *scenario) {
		s.as("mod").Patch(s.fill("/admin/reports/{report}"), apptest.Fields{"status": "resolved", "action": "warn_user"}).Want(200)
	}, []received{
		{"org", "moderation_warning", "", "The moderators warn you about your event", "Предупреждение модераторов: ваша встреча", ""},
		{"stranger", "report_updated", "", "Your report about an event was resolved", "Ваша жалоба на встречу рассмотрена", ""},
	}},
	{"payment", func(s *scenario) {
		s.as("org").Patch("/me/payment-profile", apptest.Fields{"status": "verified"}).Want(200)
		s.publish("paid", apptest.Fields{"title": "Concert", "starts_at": "2026-06-03T20:00:00Z", "ends_at": nil, "price": "paid",
			"price_amount": 100, "price_currency": "RUB"})
		s.unread()
		s.pay(s.post("guest", "/events/{paid}/payment-intents", nil), "succeeded")
		s.pay(s.post("stranger", "/events/{paid}/payment-intents", nil), "canceled")
	}, []received{
		{"org", "payment_succeeded", "guest", "guest paid for Concert", "guest оплачивает участие во встрече «Concert»", "/events/{paid}"},
		{"guest", "payment_succeeded", "", "You paid for Concert", "Вы оплатили участие во встрече «Concert»", "/events/{paid}"},
		{"stranger", "payment_canceled", "", "Your payment for Concert was canceled", "Оплата участия во встрече «Concert» отменена", "/events/{paid}"},
	}},
	{"complete", func(s *scenario) { s.a.Clock.Advance(9 * time.Hour) }, []received{
		{"org", "event_completed", "", "How was Go? Write a review", "Как прошла встреча «Go»? Напишите отзыв", "/events/{event}/reviews"},
		{"guest", "event_completed", "", "How was Go? Write a review", "Как прошла встреча «Go»? Напишите отзыв", "/events/{event}/reviews"},
		{"hidden", "event_completed", "", "How was Go? Write a review", "Как прошла встреча «Go»? Напишите отзыв", "/events/{event}/reviews"},
	}},
	{"review", func(s *scenario) {
		s.post("hidden", "/events/{event}/reviews", apptest.Fields{"rating": 4})
		s.post("hidden", "/events/{event}/reviews", apptest.Fields{"rating": 5})
	}, []received{
		{"org", "event_review", "hidden", "hidden reviews Go", "hidden оставляет отзыв о встрече «Go»", "/events/{event}/reviews"},
	}},
	{"cancel", func(s *scenario) { s.post("org", "/events/{private}/cancel", nil) }, []received{
		{"invitee", "event_canceled", "org", "Dinner is canceled", "Встреча «Dinner» отменена", "/events/{private}"},
	}},
}

// elsewhere are the kinds that tests of other packages cause, and the kinds of mails for calendar
// programs and of messages about chats, which are no notifications.
var elsewhere = []gen.NotificationKind{
	gen.NotificationKindEventReminder, gen.NotificationKindWebhookDisabled, gen.NotificationKindEmailSuppressed,
	gen.NotificationKindPasskeyAdded, gen.NotificationKindAPIKeyAdded, gen.NotificationKindNewDevice, gen.NotificationKindWebhookAdded,
	gen.NotificationKindEventCalendar, gen.NotificationKindChatUnread, gen.NotificationKindWaitlistOffer,
	gen.NotificationKindWaitlistJoined, gen.NotificationKindWaitlistExpired, gen.NotificationKindEventRequested,
	gen.NotificationKindRequestApproved, gen.NotificationKindRequestDeclined, gen.NotificationKindEventRemoved,
	gen.NotificationKindHostInvitation, gen.NotificationKindHostJoined, gen.NotificationKindEventTransferred,
	gen.NotificationKindSeriesDrafts,
	gen.NotificationKindHostRemoved, gen.NotificationKindGuestMessage,
	gen.NotificationKindGroupInvitation, gen.NotificationKindGroupRequested, gen.NotificationKindGroupApproved,
	gen.NotificationKindGroupRemoved, gen.NotificationKindGroupTransferred, gen.NotificationKindGroupEvent,
	gen.NotificationKindGroupAnnouncement, gen.NotificationKindGroupSourceFailed,
}

// TestOperationsNotify runs the operations and compares the notifications of all
// actors after each one.
func TestOperationsNotify(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		s := &scenario{t, a, map[string]string{}}
		for _, who := range actors {
			s.as(who).Patch("/me/profile", apptest.Fields{"display_name": who}).Want(200)
			s.ids[who] = s.as(who).UserID
		}
		notified := map[string]bool{}
		for _, c := range operations {
			c.do(s)
			got := s.unread()
			want := slices.Clone(c.want)
			for i := range want {
				want[i].href = s.fill(want[i].href)
				notified[want[i].kind] = true
			}
			order := func(a, b received) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
			slices.SortFunc(got, order)
			slices.SortFunc(want, order)
			if !slices.Equal(got, want) {
				t.Errorf("%s: got\n%q\nwant\n%q", c.name, got, want)
			}
			a.Clock.Advance(time.Minute)
		}
		for _, kind := range gen.NotificationKind("").AllValues() {
			if !notified[string(kind)] && !slices.Contains(elsewhere, kind) {
				t.Errorf("no operation makes %s", kind)
			}
		}
	}, apptest.StartAt(apptest.Today), apptest.Setting("ACCESS_TOKEN_TTL", "24h"),
		apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("mod")),
		apptest.Setting("PAYMENTS_ENABLED", "true"), apptest.Setting("PAYMENT_WEBHOOK_SECRETS", webhookSecret))
}
