package policy

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

const problemType = "application/problem+json"

// TestForbiddenReasons checks the reason of every 403, through HTTP. Each reason of the
// contract needs a row.
func TestForbiddenReasons(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		given := map[string]bool{
			string(domain.PaymentsDisabled): true, // TestPaymentsDisabledReason
			string(domain.WaitlistFull):     true, // meetup.TestWaitlistLimit
			string(domain.RequestLimit):     true, // meetup.TestRequestLimit
			string(domain.RequestDeclined):  true, // meetup.TestRequestRefusals
			string(domain.HostLimit):        true, // meetup.TestEventHasAtMostTenHosts
			string(domain.AnswersRequired):  true, // meetup.TestJoinAnswersQuestions
			string(domain.QuestionLimit):    true, // meetup.TestQuestionsHaveLimit
			string(domain.InvitationLimit):  true, // attendance.TestInvitationLimitUnderConcurrency
			string(domain.EventExternal):    true, // meetup.TestEventsOfCalendarsAreReadOnly
			string(domain.SourceLimit):      true, // meetup.TestCalendarLimits
			// meetup.TestGroupLimits
			string(domain.InvitationRequired): true, string(domain.MemberLimit): true, string(domain.GroupLimit): true,
		}
		s := newScene(a)
		for _, row := range reasonRows {
			path := "/events/" + row.event(s) + row.path
			got := s.people[row.as].With("Accept", problemType).Do(row.method, path, row.body).Want(403)
			if got.Text("error") != "forbidden" || got.Text("reason") != string(row.reason) || got.Text("detail") == "" {
				t.Errorf("%s: %s, want %s", row.name, got.Body, row.reason)
			}
			s.people[row.as].Do(row.method, path, row.body).WantError(403, "forbidden")
			given[string(row.reason)] = true
		}
		s.checkOtherReasons(t, a, given)
		for _, reason := range documentedReasons() {
			if !given[reason] {
				t.Errorf("no row has the reason %s", reason)
			}
		}
	}, settings()...)
}

// documentedReasons lists the reasons of the contract.
var documentedReasons = sync.OnceValue(func() (reasons []string) {
	document, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		panic(err)
	}
	list, _ := document.Components.Schemas["ForbiddenReason"].Value.Extensions["x-extensible-enum"].([]any)
	for _, reason := range list {
		reasons = append(reasons, fmt.Sprint(reason))
	}
	return reasons
})

// scene has events of org in every state. ann is going to them, ben is invited to the
// private ones, eve only sees the public ones.
type scene struct {
	people map[string]*apptest.Client
	events map[string]string
}

