package webpush

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/platform/httpapi"
	"moothall/internal/platform/push"
)

// Handler serves the operations of push subscriptions.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"createPushSubscription": httpapi.BodyCheck(func(_ context.Context, req *gen.CreatePushSubscriptionRequest) error {
			_, err := parse(req)
			return err
		}),
	}
}

func parse(req *gen.CreatePushSubscriptionRequest) (push.Subscription, error) {
	return push.ParseSubscription(req.Endpoint, req.Keys.P256dh, req.Keys.Auth)
}

// GetPushKey serves GET /push/key.
func (h *Handler) GetPushKey(context.Context) (*gen.PushKey, error) {
	return &gen.PushKey{PublicKey: h.service.Client.PublicKey()}, nil
}

// CreatePushSubscription serves POST /me/push-subscriptions.
func (h *Handler) CreatePushSubscription(ctx context.Context, req *gen.CreatePushSubscriptionRequest,
	_ gen.CreatePushSubscriptionParams) (*gen.PushSubscription, error) {
	parsed, err := parse(req)
	if err != nil {
		return nil, err
	}
	created, err := h.service.Subscribe(ctx, httpapi.Viewer(ctx), parsed, session.ClientOf(ctx))
	if err != nil {
		return nil, err
	}
	response := created.toAPI()
	return &response, nil
}

// ListPushSubscriptions serves GET /me/push-subscriptions.
func (h *Handler) ListPushSubscriptions(ctx context.Context) (*gen.PushSubscriptionsResponse, error) {
	all, err := h.service.List(ctx, httpapi.Viewer(ctx))
	if err != nil {
		return nil, err
	}
	response := &gen.PushSubscriptionsResponse{Items: make([]gen.PushSubscription, len(all)), NextCursor: gen.NullString(nil)}
	for i, one := range all {
		response.Items[i] = one.toAPI()
	}
	return response, nil
}

// DeletePushSubscription serves DELETE /me/push-subscriptions/{subscription_id}.
func (h *Handler) DeletePushSubscription(ctx context.Context, params gen.DeletePushSubscriptionParams) error {
	return h.service.Unsubscribe(ctx, httpapi.Viewer(ctx), domain.PushSubscriptionID(params.SubscriptionID))
}

func (s Subscription) toAPI() gen.PushSubscription {
	return gen.PushSubscription{
		ID: uuid.UUID(s.ID), EndpointHost: s.Host, DeviceName: gen.NullString(s.DeviceName), CreatedAt: s.CreatedAt, IsCurrent: s.Current,
	}
}
