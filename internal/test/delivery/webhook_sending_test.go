package delivery_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// TestMessagesAreRetried checks the pauses, the webhook-id, and the ends of a webhook.
func TestMessagesAreRetried(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, r *receiver) {
		org := a.As("org")
		made := hook(org, "/in", nil)
		path := "/me/webhooks/" + made.Text("id")
		r.respond(http.StatusInternalServerError)
		org.Post(path+"/test", nil).Want(202)
		a.RunJobs()
		pauses := []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour,
			14 * time.Hour, 20 * time.Hour, 24 * time.Hour}
		for i, pause := range pauses {
			a.Clock.Advance(pause - time.Microsecond)
			a.RunJobs()
			if n := len(r.messages("/in")); n != i+1 {
				t.Errorf("%d attempts before pause %d ended", n, i)
			}
			a.Clock.Advance(time.Microsecond)
			a.RunJobs()
		}
		got := r.messages("/in")
		if len(got) != 10 {
			t.Errorf("%d attempts", len(got))
		}
		for _, m := range got {
			if m.Header.Get("Webhook-Id") != got[0].Header.Get("Webhook-Id") || string(m.Body) != string(got[0].Body) {
				t.Error("attempts differ")
			}
		}
		a.Clock.Advance(100 * time.Hour)
		a.RunJobs()
		org = a.SignIn(apptest.Email("org"))
		if n := len(r.messages("/in")); n != 10 {
			t.Errorf("%d attempts after the last", n)
		}
		log := org.Get(path + "/deliveries?status=failed&limit=3").Want(200)
		if log.Len("items") != 3 || log.Text("items.0.error") != "status 500" || log.Get("items.0.attempt") != 10.0 ||
			log.Text("next_cursor") == "" {
			t.Errorf("%s", log.Body)
		}
		if next := org.Get(path + "/deliveries?limit=100&cursor=" + log.Text("next_cursor")).Want(200); next.Len("items") != 8 {
			t.Errorf("%s", next.Body)
		}
		if status := org.Get(path).Text("status"); status != "active" {
			t.Errorf("after %v: %s", 76*time.Hour, status)
		}
		org.Post(path+"/test", nil).Want(202)
		a.RunJobs() // more than 5 days after the first failure
		if status := org.Get(path).Text("status"); status != "disabled" {
			t.Errorf("after five days: %s", status)
		}
		if list := org.Get("/notifications").Want(200); list.Text("items.0.kind") != "webhook_disabled" {
			t.Errorf("%s", list.Body)
		}
		org.Publish(nil)
		r.respond(0)
		a.Clock.Advance(time.Hour)
		a.RunJobs()
		org = a.SignIn(apptest.Email("org"))
		if n := len(r.messages("/in")); n != 11 {
			t.Errorf("%d attempts after it was disabled", n)
		}
		org.Patch(path, apptest.Fields{"status": "active"}).Want(200)
		again := org.Post(path+"/replay", apptest.Fields{"message_id": got[0].Header.Get("Webhook-Id")}).Want(202)
		a.RunJobs()
		if last := r.messages("/in"); again.Get("queued") != 1.0 || len(last) != 12 ||
			last[11].Header.Get("Webhook-Id") != got[0].Header.Get("Webhook-Id") {
			t.Errorf("replayed %s: %d", again.Body, len(last))
		}
		if log := org.Get(path + "/deliveries?status=succeeded").Want(200); log.Len("items") != 2 || log.Get("items.0.status_code") != 204.0 {
			t.Errorf("%s", log.Body)
		}
		r.respond(http.StatusGone)
		if n := org.Post(path+"/replay", apptest.Fields{"from": "2000-01-01T00:00:00Z",
			"to": "2099-01-01T00:00:00Z"}).Want(202).Get("queued"); n != 2.0 {
			t.Errorf("replayed %v", n)
		}
		a.RunJobs()
		if status := org.Get(path).Text("status"); status != "disabled" {
			t.Errorf("after 410: %s", status)
		}
		if metrics := a.Metrics(); !strings.Contains(metrics, `moothall_webhook_attempts_total{result="failed"}`) ||
			!strings.Contains(metrics, "moothall_webhook_oldest_due_seconds 0") {
			t.Error("metrics are missing")
		}
	})
}

