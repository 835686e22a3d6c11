package reminder

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler serves the operations on reminder settings.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// GetReminderSettings serves GET /events/{event_id}/reminders.
func (h *Handler) GetReminderSettings(ctx context.Context, params gen.GetReminderSettingsParams) (*gen.EventReminderSettings, error) {
	s, err := h.service.Get(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID))
	if err != nil {
		return nil, err
	}
	return s.toAPI(), nil
}

// SetReminderSettings serves PATCH /events/{event_id}/reminders.
func (h *Handler) SetReminderSettings(ctx context.Context, req *gen.SetEventReminderSettingsRequest,
	params gen.SetReminderSettingsParams) (*gen.EventReminderSettings, error) {
	s, err := h.service.Set(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), inputOf(req))
	if err != nil {
		return nil, err
	}
	return s.toAPI(), nil
}

func inputOf(req *gen.SetEventReminderSettingsRequest) Input {
	return Input{Enabled: httpapi.Opt(req.Enabled).Value, Offsets: req.OffsetsMinutes, Channels: convert[string](req.Channels),
		AskAgain: httpapi.Opt(req.AskAgain).Value}
}

// convert converts the strings of a list to another type; nil stays nil.
func convert[T, F ~string](list []F) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, value := range list {
		out[i] = T(value)
	}
	return out
}

func (s Settings) toAPI() *gen.EventReminderSettings {
	out := &gen.EventReminderSettings{
		EventID: uuid.UUID(s.EventID), Enabled: s.Enabled, OffsetsMinutes: s.Offsets, Channels: convert[gen.ReminderChannel](s.Channels),
		AskAgain:        s.AskAgain,
		UpdatedByUserID: gen.NullUUID[domain.UserID](nil), UpdatedAt: gen.NullDateTime(s.UpdatedAt),
	}
	if s.UpdatedAt != nil {
		out.UpdatedByUserID = gen.NullUUID(&s.OrganizerID)
	}
	return out
}
