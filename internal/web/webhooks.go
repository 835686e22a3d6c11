package web

import (
	"context"
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// attemptsPerPage is the number of attempts to send messages before "Older".
const attemptsPerPage = 20

// webhooks lists the visitor's webhooks, and lets them create one.
func (s *Site) webhooks(ctx context.Context, v *visit) (templ.Component, error) {
	hooks, err := s.api.ListWebhooks(ctx)
	if err != nil {
		return nil, err
	}
	d := view.WebhooksData{Webhooks: hooks.Items}
	if d.Zone, err = s.zone(ctx); err != nil {
		return nil, err
	}
	events, err := s.eventsOf(ctx, v, "events", gen.ListEventsParams{OrganizerID: gen.NewOptUUID(v.page.Viewer.User.ID)})
	if err != nil {
		return nil, err
	}
	d.Events, v.page.Title = events.Cards, v.page.T("webhooks.title")
	return view.Webhooks(v.page, d), nil
}

// webhook shows a webhook and the attempts to send its messages.
func (s *Site) webhook(ctx context.Context, v *visit) (templ.Component, error) {
	hook, err := s.api.GetWebhook(ctx, gen.GetWebhookParams{WebhookID: v.id("webhook_id")})
	if err != nil {
		return nil, err
	}
	d := view.WebhookData{Webhook: *hook, Failed: v.page.URL.Query().Get("status") == "failed"}
	if d.Zone, err = s.zone(ctx); err != nil {
		return nil, err
	}
	params := gen.ListWebhookDeliveriesParams{WebhookID: hook.ID, Limit: gen.NewOptInt(attemptsPerPage),
		Cursor: optional(v.page.URL.Query(), "cursor")}
	if d.Failed {
		params.Status.SetTo(gen.ListWebhookDeliveriesStatusFailed)
	}
	attempts, err := s.api.ListWebhookDeliveries(ctx, params)
	if err != nil {
		return nil, err
	}
	d.Attempts, d.Older = attempts.Items, v.more("cursor", attempts.NextCursor)
	v.page.Title = v.page.T("webhooks.title")
	return view.Webhook(v.page, d), nil
}

// webhookKinds are the kinds that a form has ticked.
func webhookKinds(form url.Values) []gen.WebhookKind {
	kinds := []gen.WebhookKind{}
	for _, kind := range form["kind"] {
		kinds = append(kinds, gen.WebhookKind(kind))
	}
	return kinds
}

// createWebhook creates a webhook and shows its secret, once.
func (s *Site) createWebhook(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	request := &gen.CreateWebhookRequest{
		URL: form.Get("url"), Kinds: webhookKinds(form), IncludeIncognito: gen.NewOptNilBool(form.Has("include_incognito")),
	}
	if form.Get("event_id") != "" {
		request.EventID.SetTo(formID(form, "event_id"))
	}
	hook, err := s.api.CreateWebhook(ctx, request, gen.CreateWebhookParams{IdempotencyKey: optional(form, "key")})
	if err != nil {
		return outcome{}, err
	}
	return showSecret(form, hook.Secret), nil
}

// updateWebhook changes the status of a webhook, or everything else.
func (s *Site) updateWebhook(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	var request gen.UpdateWebhookRequest
	if form.Has("status") {
		request.Status.SetTo(gen.UpdateWebhookRequestStatus(form.Get("status")))
	} else {
		request.URL.SetTo(form.Get("url"))
		request.Kinds = webhookKinds(form)
		request.IncludeIncognito.SetTo(form.Has("include_incognito"))
	}
	_, err := s.api.UpdateWebhook(ctx, &request, gen.UpdateWebhookParams{WebhookID: formID(form, "webhook_id")})
	return back(form), err
}

func (s *Site) deleteWebhook(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return outcome{to: "/settings/webhooks"}, s.api.DeleteWebhook(ctx, gen.DeleteWebhookParams{WebhookID: formID(form, "webhook_id")})
}

// rotateWebhookSecret replaces the secret of a webhook and shows the new one, once.
func (s *Site) rotateWebhookSecret(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	hook, err := s.api.RotateWebhookSecret(ctx, gen.RotateWebhookSecretParams{WebhookID: formID(form, "webhook_id")})
	if err != nil {
		return outcome{}, err
	}
	return showSecret(form, hook.Secret), nil
}

func (s *Site) testWebhook(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.TestWebhook(ctx, gen.TestWebhookParams{WebhookID: formID(form, "webhook_id")})
	return outcome{step: view.StepSent}, err
}

// replayWebhook sends one message again, or all messages between two times in the zone of the
// visitor.
func (s *Site) replayWebhook(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	var request gen.ReplayWebhookRequest
	if form.Has("message_id") {
		request.MessageID.SetTo(formID(form, "message_id"))
	} else {
		zone, err := s.zone(ctx)
		if err != nil {
			return outcome{}, err
		}
		from, err := localTime(form, "from", zone)
		if err != nil {
			return outcome{}, err
		}
		to, err := localTime(form, "to", zone)
		if err != nil {
			return outcome{}, err
		}
		request.From.SetTo(from)
		request.To.SetTo(to)
	}
	replay, err := s.api.ReplayWebhook(ctx, &request, gen.ReplayWebhookParams{WebhookID: formID(form, "webhook_id")})
	if err != nil {
		return outcome{}, err
	}
	form.Set("queued", strconv.Itoa(replay.Queued))
	return outcome{step: view.StepSent}, nil
}
