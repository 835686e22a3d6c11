package mapfetch

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"moothall/internal/meetup/place"
	"moothall/internal/platform/pmtiles"
)

const (
	degree    = 111.2 // km
	maxRadius = 1000  // km

	// countryRadius is the distance in km from a place of a country, within which its streets are fetched.
	countryRadius = 15
)

// Near returns the box around a radius of a city, like "60km". The city may have its country, like "Frankfurt, DE"; without one
// it is the largest city whose name begins so.
func Near(city, radius string) ([]pmtiles.Box, error) {
	km, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(radius, "km")), 64)
	if err != nil || !(km >= 1 && km <= maxRadius) {
		return nil, fmt.Errorf("--radius %q must be 1km to %dkm", radius, maxRadius)
	}
	found := place.Search(city, nil, 1)
	if len(found) == 0 {
		return nil, fmt.Errorf("--near %q is no known city: use another name of it, or --bbox", city)
	}
	return []pmtiles.Box{around(found[0], km)}, nil
}

// Country returns boxes around all towns and villages of a country, by its code of two letters.
func Country(code string) ([]pmtiles.Box, error) {
	var boxes []pmtiles.Box
	for _, p := range place.InCountry(strings.ToUpper(code)) {
		boxes = append(boxes, around(p, countryRadius))
	}
	if len(boxes) == 0 {
		return nil, fmt.Errorf("--country %q must be a code like DE (ISO 3166-1)", code)
	}
	return boxes, nil
}

// ParseBBox reads "west,south,east,north" in degrees. West may be greater than east, across the 180th meridian.
func ParseBBox(text string) ([]pmtiles.Box, error) {
	var b [4]float64
	parts := strings.Split(text, ",")
	for i := range min(len(parts), len(b)) {
		value, err := strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
		if limit := [4]float64{180, 90, 180, 90}[i]; err != nil || !(math.Abs(value) <= limit) {
			return nil, fmt.Errorf("--bbox %q must be west,south,east,north in degrees, like 13.0,52.3,13.8,52.7", text)
		}
		b[i] = value
	}
	if len(parts) != len(b) || b[1] >= b[3] || b[0] == b[2] {
		return nil, errors.New("--bbox must be west,south,east,north in degrees, like 13.0,52.3,13.8,52.7")
	}
	return []pmtiles.Box{{West: b[0], South: b[1], East: b[2], North: b[3]}}, nil
}

func around(p place.City, km float64) pmtiles.Box {
	up := km / degree
	side := min(up/max(math.Cos(p.Lat*math.Pi/180), 0.01), 179)
	turn := func(lng float64) float64 { return math.Mod(lng+540, 360) - 180 }
	return pmtiles.Box{West: turn(p.Lng - side), South: max(p.Lat-up, -90), East: turn(p.Lng + side), North: min(p.Lat+up, 90)}
}
