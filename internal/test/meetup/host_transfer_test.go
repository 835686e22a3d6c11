package meetup_test

import (
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

// TestTransferExchangesRoles checks what changes for both, and that the webhooks of the former organizer for the event end.
func TestTransferExchangesRoles(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ben, eve := a.As("org"), a.As("ben"), a.As("eve")
		event, other := org.Publish(nil), org.Publish(nil)
		path := "/events/" + event
		newHost(org, ben, event)
		newHost(org, eve, event)
		ben.Block(eve)
		hook := apptest.Fields{"url": "https://example.com/", "kinds": []string{"event.canceled"}, "event_id": event}
		org.Post("/me/webhooks", hook).Want(201)
		hook["event_id"] = other
		org.Post("/me/webhooks", hook).Want(201)
		org.Post(path+"/transfer", apptest.Fields{"user_id": a.As("nobody").UserID}).WantError(404, "not_found")
		r := org.Post(path+"/transfer", apptest.Fields{"user_id": ben.UserID}).Want(200)
		if got := fieldsOf(r, "items", "user_id"); got != ben.UserID+" "+org.UserID {
			t.Errorf("the hosts are %s", r.Body)
		}
		if got := fieldsOf(org.Get("/me/webhooks").Want(200), "items", "event_id"); got != other {
			t.Errorf("the former organizer has webhooks for %q", got)
		}
		if r := a.Anonymous().Get(path).Want(200); r.Text("organizer.user_id") != ben.UserID {
			t.Errorf("the organizer is %s", r.Body)
		}
		if got := fieldsOf(a.Anonymous().Get("/events?organizer_id="+ben.UserID).Want(200), "items", "event.id"); got != event {
			t.Errorf("the new organizer has the events %q", got)
		}
		org.Patch(path, apptest.Fields{"description": "Still with me"}).Want(200)
		org.Post(path+"/cancel", nil).WantError(403, "forbidden")
		eve.Get(path).WantError(404, "not_found") // in a block with the organizer
		ben.Post(path+"/cancel", nil).Want(200)
		ben.Post(path+"/transfer", apptest.Fields{"user_id": org.UserID}).WantError(403, "forbidden")
	}, apptest.StartAt(apptest.Today))
}

// TestPaidEventStaysWithItsOrganizer checks transfer and deletion after somebody has begun to pay. Hosts go without paying.
func TestPaidEventStaysWithItsOrganizer(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ben := seller(a, "org"), a.As("ben")
		event := org.Publish(apptest.Fields{"price": "paid", "price_amount": 100, "price_currency": "RUB"})
		path := "/events/" + event
		newHost(org, ben, event)
		ben.Post(path+"/join", nil).Want(200)
		ben.Post(path+"/payment-intents", nil).WantError(403, "forbidden")
		org.Post(path+"/transfer", apptest.Fields{"user_id": ben.UserID}).WantError(403, "forbidden") // ben may not charge
		ben.Patch("/me/payment-profile", apptest.Fields{"status": "verified"}).Want(200)
		a.As("eve").Post(path+"/payment-intents", nil).Want(201)
		org.Post(path+"/transfer", apptest.Fields{"user_id": ben.UserID}).WantError(403, "forbidden")
		org.Delete("/me").Want(204)
		if r := ben.Get(path).Want(200); r.Text("event.status") != "canceled" {
			t.Errorf("after the deletion: %s", r.Body)
		}
	}, enabled()...)
}

// TestDeletionHandsEventsOver checks who gets the events of a deleted account.
func TestDeletionHandsEventsOver(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ben, eve := a.As("org"), a.As("ben"), a.As("eve")
		draft, event, asked, alone := org.Draft(nil), org.Publish(nil), org.Publish(nil), org.Publish(nil)
		newHost(org, eve, event)
		a.Clock.Advance(time.Minute)
		for _, id := range []string{draft, event} {
			newHost(org, ben, id)
		}
		org.Put("/events/"+event+"/cover", apptest.Pixel).Want(200)
		org.Post("/events/"+asked+"/hosts", apptest.Fields{"user_id": ben.UserID}).Want(200)
		org.Delete("/me").Want(204)
		for _, row := range []struct {
			id   string
			heir *apptest.Client
		}{{draft, ben}, {event, eve}} {
			r := row.heir.Get("/events/" + row.id).Want(200)
			if r.Text("viewer_role") != "owner" || r.Text("event.status") == "canceled" || r.Get("event.image_url") != nil {
				t.Errorf("%s", r.Body)
			}
		}
		if r := ben.Get("/events/" + event).Want(200); r.Text("viewer_role") != "host" || r.Number("host_count") != 1 {
			t.Errorf("the second host sees %s", r.Body)
		}
		for _, id := range []string{asked, alone} {
			a.Anonymous().Get("/events/"+id).WantError(404, "not_found")
		}
		eve.Delete("/me").Want(204)
		ben.Post("/events/"+event+"/cancel", nil).Want(200)
	}, apptest.StartAt(apptest.Today))
}

// TestSuspendedOrganizersEventStaysUnlisted checks that a host may change and publish events of a suspended organizer.
func TestSuspendedOrganizersEventStaysUnlisted(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ben := a.As("org"), a.As("ben")
		draft, event := org.Draft(nil), org.Publish(nil)
		newHost(org, ben, draft)
		newHost(org, ben, event)
		report := ben.Post("/reports", apptest.Fields{"target_type": "user", "target_id": org.UserID, "reason": "spam"}).Want(201).Text("id")
		a.As("moderator").Patch("/admin/reports/"+report, apptest.Fields{"status": "resolved", "action": "suspend_user"}).Want(200)
		ben.Post("/events/"+draft+"/publish", nil).Want(200)
		ben.Patch("/events/"+event, apptest.Fields{"title": "Tea for two"}).Want(200)
		if r := a.Anonymous().Get("/events").Want(200); r.Len("items") != 0 {
			t.Errorf("discovery lists %s", r.Body)
		}
		a.Anonymous().Get("/events/" + draft).Want(200)
	}, apptest.StartAt(apptest.Today), apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("moderator")))
}
