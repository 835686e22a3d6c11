package place

import (
	"context"
	"net/url"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/geo"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operation of the contract that finds places.
type Handler struct{}

// NewHandler returns a Handler.
func NewHandler() *Handler { return &Handler{} }

// defaultLimit is the number of places in a response.
const defaultLimit = 8

// ListPlaces implements GET /places.
func (*Handler) ListPlaces(_ context.Context, params gen.ListPlacesParams) (*gen.PlaceListResponse, error) {
	if err := checkQuestion(params.Q.Set, params.Lat.Set, params.Lng.Set); err != nil {
		return nil, err
	}
	var near *Point
	if params.Lat.Set {
		near = &Point{Lat: params.Lat.Value, Lng: params.Lng.Value}
	}
	var found []City
	if params.Q.Set {
		found = Search(params.Q.Value, near, params.Limit.Or(defaultLimit))
	} else if c, ok := At(near.Lat, near.Lng); ok {
		found = append(found, c)
	}
	return &gen.PlaceListResponse{Items: encode(found)}, nil
}

func encode(found []City) []gen.Place {
	items := make([]gen.Place, len(found))
	for i, c := range found {
		items[i] = gen.Place{Kind: "city", Name: c.Name, Country: c.Country, Lat: c.Lat, Lng: c.Lng, Timezone: geo.ZoneAt(c.Lat, c.Lng)}
	}
	return items
}

// Checks returns the checks of the operation.
func (*Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{"listPlaces": httpapi.QueryCheck(func(query url.Values) error {
		return checkQuestion(query.Has("q"), query.Has("lat"), query.Has("lng"))
	})}
}

// checkQuestion requires words or a point, and both coordinates of a point.
func checkQuestion(q, lat, lng bool) error {
	var wrong domain.Problems
	if !q && !lat && !lng {
		wrong.Add("?q", "must be present if lat and lng are not")
	}
	if lat && !lng {
		wrong.Add("?lng", "must be present if lat is")
	}
	if lng && !lat {
		wrong.Add("?lat", "must be present if lng is")
	}
	return wrong.Err()
}
