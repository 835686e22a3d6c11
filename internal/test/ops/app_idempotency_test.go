package ops_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/api"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// keyed is an operation that takes an Idempotency-Key.
type keyed struct{ id, who, path, body, otherBody string }

// keyedOperations create something. {event} is a public event, {private} a private one and
// {past} a completed one, all of org. Ann went to the last.
var keyedOperations = []keyed{
	{"createEvent", "org", "/events", `{"title":"Tea <&> \"cake\"","starts_at":"2026-06-05T16:00:00Z","capacity":5,"conference_url":"https://meet.example.com/x"}`, `{"title":"Coffee","starts_at":"2026-06-05T16:00:00Z"}`},
	{"announceToGroup", "org", "/groups/{group}/announcements", `{"body":"Tea"}`, `{"body":"Coffee"}`},
	{"createGroup", "org", "/groups", `{"name":"Tea"}`, `{"name":"Coffee"}`},
	{"createEventSeries", "org", "/event-series", `{"rrule":"FREQ=DAILY;COUNT=3","starts_at":"2026-06-20T19:00:00","timezone":"Europe/Berlin","template":{"title":"Tea"}}`, `{"rrule":"FREQ=DAILY;COUNT=4","starts_at":"2026-06-20T19:00:00","timezone":"Europe/Berlin","template":{"title":"Tea"}}`},
	{"splitEventSeries", "org", "/event-series/{series}/split", `{"from":"2026-06-21T19:00:00","rrule":"FREQ=DAILY;COUNT=3","starts_at":"2026-06-21T20:00:00"}`, `{"from":"2026-06-22T19:00:00","rrule":"FREQ=DAILY;COUNT=3","starts_at":"2026-06-22T20:00:00"}`},
	{"cloneEvent", "org", "/events/{event}/clone", ``, `{}`},
	{"inviteToEvent", "org", "/events/{private}/invitations", `{"email":"ann@example.org","message":"Come!"}`, `{"email":"ann@example.org"}`},
	{"createEventPost", "org", "/events/{event}/posts", `{"body":"News"}`, `{"body":"Other news"}`},
	{"sendGuestMessage", "org", "/events/{event}/guest-messages", `{"audience":"going","body":"News"}`, `{"audience":"going","body":"Other news"}`},
	{"createPostComment", "ann", "/events/{event}/posts/{post}/comments", `{"body":"Well"}`, `{"body":"Oh"}`},
	{"reviewEvent", "ann", "/events/{past}/reviews", `{"rating":4,"body":"Fine"}`, `{"rating":5}`},
	{"createReport", "ann", "/reports", `{"target_type":"event","target_id":"{event}","reason":"spam"}`, `{"target_type":"event","target_id":"{event}","reason":"fraud"}`},
	{"createDateOption", "org", "/events/{event}/date-options", `{"starts_at":"2026-06-06T16:00:00Z","note":"At noon"}`, `{"starts_at":"2026-06-07T16:00:00Z"}`},
	{"sendChatMessage", "org", "/events/{event}/messages", `{"body":"Hi"}`, `{"body":"Hello"}`},
	{"inviteByEmail", "org", "/events/{event}/email-invitations", `{"emails":["eve@example.com"]}`, `{"emails":["mallory@example.com"]}`},
	{"createInviteLink", "org", "/events/{private}/invite-links", `{"max_uses":5}`, `{"max_uses":6}`},
	{"enterWaitlist", "ann", "/events/{full}/waitlist", `{"party_size":1}`, `{"participation_visibility":"incognito"}`},
	{"createWebhook", "org", "/me/webhooks", `{"url":"https://example.com/","kinds":["event.canceled"]}`, `{"url":"https://example.com/other","kinds":["event.canceled"]}`},
	{"createApiKey", "org", "/me/api-keys", `{"name":"Printer","scopes":["events:read"]}`, `{"name":"Till","scopes":["events:read"]}`},
	{"createCalendarEntry", "org", "/calendar/entries", `{"title":"Dinner","starts_at":"2026-06-05T16:00:00Z","notes":"Bread"}`, `{"title":"Lunch","starts_at":"2026-06-05T16:00:00Z"}`},
	{"openCalendarFeed", "org", "/calendar/feed", ``, `{}`},
	{"createPushSubscription", "org", "/me/push-subscriptions", pushBody("org"), pushBody("other")},
}

func pushBody(path string) string {
	return `{"endpoint":"https://push.example.com/` + path +
		`","keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}`
}

// TestCreationsTakeIdempotencyKeys compares keyedOperations with the contract.
func TestCreationsTakeIdempotencyKeys(t *testing.T) {
	document, err := api.Document()
	if err != nil {
		t.Fatal(err)
	}
	tested := []string{"createPaymentIntent", "createPasskey"} // by packages payment and passkey
	for _, o := range keyedOperations {
		tested = append(tested, o.id)
	}
	for _, item := range document.Paths.Map() {
		if item.Post == nil || item.Post.Responses.Value("201") == nil {
			continue
		}
		takesKey := item.Post.Parameters.GetByInAndName("header", "Idempotency-Key") != nil && item.Post.Responses.Value("422") != nil
		if id := item.Post.OperationID; !takesKey || !slices.Contains(tested, id) {
			t.Errorf("%s takes a key: %t, tested: %t", id, takesKey, slices.Contains(tested, id))
		}
	}
}

