package web

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// cleaned returns the query of a list without the parameters that say nothing: those without a value, a time zone without a
// date, and a radius without a place.
func cleaned(query url.Values) url.Values {
	clean := maps.Clone(query)
	maps.DeleteFunc(clean, func(_ string, values []string) bool { return values[0] == "" })
	if view.DateOf(clean) == "" {
		clean.Del("tz")
	}
	if !clean.Has("city") && !clean.Has("lat") {
		clean.Del("radius_km")
	}
	return clean
}

// located returns the query of a list as its operation takes it. With a radius, a city is a point: that of the visitor's choice,
// which the parameter place names, or else of the first city that the service finds. An unknown city remains a filter by its name.
func (s *Site) located(ctx context.Context, query url.Values) (url.Values, error) {
	city := query.Get("city")
	if city == "" || !query.Has("radius_km") {
		return query, nil
	}
	q := maps.Clone(query)
	if !q.Has("lat") || !q.Has("lng") || q.Get("place") != city {
		found, err := s.placeOf(ctx, city)
		if err != nil {
			return nil, err
		}
		if found == nil {
			for _, name := range []string{"lat", "lng", "radius_km"} {
				q.Del(name)
			}
			return q, nil
		}
		q.Set("lat", strconv.FormatFloat(found.Lat, 'f', -1, 64))
		q.Set("lng", strconv.FormatFloat(found.Lng, 'f', -1, 64))
	}
	q.Del("city")
	return q, nil
}

// placeOf returns the first place that the service finds for the name of a city; nil if it finds none.
func (s *Site) placeOf(ctx context.Context, city string) (*gen.Place, error) {
	list, err := s.api.ListPlaces(ctx, gen.ListPlacesParams{Q: gen.NewOptString(city), Limit: gen.NewOptInt(1)})
	if _, refused := errors.AsType[*view.Problem](err); refused {
		return nil, nil //nolint:nilnil // the list filters by the name instead
	}
	if err != nil || len(list.Items) == 0 {
		return nil, err
	}
	return &list.Items[0], nil
}

// What a page offers if nothing matches its filter.
const (
	maxNearest     = 6
	nearestScanned = 100
)

// nearest returns the events that are nearest to the place of a list without events: first those that match the rest of its
// filter, in ever larger circles, then those on other days. It returns none if the filter has no place.
func (s *Site) nearest(ctx context.Context, query url.Values, p gen.ListEventsParams) ([]gen.EventCard, error) {
	if city := query.Get("city"); city != "" { // events in the city, but without coordinates
		named := p
		named.City, named.Lat, named.Lng, named.RadiusKm = gen.NewOptString(city), gen.OptFloat64{}, gen.OptFloat64{}, gen.OptFloat64{}
		if list, err := s.api.ListEvents(ctx, named); err != nil || len(list.Items.Values()) > 0 {
			return firstOf(list, err)
		}
	}
	if p.City.Set {
		found, err := s.placeOf(ctx, p.City.Value)
		if err != nil || found == nil {
			return nil, err
		}
		p.City, p.Lat, p.Lng = gen.OptString{}, gen.NewOptFloat64(found.Lat), gen.NewOptFloat64(found.Lng)
	}
	if !p.Lat.Set {
		return nil, nil
	}
	p.Limit = gen.NewOptInt(nearestScanned)
	for _, q := range wider(p) {
		list, err := s.api.ListEvents(ctx, q)
		if err != nil {
			return nil, err
		}
		if len(list.Items.Values()) > 0 {
			return firstOf(list, nil)
		}
	}
	return nil, nil
}

// wider returns filters that match ever more events than a filter.
func wider(p gen.ListEventsParams) (all []gen.ListEventsParams) {
	anyDay := p
	anyDay.StartsFrom, anyDay.StartsTo = gen.OptDateTime{}, gen.OptDateTime{}
	for _, q := range []gen.ListEventsParams{p, anyDay} {
		for _, radius := range []float64{100, 500} {
			if dated := q.StartsFrom.Set || !p.StartsFrom.Set; dated && radius <= p.RadiusKm.Value || !dated && radius < p.RadiusKm.Value {
				continue
			}
			q.RadiusKm = gen.NewOptFloat64(radius)
			all = append(all, q)
		}
		if !p.StartsFrom.Set {
			break
		}
	}
	return all
}

// firstOf returns the first events of a list by their distance.
func firstOf(list *gen.EventListResponse, err error) ([]gen.EventCard, error) {
	if err != nil {
		return nil, err
	}
	cards := slices.Clone(list.Items.Values())
	slices.SortStableFunc(cards, func(a, b gen.EventCard) int {
		return cmp.Compare(a.FeedContext.DistanceKm.Value, b.FeedContext.DistanceKm.Value)
	})
	return cards[:min(maxNearest, len(cards))], nil
}