func newScene(a *apptest.App) *scene {
	s := &scene{people: map[string]*apptest.Client{}, events: map[string]string{}}
	for _, name := range []string{"organizer", "ann", "ben", "eve"} {
		s.people[name] = a.As(name)
	}
	org, ann, paid := s.people["organizer"], s.people["ann"], apptest.Fields{"price": "paid", "price_amount": 100, "price_currency": "RUB"}
	org.Patch("/me/payment-profile", apptest.Fields{"status": "verified"}).Want(200)
	private := apptest.Fields{"visibility": "private"}
	s.events["draft"] = org.Draft(nil)
	s.events["private draft"] = org.Draft(private)
	s.events["private"] = org.Publish(private)
	s.events["untitled"] = org.Post("/events", apptest.Fields{"untitled": true, "starts_at": "2026-06-05T16:00:00Z", "visibility": "private"}).
		Want(201).Text("event.id")
	s.events["open"] = org.Publish(nil)
	s.events["canceled"] = org.Publish(nil)
	s.events["hosted"] = org.Publish(nil)
	org.Post("/events/"+s.events["hosted"]+"/hosts", apptest.Fields{"user_id": s.people["ben"].UserID}).Want(200)
	s.people["ben"].Patch("/events/"+s.events["hosted"]+"/hosts/"+s.people["ben"].UserID, apptest.Fields{"status": "active"}).Want(200)
	s.events["full"] = org.Publish(apptest.Fields{"capacity": 1})
	s.events["roomy"] = org.Publish(apptest.Fields{"capacity": 2, "waitlist": "offer"})
	s.events["waitlisted"] = org.Publish(apptest.Fields{"capacity": 1, "waitlist": "offer"})
	s.events["asking"] = org.Publish(apptest.Fields{"join_policy": "approval"})
	s.events["left"] = org.Publish(nil)
	s.events["ended"] = org.Publish(apptest.Fields{"starts_at": "2026-06-01T13:00:00Z"})
	s.events["paid"] = org.Publish(paid)
	s.events["unverified"] = s.unverified(a, paid)
	for _, name := range []string{"open", "canceled", "full", "ended", "waitlisted"} {
		ann.Join(s.events[name])
	}
	removed := s.people["eve"].Post("/events/"+s.events["left"]+"/join", nil).Want(200).Text("id")
	org.Delete("/events/" + s.events["left"] + "/participants/" + removed).Want(204)
	for _, name := range []string{"private draft", "private"} {
		org.Post("/events/"+s.events[name]+"/invitations", apptest.Fields{"email": apptest.Email("ben")}).Want(201)
	}
	s.events["post"] = s.events["open"] + "/posts/" + org.Post("/events/"+s.events["open"]+"/posts",
		apptest.Fields{"body": "News."}).Want(201).Text("id")
	s.events["private post"] = s.events["private"] + "/posts/" + org.Post("/events/"+s.events["private"]+"/posts",
		apptest.Fields{"body": "News."}).Want(201).Text("id")
	s.events["comment"] = s.events["post"] + "/comments/" + ann.Post("/events/"+s.events["post"]+"/comments",
		apptest.Fields{"body": "Fine."}).Want(201).Text("id")
	option := org.Post("/events/"+s.events["open"]+"/date-options", apptest.Fields{"starts_at": "2026-06-06T16:00:00Z"}).Want(201).Text("id")
	s.events["option"] = s.events["open"] + "/date-options/" + option
	ann.Post("/events/"+s.events["paid"]+"/payment-intents", nil).Want(201)
	org.Post("/events/"+s.events["canceled"]+"/cancel", nil).Want(200)
	a.Clock.Advance(5 * time.Hour)
	for name := range s.people { // their access tokens have expired
		s.people[name] = a.SignIn(apptest.Email(name))
	}
	return s
}

// unverified is a paid event of an organizer who is no longer verified.
func (s *scene) unverified(a *apptest.App, paid apptest.Fields) string {
	seller := a.As("seller")
	seller.Patch("/me/payment-profile", apptest.Fields{"status": "verified"}).Want(200)
	event := seller.Publish(paid)
	seller.Patch("/me/payment-profile", apptest.Fields{"status": "unverified"}).Want(200)
	return event
}

// reasonRow is a forbidden request to an event of a scene.
type reasonRow struct {
	name, as, method string
	on, path         string // the event in scene.events, and what follows its id
	body             any
	reason           domain.Reason
}

func (r reasonRow) event(s *scene) string { return s.events[r.on] }

var (
	words  = apptest.Fields{"body": "Hello."}
	rating = apptest.Fields{"rating": 5}
	guest  = apptest.Fields{"email": "nobody@example.org"}
)