// newKeyedWorld makes the events of keyedOperations. It replaces the placeholders.
func newKeyedWorld(a *apptest.App) *strings.Replacer {
	org, ann := a.As("org"), a.As("ann")
	past := org.Publish(apptest.Fields{"starts_at": a.Clock.Now().Add(time.Hour), "ends_at": a.Clock.Now().Add(2 * time.Hour)})
	ann.Join(past)
	a.Clock.Advance(3 * time.Hour)
	event, full := org.Publish(nil), org.Publish(apptest.Fields{"capacity": 1, "waitlist": "offer"})
	org.Join(full)
	// The first one makes the key of addresses, in a transaction of its own.
	org.Post("/events/"+event+"/email-invitations", apptest.Fields{"emails": []string{"first@example.com"}}).Want(201)
	series := org.Post("/event-series", apptest.Fields{"rrule": "FREQ=DAILY;COUNT=3", "starts_at": "2026-06-20T19:00:00",
		"timezone": "Europe/Berlin", "template": apptest.Fields{"title": "Tea"}}).Want(201).Text("id")
	group := org.Post("/groups", apptest.Fields{"name": "Tea"}).Want(201).Text("id")
	return strings.NewReplacer("{group}", group, "{series}", series, "{past}", past, "{event}", event, "{full}", full,
		"{private}", org.Publish(apptest.Fields{"visibility": "private"}),
		"{post}", org.Post("/events/"+event+"/posts", apptest.Fields{"body": "Welcome"}).Want(201).Text("id"))
}

func (o keyed) send(a *apptest.App, instance int, key, body string, names *strings.Replacer) *apptest.Reply {
	return a.As(o.who).On(instance).With("Idempotency-Key", key).Post(names.Replace(o.path), names.Replace(body))
}

var keyedSettings = []apptest.Option{apptest.StartAt(apptest.Today), apptest.Setting("ACCESS_TOKEN_TTL", "24h")}

var countKeysStmt = db.SQL("app_test.count_keys", `SELECT COUNT(*) FROM idempotency_keys`)

func TestRepeatedKeyReturnsFirstResult(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		names := newKeyedWorld(a)
		for _, o := range keyedOperations {
			first := o.send(a, 0, o.id, o.body, names).Want(http.StatusCreated)
			a.Clock.Advance(time.Minute)
			again := o.send(a, 1, o.id, o.body, names).Want(http.StatusCreated)
			if !bytes.Equal(first.Body, again.Body) || first.Header.Get("ETag") != again.Header.Get("ETag") {
				t.Errorf("%s: the first result is\n%s, then it is\n%s", o.id, first.Body, again.Body)
			}
			o.send(a, 2, o.id, o.otherBody, names).WantError(http.StatusUnprocessableEntity, "idempotency_key_reused")
			o.send(a, 0, strings.Repeat("k", 256), o.body, names).Want(http.StatusBadRequest)
		}
		other := keyed{who: "org", path: "/events/{private}/posts"}
		other.send(a, 0, "createEventPost", `{"body":"News"}`, names).WantError(http.StatusUnprocessableEntity, "idempotency_key_reused")
		a.As("ann").With("Idempotency-Key", "createEvent").Post("/events",
			apptest.Fields{"title": "Mine", "starts_at": "2026-06-05T16:00:00Z"}).Want(http.StatusCreated)

		message := keyedOperations[slices.IndexFunc(keyedOperations, func(o keyed) bool { return o.id == "sendChatMessage" })]
		before := message.send(a, 0, message.id, message.body, names).Want(http.StatusCreated)
		a.Clock.Advance(24 * time.Hour)
		org := a.SignIn(apptest.Email("org")).With("Idempotency-Key", message.id)
		if after := org.Post(names.Replace(message.path), message.body).Want(http.StatusCreated); after.Text("id") == before.Text("id") {
			t.Error("a key is valid for more than a day")
		}
		a.RunJobs()
		if n := a.Count(countKeysStmt); n != 1 {
			t.Errorf("%d keys are left, want 1", n)
		}
	}, keyedSettings...)
}

func TestConcurrentRepeatsCreateOnce(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		names := newKeyedWorld(a)
		for _, o := range keyedOperations {
			replies := apptest.Replies(6, func(i int) *apptest.Reply { return o.send(a, i, o.id, o.body, names) })
			for _, r := range replies {
				if r.Want(http.StatusCreated); !bytes.Equal(r.Body, replies[0].Body) {
					t.Errorf("%s: concurrent repeats return\n%s and\n%s", o.id, r.Body, replies[0].Body)
				}
			}
		}
		if got := a.As("org").Get(names.Replace("/events/{event}/messages")).Want(200).Len("items"); got != 1 {
			t.Errorf("there are %d messages, want 1", got)
		}
		if got := a.As("org").Get("/calendar/entries?include_canceled=true").Want(200); strings.Count(string(got.Body), "Dinner") != 1 {
			t.Errorf("the calendar is %s", got.Body)
		}
	}, keyedSettings...)
}

func TestRejectedRequestUsesUpNoKey(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org").With("Idempotency-Key", "key")
		event := a.As("org").Draft(nil)
		body := apptest.Fields{"body": "News"}
		org.Post("/events/"+event+"/posts", body).WantError(http.StatusForbidden, "forbidden")
		a.As("org").Post("/events/"+event+"/publish", nil).Want(200)
		org.Post("/events/"+event+"/posts", body).Want(http.StatusCreated)
	}, apptest.StartAt(apptest.Today))
}
