package mail

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler serves the operations on notification preferences, and the events of mail providers.
type Handler struct {
	service *Service
	events  *ProviderEvents
}

// NewHandler returns the handler of services.
func NewHandler(s *Service, events *ProviderEvents) *Handler { return &Handler{s, events} }

// GetNotificationPreferences serves GET /me/notification-preferences.
func (h *Handler) GetNotificationPreferences(ctx context.Context) (*gen.NotificationPreferences, error) {
	return h.toAPI(h.service.Preferences(ctx, httpapi.Viewer(ctx)))
}

// UpdateNotificationPreferences serves PATCH /me/notification-preferences.
func (h *Handler) UpdateNotificationPreferences(ctx context.Context,
	req *gen.UpdateNotificationPreferencesRequest) (*gen.NotificationPreferences, error) {
	return h.toAPI(h.service.SetPreferences(ctx, httpapi.Viewer(ctx), changeOf(req)))
}

// MuteEvent serves PUT /events/{event_id}/mute.
func (h *Handler) MuteEvent(ctx context.Context, params gen.MuteEventParams) (*gen.EventMute, error) {
	return h.mute(ctx, params.EventID, true)
}

// UnmuteEvent serves DELETE /events/{event_id}/mute.
func (h *Handler) UnmuteEvent(ctx context.Context, params gen.UnmuteEventParams) (*gen.EventMute, error) {
	return h.mute(ctx, params.EventID, false)
}

func (h *Handler) mute(ctx context.Context, id uuid.UUID, muted bool) (*gen.EventMute, error) {
	if err := h.service.Mute(ctx, httpapi.Viewer(ctx), domain.EventID(id), muted); err != nil {
		return nil, err
	}
	return &gen.EventMute{EventID: id, Muted: muted}, nil
}

func changeOf(req *gen.UpdateNotificationPreferencesRequest) Change {
	c := Change{Timezone: httpapi.Opt(req.Timezone), Locale: httpapi.Opt(req.Locale)}
	for _, r := range req.Rules {
		c.Preferences = append(c.Preferences, Preference{notify.Kind(r.Kind), Channel(r.Channel), Mode(r.Mode)})
	}
	if quiet := httpapi.Opt(req.QuietHours); quiet.Sent {
		c.Quiet.Sent = true
		if q := quiet.Value; q != nil {
			c.Quiet.Value = &QuietHours{From: minutesOf(q.From), To: minutesOf(q.To)}
		}
	}
	if digest := httpapi.Opt(req.Digest); digest.Sent {
		c.Digest.Sent = true
		if d := digest.Value; d != nil {
			c.Digest.Value = &DigestTime{Hour: d.Hour, Weekdays: d.Weekdays}
		}
	}
	if language := httpapi.Opt(req.Language); language.Sent {
		c.Language.Sent = true
		if l := language.Value; l != nil {
			c.Language.Value = new(string(*l))
		}
	}
	return c
}

// minutesOf returns the minutes after midnight of a valid time like 08:30.
func minutesOf(clock string) int {
	var hours, minutes int
	_, _ = fmt.Sscanf(strings.ReplaceAll(clock, ":", " "), "%d %d", &hours, &minutes) // checked by the contract
	return hours*60 + minutes
}

func clockOf(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }

func (h *Handler) toAPI(p Preferences, err error) (*gen.NotificationPreferences, error) {
	if err != nil {
		return nil, err
	}
	out := &gen.NotificationPreferences{Channels: []gen.NotificationChannel{}, Timezone: h.service.DefaultTimezone,
		Language: gen.NotificationLanguage(p.reader().String()), Locale: gen.NullString(p.locale)}
	for _, c := range h.service.Channels {
		out.Channels = append(out.Channels, gen.NotificationChannel(c))
	}
	for _, policy := range policies {
		for _, c := range channels {
			out.Rules = append(out.Rules, gen.NotificationRule{
				Kind: gen.NotificationKind(policy.kind), Channel: gen.NotificationChannel(c),
				Mode: gen.NotificationMode(p.mode(policy.kind, c)), Default: gen.NotificationMode(policy.mode(c)),
			})
		}
	}
	out.QuietHours.SetToNull()
	if p.quietFrom != nil {
		out.QuietHours.SetTo(gen.QuietHours{From: clockOf(*p.quietFrom), To: clockOf(*p.quietTo)})
	}
	if p.timezone != nil {
		out.Timezone = *p.timezone
	}
	out.PushSubscriptions = p.pushes
	digest := p.digest()
	out.Digest = gen.DigestTime{Hour: digest.Hour, Weekdays: digest.Weekdays}
	out.Email.SetToNull()
	if p.email != nil {
		email := gen.NotificationEmail{Address: *p.email, Verified: p.emailVerified}
		email.SuppressedAt.SetToNull()
		if p.suppressedAt != nil {
			email.SuppressedAt.SetTo(*p.suppressedAt)
		}
		out.Email.SetTo(email)
	}
	return out, nil
}
