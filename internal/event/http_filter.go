package event

import (
	"strconv"
	"strings"

	"moothall/api/gen"
	"moothall/internal/domain"
)

func listFilter(p gen.ListEventsParams) (Filter, error) {
	f := Filter{
		Query: p.Q.Or(""), Category: pointer(p.Category.Get()), City: pointer(p.City.Get()), Price: priceFilter(p.Price),
		From: pointer(p.StartsFrom.Get()), To: pointer(p.StartsTo.Get()), After: pointer(p.Cursor.Get()), Limit: p.Limit.Or(20),
	}
	if id, ok := p.OrganizerID.Get(); ok {
		f.Organizer = (*domain.UserID)(&id)
	}
	if id, ok := p.ParticipantUserID.Get(); ok {
		f.Participant = (*domain.UserID)(&id)
	}
	var err error
	f.Circle, err = circle(p.Lat, p.Lng, p.RadiusKm)
	return f, err
}

func mapFilter(p gen.MapEventsParams) (Filter, error) {
	f := Filter{
		Placed: true, Category: pointer(p.Category.Get()), Price: priceFilter(p.Price),
		From: pointer(p.StartsFrom.Get()), To: pointer(p.StartsTo.Get()), Limit: p.Limit.Or(20),
		Zoom: pointer(p.Zoom.Get()),
	}
	var err error
	if f.Circle, err = circle(p.Lat, p.Lng, p.RadiusKm); err != nil {
		return f, err
	}
	if bbox, ok := p.Bbox.Get(); ok {
		f.Box, err = box(bbox)
	}
	return f, err
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

// circle reads the nearby filter, whose parts go together (specification §4.5).
func circle(lat, lng, radius gen.OptFloat64) (*Circle, error) {
	if lat.Set != lng.Set || lat.Set != radius.Set {
		return nil, domain.Invalid("?radius_km", "lat, lng and radius_km go together: send all three or none")
	}
	if !lat.Set {
		return nil, nil
	}
	return &Circle{Lat: lat.Value, Lng: lng.Value, RadiusKm: radius.Value}, nil
}

// box reads min_lng,min_lat,max_lng,max_lat (contract §4.6).
func box(bbox string) (*Box, error) {
	var side [4]float64
	parts := strings.Split(bbox, ",")
	for i, most := range []float64{180, 90, 180, 90} {
		if len(parts) != len(side) {
			return nil, domain.Invalid("?bbox", "must be min_lng,min_lat,max_lng,max_lat")
		}
		degrees, err := strconv.ParseFloat(parts[i], 64)
		if err != nil || !(-most <= degrees && degrees <= most) {
			return nil, domain.Invalid("?bbox", "longitudes must be from -180 to 180, latitudes from -90 to 90")
		}
		side[i] = degrees
	}
	b := Box{West: side[0], South: side[1], East: side[2], North: side[3]}
	if b.South >= b.North {
		return nil, domain.Invalid("?bbox", "min_lat must be less than max_lat")
	}
	return &b, nil
}
