package meetup_test

import (
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

func TestIntentIsCreatedPaidAndExpires(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann := seller(a, "org"), a.As("ann")
		event := onSale(org, nil)
		made := begin(ann, event).Want(201)
		id := made.Text("id")
		for field, want := range map[string]any{
			"event_id": event, "user_id": ann.UserID, "provider": "development", "status": "pending", "amount": 150000.0, "currency": "RUB",
			"expires_at": "2026-06-01T12:30:00Z", "paid_at": nil, "canceled_at": nil, "created_at": "2026-06-01T12:00:00Z",
			"updated_at":   "2026-06-01T12:00:00Z",
			"checkout_url": "https://checkout.invalid/" + made.Text("provider_payment_id"),
		} {
			if got := made.Get(field); got != want {
				t.Errorf("%s is %v, want %v", field, got, want)
			}
		}
		if n := len(made.Text("provider_payment_id")); n != len("dev_")+24 {
			t.Errorf("provider_payment_id is %s", made.Text("provider_payment_id"))
		}
		a.Clock.Advance(29 * time.Minute)
		for who, reply := range map[string]*apptest.Reply{"again": begin(ann, event).Want(201),
			"read": ann.Get("/payments/intents/" + id).Want(200)} {
			if string(reply.Body) != string(made.Body) {
				t.Errorf("%s: %s, want %s", who, reply.Body, made.Body)
			}
		}
		for _, stranger := range []*apptest.Client{org, a.As("ben")} {
			stranger.Get("/payments/intents/"+id).WantError(404, "not_found")
		}
		ann.Get("/payments/intents/"+event).WantError(404, "not_found")
		ann.Get("/payments/intents/1").WantError(400, "invalid_request")
		a.Anonymous().Get("/payments/intents/"+id).WantError(401, "unauthorized")

		if begin(a.As("ben"), event).Want(201).Text("id") == id {
			t.Error("two users share an intent")
		}
		a.Clock.Advance(time.Minute) // the intent expires without a write
		expired := ann.Get("/payments/intents/" + id).Want(200)
		if expired.Text("status") != "expired" || expired.Get("checkout_url") != nil || expired.Text("updated_at") != "2026-06-01T12:30:00Z" {
			t.Errorf("after half an hour: %s", expired.Body)
		}
		if second := begin(ann, event).Want(201); second.Text("id") == id || second.Text("status") != "pending" {
			t.Errorf("a new attempt: %s", second.Body)
		}
		if seen := ann.Get("/payments/intents/" + id).Want(200); string(seen.Body) != string(expired.Body) {
			t.Errorf("when the expiry was stored, %s became %s", expired.Body, seen.Body)
		}
	}, enabled()...)
}

// TestPaymentRules checks the rules of contract §9 and of the policy.
func TestPaymentRules(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, guest := seller(a, "org"), a.As("ann"), a.As("guest")
		free := onSale(org, apptest.Fields{"price": "free", "price_amount": nil, "price_currency": nil})
		canceled := onSale(org, nil)
		org.Post("/events/"+canceled+"/cancel", nil).Want(200)
		full := onSale(org, apptest.Fields{"capacity": 1})
		notify(t, a, "payment.succeeded", begin(guest, full).Want(201).Text("provider_payment_id"))
		guest.Post("/events/"+full+"/join", nil).Want(200)
		past := concert(org, apptest.Fields{"starts_at": "2026-05-01T18:00:00Z"})
		org.Post("/events/"+past+"/publish", nil).Want(200)
		paid := onSale(org, nil)
		notify(t, a, "payment.succeeded", begin(ann, paid).Want(201).Text("provider_payment_id"))

		for _, c := range []struct {
			who, what, event string
			status           int
		}{
			{"ann", "an event on sale", onSale(org, nil), 201},
			{"ann", "with a seat left", onSale(org, apptest.Fields{"capacity": 1}), 201},
			{"org", "the own event", onSale(org, nil), 403},
			{"ann", "a free event", free, 403},
			{"ann", "a canceled event", canceled, 403},
			{"ann", "a full event", full, 403},
			{"guest", "a full event, again", full, 403},
			{"ann", "a past event", past, 403},
			{"ann", "an event paid for already", paid, 403},
			{"org", "the own draft", concert(org, nil), 403},
			{"ann", "a draft", concert(org, nil), 404},
			{"ann", "a private event", onSale(org, apptest.Fields{"visibility": "private"}), 404},
			{"ann", "an unknown event", "01890a5d-ac96-774b-bcce-b302099a8057", 404},
			{"ann", "no event", "1", 400},
			{"nobody", "an event on sale", onSale(org, nil), 401},
		} {
			t.Run(c.who+" "+c.what, func(t *testing.T) {
				client := a.Anonymous()
				if c.who != "nobody" {
					client = a.As(c.who)
				}
				begin(client.In(t), c.event).Want(c.status)
			})
		}
	}, enabled()...)
}

