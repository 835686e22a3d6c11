package webhook

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of webhooks.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{s} }

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"createWebhook": httpapi.BodyCheck(func(_ context.Context, req *gen.CreateWebhookRequest) error {
			return h.service.clean(&req.URL, kindsFrom(req.Kinds))
		}),
		"updateWebhook": httpapi.ChangeCheck(func(_ context.Context, req *gen.UpdateWebhookRequest) error {
			u := updateFrom(req)
			return h.service.clean(u.URL, u.Kinds)
		}),
		"replayWebhook": httpapi.BodyCheck(func(_ context.Context,
			req *gen.ReplayWebhookRequest) error {
			return rangeFrom(req).check()
		}),
		"listWebhookDeliveries": httpapi.CursorCheck(beforeAttempt),
	}
}

// ListWebhooks serves GET /me/webhooks.
func (h *Handler) ListWebhooks(ctx context.Context) (*gen.WebhooksResponse, error) {
	all, err := h.service.List(ctx, httpapi.Viewer(ctx))
	if err != nil {
		return nil, err
	}
	response := &gen.WebhooksResponse{Items: make([]gen.Webhook, len(all)), NextCursor: gen.NullString(nil)}
	for i, w := range all {
		response.Items[i] = *w.toAPI()
	}
	return response, nil
}

// CreateWebhook serves POST /me/webhooks.
func (h *Handler) CreateWebhook(ctx context.Context, req *gen.CreateWebhookRequest, _ gen.CreateWebhookParams) (*gen.NewWebhook, error) {
	w := Webhook{URL: req.URL, Kinds: kindsFrom(req.Kinds), IncludeIncognito: req.IncludeIncognito.Or(false)}
	if id, ok := req.EventID.Get(); ok {
		w.EventID = new(domain.EventID(id))
	}
	return newToAPI(h.service.Create(ctx, httpapi.Viewer(ctx), w))
}

// GetWebhook serves GET /me/webhooks/{webhook_id}.
func (h *Handler) GetWebhook(ctx context.Context, params gen.GetWebhookParams) (*gen.Webhook, error) {
	return toAPI(h.service.Get(ctx, httpapi.Viewer(ctx), domain.WebhookID(params.WebhookID)))
}

// UpdateWebhook serves PATCH /me/webhooks/{webhook_id}.
func (h *Handler) UpdateWebhook(ctx context.Context, req *gen.UpdateWebhookRequest, params gen.UpdateWebhookParams) (*gen.Webhook, error) {
	return toAPI(h.service.Update(ctx, httpapi.Viewer(ctx), domain.WebhookID(params.WebhookID), updateFrom(req)))
}

// DeleteWebhook serves DELETE /me/webhooks/{webhook_id}.
func (h *Handler) DeleteWebhook(ctx context.Context, params gen.DeleteWebhookParams) error {
	return h.service.Delete(ctx, httpapi.Viewer(ctx), domain.WebhookID(params.WebhookID))
}

// RotateWebhookSecret serves POST /me/webhooks/{webhook_id}/rotate-secret.
func (h *Handler) RotateWebhookSecret(ctx context.Context, params gen.RotateWebhookSecretParams) (*gen.NewWebhook, error) {
	return newToAPI(h.service.Rotate(ctx, httpapi.Viewer(ctx), domain.WebhookID(params.WebhookID)))
}

// TestWebhook serves POST /me/webhooks/{webhook_id}/test.
func (h *Handler) TestWebhook(ctx context.Context, params gen.TestWebhookParams) (*gen.WebhookTest, error) {
	id, err := h.service.Test(ctx, httpapi.Viewer(ctx), domain.WebhookID(params.WebhookID))
	if err != nil {
		return nil, err
	}
	return &gen.WebhookTest{MessageID: uuid.UUID(id)}, nil
}

// ReplayWebhook serves POST /me/webhooks/{webhook_id}/replay.
func (h *Handler) ReplayWebhook(ctx context.Context, req *gen.ReplayWebhookRequest,
	params gen.ReplayWebhookParams) (*gen.WebhookReplay, error) {
	n, err := h.service.Replay(ctx, httpapi.Viewer(ctx), domain.WebhookID(params.WebhookID), rangeFrom(req))
	if err != nil {
		return nil, err
	}
	return &gen.WebhookReplay{Queued: int(n)}, nil
}

