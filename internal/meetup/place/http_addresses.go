package place

import (
	"context"
	"errors"

	"moothall/api/gen"
	"moothall/internal/meetup/place/geocode"
	"moothall/internal/platform/geo"
)

// AddressHandler implements the operation of the contract that finds addresses.
type AddressHandler struct{ geocoder *geocode.Client }

// NewAddressHandler returns a handler that asks a geocoder.
func NewAddressHandler(geocoder *geocode.Client) *AddressHandler { return &AddressHandler{geocoder} }

// citiesAttribution names the source of the cities.
const citiesAttribution = "GeoNames"

// ListAddresses implements GET /places/addresses. While the geocoder finds nothing or is down, it returns cities.
func (h *AddressHandler) ListAddresses(ctx context.Context, params gen.ListAddressesParams) (*gen.AddressListResponse, error) {
	var near *Point
	var around *geocode.Point
	if params.Lat.Set && params.Lng.Set {
		near = &Point{Lat: params.Lat.Value, Lng: params.Lng.Value}
		around = &geocode.Point{Lat: near.Lat, Lng: near.Lng}
	}
	found, err := h.geocoder.Search(ctx, params.Q, around, params.Entered.Or(false))
	if err != nil && !errors.Is(err, geocode.ErrUnavailable) {
		return nil, err
	}
	response := &gen.AddressListResponse{Attribution: geocode.Attribution, Items: []gen.Address{}}
	for _, a := range found {
		response.Items = append(response.Items, encodeAddress(a))
	}
	if len(found) > 0 {
		return response, nil
	}
	response.Attribution = citiesAttribution
	for _, c := range Search(params.Q, near, defaultLimit) {
		response.Items = append(response.Items, encodeAddress(geocode.Address{Kind: "city", Name: c.Name + ", " + c.Country, City: c.Name,
			Country: c.Country, Lat: c.Lat, Lng: c.Lng}))
	}
	return response, nil
}

func encodeAddress(a geocode.Address) gen.Address {
	optional := func(text string) gen.NilString { return gen.NilString{Value: text, Null: text == ""} }
	return gen.Address{Kind: gen.AddressKind(a.Kind), Name: a.Name, Line: optional(a.Line), City: optional(a.City),
		Country: optional(a.Country), Lat: a.Lat, Lng: a.Lng, Timezone: geo.ZoneAt(a.Lat, a.Lng)}
}
