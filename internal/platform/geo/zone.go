package geo

import (
	"math"
	"sync"

	tzfrellite "github.com/ringsaturn/tzf-rel-lite"
)

// ZoneAt returns the IANA name of the zone at a place, such as Europe/Moscow. At sea it
// returns a fixed offset, such as Etc/GMT-3. Where zones overlap, it returns the first by
// name.
//
// The map stays as compressed as it is in the program, and a lookup decodes only the borders around the place. So the
// map takes 20 ms to load and 1 MB, and a lookup 1 µs.
func ZoneAt(lat, lng float64) string {
	// Simplified borders leave narrow gaps. In a gap, a place next to it decides.
	for _, shift := range shifts {
		if name := zones().at(point{scale(lng + shift.lng), scale(lat + shift.lat)}); name != "" {
			return name
		}
	}
	return ""
}

var shifts = []struct{ lng, lat float64 }{
	{0, 0}, {-.02, -.02}, {-.02, 0}, {-.02, .02}, {0, -.02}, {0, .02}, {.02, -.02}, {.02, 0}, {.02, .02},
}

// LoadZones loads the map, so that no lookup waits for it.
func LoadZones() { zones() }

// zones loads the map on first use. A malformed map is a bug of the program.
var zones = sync.OnceValue(func() zoneMap {
	m, err := readMap(tzfrellite.LiteCompressData)
	if err != nil {
		panic(err)
	}
	return m
})

// point is a place in units of 0.00001 degrees.
type point struct{ lng, lat int32 }

func scale(degrees float64) int32 { return int32(math.Round(degrees * 1e5)) }

// box bounds points, borders included.
type box struct{ min, max point }

func (b *box) add(p point) {
	b.min = point{min(b.min.lng, p.lng), min(b.min.lat, p.lat)}
	b.max = point{max(b.max.lng, p.lng), max(b.max.lat, p.lat)}
}

func (b *box) contains(p point) bool {
	return b.min.lng <= p.lng && p.lng <= b.max.lng && b.min.lat <= p.lat && p.lat <= b.max.lat
}

var empty = box{point{math.MaxInt32, math.MaxInt32}, point{math.MinInt32, math.MinInt32}}

// zoneMap has the polygons of all zones, ordered by zone name.
type zoneMap []polygon

type polygon struct {
	zone string
	box  box
	arcs []arc // the border and the borders of holes
}

// arc is a piece of a border.
type arc struct {
	box         box
	first, last point
	points      []byte // the points after the first, as encoded differences
}

func (m zoneMap) at(p point) string {
	for i := range m {
		if m[i].box.contains(p) && m[i].contains(p) {
			return m[i].zone
		}
	}
	return ""
}

// contains reports whether a ray from p to the east crosses the borders an odd number
// of times.
func (g *polygon) contains(p point) bool {
	odd := false
	for i := range g.arcs {
		if g.arcs[i].crosses(p) {
			odd = !odd
		}
	}
	return odd
}

// crosses reports whether a ray from p to the east crosses the arc an odd number of
// times. It decodes only an arc whose box contains p.
func (a *arc) crosses(p point) bool {
	switch {
	case p.lat < a.box.min.lat || p.lat > a.box.max.lat || p.lng > a.box.max.lng:
		return false
	case p.lng < a.box.min.lng:
		return (a.first.lat > p.lat) != (a.last.lat > p.lat)
	}
	odd, from := false, a.first
	for rest := a.points; len(rest) > 0; {
		var to point
		to, rest, _ = from.next(rest) // readMap has checked it
		if (from.lat > p.lat) != (to.lat > p.lat) && p.westOf(from, to) {
			odd = !odd
		}
		from = to
	}
	return odd
}

// westOf reports whether the line between two points passes east of p, at its latitude.
func (p point) westOf(from, to point) bool {
	slope := float64(to.lng-from.lng) / float64(to.lat-from.lat)
	return float64(p.lng) < float64(from.lng)+float64(p.lat-from.lat)*slope
}
