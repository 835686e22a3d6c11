package meetup_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

func TestWebhookChangesIntents(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := seller(a, "org")
		event := onSale(org, nil)
		for i, c := range []struct {
			first, second string        // notices
			wait          time.Duration // before the second
			result        string        // of the second
			status        string
		}{
			{"", "payment.succeeded", 0, "processed", "succeeded"},
			{"", "payment.canceled", 0, "processed", "canceled"},
			{"", "payment.expired", 0, "processed", "expired"},
			{"", "payment.refunded", 0, "ignored", "pending"},
			{"", "payment.succeeded", 30 * time.Minute, "ignored", "expired"},
			{"", "payment.expired", 30 * time.Minute, "ignored", "expired"},
			{"payment.succeeded", "payment.canceled", 0, "ignored", "succeeded"},
			{"payment.succeeded", "payment.expired", time.Hour, "ignored", "succeeded"},
			{"payment.succeeded", "payment.succeeded", 0, "ignored", "succeeded"},
			{"payment.canceled", "payment.succeeded", 0, "ignored", "canceled"},
			{"payment.canceled", "payment.expired", 0, "ignored", "canceled"},
			{"payment.expired", "payment.succeeded", 0, "ignored", "expired"},
			{"payment.expired", "payment.canceled", 0, "ignored", "expired"},
		} {
			t.Run(fmt.Sprintf("%s %s %v", c.first, c.second, c.wait), func(t *testing.T) {
				payer := a.As(fmt.Sprintf("payer%d", i)).In(t)
				intent := begin(payer, event).Want(201)
				about := intent.Text("provider_payment_id")
				if c.first != "" {
					if first := notify(t, a, c.first, about); first.Text("result") != "processed" {
						t.Errorf("%s: %s", c.first, first.Body)
					}
				}
				a.Clock.Advance(c.wait)
				second := notify(t, a, c.second, about)
				known := c.second != "payment.refunded"
				if second.Text("result") != c.result || second.Get("duplicate") != false ||
					(second.Get("payment_intent_id") == intent.Text("id")) != known {
					t.Errorf("%s: %s", c.second, second.Body)
				}
				seen := payer.Get("/payments/intents/" + intent.Text("id")).Want(200)
				if seen.Text("status") != c.status || (seen.Get("checkout_url") != nil) != (c.status == "pending") ||
					(seen.Get("paid_at") != nil) != (c.status == "succeeded") || (seen.Get("canceled_at") != nil) != (c.status == "canceled") {
					t.Errorf("want %s: %s", c.status, seen.Body)
				}
				for kind, status := range map[string]string{"payment_succeeded": "succeeded", "payment_canceled": "canceled"} {
					if n := notified(a, payer, kind); (n == 1) != (c.status == status) {
						t.Errorf("%d notifications %s", n, kind)
					}
				}
			})
		}
		if n := notified(a, org, "payment_canceled"); n != 0 {
			t.Errorf("the organizer was notified of %d cancellations", n)
		}
		refunds := refundsDue(t, a)
		if len(refunds) != 3 {
			t.Errorf("%d refunds are due, want 3", len(refunds))
		}
	}, enabled()...)
}

