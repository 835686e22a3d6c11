package meetup_test

import (
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

const profile = "/me/payment-profile"

func TestProfileIsSetByOrganizer(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		first := org.Get(profile).Want(200)
		if first.Text("status") != "unverified" || first.Text("provider") != "development" || first.Text("user_id") != org.UserID ||
			first.Get("verified_at") != nil || first.Get("blocked_reason") != nil {
			t.Errorf("on first use: %s", first.Body)
		}
		a.Clock.Advance(time.Minute)
		if again := org.Patch(profile, apptest.Fields{"status": "unverified"}).Want(200); string(again.Body) != string(first.Body) {
			t.Errorf("the same status turned %s into %s", first.Body, again.Body)
		}
		verified := org.Patch(profile, apptest.Fields{"status": "verified"}).Want(200)
		if verified.Text("status") != "verified" || verified.Text("verified_at") != "2026-06-01T12:01:00Z" ||
			verified.Text("created_at") != "2026-06-01T12:00:00Z" {
			t.Errorf("verified: %s", verified.Body)
		}
		if seen := org.Get(profile).Want(200); string(seen.Body) != string(verified.Body) {
			t.Errorf("after %s it is %s", verified.Body, seen.Body)
		}
		if back := org.Patch(profile, apptest.Fields{"status": "unverified"}).Want(200); back.Get("verified_at") != nil {
			t.Errorf("unverified again: %s", back.Body)
		}
		for _, body := range []any{apptest.Fields{"status": "blocked"}, apptest.Fields{"status": "gold"}, apptest.Fields{"status": nil},
			apptest.Fields{}, nil, "[]"} {
			org.Patch(profile, body).WantError(400, "invalid_request")
		}
		a.Anonymous().Get(profile).WantError(401, "unauthorized")
		a.Anonymous().Patch(profile, apptest.Fields{"status": "verified"}).WantError(401, "unauthorized")
		a.As("new").Patch(profile, apptest.Fields{"status": "verified"}).Want(200) // before the first read
	}, enabled()...)
}

func TestProviderSetsProfileStatus(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := seller(a, "org"), a.As("ann")
		event := onSale(org, nil)
		draft := concert(org, nil)

		blocked := paymentSend(t, a, a.Anonymous(), notice{Type: "account.blocked", About: org.UserID,
			Data: apptest.Fields{"reason": " Fraud\u00a0suspected "}}).Want(200)
		if blocked.Text("result") != "processed" || blocked.Get("payment_intent_id") != nil {
			t.Errorf("blocked: %s", blocked.Body)
		}
		if seen := org.Get(profile).Want(200); seen.Text("status") != "blocked" || seen.Text("blocked_reason") == "" ||
			seen.Get("verified_at") != nil {
			t.Errorf("blocked: %s", seen.Body)
		}
		org.Patch(profile, apptest.Fields{"status": "verified"}).WantError(400, "invalid_request")
		org.Patch(profile, apptest.Fields{"status": "unverified"}).WantError(400, "invalid_request")
		org.Post("/events/"+draft+"/publish", nil).WantError(403, "forbidden")
		begin(ann, event).WantError(403, "forbidden")

		notify(t, a, "account.verified", org.UserID)
		if seen := org.Get(profile).Want(200); seen.Text("status") != "verified" || seen.Get("blocked_reason") != nil {
			t.Errorf("verified: %s", seen.Body)
		}
		org.Post("/events/"+draft+"/publish", nil).Want(200)
		begin(ann, event).Want(201)
		notify(t, a, "account.unverified", org.UserID)
		begin(a.As("ben"), event).WantError(403, "forbidden")

		notify(t, a, "account.verified", ann.UserID) // before ann has read her profile
		if ann.Get(profile).Text("status") != "verified" {
			t.Error("ann is not verified")
		}
		for _, about := range []string{"01890a5d-ac96-774b-bcce-b302099a8057", "nobody", "{" + org.UserID + "}"} {
			paymentSend(t, a, a.Anonymous(), notice{Type: "account.blocked", About: about}).WantError(404, "not_found")
		}
	}, enabled()...)
}

// TestPaymentsDisabled checks the policy "Payments disabled".
func TestPaymentsDisabled(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		if org.Get(profile).Want(200).Text("status") != "unverified" {
			t.Error("the profile is not unverified")
		}
		org.Patch(profile, apptest.Fields{"status": "unverified"}).Want(200)
		org.Patch(profile, apptest.Fields{"status": "verified"}).WantError(403, "forbidden")
		event := concert(org, nil)
		org.Post("/events/"+event+"/publish", nil).WantError(403, "forbidden")
		begin(ann, event).WantError(404, "not_found")
		begin(org, event).WantError(403, "forbidden")

		free := onSale(org, apptest.Fields{"price": "free", "price_amount": nil, "price_currency": nil})
		org.Patch("/events/"+free, apptest.Fields{"price": "paid", "price_amount": 100, "price_currency": "RUB"}).WantError(403, "forbidden")
		begin(ann, free).WantError(403, "forbidden")
		ann.Get("/payments/intents/01890a5d-ac96-774b-bcce-b302099a8057").WantError(404, "not_found")

		paymentSend(t, a, a.Anonymous(), notice{Type: "payment.succeeded", About: "dev_1"}).WantError(404, "not_found")
		a.Anonymous().Post(hook, "not JSON").WantError(404, "not_found")
	}, apptest.StartAt(apptest.Today))
}
