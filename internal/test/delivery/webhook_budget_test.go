package delivery_test

import (
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// replayAll requests all messages again.
func replayAll(c *apptest.Client, path string) *apptest.Reply {
	return c.Post(path+"/replay", apptest.Fields{"from": "2000-01-01T00:00:00Z", "to": "2099-01-01T00:00:00Z"})
}

var (
	attemptsStmt = db.SQL("webhook_test.attempts", `SELECT COUNT(*) FROM webhook_attempts`)
	fillLogStmt  = db.SQL("webhook_test.fill_log", `
		INSERT INTO webhook_attempts (id, webhook_id, message_id, kind, attempt, at, duration_ms, excerpt)
		SELECT i.value, $2, i.value, 'test', 1, 0, 0, '' FROM ids($1) AS i`)
)

// instances is 1 on SQLite, where the limits are in the memory of the only process.
func instances(engine db.Engine) int {
	if engine == db.PostgreSQL {
		return 2
	}
	return 1
}

// TestOneReplayAtATime refuses a replay until the previous one has been sent.
func TestOneReplayAtATime(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, r *receiver) {
		org := a.As("org")
		one, other := "/me/webhooks/"+hook(org, "/one", nil).Text("id"), "/me/webhooks/"+hook(org, "/other", nil).Text("id")
		for range 3 {
			org.Post(one+"/test", nil).Want(202)
			org.Post(other+"/test", nil).Want(202)
		}
		a.RunJobs()
		release := make(chan any)
		r.mu.Lock()
		r.paths["/one"], r.paths["/other"] = release, release
		r.mu.Unlock()
		begun := len(r.messages("/one"))
		queued := make([]*apptest.Reply, 8)
		apptest.Concurrently(len(queued), func(i int) { queued[i] = replayAll(org.On(i), []string{one, other}[i%2]) })
		var began int
		for _, reply := range queued {
			if reply.Status == 202 {
				began++
			} else {
				reply.WantError(403, "forbidden")
			}
		}
		if began != 1 {
			t.Errorf("%d replays began together", began)
		}
		close(release)
		a.RunJobs()
		replayAll(org, one).Want(202)
		a.RunJobs()
		if n := len(r.messages("/one")) - begun; n > 6 {
			t.Errorf("%d messages by at most 2 replays of 3", n)
		}
	}, apptest.Instances(2))
}

// TestReplaysHaveDailyBudget counts the messages of all replays, by all instances.
func TestReplaysHaveDailyBudget(t *testing.T) {
	for _, engine := range dbtest.RuleEngines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			r := newReceiver(t)
			a := apptest.New(t, engine, apptest.Instances(instances(engine)), apptest.StartAt(apptest.Today), apptest.Outbound(r.Outbound()),
				apptest.Setting("RATE_LIMITS", "webhook_replays_per_user_day=10/24h"))
			org := a.As("org")
			path := "/me/webhooks/" + hook(org, "/in", nil).Text("id")
			for range 4 {
				org.Post(path+"/test", nil).Want(202)
			}
			a.RunJobs()
			for i := range 2 {
				if n := replayAll(org.On(i), path).Want(202).Get("queued"); n != 4.0 {
					t.Errorf("replayed %v", n)
				}
				a.Clock.Advance(time.Second) // for the pace
				a.RunJobs()
			}
			refused := replayAll(org.On(1), path)
			if refused.WantError(429, "rate_limited"); refused.Header.Get("Retry-After") != "17278" {
				t.Errorf("Retry-After %s", refused.Header.Get("Retry-After"))
			}
			one := apptest.Fields{"message_id": r.messages("/in")[0].Header.Get("Webhook-Id")}
			for range 2 { // what was refused does not count
				org.Post(path+"/replay", one).Want(202)
				a.Clock.Advance(time.Second)
				a.RunJobs()
			}
			org.Post(path+"/replay", one).WantError(429, "rate_limited")
			if n := len(r.messages("/in")); n != 4+10 {
				t.Errorf("%d messages", n)
			}
		})
	}
}

// TestMessagesHaveBudgets sends as many messages as the limits allow, whichever instance sends them.
func TestMessagesHaveBudgets(t *testing.T) {
	for _, c := range []struct {
		name, limit string // one more message each second
		now, later  int    // messages to two users at once, and a second later
	}{
		{"host", "webhook_messages_per_host=6/6s", 6, 1},
		{"user", "webhook_messages_per_user=4/4s", 8, 2},
		{"day", "webhook_messages_per_user_day=3/3s", 6, 2},
	} {
		eachEngine(t, dbtest.RuleEngines, func(t *testing.T, engine db.Engine) {
			r := newReceiver(t)
			a := apptest.New(t, engine, apptest.Instances(instances(engine)), apptest.StartAt(apptest.Today), apptest.Outbound(r.Outbound()),
				apptest.Setting("RATE_LIMITS", c.limit))
			send := func() {
				for i := range 2 {
					a.RunJobsOf(i % instances(engine))
				}
			}
			orgs := []*apptest.Client{a.As("ann"), a.As("bob")}
			paths := make([]string, len(orgs))
			for i, org := range orgs {
				paths[i] = "/me/webhooks/" + hook(org, "/in", nil).Text("id")
				a.RunJobs() // the challenge
			}
			a.Clock.Advance(time.Minute) // the whole quota is available again
			for range 10 {
				for i, org := range orgs {
					org.Post(paths[i]+"/test", nil).Want(202)
				}
			}
			send()
			if n := len(r.messages("/in")); n != c.now {
				t.Errorf("%s: %d messages at once, want %d", c.name, n, c.now)
			}
			a.Clock.Advance(time.Second)
			send()
			if n := len(r.messages("/in")) - c.now; n != c.later {
				t.Errorf("%s: %d messages a second later, want %d", c.name, n, c.later)
			}
		})
	}
}

// TestLogOfAttemptsIsBounded keeps the newest attempts of all webhooks of a user.
func TestLogOfAttemptsIsBounded(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, _ *receiver) {
		const kept = 1000
		org, bob := a.As("org"), a.As("bob")
		one, other, theirs := hook(org, "/one", nil).Text("id"), hook(org, "/other", nil).Text("id"), hook(bob, "/bob", nil).Text("id")
		a.RunJobs()
		fill := func(webhook string, n int) {
			ids := make([]domain.WebhookAttemptID, n)
			for i := range ids {
				ids[i] = domain.NewID[domain.WebhookAttemptKind](a.Clock.Now().Add(-time.Hour))
			}
			id, err := domain.ParseID[domain.WebhookKind](webhook)
			if err != nil {
				t.Fatal(err)
			}
			a.Exec(fillLogStmt, ids, id)
		}
		fill(one, kept)
		fill(other, kept/2)
		fill(theirs, kept/2)
		a.Clock.Advance(time.Second)
		org.Post("/me/webhooks/"+other+"/test", nil).Want(202)
		a.RunJobs()
		theirsKept := kept/2 + 1 // and the challenge
		if n := a.Count(attemptsStmt); n != kept+theirsKept {
			t.Errorf("%d attempts, want %d", n, kept+theirsKept)
		}
		if newest := org.Get("/me/webhooks/" + other + "/deliveries").Text("items.0.kind"); newest != "test" {
			t.Errorf("the newest attempt is %s", newest)
		}
	})
}
