package notify_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/api/gen"
	"moothall/internal/apptest"
	"moothall/internal/payment"
)

type fields = map[string]any

const webhookSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

// cast are the people of the story.
var cast = []string{"org", "guest", "hidden", "invitee", "fan", "friend", "enemy", "left", "stranger", "mod"}

// story is what happens, and by what names its ids are known.
type story struct {
	t   *testing.T
	a   *apptest.App
	ids map[string]string
}

func (s *story) as(name string) *apptest.Client { return s.a.As(name) }

// fill puts ids in the place of their names in braces.
func (s *story) fill(path string) string {
	for name, id := range s.ids {
		path = strings.ReplaceAll(path, "{"+name+"}", id)
	}
	return path
}

func (s *story) post(who, path string, body any) *apptest.Reply {
	s.t.Helper()
	r := s.as(who).Post(s.fill(path), body)
	if r.Status >= 300 {
		s.t.Fatalf("%s by %s: %d %s", path, who, r.Status, r.Body)
	}
	return r
}

// make posts, and keeps the id of what was made.
func (s *story) make(name, who, path string, body any, field string) {
	s.t.Helper()
	s.ids[name] = s.post(who, path, body).Text(field)
}

func (s *story) publish(name string, changes fields) {
	s.t.Helper()
	body := fields{"title": "Go", "starts_at": "2026-06-01T20:00:00Z", "ends_at": "2026-06-01T21:00:00Z", "timezone": "Europe/Moscow"}
	maps.Copy(body, changes)
	s.make(name, "org", "/events", body, "event.id")
	s.post("org", "/events/{"+name+"}/publish", nil)
}

