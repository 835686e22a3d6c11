package browser

import (
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"

	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/outboundtest"
)

// TestWebhooks creates a webhook, tests it, looks for the attempt, and ends it.
func TestWebhooks(t *testing.T) {
	for _, engine := range dbtest.RuleEngines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			var answering atomic.Bool // the challenges
			serve := func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/fail" {
					w.WriteHeader(http.StatusTeapot)
				}
				_, _ = w.Write([]byte("<b>thanks</b>"))
			}
			receiver := outboundtest.New(t, func(w http.ResponseWriter, r *http.Request) {
				if answering.Load() {
					apptest.AnswersChallenges(serve)(w, r)
				} else {
					serve(w, r)
				}
			})
			a := apptest.New(t, engine, append([]apptest.Option{apptest.Outbound(receiver.Outbound())}, settings...)...)
			event := a.As("org").Publish(apptest.Fields{"title": "Chess <1>"})
			org, list := signedIn(t, a, "org"), "/settings/webhooks"
			org.open(list).want(t, http.StatusOK, `<option value="`+event+`">Chess &lt;1&gt;`)
			org.submit("createWebhook", list, url.Values{"url": {"http://example.com"}, "kind": {"attendance.joined"}}).
				want(t, http.StatusUnprocessableEntity, `value="http://example.com"`, "Enter an address that begins with https://",
					`value="attendance.joined" checked`)
			org.submit("createWebhook", list, url.Values{"url": {"https://example.com/x"}}).want(t, http.StatusUnprocessableEntity,
				"Choose at least one.")

			fields := url.Values{"url": {"https://example.com/ok"}, "kind": {"attendance.joined", "event.canceled"}, "event_id": {event},
				"key": {"once"}}
			made := org.submit("createWebhook", list, fields)
			made.want(t, http.StatusOK, "Copy it now", `value="whsec_`, "https://example.com/ok", "Waiting for the answer to the challenge")
			hook := a.As("org").Get("/me/webhooks").Want(http.StatusOK)
			id := url.Values{"webhook_id": {hook.Text("items.0.id")}}
			if hook.Text("items.0.event_id") != event || len(hook.Get("items").([]any)) != 1 {
				t.Errorf("%s", hook.Body)
			}
			page := list + "/" + id.Get("webhook_id")
			org.open(list).want(t, http.StatusOK, page, "not", "whsec_")
			org.open(page).want(t, http.StatusOK, "It must answer with the status 200", "Send the challenge again", "not", "Send a test")
			a.RunJobs()
			answering.Store(true)
			org.submit("updateWebhook", page, url.Values{"webhook_id": id["webhook_id"], "status": {"active"}}).redirects(t, page)
			a.RunJobs()
			org.open(page).want(t, http.StatusOK, "Active", "Send a test", ">challenge<", "not", `name="message_id"`)
			org.open(page).want(t, http.StatusOK, `value="event.canceled" checked`, "not", "whsec_", `value="post.created" checked`)
			signedIn(t, a, "ben").open(page).want(t, http.StatusNotFound)

			org.submit("testWebhook", page, id).want(t, http.StatusOK, "A test message is sent soon.")
			a.RunJobs()
			log := org.open(page)
			log.want(t, http.StatusOK, `good">200<`, "Monday, 1 June, 12:00", "attempt 1", "&lt;b&gt;thanks&lt;/b&gt;")
			org.open(page+"?status=failed").want(t, http.StatusOK, ">challenge<", "not", ">test<")
			again := url.Values{"webhook_id": id["webhook_id"], "message_id": {valueOf(t, log, "message_id")}}
			org.submit("replayWebhook", page, again).want(t, http.StatusOK, "1 message is sent again soon.")
			period := url.Values{"webhook_id": id["webhook_id"], "from": {"2026-05-31T00:00"}, "to": {"2026-06-02T00:00"}}
			a.RunJobs()
			org.submit("replayWebhook", page, period).want(t, http.StatusOK, "sent again soon.")
			period.Set("to", "soon")
			org.submit("replayWebhook", page, period).want(t, http.StatusUnprocessableEntity, `value="2026-05-31T00:00"`)

			rotated := org.submit("rotateWebhookSecret", page, id)
			rotated.want(t, http.StatusOK, "The new secret")
			if secretInPage.FindStringSubmatch(rotated.Body)[1] == secretInPage.FindStringSubmatch(made.Body)[1] {
				t.Error("the secret did not change")
			}
			change := url.Values{"webhook_id": id["webhook_id"], "url": {"https://example.com/fail"}, "kind": {"post.created"},
				"include_incognito": {"yes"}}
			org.submit("updateWebhook", page, change).redirects(t, page)
			org.open(page).want(t, http.StatusOK, `value="post.created" checked`, `name="include_incognito" value="yes" checked`, "not",
				`value="event.canceled" checked`)
			a.RunJobs() // the challenge of the new address
			org.submit("testWebhook", page, id)
			a.RunJobs()
			org.open(page+"?status=failed").want(t, http.StatusOK, `accent">418<`, "Failing since Monday, 1 June, 12:00")
			org.submit("updateWebhook", page, url.Values{"webhook_id": id["webhook_id"], "status": {"paused"}}).redirects(t, page)
			org.open(page).want(t, http.StatusOK, "Paused", "Activate", "not", "Send a test")
			org.submit("updateWebhook", page, url.Values{"webhook_id": id["webhook_id"], "status": {"active"}}).redirects(t, page)
			org.open(page).want(t, http.StatusOK, "Send a test")
			org.submit("deleteWebhook", page, id).redirects(t, list)
			org.open(page).want(t, http.StatusNotFound)
		})
	}
}