// TestOldSecretSignsForADay rotates a secret.
func TestOldSecretSignsForADay(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, r *receiver) {
		org := a.As("org")
		made := hook(org, "/in", nil)
		path := "/me/webhooks/" + made.Text("id")
		next := org.Post(path+"/rotate-secret", nil).Want(200).Text("secret")
		send := func() received {
			org.Post(path+"/test", nil).Want(202)
			a.RunJobs()
			all := r.messages("/in")
			return all[len(all)-1]
		}
		m := send()
		wantSigned(t, m, made.Text("secret"), true)
		wantSigned(t, m, next, true)
		a.Clock.Advance(24 * time.Hour)
		org = a.SignIn("org@example.org")
		m = send()
		wantSigned(t, m, made.Text("secret"), false)
		wantSigned(t, m, next, true)
	})
}

// TestSuspendedUserGetsNothing holds messages back while an account is suspended.
func TestSuspendedUserGetsNothing(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, r *receiver) {
		org := a.As("org")
		hook(org, "/in", nil)
		a.Exec(webhookSuspendStmt, org.ID(), a.Clock.Now())
		a.Exec(restoreStmt, org.ID())
		event := org.Publish(nil)
		a.RunJobs()
		before := len(r.messages("/in"))
		a.As("ann").Join(event)
		a.RunJobs()
		if n := len(r.messages("/in")) - before; n != 1 {
			t.Errorf("%d messages", n)
		}
		a.Exec(webhookSuspendStmt, org.ID(), a.Clock.Now())
		a.As("bob").Join(event)
		if err := a.SendWebhooks(); err != nil {
			t.Error(err)
		}
		if n := len(r.messages("/in")) - before; n != 1 {
			t.Errorf("%d messages to a suspended user", n-1)
		}
		a.Clock.Advance(time.Minute)
		if metrics := a.Metrics(); !strings.Contains(metrics, "moothall_webhook_oldest_due_seconds 0\n") {
			t.Error("the message of a suspended user counts as due")
		}
	})
}

// TestNothingIsWrittenWithoutWebhook checks that changes of users without an active webhook
// write no message.
func TestNothingIsWrittenWithoutWebhook(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, _ *receiver) {
		org := a.As("org")
		paused := hook(org, "/in", nil)
		org.Patch("/me/webhooks/"+paused.Text("id"), apptest.Fields{"status": "paused"}).Want(200)
		hook(a.As("ann"), "/ann", nil)
		a.As("ann").Join(org.Publish(nil))
		if n := a.Count(messagesStmt); n != 0 {
			t.Errorf("%d messages", n)
		}
	})
}

// TestMessageOfDeadProcessIsRepeated sends a message again with the same id if the process
// ended before it recorded the response.
func TestMessageOfDeadProcessIsRepeated(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, r *receiver) {
		org := a.As("org")
		path := "/me/webhooks/" + hook(org, "/in", nil).Text("id")
		org.Post(path+"/test", nil).Want(202)
		a.RunJobs()
		a.Exec(webhookDiedStmt, a.Clock.Now())
		a.RunJobs()
		got := r.messages("/in")
		if len(got) != 2 || got[0].Header.Get("Webhook-Id") != got[1].Header.Get("Webhook-Id") {
			t.Errorf("%d messages", len(got))
		}
	})
}