var reasonRows = []reasonRow{
	{"cancel as a host", "ben", "POST", "hosted", "/cancel", nil, domain.NotOwner},
	{"join a full event", "eve", "POST", "full", "/join", nil, domain.EventFull},
	{"wait for an event without a list", "eve", "POST", "full", "/waitlist", nil, domain.WaitlistOff},
	{"wait for an event that is over", "eve", "POST", "ended", "/waitlist", nil, domain.EventEnded},
	{"wait for a private event", "ben", "POST", "private", "/waitlist", nil, domain.WaitlistOff},
	{"wait without need", "organizer", "POST", "roomy", "/waitlist", nil, domain.EventNotFull},
	{"wait while going", "ann", "POST", "waitlisted", "/waitlist", nil, domain.BlockedByState},
	{"read the waiting list as a guest", "ann", "GET", "waitlisted", "/waitlist/entries", nil, domain.NotOrganizer},
	{"wait for an event with approval", "eve", "POST", "asking", "/waitlist", nil, domain.ApprovalRequired},
	{"join again after a removal", "eve", "POST", "left", "/join", nil, domain.Removed},
	{"approve the requests to another's event", "eve", "POST", "asking", "/participants/approve", nil, domain.NotOrganizer},
	{"join a canceled event", "eve", "POST", "canceled", "/join", nil, domain.EventCanceled},
	{"join an event that is over", "eve", "POST", "ended", "/join", nil, domain.EventEnded},
	{"join a private event", "ben", "POST", "private", "/join", nil, domain.EventPrivate},
	{"join a paid event without payment", "eve", "POST", "paid", "/join", nil, domain.PaymentRequired},
	{"invite to another organizer's event", "eve", "POST", "open", "/invitations", guest, domain.NotOrganizer},
	{"write to strangers on the first day", "organizer", "POST", "open", "/email-invitations",
		apptest.Fields{"emails": []string{"new@example.org"}, "message": "Do come!"}, domain.AccountNew},
	{"invite to a public event", "organizer", "POST", "open", "/invitations", guest, domain.EventPublic},
	{"write a post as a guest", "ann", "POST", "open", "/posts", words, domain.NotOrganizer},
	{"write a post of a draft", "organizer", "POST", "draft", "/posts", words, domain.EventDraft},
	{"write to guests as a guest", "ann", "POST", "open", "/guest-messages", apptest.Fields{"audience": "going", "body": "Hi"}, domain.NotOrganizer},
	{"write to guests of a draft", "organizer", "POST", "draft", "/guest-messages", apptest.Fields{"audience": "going", "body": "Hi"}, domain.EventDraft},
	{"delete another user's comment", "eve", "DELETE", "comment", "", nil, domain.NotAuthor},
	{"edit another user's comment", "organizer", "PATCH", "comment", "", words, domain.NotAuthor},
	{"repost of a private event", "ben", "POST", "private post", "/repost", nil, domain.EventPrivate},
	{"change the date mode as a guest", "ann", "PATCH", "open", "/date-mode", apptest.Fields{"mode": "vote"}, domain.NotOrganizer},
	{"add a date to a canceled event", "organizer", "POST", "canceled", "/date-options", apptest.Fields{"starts_at": "2026-06-06T16:00:00Z"}, domain.EventCanceled},
	{"vote without access", "eve", "POST", "option", "/votes", nil, domain.NotParticipant},
	{"vote while the date is fixed", "ann", "POST", "option", "/votes", nil, domain.BlockedByState},
	{"read the chat as a stranger", "eve", "GET", "open", "/messages", nil, domain.NotParticipant},
	{"write to the chat of a draft", "organizer", "POST", "draft", "/messages", words, domain.EventDraft},
	{"write to the chat of a draft before answering", "ben", "POST", "private draft", "/messages", words, domain.NotParticipant},
	{"read reminders as a stranger", "eve", "GET", "open", "/reminders", nil, domain.NotParticipant},
	{"change reminders as a guest", "ann", "PATCH", "open", "/reminders", apptest.Fields{"enabled": false}, domain.NotOrganizer},
	{"review one's own event", "organizer", "POST", "ended", "/reviews", rating, domain.OwnEvent},
	{"review without having been there", "eve", "POST", "ended", "/reviews", rating, domain.NotParticipant},
	{"review before the end", "ann", "POST", "open", "/reviews", rating, domain.EventPublished},
	{"review a canceled event", "ann", "POST", "canceled", "/reviews", rating, domain.EventCanceled},
	{"publish a canceled event", "organizer", "POST", "canceled", "/publish", nil, domain.EventCanceled},
	{"publish a draft without a title", "organizer", "POST", "untitled", "/publish", nil, domain.EventUntitled},
	{"invite to a draft without a title", "organizer", "POST", "untitled", "/invitations", apptest.Fields{"email": apptest.Email("ben")}, domain.EventUntitled},
	{"cancel an event that is over", "organizer", "POST", "ended", "/cancel", nil, domain.EventEnded},
	{"change an event that is over", "organizer", "PATCH", "ended", "", apptest.Fields{"title": "Go"}, domain.EventEnded},
	{"change the visibility after publishing", "organizer", "PATCH", "open", "", apptest.Fields{"visibility": "private"}, domain.EventPublished},
	{"change a price that somebody is paying", "organizer", "PATCH", "paid", "", apptest.Fields{"price_amount": 200}, domain.BlockedByState},
	{"give an event that is over a cover", "organizer", "PUT", "ended", "/cover", apptest.Pixel, domain.EventEnded},
	{"remove the cover of a canceled event", "organizer", "DELETE", "canceled", "/cover", nil, domain.EventCanceled},
	{"pay for one's own event", "organizer", "POST", "paid", "/payment-intents", nil, domain.OwnEvent},
	{"pay for a free event", "eve", "POST", "open", "/payment-intents", nil, domain.EventFree},
	{"pay an unverified organizer", "eve", "POST", "unverified", "/payment-intents", nil, domain.OrganizerUnverified},
}

