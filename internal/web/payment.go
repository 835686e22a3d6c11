package web

import (
	"context"
	"net/url"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// createPaymentIntent starts a payment for an event, and shows it. The address keeps who may see that the viewer goes.
func (s *Site) createPaymentIntent(ctx context.Context, form url.Values) (outcome, error) {
	intent, err := s.api.CreatePaymentIntent(ctx, gen.CreatePaymentIntentParams{EventID: formID(form, "event_id"),
		IdempotencyKey: formKey(form)})
	if err != nil {
		return outcome{}, err
	}
	return outcome{to: view.WithVisibility("/payments/intents/"+intent.ID.String(), formVisibility(form).Value)}, nil
}

// payment shows a payment of the viewer, with the link to the checkout.
func (s *Site) payment(ctx context.Context, v *visit) (templ.Component, error) {
	intent, err := s.api.GetPaymentIntent(ctx, gen.GetPaymentIntentParams{PaymentIntentID: v.id("payment_intent_id")})
	if err != nil {
		return nil, err
	}
	v.page.Title = v.page.T("pay.title")
	return view.Payment(v.page, intent), nil
}

// updatePaymentProfile changes the payment profile, which must be verified before a paid event is published.
func (s *Site) updatePaymentProfile(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.UpdatePaymentProfile(ctx,
		&gen.UpdatePaymentProfileRequest{Status: gen.UpdatePaymentProfileRequestStatus(form.Get("status"))})
	return back(form), err
}
