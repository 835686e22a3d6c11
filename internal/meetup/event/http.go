package event

import (
	"context"
	"time"

	"moothall/api/gen"
	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of the contract on single events.
type Handler struct{ service *Service }

// NewHandler returns a Handler of the service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// CreateEvent implements POST /events.
func (h *Handler) CreateEvent(ctx context.Context, req *gen.CreateEventRequest, _ gen.CreateEventParams) (*gen.EventDetailsHeaders, error) {
	return respond(h.service.Create(ctx, httpapi.Viewer(ctx), createInput(req)))
}

// UpdateEvent implements PATCH /events/{event_id}.
func (h *Handler) UpdateEvent(ctx context.Context, req *gen.UpdateEventRequest, params gen.UpdateEventParams) (*gen.EventDetailsHeaders, error) {
	return respond(h.service.Update(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), updateInput(req), params.IfMatch.Or("")))
}

// PublishEvent implements POST /events/{event_id}/publish.
func (h *Handler) PublishEvent(ctx context.Context, params gen.PublishEventParams) (*gen.EventDetailsHeaders, error) {
	return respond(h.service.Publish(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID)))
}

// CancelEvent implements POST /events/{event_id}/cancel.
func (h *Handler) CancelEvent(ctx context.Context, params gen.CancelEventParams) (*gen.EventDetailsHeaders, error) {
	return respond(h.service.Cancel(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID)))
}

// GetEvent implements GET /events/{event_id}.
func (h *Handler) GetEvent(ctx context.Context, params gen.GetEventParams) (*gen.EventDetailsHeaders, error) {
	return respond(h.service.Get(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID)))
}

func respond(d Details, err error) (*gen.EventDetailsHeaders, error) {
	if err != nil {
		return nil, err
	}
	return &gen.EventDetailsHeaders{ETag: d.ETag(), Response: d.toAPI()}, nil
}

func integer(o gen.OptNilInt) domain.Opt[int64] {
	in := domain.Opt[int64]{Sent: o.Set}
	if n, ok := o.Get(); ok {
		in.Value = new(int64(n))
	}
	return in
}

// enum converts an optional enum from its generated type.
func enum[T, G ~string](value G, sent bool) domain.Opt[T] {
	in := domain.Opt[T]{Sent: sent}
	if sent {
		in.Value = new(T(value))
	}
	return in
}

func present[T any](value T) domain.Opt[T] { return domain.Opt[T]{Sent: true, Value: &value} }

func createInput(r *gen.CreateEventRequest) Input {
	return Input{
		Title: present(r.Title), StartsAt: present(r.StartsAt),
		EndsAt: httpapi.Opt[time.Time](r.EndsAt), Timezone: httpapi.Opt[string](r.Timezone),
		Description: httpapi.Opt[string](r.Description), Category: httpapi.Opt[string](r.Category),
		Visibility: enum[access.Visibility](r.Visibility.Get()), DateMode: enum[string](r.DateMode.Get()), Price: enum[string](r.Price.Get()),
		PriceAmount: integer(r.PriceAmount), PriceCurrency: httpapi.Opt[string](r.PriceCurrency), Capacity: integer(r.Capacity),
		City: httpapi.Opt[string](r.City), LocationText: httpapi.Opt[string](r.LocationText),
		Lat: httpapi.Opt[float64](r.Lat), Lng: httpapi.Opt[float64](r.Lng),
		ImageURL: httpapi.Opt[string](r.ImageURL), ImageAlt: httpapi.Opt[string](r.ImageAlt), ConferenceURL: httpapi.Opt[string](r.ConferenceURL),
	}
}

func updateInput(r *gen.UpdateEventRequest) Input {
	return Input{
		Title: httpapi.Opt[string](r.Title), StartsAt: httpapi.Opt[time.Time](r.StartsAt),
		EndsAt: httpapi.Opt[time.Time](r.EndsAt), Timezone: httpapi.Opt[string](r.Timezone),
		Description: httpapi.Opt[string](r.Description), Category: httpapi.Opt[string](r.Category),
		Visibility: enum[access.Visibility](r.Visibility.Get()), DateMode: domain.Opt[string]{Sent: r.DateMode != nil}, Price: enum[string](r.Price.Get()),
		PriceAmount: integer(r.PriceAmount), PriceCurrency: httpapi.Opt[string](r.PriceCurrency), Capacity: integer(r.Capacity),
		City: httpapi.Opt[string](r.City), LocationText: httpapi.Opt[string](r.LocationText),
		Lat: httpapi.Opt[float64](r.Lat), Lng: httpapi.Opt[float64](r.Lng),
		ImageURL: httpapi.Opt[string](r.ImageURL), ImageAlt: httpapi.Opt[string](r.ImageAlt), ConferenceURL: httpapi.Opt[string](r.ConferenceURL),
	}
}