// ListWebhookDeliveries serves GET /me/webhooks/{webhook_id}/deliveries.
func (h *Handler) ListWebhookDeliveries(ctx context.Context,
	params gen.ListWebhookDeliveriesParams) (*gen.WebhookDeliveriesResponse, error) {
	var failed *bool
	if status, ok := params.Status.Get(); ok {
		failed = new(status == gen.ListWebhookDeliveriesStatusFailed)
	}
	page, err := h.service.Attempts(ctx, httpapi.Viewer(ctx), domain.WebhookID(params.WebhookID), failed, params.Limit.Or(domain.DefaultLimit),
		params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	response := &gen.WebhookDeliveriesResponse{Items: make([]gen.WebhookDelivery, len(page.Items)), NextCursor: gen.NullCursor(page.Next)}
	for i, a := range page.Items {
		status := gen.NilInt{Null: true}
		if a.StatusCode != nil {
			status = gen.NewNilInt(*a.StatusCode)
		}
		response.Items[i] = gen.WebhookDelivery{
			ID: uuid.UUID(a.ID), MessageID: uuid.UUID(a.MessageID), Kind: string(a.Kind), Attempt: a.Number, At: a.At,
			StatusCode: status, DurationMs: int(a.Duration.Milliseconds()), Error: gen.NullString(a.Error), ResponseExcerpt: a.Excerpt,
		}
	}
	return response, nil
}

func kindsFrom(list []gen.WebhookKind) (all []Kind) {
	for _, k := range list {
		all = append(all, Kind(k))
	}
	return all
}

func updateFrom(req *gen.UpdateWebhookRequest) (u Update) {
	if address, ok := req.URL.Get(); ok {
		u.URL = &address
	}
	if incognito, ok := req.IncludeIncognito.Get(); ok {
		u.IncludeIncognito = &incognito
	}
	if status, ok := req.Status.Get(); ok {
		u.Status = new(Status(status))
	}
	u.Kinds = kindsFrom(req.Kinds)
	return u
}

func rangeFrom(req *gen.ReplayWebhookRequest) (r Range) {
	if id, ok := req.MessageID.Get(); ok {
		r.Message = new(domain.WebhookMessageID(id))
	}
	if from, ok := req.From.Get(); ok {
		r.From = &from
	}
	if to, ok := req.To.Get(); ok {
		r.To = &to
	}
	return r
}

func (w Webhook) kindsAPI() []gen.WebhookKind {
	list := make([]gen.WebhookKind, len(w.Kinds))
	for i, k := range w.Kinds {
		list[i] = gen.WebhookKind(k)
	}
	return list
}

func (w Webhook) toAPI() *gen.Webhook {
	return &gen.Webhook{
		ID: uuid.UUID(w.ID), URL: w.URL, Kinds: w.kindsAPI(), EventID: gen.NullUUID(w.EventID), IncludeIncognito: w.IncludeIncognito,
		Status: gen.WebhookStatus(w.ShownStatus()), FailingSince: gen.NullDateTime(w.FailingSince), CreatedAt: w.CreatedAt,
		APIKeyID: gen.NullUUID(w.APIKeyID),
	}
}

func toAPI(w Webhook, err error) (*gen.Webhook, error) {
	if err != nil {
		return nil, err
	}
	return w.toAPI(), nil
}

func newToAPI(w Webhook, secret string, err error) (*gen.NewWebhook, error) {
	if err != nil {
		return nil, err
	}
	return &gen.NewWebhook{
		ID: uuid.UUID(w.ID), URL: w.URL, Kinds: w.kindsAPI(), EventID: gen.NullUUID(w.EventID), IncludeIncognito: w.IncludeIncognito,
		Status: gen.WebhookStatus(w.ShownStatus()), FailingSince: gen.NullDateTime(w.FailingSince), CreatedAt: w.CreatedAt,
		APIKeyID: gen.NullUUID(w.APIKeyID), Secret: secret,
	}, nil
}
