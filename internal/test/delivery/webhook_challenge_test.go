package delivery_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/outboundtest"
)

// newStranger returns a server that does not know about challenges: it accepts and echoes everything.
func newStranger(t *testing.T) (*receiver, apptest.Option) {
	t.Helper()
	r := &receiver{paths: map[string]chan any{}}
	r.Network = outboundtest.New(t, r.serve)
	r.answer = func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(r.last().Body)
	}
	return r, apptest.Outbound(r.Outbound())
}

// last returns the latest message at any path.
func (r *receiver) last() received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all[len(r.all)-1]
}

// answerWith sets the response to all requests from now on.
func (r *receiver) answerWith(answer http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

func eachEngine(t *testing.T, engines []db.Engine, test func(t *testing.T, engine db.Engine)) {
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			test(t, engine)
		})
	}
}

// TestServerMustAnswerChallenge sends a server nothing but the challenge until it has answered.
func TestServerMustAnswerChallenge(t *testing.T) {
	eachEngine(t, dbtest.Engines, func(t *testing.T, engine db.Engine) {
		r, network := newStranger(t)
		a := apptest.New(t, engine, network, apptest.StartAt(apptest.Today))
		org := a.As("org")
		made := hook(org, "/in", nil)
		path := "/me/webhooks/" + made.Text("id")
		wantStatus := func(want string) {
			t.Helper()
			if got := org.Get(path).Want(200).Text("status"); got != want {
				t.Errorf("status %s, want %s", got, want)
			}
		}
		test := org.Post(path+"/test", nil).Want(202).Text("message_id")
		org.Publish(nil)
		a.RunJobs()
		wantStatus("pending")
		for _, m := range r.messages("/in") {
			if wantSigned(t, m, made.Text("secret"), true); m.Type != "challenge" || m.Data["challenge"] == "" {
				t.Errorf("%s %s", m.Type, m.Body)
			}
		}
		if log := org.Get(path + "/deliveries").Want(200); log.Text("items.0.kind") != "challenge" ||
			log.Text("items.0.error") != "the response does not contain the challenge" {
			t.Errorf("%s", log.Body)
		}

		r.answerWith(nil)
		r.respond(http.StatusNoContent)
		org.Patch(path, apptest.Fields{"status": "active"}).Want(200) // sends the challenge again
		a.RunJobs()
		wantStatus("pending")
		first := len(r.messages("/in"))
		r.answerWith(apptest.AnswersChallenges(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
		a.Clock.Advance(5 * time.Second)
		a.RunJobs()
		wantStatus("active")
		waited := r.messages("/in")[first:]
		if len(waited) != 4 || waited[0].Type != "challenge" ||
			!strings.Contains(string(waited[1].Body)+string(waited[2].Body)+string(waited[3].Body), `"type":"test"`) {
			t.Errorf("%d messages after the answer, want the challenge and 3 that have waited", len(waited))
		}
		if ids := waited[1].Header.Get("Webhook-Id") + waited[2].Header.Get("Webhook-Id") +
			waited[3].Header.Get("Webhook-Id"); !strings.Contains(ids, test) {
			t.Error("the test message is missing")
		}

		r.answerWith(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
		if moved := org.Patch(path, apptest.Fields{"url": "https://example.com/other"}).Want(200); moved.Text("status") != "pending" {
			t.Errorf("%s", moved.Body)
		}
		org.Publish(nil)
		a.RunJobs()
		if got := r.messages("/other"); len(got) != 1 || got[0].Type != "challenge" || got[0].Data["challenge"] == waited[0].Data["challenge"] {
			t.Errorf("a new URL got %d messages: %v", len(got), got)
		}
	})
}

// TestUnansweredChallengeDisables ends a webhook whose server never answers the challenge.
func TestUnansweredChallengeDisables(t *testing.T) {
	eachEngine(t, dbtest.RuleEngines, func(t *testing.T, engine db.Engine) {
		r, network := newStranger(t)
		a := apptest.New(t, engine, network, apptest.StartAt(apptest.Today))
		org := a.As("org")
		path := "/me/webhooks/" + hook(org, "/in", nil).Text("id")
		org.Publish(nil)
		a.RunJobs()
		for _, pause := range []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour,
			14 * time.Hour, 20 * time.Hour, 24 * time.Hour} {
			a.Clock.Advance(pause)
			a.RunJobs()
		}
		org = a.SignIn(apptest.Email("org"))
		if n, status := len(r.messages("/in")), org.Get(path).Text("status"); n != 10 || status != "disabled" {
			t.Errorf("%d challenges, then %s", n, status)
		}
		if list := org.Get("/notifications").Want(200); list.Text("items.0.kind") != "webhook_disabled" {
			t.Errorf("%s", list.Body)
		}
		if status := org.Patch(path, apptest.Fields{"status": "active"}).Want(200).Text("status"); status != "pending" {
			t.Errorf("activated: %s", status)
		}
		a.RunJobs()
		if n := len(r.messages("/in")); n != 11 {
			t.Errorf("%d challenges after it was activated", n-10)
		}
	})
}

// TestChallengesAreLimited creates and deletes webhooks of a server that never answers.
func TestChallengesAreLimited(t *testing.T) {
	eachEngine(t, dbtest.RuleEngines, func(t *testing.T, engine db.Engine) {
		r, network := newStranger(t)
		a := apptest.New(t, engine, network, apptest.StartAt(apptest.Today),
			apptest.Setting("RATE_LIMITS", "webhook_challenges_per_user_day=5/24h"))
		org := a.As("org")
		for i := range 4 {
			path := "/me/webhooks/" + hook(org, "/in", nil).Text("id")
			a.RunJobs()
			if i == 3 {
				org.Patch(path, apptest.Fields{"url": "https://example.com/in?2"}).Want(200)
				org.Patch(path, apptest.Fields{"url": "https://example.com/in?3"}).WantError(429, "rate_limited")
				org.Patch(path, apptest.Fields{"status": "active"}).WantError(429, "rate_limited")
				org.Patch(path, apptest.Fields{"kinds": []string{"event.canceled"}}).Want(200)
				a.RunJobs()
			}
			org.Delete(path).Want(204)
		}
		org.Post("/me/webhooks", apptest.Fields{"url": "https://example.com/in", "kinds": all}).WantError(429, "rate_limited")
		if n := len(r.messages("/in")); n != 5 {
			t.Errorf("%d challenges", n)
		}
	})
}

// TestChallengeIsUnpredictable checks that a user who knows the challenge of one URL does not know
// that of another.
func TestChallengeIsUnpredictable(t *testing.T) {
	r := newReceiver(t)
	var seen []string
	r.Network = outboundtest.New(t, func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		var m struct {
			Data struct{ Challenge string }
		}
		_ = json.Unmarshal(body, &m)
		r.mu.Lock()
		defer r.mu.Unlock()
		seen = append(seen, m.Data.Challenge)
		_, _ = w.Write([]byte(`{"challenge":"` + seen[0] + `"}`)) // always the first
	})
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today), apptest.Outbound(r.Outbound()))
	org := a.As("org")
	path := "/me/webhooks/" + hook(org, "/mine", nil).Text("id")
	a.RunJobs()
	if status := org.Get(path).Text("status"); status != "active" {
		t.Errorf("status %s", status)
	}
	org.Patch(path, apptest.Fields{"url": "https://example.com/victim"}).Want(200)
	a.RunJobs()
	if status := org.Get(path).Text("status"); status != "pending" {
		t.Errorf("with the challenge of another URL: %s", status)
	}
}
