package event

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of the contract on single events.
type Handler struct{ service *Service }

// NewHandler returns a Handler of the service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// CreateEvent implements POST /events.
func (h *Handler) CreateEvent(ctx context.Context, req *gen.CreateEventRequest, _ gen.CreateEventParams) (*gen.EventDetailsHeaders, error) {
	return h.respond(h.service.Create(ctx, httpapi.Viewer(ctx), body{req}))
}

// UpdateEvent implements PATCH /events/{event_id}.
func (h *Handler) UpdateEvent(ctx context.Context, req *gen.UpdateEventRequest,
	params gen.UpdateEventParams) (*gen.EventDetailsHeaders, error) {
	return h.respond(h.service.Update(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), body{req}, params.IfMatch.Or("")))
}

// PublishEvent implements POST /events/{event_id}/publish.
func (h *Handler) PublishEvent(ctx context.Context, params gen.PublishEventParams) (*gen.EventDetailsHeaders, error) {
	return h.respond(h.service.Publish(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID)))
}

// CancelEvent implements POST /events/{event_id}/cancel.
func (h *Handler) CancelEvent(ctx context.Context, req gen.OptCancelEventRequest,
	params gen.CancelEventParams) (*gen.EventDetailsHeaders, error) {
	message := httpapi.Opt[string](req.Value.Message).Value
	return h.respond(h.service.Cancel(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), message))
}

// CloneEvent implements POST /events/{event_id}/clone.
func (h *Handler) CloneEvent(ctx context.Context, params gen.CloneEventParams) (*gen.EventDetailsHeaders, error) {
	return h.respond(h.service.Clone(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID)))
}

// GetEvent implements GET /events/{event_id}.
func (h *Handler) GetEvent(ctx context.Context, params gen.GetEventParams) (*gen.EventDetailsHeaders, error) {
	return h.respond(h.service.Get(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID)))
}

// GetEventByCode implements GET /events/by-code/{code}.
func (h *Handler) GetEventByCode(ctx context.Context, params gen.GetEventByCodeParams) (*gen.EventDetailsHeaders, error) {
	return h.respond(h.service.GetByCode(ctx, httpapi.Viewer(ctx), params.Code))
}

func (h *Handler) respond(d Details, err error) (*gen.EventDetailsHeaders, error) {
	if err != nil {
		return nil, err
	}
	response := &gen.EventDetailsHeaders{ETag: d.ETag(), Response: d.toAPI(h.service.Pages)}
	write(&response.Response, &d.Fields)
	return response, nil
}

// ListMyEvents implements GET /me/events.
func (h *Handler) ListMyEvents(ctx context.Context, params gen.ListMyEventsParams) (*gen.MyEventsResponse, error) {
	role := Role(params.Role.Or(gen.MyEventsRoleGoing))
	page, err := h.service.Mine(ctx, httpapi.Viewer(ctx), role, params.Limit.Or(domain.DefaultLimit), params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	items := make([]gen.EventCard, len(page.Items))
	for i, c := range page.Items {
		items[i] = CardAPI(c, h.service.Pages)
	}
	return &gen.MyEventsResponse{Items: items, NextCursor: gen.NullCursor(page.Next)}, nil
}