var storePicturesStmt = db.SQL("media.test_fill", `
	INSERT INTO media (id, owner_id, hash, url, bytes, created_at) VALUES ($1, $2, '', '', 200000000, 0)`)

var payStmt = db.SQL("payment.test_pay", `UPDATE payment_intents SET status = 'succeeded', paid_at = $2 WHERE event_id = $1`)

// checkOtherReasons checks the requests that do not concern an event of the scene.
func (s *scene) checkOtherReasons(t *testing.T, a *apptest.App, given map[string]bool) {
	t.Helper()
	check := func(got *apptest.Reply, want domain.Reason) {
		t.Helper()
		if got.Want(403).Text("reason") != string(want) {
			t.Errorf("%s, want %s", got.Body, want)
		}
		given[string(want)] = true
	}
	as := func(name string) *apptest.Client { return s.people[name].With("Accept", problemType) }
	check(as("eve").Get("/admin/reports"), domain.NotModerator)
	check(as("eve").Patch("/admin/reports/"+a.As("eve").UserID, apptest.Fields{"status": "in_review"}), domain.NotModerator)
	check(a.WithCookie(s.people["eve"].RefreshToken).With("Origin", "https://evil.test").With("Accept", problemType).
		Post("/auth/sessions/revoke-others", nil), domain.ForeignOrigin)
	key := s.people["eve"].Post("/me/api-keys", apptest.Fields{"name": "Printer", "scopes": []string{"events:read"}}).Want(201).Text("key")
	check(a.WithBearer(key).With("Accept", problemType).Get("/me"), domain.InsufficientScope)
	entry := s.people["eve"].Post("/calendar/entries",
		apptest.Fields{"title": "Tea", "starts_at": "2026-06-07T16:00:00Z"}).Want(201).Text("id")
	s.people["eve"].Delete("/calendar/entries/" + entry)
	check(as("eve").Patch("/calendar/entries/"+entry, apptest.Fields{"title": "Coffee"}), domain.BlockedByState)
	a.Exec(payStmt, id[domain.EventKind](t, s.events["paid"]), today)
	check(as("ann").Post("/events/"+s.events["paid"]+"/payment-intents", nil), domain.AlreadyPaid)
	a.Exec(storePicturesStmt, domain.RandomID[any](), a.As("eve").ID())
	check(as("eve").Put("/me/avatar", apptest.Pixel), domain.StorageFull)
	hidden := as("eve").Post("/events/"+s.events["private"]+"/join", nil).Want(404)
	if hidden.Get("reason") != nil {
		t.Errorf("a hidden event has a reason: %s", hidden.Body)
	}
}

// TestPaymentsDisabledReason checks the reason of paid mutations without payments.
func TestPaymentsDisabledReason(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Draft(apptest.Fields{"price": "paid", "price_amount": 100, "price_currency": "RUB"})
		problems := org.With("Accept", problemType)
		for name, got := range map[string]*apptest.Reply{
			"publish": problems.Post("/events/"+event+"/publish", nil),
			"pay":     problems.Post("/events/"+event+"/payment-intents", nil),
			"verify":  problems.Patch("/me/payment-profile", apptest.Fields{"status": "verified"}),
		} {
			if got.Want(403).Text("reason") != string(domain.PaymentsDisabled) {
				t.Errorf("%s: %s", name, got.Body)
			}
		}
	}, apptest.StartAt(today))
}
