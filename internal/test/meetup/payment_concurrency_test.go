package meetup_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"moothall/internal/test/apptest"
)

func TestConcurrentPaymentsCreateOneIntent(t *testing.T) {
	concurrent(t, func(t *testing.T, a *apptest.App) {
		org, ann := seller(a, "org"), a.As("ann")
		for _, key := range []string{"", "one"} {
			event := onSale(org, nil)
			client := ann.With("Idempotency-Key", key)
			ids := make([]string, apptest.Crowd)
			apptest.Concurrently(apptest.Crowd, func(i int) {
				switch reply := begin(client.On(i), event); reply.Status {
				case 201:
					ids[i] = reply.Text("id")
				default: // the first request with the key is in progress
					reply.WantError(409, "conflict")
					if key == "" {
						t.Error("a conflict without a key")
					}
				}
			})
			id := begin(client, event).Want(201).Text("id")
			for _, got := range ids {
				if got != id && (got != "" || key == "") {
					t.Errorf("the intents %q and %q", got, id)
				}
			}
			if n := a.Count(intentsStmt, eventID(t, event)); n != 1 {
				t.Errorf("%d intents", n)
			}
		}
	})
}

// TestConcurrentNoticesHaveOneEffect delivers a notice several times at once: one
// delivery has an effect, and all succeed.
func TestConcurrentNoticesHaveOneEffect(t *testing.T) {
	concurrent(t, func(t *testing.T, a *apptest.App) {
		org, ann := seller(a, "org"), a.As("ann")
		intent := begin(ann, onSale(org, nil)).Want(201)
		n := notice{ID: "evt_race", Type: "payment.succeeded", About: intent.Text("provider_payment_id")}
		var taken atomic.Int64
		apptest.Concurrently(apptest.Crowd, func(i int) {
			reply := paymentSend(t, a, a.Anonymous().On(i), n).Want(200)
			if reply.Text("payment_intent_id") != intent.Text("id") {
				t.Errorf("%s", reply.Body)
			}
			if reply.Text("result") == "processed" && reply.Get("duplicate") == false {
				taken.Add(1)
			} else if reply.Text("result") != "ignored" || reply.Get("duplicate") != true {
				t.Errorf("%s", reply.Body)
			}
		})
		if taken.Load() != 1 || a.Count(paymentNoticesStmt) != 1 || notified(a, ann, "payment_succeeded") != 1 ||
			notified(a, org, "payment_succeeded") != 1 {
			t.Errorf("%d notices had an effect", taken.Load())
		}
	})
}

// TestContradictoryNoticesHaveOneOutcome delivers contradictory notices at once: one of
// them decides the final status.
func TestContradictoryNoticesHaveOneOutcome(t *testing.T) {
	concurrent(t, func(t *testing.T, a *apptest.App) {
		org, ann := seller(a, "org"), a.As("ann")
		intent := begin(ann, onSale(org, nil)).Want(201)
		kinds := []string{"payment.succeeded", "payment.canceled", "payment.expired"}
		var moved atomic.Int64
		apptest.Concurrently(apptest.Crowd, func(i int) {
			reply := paymentSend(t, a, a.Anonymous().On(i), notice{Type: kinds[i%len(kinds)], About: intent.Text("provider_payment_id")}).Want(200)
			if reply.Text("result") == "processed" {
				moved.Add(1)
			}
		})
		if moved.Load() != 1 {
			t.Errorf("%d final statuses", moved.Load())
		}
		status := ann.Get("/payments/intents/" + intent.Text("id")).Want(200).Text("status")
		if due := len(refundsDue(t, a)); (due == 0) != (status == "succeeded") {
			t.Errorf("status %s, %d refunds due", status, due)
		}
	})
}

// TestPriceChangeDuringPayment changes the price while a payment begins: the payer pays
// the price of the event.
func TestPriceChangeDuringPayment(t *testing.T) {
	concurrent(t, func(t *testing.T, a *apptest.App) {
		org, ann := seller(a, "org"), a.As("ann").On(2)
		changed, begun := 0, 0
		for range 40 {
			event := onSale(org, nil)
			var change, payment *apptest.Reply
			var both sync.WaitGroup
			both.Go(func() { change = org.Patch("/events/"+event, apptest.Fields{"price_amount": 500}) })
			both.Go(func() { payment = begin(ann, event) })
			both.Wait()
			price := org.Get("/events/" + event).Want(200).Number("event.price_amount")
			switch {
			case payment.Status != 201: // the price has changed meanwhile
				payment.WantError(409, "conflict")
			case payment.Number("amount") != price:
				t.Fatalf("ann pays %v for an event that costs %v", payment.Number("amount"), price)
			default:
				begun++
			}
			if change.Status == 200 {
				changed++
			} else {
				change.WantError(403, "forbidden")
			}
		}
		t.Logf("%d prices changed, %d payments begun", changed, begun)
	})
}