// TestWebhookSignatures sends requests that fail each check, in the order of the checks.
func TestWebhookSignatures(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := onSale(seller(a, "org"), nil)
		about := begin(a.As("ann"), event).Want(201).Text("provider_payment_id")
		good := func(id string) []byte {
			return fmt.Appendf(nil, `{"id":%q,"type":"payment.other","provider_payment_id":%q}`, id, about)
		}
		now, nobody := a.Clock.Now(), a.Anonymous()
		signed := func(body []byte) *apptest.Client { return as(t, nobody, newSecret, "evt_s", body, now) }
		among := "v1,AAAA v2,BBBB " + signature(t, oldSecret, "evt_4", good("evt_4"), now).Get("Webhook-Signature")
		large := append(good("evt_s"), bytes.Repeat([]byte(" "), 256<<10)...)
		fits := append(good("evt_f"), bytes.Repeat([]byte(" "), 200<<10)...)
		otherID := good("evt_other")
		for _, c := range []struct {
			what   string
			client *apptest.Client
			path   string
			body   []byte
			status int
		}{
			{"the new secret", as(t, nobody, newSecret, "evt_1", good("evt_1"), now), hook, good("evt_1"), 200},
			{"the old secret", as(t, nobody, oldSecret, "evt_2", good("evt_2"), now), hook, good("evt_2"), 200},
			{"a foreign secret", as(t, nobody, otherSecret, "evt_3", good("evt_3"), now), hook, good("evt_3"), 401},
			{"several signatures", as(t, nobody, oldSecret, "evt_4", good("evt_4"), now).With("Webhook-Signature", among), hook, good("evt_4"), 200},
			{"5 minutes old", as(t, nobody, newSecret, "evt_5", good("evt_5"), now.Add(-5*time.Minute)), hook, good("evt_5"), 200},
			{"too old", as(t, nobody, newSecret, "evt_6", good("evt_6"), now.Add(-5*time.Minute-time.Second)), hook, good("evt_6"), 401},
			{"from the future", as(t, nobody, newSecret, "evt_7", good("evt_7"), now.Add(5*time.Minute+time.Second)), hook, good("evt_7"), 401},
			{"200 KiB", as(t, nobody, newSecret, "evt_f", fits, now), hook, fits, 200},
			{"unsigned", nobody, hook, good("evt_s"), 401},
			{"unsigned nonsense", nobody, hook, []byte("{"), 401},
			{"unsigned, another content type", nobody.With("Content-Type", "text/plain"), hook, good("evt_s"), 401},
			{"one byte more", signed(good("evt_s")), hook, append(good("evt_s"), ' '), 401},
			{"another id in the header", signed(good("evt_s")).With("Webhook-Id", "evt_t"), hook, good("evt_s"), 401},
			{"another id in the body", signed(otherID), hook, otherID, 401},
			{"without a timestamp", signed(good("evt_s")).With("Webhook-Timestamp", ""), hook, good("evt_s"), 401},
			{"an invalid timestamp", signed(good("evt_s")).With("Webhook-Timestamp", "noon"), hook, good("evt_s"), 401},
			{"without a signature", signed(good("evt_s")).With("Webhook-Signature", ""), hook, good("evt_s"), 401},
			{"of another version", signed(good("evt_s")).With("Webhook-Signature", "v2,AAAA"), hook, good("evt_s"), 401},
			{"too large, unsigned", nobody, hook, large, 413},
			{"too large, signed", signed(large), hook, large, 413},
			{"another provider", signed(good("evt_s")), "/payments/webhooks/stripe", good("evt_s"), 404},
			{"an invalid provider name", signed(good("evt_s")), "/payments/webhooks/No-Body", good("evt_s"), 404},
		} {
			t.Run(c.what, func(t *testing.T) { c.client.In(t).Post(c.path, c.body).Want(c.status) })
		}
		for _, body := range []string{
			`{`, `[]`, `"evt_s"`, `null`, `{} {}`, `{"id":"evt_s","id":"evt_s","type":"a","provider_payment_id":"b"}`, "{\"id\":\"\xff\"}",
			`{}`, `{"id":"evt_s","type":"a"}`, `{"id":"evt_s","provider_payment_id":"b"}`, `{"ID":"evt_s","type":"a","provider_payment_id":"b"}`,
			`{"id":"evt_s","type":1,"provider_payment_id":"b"}`, `{"id":"evt_s","type":"a","provider_payment_id":"b","data":1}`,
			`{"id":"evt_s","type":"` + strings.Repeat("a", 81) + `","provider_payment_id":"b"}`,
		} {
			signed([]byte(body)).Post(hook, body).WantError(400, "invalid_request")
		}
		signed(good("evt_s")).With("Content-Type", "text/plain").Post(hook, good("evt_s")).WantError(415, "unsupported_media_type")
		signed(good("evt_s")).Post(hook, good("evt_s")).Want(200)
	}, enabled()...)
}

func TestRepeatedNoticesHaveOneEffect(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		event := onSale(seller(a, "org"), nil)
		intent := begin(a.As("ann"), event).Want(201)
		about := intent.Text("provider_payment_id")
		provider := a.Anonymous()

		unknown := notice{ID: "evt_early", Type: "payment.succeeded", About: "dev_unknown"}
		paymentSend(t, a, provider, unknown).WantError(404, "not_found")
		paymentSend(t, a, provider, unknown).WantError(404, "not_found")
		unknown.About = about // now it is known
		if taken := paymentSend(t, a, provider, unknown).Want(200); taken.Text("result") != "processed" || taken.Get("duplicate") != false ||
			taken.Text("provider_event_id") != "evt_early" {
			t.Errorf("accepted: %s", taken.Body)
		}
		for _, again := range []notice{unknown, {ID: "evt_early", Type: "payment.canceled", About: "dev_other"}} {
			reply := paymentSend(t, a, provider, again).Want(200)
			if reply.Text("result") != "ignored" || reply.Get("duplicate") != true || reply.Text("payment_intent_id") != intent.Text("id") {
				t.Errorf("a duplicate: %s", reply.Body)
			}
		}
		if n := a.Count(paymentNoticesStmt); n != 1 {
			t.Errorf("%d notices are stored", n)
		}
	}, enabled()...)
}