// TestInstancesShareMessages sends each message once from two instances.
func TestInstancesShareMessages(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, r *receiver) {
		const guests = 40
		org := a.As("org")
		hook(org, "/in", nil)
		event := org.Publish(nil)
		a.RunJobs()
		apptest.Concurrently(guests, func(i int) { a.As(fmt.Sprint("guest", i)).On(i).Join(event) })
		a.RunJobs()
		seen := map[any]bool{}
		for _, m := range r.messages("/in") {
			if m.Type == "attendance.joined" {
				if seen[m.Data["sequence"]] {
					t.Errorf("sequence %v twice", m.Data["sequence"])
				}
				seen[m.Data["sequence"]] = true
			}
		}
		if len(seen) != guests {
			t.Errorf("%d messages of %d joins", len(seen), guests)
		}
	}, apptest.Instances(2))
}

// TestSlowServerHoldsUpOnlyItself leaves requests to one server without a response.
func TestSlowServerHoldsUpOnlyItself(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, r *receiver) {
		release := make(chan any)
		r.paths["/slow"] = release
		defer close(release)
		slow, fast := a.As("slow"), a.As("fast")
		slowPath := "/me/webhooks/" + hook(slow, "/slow", nil).Text("id")
		fastPath := "/me/webhooks/" + hook(fast, "/fast", nil).Text("id")
		for range 20 {
			slow.Post(slowPath+"/test", nil).Want(202)
		}
		testutil.Until(t, "a message is received", func() bool { return len(r.messages("/slow")) > 0 })
		fast.Post(fastPath+"/test", nil).Want(202)
		testutil.Until(t, "a message is received", func() bool { return len(r.messages("/fast")) == 1 })
		if n := len(r.messages("/slow")); n > 8 {
			t.Errorf("%d requests to one server at the same time", n)
		}
	})
}

// TestUserHasShareOfSendPermits leaves all webhooks of a user without a response.
func TestUserHasShareOfSendPermits(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, r *receiver) {
		const webhooks, share = 20, 8
		slow, fast := a.As("slow"), a.As("fast")
		fastPath := "/me/webhooks/" + hook(fast, "/fast", nil).Text("id")
		for i := range webhooks {
			hook(slow, fmt.Sprint("/slow/", i), apptest.Fields{"kinds": []string{"event.created"}})
		}
		a.RunJobs() // the challenges
		release := make(chan any)
		defer close(release)
		served := func() (n int) {
			for i := range webhooks {
				n += min(1, len(r.messages(fmt.Sprint("/slow/", i))))
			}
			return n
		}
		r.mu.Lock()
		for i := range webhooks {
			r.paths[fmt.Sprint("/slow/", i)] = release
		}
		r.mu.Unlock()
		slow.Post("/events", apptest.Fields{"title": "Chess", "starts_at": a.Clock.Now().Add(time.Hour)}).Want(201)
		testutil.Until(t, "the share is used up", func() bool { return served() == share })
		fast.Post(fastPath+"/test", nil).Want(202)
		testutil.Until(t, "a message of another user is received", func() bool { return len(r.messages("/fast")) == 1 })
		if n := served(); n != share {
			t.Errorf("%d webhooks of one user were served at the same time, want %d", n, share)
		}
	})
}

// TestNewURLGetsNextMessages changes the URL of a webhook while a worker sends to the old one.
func TestNewURLGetsNextMessages(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, r *receiver) {
		const messages, atOnce = 12, 8
		release := make(chan any)
		r.paths["/old"] = release
		org := a.As("org")
		path := "/me/webhooks/" + hook(org, "/old", nil).Text("id")
		for range messages {
			org.Post(path+"/test", nil).Want(202)
		}
		testutil.Until(t, "a message is received", func() bool { return len(r.messages("/old")) > 0 })
		org.Patch(path, apptest.Fields{"url": "https://example.com/new"}).Want(200)
		close(release)
		a.RunJobs()
		ids := map[string]bool{}
		for _, m := range append(r.messages("/old"), r.messages("/new")...) {
			ids[m.Header.Get("Webhook-Id")] = true
		}
		if n := len(r.messages("/old")); n > atOnce || len(ids) != messages {
			t.Errorf("%d of %d messages were received, %d by the old URL", len(ids), messages, n)
		}
	})
}
