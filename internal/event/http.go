package event

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler answers the operations of this room.
type Handler struct{ service *Service }

// NewHandler answers by the service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// CreateEvent answers POST /events.
func (h *Handler) CreateEvent(ctx context.Context, req *gen.CreateEventRequest) (*gen.EventDetailsHeaders, error) {
	v := httpapi.Viewer(ctx)
	return answer(v)(h.service.Create(ctx, v, createInput(req)))
}

// UpdateEvent answers PATCH /events/{event_id}.
func (h *Handler) UpdateEvent(ctx context.Context, req *gen.UpdateEventRequest, params gen.UpdateEventParams) (*gen.EventDetailsHeaders, error) {
	v := httpapi.Viewer(ctx)
	return answer(v)(h.service.Update(ctx, v, domain.EventID(params.EventID), updateInput(req), params.IfMatch.Or("")))
}

// PublishEvent answers POST /events/{event_id}/publish.
func (h *Handler) PublishEvent(ctx context.Context, params gen.PublishEventParams) (*gen.EventDetailsHeaders, error) {
	v := httpapi.Viewer(ctx)
	return answer(v)(h.service.Publish(ctx, v, domain.EventID(params.EventID)))
}

// CancelEvent answers POST /events/{event_id}/cancel.
func (h *Handler) CancelEvent(ctx context.Context, params gen.CancelEventParams) (*gen.EventDetailsHeaders, error) {
	v := httpapi.Viewer(ctx)
	return answer(v)(h.service.Cancel(ctx, v, domain.EventID(params.EventID)))
}

// GetEvent answers GET /events/{event_id}.
func (h *Handler) GetEvent(ctx context.Context, params gen.GetEventParams) (*gen.EventDetailsHeaders, error) {
	v := httpapi.Viewer(ctx)
	return answer(v)(h.service.Get(ctx, v, domain.EventID(params.EventID)))
}

func answer(v domain.Viewer) func(Details, error) (*gen.EventDetailsHeaders, error) {
	return func(d Details, err error) (*gen.EventDetailsHeaders, error) {
		if err != nil {
			return nil, err
		}
		return &gen.EventDetailsHeaders{ETag: d.ETag(), Response: d.toAPI(v)}, nil
	}
}

// ListEvents answers GET /events.
func (h *Handler) ListEvents(ctx context.Context, params gen.ListEventsParams) (*gen.EventListResponse, error) {
	f, err := listFilter(params)
	if err != nil {
		return nil, err
	}
	page, err := h.service.List(ctx, httpapi.Viewer(ctx), f)
	if err != nil {
		return nil, err
	}
	items := make([]gen.EventCard, len(page.Cards))
	for i, c := range page.Cards {
		items[i] = c.toAPI(f.Circle)
	}
	return &gen.EventListResponse{Items: items, NextCursor: gen.NullDateTime(page.Next)}, nil
}

// MapEvents answers GET /events/map.
func (h *Handler) MapEvents(ctx context.Context, params gen.MapEventsParams) (*gen.EventMapResponse, error) {
	f, err := mapFilter(params)
	if err != nil {
		return nil, err
	}
	page, err := h.service.List(ctx, httpapi.Viewer(ctx), f)
	if err != nil {
		return nil, err
	}
	items := make([]gen.EventMapItem, len(page.Cards))
	for i, c := range page.Cards {
		items[i] = c.toMap()
	}
	answer := &gen.EventMapResponse{Items: items, NextCursor: gen.NullString(nil), Truncated: page.Next != nil}
	if f.Zoom != nil {
		answer.Clusters = clustersAPI(page.Clusters)
	}
	return answer, nil
}
