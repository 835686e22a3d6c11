package meetup_test

import (
	"strings"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/test/apptest"
)

// paidGuest lets a user pay for an event and join it. Returns the path of the participant and the payment.
func paidGuest(t *testing.T, a *apptest.App, c *apptest.Client, event string) (participant string, intent *apptest.Reply) {
	t.Helper()
	intent = begin(c, event).Want(201)
	notify(t, a, "payment.succeeded", intent.Text("provider_payment_id"))
	return "/events/" + event + "/participants/" + c.Post("/events/"+event+"/join", nil).Want(200).Text("id"), intent
}

// TestRemovalRefundsPayment removes a guest who has paid: the refund is due once, the guest is notified of it, the next who waits gets the
// seat, and the guest must pay again to come back.
func TestRemovalRefundsPayment(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := seller(a, "org"), a.As("ann"), a.As("ben")
		event := onSale(org, apptest.Fields{"capacity": 1, "waitlist": "offer"})
		path := "/events/" + event
		guest, paid := paidGuest(t, a, ann, event)
		ben.Post(path+"/waitlist", nil).Want(201)
		if paid.Get("refund_due_at") != nil {
			t.Errorf("before the removal: %s", paid.Body)
		}
		for range 2 {
			org.Delete(guest).Want(204)
		}
		seen := ann.Get("/payments/intents/" + paid.Text("id")).Want(200)
		if seen.Text("status") != "succeeded" || seen.Text("refund_due_at") != "2026-06-01T12:00:00Z" {
			t.Errorf("the removed guest sees %s", seen.Body)
		}
		if due := refundsDue(t, a); len(due) != 1 || due[0].ID.String() != paid.Text("id") || due[0].Amount != 150000 {
			t.Errorf("due: %+v", due)
		}
		notices := string(ann.Get("/notifications").Want(200).Body)
		if !strings.Contains(notices, `"You are no longer a guest of A concert: your payment will be refunded"`) || told(ann, "event_removed") != 1 {
			t.Errorf("the guest is notified of %s", notices)
		}
		if again := notify(t, a, "payment.succeeded", paid.Text("provider_payment_id")); again.Text("result") != "ignored" {
			t.Errorf("a repeated notice: %s", again.Body)
		}
		a.RunJobs()
		if got := entryOf(ben, path); got != "offered" {
			t.Errorf("ben's entry is %s", got)
		}
		seatsAgree(t, a)

		ben.Delete(path + "/waitlist").Want(204)
		a.RunJobs()
		refused(t, ann, "POST", path+"/payment-intents", domain.Removed)
		org.Post(guest+"/approve", nil).Want(200)
		refused(t, ann, "POST", path+"/join", domain.PaymentRequired)
		_, second := paidGuest(t, a, ann, event)
		if second.Text("id") == paid.Text("id") || len(refundsDue(t, a)) != 1 {
			t.Errorf("the second payment: %s", second.Body)
		}
		seatsAgree(t, a)
	}, enabled()...)
}

// TestRefundsBecomeDue is the table of what makes the refund of a payment due, and of what does not. ann has paid for the event of org, and
// goes there.
func TestRefundsBecomeDue(t *testing.T) {
	for _, row := range []struct {
		name string
		end  func(a *apptest.App, path string)
		due  int
	}{
		{"cancel", func(a *apptest.App, path string) { a.As("org").Post(path+"/cancel", nil).Want(200) }, 1},
		{"block by the organizer", func(a *apptest.App, _ string) { a.As("org").Block(a.As("ann")) }, 1},
		{"block by the guest", func(a *apptest.App, _ string) { a.As("ann").Block(a.As("org")) }, 1},
		{"block by another guest", func(a *apptest.App, _ string) { a.As("ben").Block(a.As("ann")) }, 0},
		{"deletion of the organizer", func(a *apptest.App, _ string) { a.As("org").Delete("/me").Want(204) }, 1},
		{"deletion of the guest", func(a *apptest.App, _ string) { a.As("ann").Delete("/me").Want(204) }, 0},
		{"cancel after the guest has left", func(a *apptest.App, path string) {
			a.As("ann").Delete(path + "/join").Want(200)
			a.As("org").Post(path+"/cancel", nil).Want(200)
		}, 1},
		{"leave", func(a *apptest.App, path string) {
			a.As("ann").Delete(path + "/join").Want(200)
			a.As("ann").Post(path+"/join", nil).Want(200) // without another payment
		}, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			apptest.Rules(t, func(t *testing.T, a *apptest.App) {
				event := onSale(seller(a, "org"), nil)
				paidGuest(t, a, a.As("ann"), event)
				row.end(a, "/events/"+event)
				if due := refundsDue(t, a); len(due) != row.due {
					t.Errorf("due: %+v", due)
				}
				seatsAgree(t, a)
			}, enabled()...)
		})
	}
}

// TestRemovedEntryRefundsPayment removes a guest from the waiting list who has paid, left and come back to wait.
func TestRemovedEntryRefundsPayment(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := seller(a, "org"), a.As("ann"), a.As("ben")
		event := onSale(org, apptest.Fields{"capacity": 1, "waitlist": "offer"})
		path := "/events/" + event
		paidGuest(t, a, ann, event)
		ann.Delete(path + "/join").Want(200)
		paidGuest(t, a, ben, event)
		entry := ann.Post(path+"/waitlist", nil).Want(201).Text("id")
		if due := refundsDue(t, a); len(due) != 0 {
			t.Errorf("due while ann waits: %+v", due)
		}
		for range 2 {
			org.Delete(path + "/waitlist/entries/" + entry).Want(204)
		}
		if due := refundsDue(t, a); len(due) != 1 || due[0].UserID == nil || *due[0].UserID != ann.ID() {
			t.Errorf("due: %+v", due)
		}
	}, enabled()...)
}

// TestConcurrentRemovalRefundsOnce removes a guest several times while the provider reports their payment. Whichever comes first, one
// refund is due. The guest joined before the event had a price.
func TestConcurrentRemovalRefundsOnce(t *testing.T) {
	concurrent(t, func(t *testing.T, a *apptest.App) {
		org := seller(a, "org")
		for round := range 5 {
			ann := a.As("ann").On(round)
			event := org.Publish(apptest.Fields{"starts_at": "2026-06-05T18:00:00Z"})
			path := "/events/" + event
			guest := path + "/participants/" + ann.Post(path+"/join", nil).Want(200).Text("id")
			org.Patch(path, apptest.Fields{"price": "paid", "price_amount": 150000, "price_currency": "RUB"}).Want(200)
			paid := begin(ann, event).Want(201)
			apptest.Concurrently(6, func(i int) {
				if i%2 == 0 {
					org.On(i).Delete(guest).Want(204)
				} else {
					notify(t, a, "payment.succeeded", paid.Text("provider_payment_id"))
				}
			})
			seen := ann.Get("/payments/intents/" + paid.Text("id")).Want(200)
			if due := refundsDue(t, a); len(due) != round+1 || seen.Get("refund_due_at") == nil || seen.Text("status") == "pending" {
				t.Fatalf("%d refunds are due, the guest sees %s", len(due), seen.Body)
			}
			if n := strings.Count(strings.Join(kinds(ann), " "), "event_removed"); n != round+1 {
				t.Errorf("the guest is notified %d times", n)
			}
		}
		seatsAgree(t, a)
	})
}
