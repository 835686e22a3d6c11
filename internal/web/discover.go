package web

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/assets"
	"moothall/internal/web/view"
)

// eventsPerPage is the number of events that a visitor sees before "More".
const eventsPerPage = 20

// discover lists the events that match a filter, by day.
func (s *Site) discover(ctx context.Context, v *visit) (templ.Component, error) {
	sent := v.page.URL.Query()
	query := cleaned(sent)
	if len(query) < len(sent) && !v.page.Part {
		return nil, redirect{listAddress(query)}
	}
	d := view.DiscoverData{Filter: view.FilterOf(query)}
	v.page.Title, v.page.Description, v.page.Entrance = v.page.T("discover.title"), v.page.T("discover.description"), assets.ListStyle
	v.page.NoIndex = len(query) > 0
	params, err := s.listParams(ctx, v, query)
	if err != nil {
		return nil, err
	}
	var list *gen.EventListResponse
	err = s.together(func() (err error) {
		list, err = s.api.ListEvents(ctx, params)
		return err
	}, func() (err error) {
		if v.page.SignedIn() && len(query) == 0 {
			d.ForYou, err = s.recommend(ctx)
		}
		return err
	})
	problem, refused := errors.AsType[*view.Problem](err)
	switch {
	case refused && problem.Status == http.StatusBadRequest:
		d.Problem = problem
		return view.Discover(v.page, d), nil
	case err != nil:
		return nil, err
	}
	cards := list.Items.Values()
	if len(cards) == 0 && list.NextCursor.Null && !params.Cursor.Set {
		if d.Nearest, err = s.nearest(ctx, query, params); err != nil {
			return nil, err
		}
	}
	d.Days = view.ByDay(cards)
	v.page.Feed, v.page.Frame = feedOf(query), s.frame(listFrame(filterOf(query)))
	d.Map = mapOf(params, cards)
	d.More = v.more("cursor", list.NextCursor)
	return view.Discover(v.page, d), nil
}

// localNow returns the present time in the time zone of the date filter: that of the query, of the viewer, or else of
// the first event that matches the filter without the date. The query is located.
func (s *Site) localNow(ctx context.Context, v *visit, query url.Values) (time.Time, error) {
	if view.DateOf(query) == "" {
		return v.page.Now, nil
	}
	if name := query.Get("tz"); name != "" {
		return view.In(v.page.Now, name), nil
	}
	if v.page.SignedIn() {
		zone, err := s.zone(ctx)
		return view.In(v.page.Now, zone), err
	}
	undated := maps.Clone(query)
	for _, name := range []string{"date", "day", "cursor"} {
		undated.Del(name)
	}
	events, err := s.publicEvents(ctx, paramsOf(undated, v.page.Now), 1)
	if err != nil || len(events) == 0 {
		return v.page.Now.UTC(), nil //nolint:nilerr // the list itself says what is wrong
	}
	return view.In(v.page.Now, events[0].Event.Timezone), nil
}

// listAddress returns the address of the list with a query.
func listAddress(query url.Values) string {
	return (&url.URL{Path: "/", RawQuery: query.Encode()}).String()
}

// listParams returns the parameters of the list for the query of a page, a feed or a frame.
func (s *Site) listParams(ctx context.Context, v *visit, query url.Values) (p gen.ListEventsParams, err error) {
	if query, err = s.located(ctx, query); err != nil {
		return p, err
	}
	now, err := s.localNow(ctx, v, query)
	return paramsOf(query, now), err
}

// paramsOf returns the parameters of the list for a located query. now is in the time zone of the date filter.
func paramsOf(query url.Values, now time.Time) gen.ListEventsParams {
	number := func(name string) gen.OptFloat64 {
		value, err := strconv.ParseFloat(query.Get(name), 64)
		return gen.OptFloat64{Value: value, Set: err == nil}
	}
	p := gen.ListEventsParams{
		Q: optional(query, "q"), City: optional(query, "city"), Category: optional(query, "category"), Cursor: optional(query, "cursor"),
		Lat: number("lat"), Lng: number("lng"), RadiusKm: number("radius_km"), Limit: gen.NewOptInt(eventsPerPage),
	}
	if price := gen.PriceFilter(query.Get("price")); price == gen.PriceFilterFree || price == gen.PriceFilterPaid {
		p.Price = gen.NewOptPriceFilter(price)
	}
	if from, to, ok := period(view.DateOf(query), now); ok {
		p.StartsFrom, p.StartsTo = gen.NewOptDateTime(from), gen.NewOptDateTime(to)
	}
	return p
}

// period returns the days of a date filter, which is "today", "tomorrow", "weekend" or a date, in the time zone of now.
func period(date string, now time.Time) (from, to time.Time, ok bool) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	days := 1
	switch date {
	case "":
		return from, to, false
	case "today":
		from = today
	case "tomorrow":
		from = today.AddDate(0, 0, 1)
	case "weekend": // the present one, until it is over
		untilSaturday := (int(time.Saturday-today.Weekday()) + 7) % 7
		if today.Weekday() == time.Sunday {
			untilSaturday = -1
		}
		from, days = today.AddDate(0, 0, untilSaturday), 2
	default:
		var err error
		if from, err = time.ParseInLocation(time.DateOnly, date, now.Location()); err != nil || from.Year() < 2000 || from.Year() > 2098 {
			return from, to, false
		}
	}
	return from, from.AddDate(0, 0, days).Add(-time.Second), true
}

// mapOf returns the map of the events of a list.
func mapOf(p gen.ListEventsParams, cards []gen.EventCard) view.Map {
	q := url.Values{}
	for name, value := range map[string]gen.OptString{"q": p.Q, "city": p.City, "category": p.Category} {
		if value.Set {
			q.Set(name, value.Value)
		}
	}
	for name, value := range map[string]gen.OptFloat64{"lat": p.Lat, "lng": p.Lng, "radius_km": p.RadiusKm} {
		if value.Set {
			q.Set(name, strconv.FormatFloat(value.Value, 'f', -1, 64))
		}
	}
	for name, value := range map[string]gen.OptDateTime{"starts_from": p.StartsFrom, "starts_to": p.StartsTo} {
		if value.Set {
			q.Set(name, value.Value.Format(time.RFC3339))
		}
	}
	if p.Price.Set {
		q.Set("price", string(p.Price.Value))
	}
	m := view.Map{Query: q.Encode(), Zoom: worldZoom}
	if p.Lat.Set && p.Lng.Set {
		m.Lat, m.Lng, m.Zoom = p.Lat.Value, p.Lng.Value, cityZoom
	} else if lat, lng, ok := middle(cards); ok {
		m.Lat, m.Lng, m.Zoom = lat, lng, cityZoom
	}
	return m
}

// Zooms of a map: some kilometres, or all continents.
const (
	cityZoom  = 10
	worldZoom = 1
)

// middle returns the median latitude and longitude of events; ok is false if no event has coordinates.
func middle(cards []gen.EventCard) (lat, lng float64, ok bool) {
	var lats, lngs []float64
	for _, c := range cards {
		if !c.Location.Lat.Null && !c.Location.Lng.Null {
			lats, lngs = append(lats, c.Location.Lat.Value), append(lngs, c.Location.Lng.Value)
		}
	}
	if len(lats) == 0 {
		return 0, 0, false
	}
	slices.Sort(lats)
	slices.Sort(lngs)
	return lats[len(lats)/2], lngs[len(lngs)/2], true
}