func TestPaidEventRequiresPayment(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := concert(org, nil)
		publish, join := "/events/"+event+"/publish", "/events/"+event+"/join"
		org.Post(publish, nil).WantError(403, "forbidden")
		seller(a, "org")
		org.Post(publish, nil).Want(200)
		org.Patch("/events/"+event, apptest.Fields{"price_amount": 200000}).Want(200)

		ann.Post(join, nil).WantError(403, "forbidden")
		intent := begin(ann, event).Want(201)
		ann.Post(join, nil).WantError(403, "forbidden")
		notify(t, a, "payment.succeeded", intent.Text("provider_payment_id"))
		if seen := ann.Get("/payments/intents/" + intent.Text("id")).Want(200); seen.Text("status") != "succeeded" ||
			seen.Text("paid_at") == "" || seen.Get("checkout_url") != nil {
			t.Errorf("paid: %s", seen.Body)
		}
		ann.Post(join, nil).Want(200)
		ann.Delete(join).Want(200)
		ann.Post(join, nil).Want(200) // already paid
		org.Post(join, nil).Want(200) // organizers need not pay
		a.As("ben").Post(join, nil).WantError(403, "forbidden")

		for _, change := range []apptest.Fields{{"price_amount": 100}, {"price": "free"}, {"title": "Dearer", "price_amount": 300000}} {
			org.Patch("/events/"+event, change).WantError(403, "forbidden")
		}
		org.Patch("/events/"+event, apptest.Fields{"title": "A longer concert", "price_amount": 200000}).Want(200)

		for who, want := range map[string]int{"ann": 1, "org": 1, "ben": 0} {
			if n := notified(a, a.As(who), "payment_succeeded"); n != want {
				t.Errorf("%s has %d notifications of the payment", who, n)
			}
		}
	}, enabled()...)
}

func TestIdempotencyKey(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := seller(a, "org"), a.As("ann").With("Idempotency-Key", "one")
		event, other := onSale(org, nil), onSale(org, nil)
		first := begin(ann, event).Want(201)
		if again := begin(ann, event).Want(201); string(again.Body) != string(first.Body) {
			t.Errorf("a retry got %s after %s", again.Body, first.Body)
		}
		begin(ann, other).WantError(422, "idempotency_key_reused")
		begin(a.As("ben").With("Idempotency-Key", "one"), other).Want(201) // another user may use the same key
		if same := begin(ann.With("Idempotency-Key", "two"), event).Want(201); same.Text("id") != first.Text("id") {
			t.Error("another key created another intent")
		}

		notify(t, a, "payment.succeeded", first.Text("provider_payment_id"))
		if paid := begin(ann, event).Want(201); paid.Text("id") != first.Text("id") || paid.Text("status") != "succeeded" {
			t.Errorf("a retry after the payment: %s", paid.Body)
		}
		begin(ann.With("Idempotency-Key", ""), event).WantError(403, "forbidden")
		begin(ann.With("Idempotency-Key", "three"), event).WantError(403, "forbidden")
		begin(ann.With("Idempotency-Key", "three"), other).Want(201) // a refused request releases its key

		if _, err := a.DB.Exec(t.Context(), inFlightStmt, "three"); err != nil {
			t.Fatal(err)
		}
		begin(ann.With("Idempotency-Key", "three"), other).WantError(409, "conflict")
		begin(ann.With("Idempotency-Key", "three"), event).WantError(422, "idempotency_key_reused")
		a.Clock.Advance(time.Minute)
		begin(ann.With("Idempotency-Key", "three"), other).Want(201)

		a.Clock.Advance(24 * time.Hour)
		ann = a.SignIn(apptest.Email("ann")).With("Idempotency-Key", "one")
		begin(ann, other).Want(201) // the key has expired
		a.RunJobs()
		if n := a.Count(keysStmt); n != 1 {
			t.Errorf("%d keys are stored, want the new one only", n)
		}
		for _, key := range []string{"with space", "ключ"} {
			begin(ann.With("Idempotency-Key", key), event).WantError(400, "invalid_request")
			begin(ann.With("Idempotency-Key", key), "01890a5d-ac96-774b-bcce-b302099a8057").WantError(404, "not_found")
		}
		begin(ann.Header("Idempotency-Key", ""), event).WantError(400, "invalid_request")
	}, enabled()...)
}
