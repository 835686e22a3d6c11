package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/assets"
	"moothall/internal/web/view"
)

// Manifest describes the web client to browsers that install it.
func (s *Site) Manifest(w http.ResponseWriter, r *http.Request) error {
	type icon struct {
		Source  string `json:"src"`
		Sizes   string `json:"sizes"`
		Type    string `json:"type"`
		Purpose string `json:"purpose"`
	}
	type screenshot struct {
		Source string `json:"src"`
		Sizes  string `json:"sizes"`
		Type   string `json:"type"`
		Form   string `json:"form_factor"`
		Label  string `json:"label"`
	}
	type shortcut struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	}
	p := s.newPage(r)
	body, err := json.Marshal(map[string]any{
		"id": "/", "start_url": "/", "scope": "/", "name": "Moothall", "short_name": "Moothall", "lang": p.Language.String(),
		"description": p.T("discover.description"), "display": "standalone", "background_color": "#fbfaf7", "theme_color": "#fbfaf7",
		"icons": []icon{
			{assets.URL("icon-192.png"), "192x192", "image/png", "any"},
			{assets.URL("icon-512.png"), "512x512", "image/png", "any"},
			{assets.URL("icon-512.png"), "512x512", "image/png", "maskable"},
		},
		"screenshots": []screenshot{
			{assets.URL("screenshot-phone.webp"), "390x844", "image/webp", "narrow", p.T("nav.discover")},
			{assets.URL("screenshot-desktop.webp"), "1280x844", "image/webp", "wide", p.T("nav.discover")},
		},
		"shortcuts": []shortcut{
			{p.T("nav.calendar"), "/calendar"}, {p.T("nav.notifications"), "/notifications"}, {p.T("nav.new_event"), "/events/new"},
		},
	})
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/manifest+json")
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Language, Cookie")
	_, _ = w.Write(body) // fails only when the client is gone
	return nil
}

// The page /offline has this much of the calendar, and details of the first events in it.
const (
	offlineDays   = 60
	offlineEvents = 12
)

// offline is the page that browsers show without network: the calendar of the visitor, with details of the events in it.
func (s *Site) offline(ctx context.Context, v *visit) (templ.Component, error) {
	v.page.Title, v.page.NoIndex = v.page.T("offline.title"), true
	if !v.page.SignedIn() {
		return view.Offline(v.page, view.OfflineData{}), nil
	}
	zone, err := s.zone(ctx)
	if err != nil {
		return nil, err
	}
	today := view.DayIn(v.page.Now, zone)
	entries, err := s.calendarEntries(ctx, today, today.Add(offlineDays*24*time.Hour))
	if err != nil {
		return nil, err
	}
	events, err := s.detailsOf(ctx, entries)
	if err != nil {
		return nil, err
	}
	return view.Offline(v.page, view.OfflineData{Entries: entries, Events: events, Zone: zone}), nil
}

// detailsOf returns the details of the first events in the calendar, by id. It leaves out those that the visitor no longer sees.
func (s *Site) detailsOf(ctx context.Context, entries []gen.CalendarEntry) (map[uuid.UUID]*gen.EventDetails, error) {
	var ids []uuid.UUID
	for _, e := range entries {
		if !e.EventID.Null && len(ids) < offlineEvents {
			ids = append(ids, e.EventID.Value)
		}
	}
	details, calls := make([]*gen.EventDetails, len(ids)), make([]func() error, len(ids))
	for i, id := range ids {
		calls[i] = func() error {
			found, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: id})
			if problem, refused := errors.AsType[*view.Problem](err); refused && problem.Status == http.StatusNotFound {
				return nil
			}
			if err == nil {
				details[i] = &found.Response
			}
			return err
		}
	}
	if len(calls) == 0 {
		return nil, nil
	}
	err := s.together(calls...)
	events := map[uuid.UUID]*gen.EventDetails{}
	for i, id := range ids {
		if details[i] != nil {
			events[id] = details[i]
		}
	}
	return events, err
}

// readPushes reads which browsers of the visitor receive push messages.
func (s *Site) readPushes(ctx context.Context, d *view.NotificationSettingsData) error {
	pushes, err := s.api.ListPushSubscriptions(ctx)
	if err != nil {
		return err
	}
	key, err := s.api.GetPushKey(ctx)
	if err != nil {
		return err
	}
	d.Pushes, d.PushKey = pushes.Items, key.PublicKey
	return nil
}

// createPush stores the subscription that the browser has made.
func (s *Site) createPush(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	var subscription gen.CreatePushSubscriptionRequest
	if err := subscription.UnmarshalJSON([]byte(form.Get("subscription"))); err != nil {
		return outcome{}, invalid("subscription")
	}
	_, err := s.api.CreatePushSubscription(ctx, &subscription, gen.CreatePushSubscriptionParams{IdempotencyKey: formKey(form)})
	return back(form), err
}

func (s *Site) deletePush(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	return back(form), s.api.DeletePushSubscription(ctx, gen.DeletePushSubscriptionParams{SubscriptionID: formID(form, "subscription_id")})
}