// pay is what the provider says of a payment.
func (s *story) pay(intent *apptest.Reply, result string) {
	s.t.Helper()
	id := "evt_" + intent.Text("id")
	body, err := json.Marshal(fields{"id": id, "type": "payment." + result, "provider_payment_id": intent.Text("provider_payment_id")})
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

// heard is one notification of one person.
type heard struct{ who, kind, actor, english, russian, href string }

// news gives what everybody has been told since they last read, and reads it.
func (s *story) news() []heard {
	s.t.Helper()
	s.a.RunJobs()
	var all []heard
	for _, who := range cast {
		r := s.as(who).Get("/notifications?unread_only=true").Want(200)
		russian := s.as(who).With("Accept-Language", "ru").Get("/notifications?unread_only=true").Want(200)
		for i := range r.Len("items") {
			text := func(r *apptest.Reply, field string) string {
				text, _ := r.Get(fmt.Sprintf("items.%d.%s", i, field)).(string)
				return text
			}
			all = append(all, heard{who, text(r, "kind"), text(r, "actor.display_name"), text(r, "title"), text(russian, "title"), text(r, "href")})
		}
		s.as(who).Post("/notifications/read-all", nil).Want(200)
	}
	return all
}

// chapters is the table of contract §8: what makes which notification, for
// whom, and what makes none.
var chapters = []struct {
	name string
	do   func(s *story)
	want []heard
}{
	{"follow", func(s *story) {
		s.post("fan", "/users/{org}/follow", nil)
		s.post("fan", "/users/{org}/follow", nil)
		s.post("friend", "/users/{guest}/follow", nil)
		s.post("friend", "/users/{hidden}/follow", nil)
		s.post("enemy", "/users/{guest}/follow", nil)
		s.post("enemy", "/users/{org}/follow", nil)
		s.post("org", "/users/{enemy}/block", nil)
	}, []heard{
		{"org", "user_followed", "fan", "fan follows you now", "fan теперь среди ваших подписчиков", "/users/{fan}"},
		{"guest", "user_followed", "enemy", "enemy follows you now", "enemy теперь среди ваших подписчиков", "/users/{enemy}"},
		{"guest", "user_followed", "friend", "friend follows you now", "friend теперь среди ваших подписчиков", "/users/{friend}"},
		{"hidden", "user_followed", "friend", "friend follows you now", "friend теперь среди ваших подписчиков", "/users/{friend}"},
	}},
	{"publish", func(s *story) {
		s.publish("private", fields{"title": "Dinner", "visibility": "private", "starts_at": "2026-06-03T20:00:00Z", "ends_at": nil})
		s.publish("event", nil)
	}, []heard{
		{"fan", "followed_user_event", "org", "org invites everybody to Go", "org приглашает всех на встречу «Go»", "/events/{event}"},
	}},
	{"join", func(s *story) {
		s.post("left", "/events/{event}/join", nil)
		s.post("guest", "/events/{event}/join", nil)
		s.post("guest", "/events/{event}/join", nil)
		s.post("hidden", "/events/{event}/join", fields{"participation_visibility": "incognito"})
		s.as("left").Delete(s.fill("/events/{event}/join")).Want(200)
		s.post("org", "/events/{event}/join", fields{"participation_visibility": "incognito"})
	}, []heard{
		{"org", "event_joined", "hidden", "hidden is coming to Go", "hidden идёт на встречу «Go»", "/events/{event}"},
		{"org", "event_joined", "guest", "guest is coming to Go", "guest идёт на встречу «Go»", "/events/{event}"},
		{"org", "event_joined", "left", "left is coming to Go", "left идёт на встречу «Go»", "/events/{event}"},
		{"friend", "followed_user_going", "guest", "guest is going to Go", "guest собирается на встречу «Go»", "/events/{event}"},
	}},
	{"invite", func(s *story) {
		s.post("org", "/events/{private}/invitations", fields{"email": apptest.Email("invitee"), "message": "Come!"})
	}, []heard{
		{"invitee", "event_invitation", "org", "org invites you to Dinner", "org приглашает вас на встречу «Dinner»", "/events/{private}"},
	}},
	{"answer", func(s *story) {
		s.as("invitee").Patch(s.fill("/events/{private}/rsvp"), fields{"status": "tentative"}).Want(200)
	}, []heard{
		{"org", "event_invitation_response", "invitee", "invitee may come to Dinner", "invitee, возможно, придёт на встречу «Dinner»", "/events/{private}"},
	}},
	{"rename", func(s *story) {
		s.as("org").Patch(s.fill("/events/{event}"), fields{"description": "For all"}).Want(200)
	}, nil},
	{"move", func(s *story) {
		for _, event := range []string{"/events/{event}", "/events/{private}"} {
			s.as("org").Patch(s.fill(event), fields{"location_text": "At the fountain"}).Want(200)
		}
	}, []heard{
		{"guest", "event_updated", "org", "Go has a new time or place", "Новое время или место встречи «Go»", "/events/{event}"},
		{"hidden", "event_updated", "org", "Go has a new time or place", "Новое время или место встречи «Go»", "/events/{event}"},
		{"invitee", "event_updated", "org", "Dinner has a new time or place", "Новое время или место встречи «Dinner»", "/events/{private}"},
	}},
	{"date option while fixed", func(s *story) {
		s.post("org", "/events/{event}/date-options", fields{"starts_at": "2026-06-01T19:00:00Z"})
	}, nil},
	{"date option", func(s *story) {
		s.as("org").Patch(s.fill("/events/{event}/date-mode"), fields{"mode": "vote"}).Want(204)
		s.make("option", "org", "/events/{event}/date-options", fields{"starts_at": "2026-06-01T19:00:00Z", "ends_at": "2026-06-01T20:00:00Z"}, "id")
	}, []heard{
		{"guest", "event_date_option_added", "org", "Another date to vote for: Go", "Ещё одна дата для голосования: встреча «Go»", "/events/{event}"},
		{"hidden", "event_date_option_added", "org", "Another date to vote for: Go", "Ещё одна дата для голосования: встреча «Go»", "/events/{event}"},
	}},
	{"vote", func(s *story) { s.post("guest", "/events/{event}/date-options/{option}/votes", nil) }, nil},
	{"select", func(s *story) { s.post("org", "/events/{event}/date-options/{option}/select", nil) }, []heard{
		{"guest", "event_date_selected", "org", "The date is set: Go", "Выбрана дата встречи «Go»", "/events/{event}"},
		{"hidden", "event_date_selected", "org", "The date is set: Go", "Выбрана дата встречи «Go»", "/events/{event}"},
	}},
	{"announcement", func(s *story) {
		s.post("org", "/events/{event}/posts", fields{"body": "Hear!", "kind": "announcement"})
		s.post("org", "/events/{private}/posts", fields{"body": "Hear!", "kind": "announcement"})
	}, []heard{
		{"guest", "event_announcement", "org", "Announcement about Go", "Объявление о встрече «Go»", "/events/{event}/posts"},
		{"hidden", "event_announcement", "org", "Announcement about Go", "Объявление о встрече «Go»", "/events/{event}/posts"},
		{"invitee", "event_announcement", "org", "Announcement about Dinner", "Объявление о встрече «Dinner»", "/events/{private}/posts"},
	}},
	{"post", func(s *story) {
		s.make("post", "org", "/events/{event}/posts", fields{"body": "Bring a board"}, "id")
		s.post("org", "/events/{private}/posts", fields{"body": "Bring a plate"})
	}, []heard{
		{"guest", "event_post", "org", "org writes about Go", "org пишет о встрече «Go»", "/events/{event}/posts"},
		{"hidden", "event_post", "org", "org writes about Go", "org пишет о встрече «Go»", "/events/{event}/posts"},
	}},
	{"comment", func(s *story) {
		s.make("comment", "guest", "/events/{event}/posts/{post}/comments", fields{"body": "Which?"}, "id")
		s.post("org", "/events/{event}/posts/{post}/comments", fields{"body": "Hello"})
		s.post("guest", "/events/{event}/posts/{post}/comments", fields{"body": "I mean", "parent_comment_id": s.ids["comment"]})
	}, []heard{
		{"org", "post_commented", "guest", "guest comments on your post about Go", "guest комментирует вашу запись о встрече «Go»", "/events/{event}/posts#{comment}"},
	}},
	{"reply", func(s *story) {
		s.make("reply", "hidden", "/events/{event}/posts/{post}/comments", fields{"body": "19 x 19", "parent_comment_id": s.ids["comment"]}, "id")
	}, []heard{
		{"guest", "comment_replied", "hidden", "hidden replies to your comment on Go", "hidden отвечает на ваш комментарий о встрече «Go»", "/events/{event}/posts#{reply}"},
	}},
	{"like", func(s *story) {
		for _, who := range []string{"guest", "fan", "fan", "org", "stranger"} {
			s.post(who, "/events/{event}/posts/{post}/like", nil)
		}
	}, []heard{
		{"org", "post_liked", "stranger", "stranger and 2 others like your post about Go",
			"stranger и ещё 2 человека ставят «Нравится» вашей записи о встрече «Go»", "/events/{event}/posts"},
	}},
	{"like again", func(s *story) {
		s.as("fan").Delete(s.fill("/events/{event}/posts/{post}/like")).Want(200)
		s.post("fan", "/events/{event}/posts/{post}/like", nil)
	}, nil},
	{"repost", func(s *story) {
		s.post("fan", "/events/{event}/posts/{post}/repost", nil)
		s.post("fan", "/events/{event}/posts/{post}/repost", nil)
	}, []heard{
		{"org", "post_reposted", "fan", "fan reposts your post about Go", "fan делится вашей записью о встрече «Go»", "/events/{event}/posts"},
	}},
	{"chat", func(s *story) { s.post("guest", "/events/{event}/messages", fields{"body": "Hello"}) }, nil},
	{"calendar", func(s *story) {
		s.post("org", "/calendar/entries", fields{"title": "Alone", "starts_at": "2026-06-03T20:00:00Z"})
		s.post("org", "/calendar/entries", fields{"title": "Lunch", "starts_at": "2026-06-03T20:00:00Z", "invitee_user_ids": []string{s.ids["guest"]}})
		s.ids["invite"] = s.as("guest").Get("/calendar/invites").Want(200).Text("items.0.invite.id")
	}, []heard{
		{"guest", "calendar_invite", "org", "org sends you a calendar invitation", "org присылает вам приглашение в календарь", "/calendar/invites/{invite}"},
	}},
	{"calendar answer", func(s *story) {
		s.as("guest").Patch(s.fill("/calendar/invites/{invite}"), fields{"status": "accepted"}).Want(200)
	}, []heard{
		{"org", "calendar_invite_response", "guest", "guest accepts your calendar invitation", "guest принимает ваше приглашение в календарь", "/calendar"},
	}},
	{"report", func(s *story) {
		s.make("report", "stranger", "/reports", fields{"target_type": "event", "target_id": s.ids["event"], "reason": "spam"}, "id")
		s.as("mod").Patch(s.fill("/admin/reports/{report}"), fields{"status": "in_review"}).Want(200)
	}, nil},
	{"warning", func(s *story) {
		s.as("mod").Patch(s.fill("/admin/reports/{report}"), fields{"status": "resolved", "action": "warn_user"}).Want(200)
	}, []heard{
		{"org", "moderation_warning", "", "The moderators warn you about your event", "Предупреждение модераторов: ваша встреча", ""},
		{"stranger", "report_updated", "", "Your report about an event was resolved", "Ваша жалоба на встречу рассмотрена", ""},
	}},
	{"payment", func(s *story) {
		s.as("org").Patch("/me/payment-profile", fields{"status": "verified"}).Want(200)
		s.publish("paid", fields{"title": "Concert", "starts_at": "2026-06-03T20:00:00Z", "ends_at": nil, "price": "paid", "price_amount": 100, "price_currency": "RUB"})
		s.news()
		s.pay(s.post("guest", "/events/{paid}/payment-intents", nil), "succeeded")
		s.pay(s.post("stranger", "/events/{paid}/payment-intents", nil), "canceled")
	}, []heard{
		{"org", "payment_succeeded", "guest", "guest paid for Concert", "guest оплачивает участие во встрече «Concert»", "/events/{paid}"},
		{"guest", "payment_succeeded", "", "You paid for Concert", "Вы оплатили участие во встрече «Concert»", "/events/{paid}"},
		{"stranger", "payment_canceled", "", "Your payment for Concert was canceled", "Оплата участия во встрече «Concert» отменена", "/events/{paid}"},
	}},
	{"complete", func(s *story) { s.a.Clock.Advance(9 * time.Hour) }, []heard{
		{"org", "event_completed", "", "How was Go? Write a review", "Как прошла встреча «Go»? Напишите отзыв", "/events/{event}/reviews"},
		{"guest", "event_completed", "", "How was Go? Write a review", "Как прошла встреча «Go»? Напишите отзыв", "/events/{event}/reviews"},
		{"hidden", "event_completed", "", "How was Go? Write a review", "Как прошла встреча «Go»? Напишите отзыв", "/events/{event}/reviews"},
	}},
	{"review", func(s *story) {
		s.post("hidden", "/events/{event}/reviews", fields{"rating": 4})
		s.post("hidden", "/events/{event}/reviews", fields{"rating": 5})
	}, []heard{
		{"org", "event_review", "hidden", "hidden reviews Go", "hidden оставляет отзыв о встрече «Go»", "/events/{event}/reviews"},
	}},
	{"cancel", func(s *story) { s.post("org", "/events/{private}/cancel", nil) }, []heard{
		{"invitee", "event_canceled", "org", "Dinner is canceled", "Встреча «Dinner» отменена", "/events/{private}"},
	}},
}

// TestWhatIsToldToWhom goes through the operations and asks everybody what
// they were told of each.
func TestWhatIsToldToWhom(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		s := &story{t, a, map[string]string{}}
		for _, who := range cast {
			s.as(who).Patch("/me/profile", fields{"display_name": who}).Want(200)
			s.ids[who] = s.as(who).UserID
		}
		told := map[string]bool{}
		for _, c := range chapters {
			c.do(s)
			got := s.news()
			want := slices.Clone(c.want)
			for i := range want {
				want[i].href = s.fill(want[i].href)
				told[want[i].kind] = true
			}
			order := func(a, b heard) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
			slices.SortFunc(got, order)
			slices.SortFunc(want, order)
			if !slices.Equal(got, want) {
				t.Errorf("%s: told were\n%q\nwant\n%q", c.name, got, want)
			}
			a.Clock.Advance(time.Minute)
		}
		for _, kind := range gen.NotificationKind("").AllValues() {
			if !told[string(kind)] && kind != gen.NotificationKindEventReminder {
				t.Errorf("nothing makes %s", kind)
			}
		}
	}, apptest.StartAt(today), apptest.Setting("ACCESS_TOKEN_TTL", "24h"), apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("mod")),
		apptest.Setting("PAYMENTS_ENABLED", "true"), apptest.Setting("PAYMENT_WEBHOOK_SECRETS", webhookSecret))
}
