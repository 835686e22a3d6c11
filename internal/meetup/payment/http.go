package payment

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of payments.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// GetPaymentProfile serves GET /me/payment-profile.
func (h *Handler) GetPaymentProfile(ctx context.Context) (*gen.OrganizerPaymentProfile, error) {
	p, err := h.service.Profile(ctx, httpapi.Viewer(ctx))
	if err != nil {
		return nil, err
	}
	return p.toAPI(), nil
}

// UpdatePaymentProfile serves PATCH /me/payment-profile.
func (h *Handler) UpdatePaymentProfile(ctx context.Context, req *gen.UpdatePaymentProfileRequest) (*gen.OrganizerPaymentProfile, error) {
	p, err := h.service.SetProfile(ctx, httpapi.Viewer(ctx), ProfileStatus(req.Status))
	if err != nil {
		return nil, err
	}
	return p.toAPI(), nil
}

// CreatePaymentIntent serves POST /events/{event_id}/payment-intents.
func (h *Handler) CreatePaymentIntent(ctx context.Context, params gen.CreatePaymentIntentParams) (*gen.PaymentIntent, error) {
	v := httpapi.Viewer(ctx)
	i, err := h.service.Begin(ctx, v, domain.EventID(params.EventID), params.IdempotencyKey.Or(""))
	if err != nil {
		return nil, err
	}
	return i.toAPI(v), nil
}

// GetPaymentIntent serves GET /payments/intents/{payment_intent_id}.
func (h *Handler) GetPaymentIntent(ctx context.Context, params gen.GetPaymentIntentParams) (*gen.PaymentIntent, error) {
	v := httpapi.Viewer(ctx)
	i, err := h.service.Intent(ctx, v, domain.PaymentID(params.PaymentIntentID))
	if err != nil {
		return nil, err
	}
	return i.toAPI(v), nil
}

// VerifyWebhook verifies the signature of POST /payments/webhooks/{provider} before
// its body is parsed.
func (h *Handler) VerifyWebhook(d httpapi.RawRequest) error {
	return h.service.Verify(d.Path[0], d.Header, d.Body)
}

// ReceivePaymentWebhook serves POST /payments/webhooks/{provider}. VerifyWebhook has
// verified its signature before.
func (h *Handler) ReceivePaymentWebhook(ctx context.Context, _ *gen.PaymentWebhookEvent,
	_ gen.ReceivePaymentWebhookParams) (*gen.PaymentWebhookResponse, error) {
	d := httpapi.Raw(ctx)
	r, err := h.service.Receive(ctx, d.Header, d.Body)
	if err != nil {
		return nil, err
	}
	return &gen.PaymentWebhookResponse{
		Result: gen.PaymentWebhookResponseResult(r.Result), Duplicate: r.Duplicate,
		Provider: r.Provider, ProviderEventID: r.NoticeID, PaymentIntentID: gen.NullUUID(r.IntentID),
	}, nil
}

func (p Profile) toAPI() *gen.OrganizerPaymentProfile {
	return &gen.OrganizerPaymentProfile{
		UserID: uuid.UUID(p.UserID), Status: gen.PaymentProfileStatus(p.Status), Provider: p.Provider,
		BlockedReason: gen.NullString(p.BlockedReason), VerifiedAt: gen.NullDateTime(p.VerifiedAt), CreatedAt: p.CreatedAt,
		UpdatedAt: p.UpdatedAt,
	}
}

// toAPI converts an intent for its payer.
func (i Intent) toAPI(payer domain.Viewer) *gen.PaymentIntent {
	address := gen.NullString(nil)
	if i.Status == Pending {
		address = gen.NullString(&i.CheckoutURL)
	}
	return &gen.PaymentIntent{
		ID: uuid.UUID(i.ID), EventID: uuid.UUID(i.EventID), UserID: uuid.UUID(payer.UserID),
		Provider: i.Provider, ProviderPaymentID: i.ProviderPaymentID, Status: gen.PaymentIntentStatus(i.Status.shown()),
		Amount: int(i.Amount), Currency: i.Currency, CheckoutURL: address, ExpiresAt: i.ExpiresAt,
		PaidAt: gen.NullDateTime(i.PaidAt), CanceledAt: gen.NullDateTime(i.CanceledAt), CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
		RefundDueAt: gen.NullDateTime(i.RefundDueAt),
	}
}
