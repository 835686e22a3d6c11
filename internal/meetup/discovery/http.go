package discovery

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/geo"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of the contract that find events.
type Handler struct{ service *Service }

// NewHandler returns a Handler of the service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// ListEvents implements GET /events.
func (h *Handler) ListEvents(ctx context.Context, params gen.ListEventsParams) (*gen.EventListResponse, error) {
	f, err := listFilter(params)
	if err != nil {
		return nil, err
	}
	page, err := h.service.List(ctx, httpapi.Viewer(ctx), f)
	if err != nil {
		return nil, err
	}
	items, err := event.CardList(ctx, h.service.Profiles, page.Cards,
		func(i int) gen.FeedContext { return contextOf(page.Cards[i], f.Circle) })
	if err != nil {
		return nil, err
	}
	return &gen.EventListResponse{Items: items, NextCursor: gen.NullTimeCursor(page.Next)}, nil
}

// MapEvents implements GET /events/map.
func (h *Handler) MapEvents(ctx context.Context, params gen.MapEventsParams) (*gen.EventMapResponse, error) {
	f, err := mapFilter(params)
	if err != nil {
		return nil, err
	}
	page, err := h.service.List(ctx, httpapi.Viewer(ctx), f)
	if err != nil {
		return nil, err
	}
	response := &gen.EventMapResponse{Items: event.EncodeOnMap(page.Cards), NextCursor: gen.NullString(nil), Truncated: page.Next != nil}
	if f.Zoom != nil {
		response.Clusters = clusterList(page.Clusters)
	}
	return response, nil
}

// contextOf returns the context of a card, with its distance from the centre of a circle.
func contextOf(c event.ShownCard, near *geo.Circle) gen.FeedContext {
	context := gen.FeedContext{ViewerGoing: c.ViewerGoing, Reasons: []gen.FeedReason{}}
	if near != nil {
		context.DistanceKm = gen.NewOptFloat64(math.Round(near.DistanceKm(*c.Lat, *c.Lng)*1000) / 1000)
	}
	return context
}

func clusterList(clusters []Cluster) []gen.EventMapCluster {
	list := make([]gen.EventMapCluster, len(clusters))
	for i, c := range clusters {
		list[i] = gen.EventMapCluster{
			Lat: c.Lat, Lng: c.Lng, Count: int(c.Count), Bbox: []float64{c.Area.West, c.Area.South, c.Area.East, c.Area.North},
		}
	}
	return list
}

func listFilter(p gen.ListEventsParams) (Filter, error) {
	f := Filter{
		Query: p.Q.Or(""), Category: pointer(p.Category.Get()), City: pointer(p.City.Get()), Price: priceFilter(p.Price),
		From: pointer(p.StartsFrom.Get()), To: pointer(p.StartsTo.Get()), Limit: p.Limit.Or(domain.DefaultLimit),
	}
	if id, ok := p.GroupID.Get(); ok {
		f.Group = (*domain.GroupID)(&id)
	}
	if id, ok := p.OrganizerID.Get(); ok {
		f.Organizer = (*domain.UserID)(&id)
	}
	if id, ok := p.ParticipantUserID.Get(); ok {
		f.Participant = (*domain.UserID)(&id)
	}
	f.Circle = circleOf(p.Lat, p.Lng, p.RadiusKm)
	var wrong domain.Problems
	var err error
	f.After, err = httpapi.TimeParameter("cursor", p.Cursor)
	wrong.AddAll(err)
	httpapi.CheckCircle(&wrong, p.Lat.Set, p.Lng.Set, p.RadiusKm.Set)
	checkPeriod(&wrong, p.StartsFrom.Value, p.StartsTo.Value)
	return f, wrong.Err()
}

func mapFilter(p gen.MapEventsParams) (Filter, error) {
	f := Filter{
		Placed: true, Category: pointer(p.Category.Get()), Price: priceFilter(p.Price),
		From: pointer(p.StartsFrom.Get()), To: pointer(p.StartsTo.Get()), Limit: p.Limit.Or(domain.DefaultLimit),
		Zoom: pointer(p.Zoom.Get()),
	}
	f.Circle = circleOf(p.Lat, p.Lng, p.RadiusKm)
	var wrong domain.Problems
	if bbox, ok := p.Bbox.Get(); ok {
		box, err := parseBox(bbox)
		wrong.AddAll(err)
		f.Box = box
	}
	httpapi.CheckCircle(&wrong, p.Lat.Set, p.Lng.Set, p.RadiusKm.Set)
	checkPeriod(&wrong, p.StartsFrom.Value, p.StartsTo.Value)
	return f, wrong.Err()
}

func pointer[T any](value T, sent bool) *T {
	if !sent {
		return nil
	}
	return &value
}

func priceFilter(p gen.OptPriceFilter) string {
	if price := p.Or(gen.PriceFilterAny); price != gen.PriceFilterAny {
		return string(price)
	}
	return ""
}

// circleOf returns the circle of a nearby filter, nil when there is none.
func circleOf(lat, lng, radius gen.OptFloat64) *geo.Circle {
	if !lat.Set {
		return nil
	}
	return &geo.Circle{Lat: lat.Value, Lng: lng.Value, RadiusKm: radius.Value}
}

// checkPeriod requires an order of two times; a zero time is absent.
func checkPeriod(wrong *domain.Problems, from, to time.Time) {
	if !from.IsZero() && !to.IsZero() && from.After(to) {
		wrong.Add("?starts_to", "must not be earlier than starts_from", "?starts_from")
	}
}

// parseBox parses min_lng,min_lat,max_lng,max_lat (contract §4.6).
func parseBox(bbox string) (*geo.Box, error) {
	var side [4]float64
	parts := strings.Split(bbox, ",")
	for i, most := range []float64{180, 90, 180, 90} {
		if len(parts) != len(side) {
			return nil, domain.Invalid("?bbox", "must be min_lng,min_lat,max_lng,max_lat")
		}
		degrees, err := strconv.ParseFloat(parts[i], 64)
		if err != nil || !(-most <= degrees && degrees <= most) {
			return nil, domain.Invalid("?bbox", "must have longitudes from -180 to 180 and latitudes from -90 to 90")
		}
		side[i] = degrees
	}
	b := geo.Box{West: side[0], South: side[1], East: side[2], North: side[3]}
	if b.South >= b.North {
		return nil, domain.Invalid("?bbox", "must have a min_lat that is less than max_lat")
	}
	return &b, nil
}
