package apikey

import (
	"context"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of API keys.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{s} }

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"createApiKey": httpapi.BodyCheck(func(_ context.Context, req *gen.CreateApiKeyRequest) error {
			k := requested(req)
			return k.clean(h.service.Clock.Now())
		}),
	}
}

// ListApiKeys serves GET /me/api-keys.
func (h *Handler) ListApiKeys(ctx context.Context) (*gen.ApiKeysResponse, error) { //nolint:revive,staticcheck // a generated name
	all, err := h.service.List(ctx, httpapi.Viewer(ctx))
	if err != nil {
		return nil, err
	}
	response := &gen.ApiKeysResponse{Items: make([]gen.ApiKey, len(all)), NextCursor: gen.NullString(nil)}
	for i, k := range all {
		response.Items[i] = gen.ApiKey{
			ID: uuid.UUID(k.ID), Name: k.Name, Prefix: k.Prefix, Scopes: k.scopesAPI(),
			CreatedAt: k.CreatedAt, ExpiresAt: gen.NullDateTime(k.ExpiresAt), LastUsedAt: gen.NullDateTime(k.LastUsedAt), Webhooks: k.webhooksAPI(),
		}
	}
	return response, nil
}

// CreateApiKey serves POST /me/api-keys.
func (h *Handler) CreateApiKey(ctx context.Context, req *gen.CreateApiKeyRequest, _ gen.CreateApiKeyParams) (*gen.NewApiKey, error) { //nolint:revive,staticcheck // a generated name
	k, secret, err := h.service.Create(ctx, httpapi.Viewer(ctx), requested(req))
	if err != nil {
		return nil, err
	}
	return &gen.NewApiKey{
		ID: uuid.UUID(k.ID), Name: k.Name, Prefix: k.Prefix, Scopes: k.scopesAPI(),
		CreatedAt: k.CreatedAt, ExpiresAt: gen.NullDateTime(k.ExpiresAt), LastUsedAt: gen.NullDateTime(nil), Key: secret,
	}, nil
}

// DeleteApiKey serves DELETE /me/api-keys/{api_key_id}.
func (h *Handler) DeleteApiKey(ctx context.Context, params gen.DeleteApiKeyParams) error { //nolint:revive,staticcheck // a generated name
	return h.service.Delete(ctx, httpapi.Viewer(ctx), domain.APIKeyID(params.APIKeyID), params.Webhooks.Or(false))
}

func requested(req *gen.CreateApiKeyRequest) Key {
	k := Key{Name: req.Name}
	for _, scope := range req.Scopes {
		k.Scopes = append(k.Scopes, string(scope))
	}
	if at, ok := req.ExpiresAt.Get(); ok {
		k.ExpiresAt = new(at.UTC().Truncate(time.Second))
	}
	return k
}

func (k Key) webhooksAPI() []gen.ApiKeyWebhook {
	list := make([]gen.ApiKeyWebhook, len(k.Webhooks))
	for i, w := range k.Webhooks {
		list[i] = gen.ApiKeyWebhook{ID: uuid.UUID(w.ID), URL: w.URL}
	}
	return list
}

func (k Key) scopesAPI() []gen.ApiKeyScope {
	scopes := make([]gen.ApiKeyScope, len(k.Scopes))
	for i, scope := range k.Scopes {
		scopes[i] = gen.ApiKeyScope(scope)
	}
	return scopes
}
