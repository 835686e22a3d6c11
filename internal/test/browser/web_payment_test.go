package browser

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"moothall/internal/meetup/payment"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// paymentSecret signs the notices of the payment provider.
const paymentSecret = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoyMzQ1Njc="

// paidEvent starts a service that takes payments, and publishes an event for 12.50 EUR.
func paidEvent(t *testing.T) (a *apptest.App, event string) {
	t.Helper()
	a = apptest.New(t, db.SQLite, append(slices.Clip(settings), apptest.Setting("PAYMENTS_ENABLED", "true"),
		apptest.Setting("PAYMENT_CURRENCIES", "EUR"), apptest.Setting("PAYMENT_WEBHOOK_SECRETS", paymentSecret))...)
	org := a.As("org")
	org.Patch("/me/payment-profile", apptest.Fields{"status": "verified"}).Want(http.StatusOK)
	return a, org.Publish(apptest.Fields{"price": "paid", "price_amount": 1250, "price_currency": "EUR"})
}

// settle reports to the service that a payment has succeeded.
func settle(t *testing.T, a *apptest.App, paymentID string) {
	t.Helper()
	body, err := json.Marshal(apptest.Fields{"id": "evt_1", "type": "payment.succeeded", "provider_payment_id": paymentID})
	if err != nil {
		t.Fatal(err)
	}
	key, err := payment.ParseSecret(paymentSecret)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := key.Sign("evt_1", body, a.Clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	provider := a.Anonymous()
	for name := range signed {
		provider = provider.With(name, signed.Get(name))
	}
	provider.Post("/payments/webhooks/development", body).Want(http.StatusOK)
}

// TestPaymentKeepsIncognito goes incognito to a paid event: by e-mail, through the payment and back.
func TestPaymentKeepsIncognito(t *testing.T) {
	a, event := paidEvent(t)
	page, b := "/events/"+event, visitor(t, a)
	const incognito, public = `value="incognito" checked`, `value="public" checked`
	fields := url.Values{"event_id": {event}, "participation_visibility": {"incognito"}, "return_to": {page}, "email": {"new@example.org"}}
	b.submit("joinEvent", page, fields).want(t, http.StatusOK, `name="code"`, incognito)
	fields.Set("code", webCodeInMail.FindString(a.Mail("new@example.org").Text))
	refused := b.submit("verifyEmailSignIn", page, fields)
	refused.want(t, http.StatusUnprocessableEntity, "Pay for the event first.", incognito,
		`hx-get="`+page+`?participation_visibility=incognito"`)
	if form := between(refused.Body, `action="/do/joinEvent#join"`, "</form>"); !strings.Contains(form, `name="pay" value="yes"`) {
		t.Errorf("the button that pays does not send the choice: %s", form)
	}

	paying := b.step("joinEvent", page, map[string]string{"event_id": event, "participation_visibility": "incognito", "pay": "yes"})
	pending := b.open(paying)
	pending.want(t, http.StatusOK, `href="`+paying+`"`)
	settle(t, a, between(pending.Body, "https://checkout.invalid/", `"`))
	back := html.UnescapeString(between(b.open(paying).Body, `class="button primary wide" href="`, `"`))
	b.open(back).want(t, http.StatusOK, incognito, "not", public)
	b.submit("joinEvent", back, url.Values{"event_id": {event}, "participation_visibility": {"incognito"}}).redirects(t, page+"?joined=yes")
	b.open(page).want(t, http.StatusOK, "You are going incognito")
	if strings.Contains(a.Log(), "incognito") {
		t.Error("the log contains the choice")
	}

	ben := signedIn(t, a, "ben")
	for _, choice := range []string{"public", "<script>"} {
		ben.open(page+"?participation_visibility="+url.QueryEscape(choice)).want(t, http.StatusOK, public, "not", incognito)
		if to := ben.step("joinEvent", page, map[string]string{"event_id": event, "participation_visibility": choice,
			"pay": "yes"}); strings.Contains(to, "?") {
			t.Errorf("%s: to %s", choice, to)
		}
	}
}

// TestPaymentPageShowsRefund pays for an event that is canceled then.
func TestPaymentPageShowsRefund(t *testing.T) {
	a, event := paidEvent(t)
	page, b := "/events/"+event, signedIn(t, a, "ben")
	paying := b.step("joinEvent", page, map[string]string{"event_id": event, "pay": "yes"})
	settle(t, a, between(b.open(paying).Body, "https://checkout.invalid/", `"`))
	b.open(paying).want(t, http.StatusOK, "You have paid. Now join the event.")
	a.As("org").Post(page+"/cancel", nil).Want(http.StatusOK)
	b.open(paying).want(t, http.StatusOK, "This payment will be refunded.", "not", "You have paid.")
}
