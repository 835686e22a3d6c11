package web

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// findPlace answers the buttons of the place in the form of an event, and stores nothing: one searches for addresses, and each address
// that was found has one that fills the fields.
func (s *Site) findPlace(ctx context.Context, form url.Values) (outcome, error) {
	if chosen, err := url.ParseQuery(form.Get("choose_place")); err == nil && form.Has("choose_place") {
		for _, name := range view.PlaceFields {
			form.Set(name, chosen.Get(name))
		}
		form.Del("found")
		return outcome{step: view.StepPlace}, nil
	}
	params := gen.ListAddressesParams{Q: strings.TrimSpace(form.Get("location_text")), Entered: gen.NewOptBool(true)}
	if city := strings.TrimSpace(form.Get("city")); city != "" && !strings.Contains(params.Q, city) {
		params.Q = strings.Trim(params.Q+", "+city, ", ")
	}
	if params.Q == "" {
		return outcome{}, invalid("location_text")
	}
	lat, latErr := strconv.ParseFloat(form.Get("lat"), 64)
	lng, lngErr := strconv.ParseFloat(form.Get("lng"), 64)
	if latErr == nil && lngErr == nil {
		params.Lat, params.Lng = gen.NewOptFloat64(lat), gen.NewOptFloat64(lng)
	}
	list, err := s.api.ListAddresses(ctx, params)
	if err != nil {
		return outcome{}, renamed(err, map[string]string{"q": "location_text"})
	}
	form.Set("attribution", list.Attribution)
	form.Del("found")
	for _, a := range list.Items {
		form.Add("found", url.Values{
			"name": {a.Name}, "location_text": {a.Line.Value}, "city": {a.City.Value},
			"lat": {strconv.FormatFloat(a.Lat, 'f', 5, 64)}, "lng": {strconv.FormatFloat(a.Lng, 'f', 5, 64)},
		}.Encode())
	}
	return outcome{step: view.StepPlace}, nil
}

// findsPlace reports whether a button of the place has sent the form.
func findsPlace(form url.Values) bool { return form.Has("find_place") || form.Has("choose_place") }
