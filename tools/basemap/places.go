package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// place is a populated place of GeoNames.
type place struct {
	name, country string
	section       bool // a part of a city
	population    uint64
	lat, lng      float64
}

// minPopulation is the smallest population of a place of the map.
const minPopulation = 5000

// parsePlaces reads cities.pbf: a sequence of cities, in which coordinates are the differences
// to the city before, in units of 1e-5 degrees. It returns the largest places first.
func parsePlaces(data []byte) (places []place, err error) {
	var lat, lng int64
	for len(data) > 0 {
		city, n := protowire.ConsumeBytes(data)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		data = data[n:]
		p := place{}
		if err := p.parse(city, &lat, &lng); err != nil {
			return nil, err
		}
		p.lat, p.lng = float64(lat)/1e5, float64(lng)/1e5
		if p.population >= minPopulation && !strings.ContainsAny(p.name, "\t\n") {
			places = append(places, p)
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.population, a.population), cmp.Compare(a.name, b.name), cmp.Compare(a.lat, b.lat), cmp.Compare(a.lng, b.lng))
	})
	return places, nil
}

// parse reads one city and adds its differences to lat and lng.
func (p *place) parse(city []byte, lat, lng *int64) error {
	for len(city) > 0 {
		number, kind, n := protowire.ConsumeTag(city)
		if n < 0 {
			return protowire.ParseError(n)
		}
		city = city[n:]
		length := protowire.ConsumeFieldValue(number, kind, city)
		if length < 0 {
			return protowire.ParseError(length)
		}
		text, _ := protowire.ConsumeBytes(city)
		value, _ := protowire.ConsumeVarint(city)
		switch number {
		case 2:
			p.name = string(text)
		case 3:
			p.country = string(text)
		case 7:
			p.section = string(text) == "PPLX"
		case 9:
			p.population = value
		case 10:
			*lng += protowire.DecodeZigZag(value)
		case 11:
			*lat += protowire.DecodeZigZag(value)
		}
		city = city[length:]
	}
	return nil
}

// minZoom is the zoom from which the map shows the place.
func (p place) minZoom() int {
	zoom := 8
	for i, least := range []uint64{5e6, 1e6, 3e5, 1e5, 2e4} {
		if p.population >= least {
			zoom = i + 3
			break
		}
	}
	if p.section {
		return max(zoom+3, 9)
	}
	return zoom
}

// rank is 0 for the smallest places and 7 for the largest.
func (p place) rank() (rank int) {
	for least := uint64(10_000); p.population >= least; least *= 3 {
		rank++
	}
	return min(rank, 7)
}

// table returns the places that are no sections of cities, a line each.
func table(places []place) []byte {
	var b bytes.Buffer
	for _, p := range places {
		if !p.section {
			fmt.Fprintf(&b, "%s\t%s\t%.4f\t%.4f\t%d\n", p.name, p.country, p.lat, p.lng, p.population)
		}
	}
	return b.Bytes()
}
