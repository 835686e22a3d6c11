package web

import (
	"context"
	"net/url"
	"time"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

const day = 24 * time.Hour

// apiKeys lists the visitor's API keys, and lets them create one.
func (s *Site) apiKeys(ctx context.Context, v *visit) (templ.Component, error) {
	keys, err := s.api.ListApiKeys(ctx)
	if err != nil {
		return nil, err
	}
	zone, err := s.zone(ctx)
	if err != nil {
		return nil, err
	}
	v.page.Title = v.page.T("settings.api_keys")
	return view.APIKeys(v.page, view.APIKeysData{Keys: keys.Items, Zone: zone}), nil
}

// createAPIKey creates an API key and shows it, once.
func (s *Site) createAPIKey(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	request := &gen.CreateApiKeyRequest{Name: form.Get("name"), Scopes: []gen.ApiKeyScope{}}
	for _, scope := range form["scope"] {
		request.Scopes = append(request.Scopes, gen.ApiKeyScope(scope))
	}
	if days := number(form.Get("days")); days > 0 { // the same time all day, so that the form can be sent twice
		request.ExpiresAt.SetTo(v.page.Now.UTC().Truncate(day).Add(time.Duration(days) * day))
	}
	key, err := s.api.CreateApiKey(ctx, request, gen.CreateApiKeyParams{IdempotencyKey: optional(form, "key")})
	if err != nil {
		return outcome{}, err
	}
	return showSecret(form, key.Key), nil
}

// showSecret shows the page of a form again, with empty fields and with a secret that is never
// shown again.
func showSecret(form url.Values, secret string) outcome {
	page := form["page"]
	clear(form)
	form["page"] = page
	form.Set("secret", secret)
	return outcome{step: view.StepSecret}
}

func (s *Site) deleteAPIKey(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.DeleteApiKey(ctx, gen.DeleteApiKeyParams{APIKeyID: formID(form, "api_key_id"),
		Webhooks: gen.NewOptBool(form.Has("webhooks"))})
}
