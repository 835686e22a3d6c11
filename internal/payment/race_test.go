package payment_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"moothall/internal/apptest"
)

// TestOneIntent begins a payment in many places at once: there is one.
func TestOneIntent(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		org, ann := seller(a, "org"), a.As("ann")
		for _, key := range []string{"", "one"} {
			event := onSale(org, nil)
			client := ann.With("Idempotency-Key", key)
			var ids [crowd]string
			together(func(i int) {
				switch reply := begin(client.On(i%instances), event); reply.Status {
				case 201:
					ids[i] = reply.Text("id")
				default: // the first with the key is in flight
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
			if n := number(t, a, intentsStmt, eventID(t, event)); n != 1 {
				t.Errorf("%d intents", n)
			}
		}
	})
}

// TestOneEffect sends one notice from many places at once: one effect, and
// everybody is told that it was taken.
func TestOneEffect(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		org, ann := seller(a, "org"), a.As("ann")
		intent := begin(ann, onSale(org, nil)).Want(201)
		n := notice{ID: "evt_race", Type: "payment.succeeded", About: intent.Text("provider_payment_id")}
		var taken atomic.Int64
		together(func(i int) {
			reply := send(t, a, a.Anonymous().On(i%instances), n).Want(200)
			if reply.Text("payment_intent_id") != intent.Text("id") {
				t.Errorf("%s", reply.Body)
			}
			if reply.Text("result") == "processed" && reply.Get("duplicate") == false {
				taken.Add(1)
			} else if reply.Text("result") != "ignored" || reply.Get("duplicate") != true {
				t.Errorf("%s", reply.Body)
			}
		})
		if taken.Load() != 1 || number(t, a, noticesStmt) != 1 || told(t, a, ann, "payment_succeeded") != 1 || told(t, a, org, "payment_succeeded") != 1 {
			t.Errorf("%d took effect", taken.Load())
		}
	})
}

// TestOneEnd has the provider tell contradictory things at once: one of them
// comes true, and stays.
func TestOneEnd(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		org, ann := seller(a, "org"), a.As("ann")
		intent := begin(ann, onSale(org, nil)).Want(201)
		kinds := []string{"payment.succeeded", "payment.canceled", "payment.expired"}
		var moved atomic.Int64
		together(func(i int) {
			reply := send(t, a, a.Anonymous().On(i%instances), notice{Type: kinds[i%len(kinds)], About: intent.Text("provider_payment_id")}).Want(200)
			if reply.Text("result") == "processed" {
				moved.Add(1)
			}
		})
		if moved.Load() != 1 {
			t.Errorf("it ended %d times", moved.Load())
		}
		status := ann.Get("/payments/intents/" + intent.Text("id")).Want(200).Text("status")
		if due := len(refundsDue(t, a)); (due == 0) != (status == "succeeded") {
			t.Errorf("it is %s, and %d are to be given back", status, due)
		}
	})
}

// TestPriceAndPayment changes a price at the moment when somebody begins to
// pay it: nobody pays another price than the event has.
func TestPriceAndPayment(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		org, ann := seller(a, "org"), a.As("ann").On(instances-1)
		changed, begun := 0, 0
		for range 40 {
			event := onSale(org, nil)
			var change, payment *apptest.Reply
			var both sync.WaitGroup
			both.Go(func() { change = org.Patch("/events/"+event, fields{"price_amount": 500}) })
			both.Go(func() { payment = begin(ann, event) })
			both.Wait()
			price := org.Get("/events/" + event).Want(200).Number("event.price_amount")
			switch {
			case payment.Status != 201: // the price had changed under it
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
