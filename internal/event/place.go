package event

import (
	"math"

	"github.com/golang/geo/r1"
	"github.com/golang/geo/s1"
	"github.com/golang/geo/s2"
)

// earthRadiusKm is the mean radius: distances are those on a sphere.
const earthRadiusKm = 6371.0088

// The S2 levels at which an event has a posting: level 1 is some 4,000 km wide,
// level 13 about 1 km. A circle is covered by at most circleCells of them, a box,
// which may be long, by at most mostCells.
const (
	coarsestLevel = 1
	finestLevel   = 13
	levelStep     = 2
	circleCells   = 16
	mostCells     = 32
)

// Circle is everything within RadiusKm of a point, on a sphere.
type Circle struct {
	Lat, Lng float64 // degrees
	RadiusKm float64
}

// Box is everything between two latitudes and from West eastward to East;
// West > East crosses the 180th meridian (contract §4.6).
type Box struct{ West, South, East, North float64 }

var world = &Box{West: -180, South: -90, East: 180, North: 90}

// point gives the place on the unit sphere.
func point(lat, lng float64) s2.Point {
	return s2.PointFromLatLng(s2.LatLngFromDegrees(lat, lng))
}

// cellsOf gives the cells of a place, one a level.
func cellsOf(lat, lng float64) []int64 {
	leaf := s2.CellIDFromLatLng(s2.LatLngFromDegrees(lat, lng))
	var cells []int64
	for level := coarsestLevel; level <= finestLevel; level += levelStep {
		cells = append(cells, int64(leaf.Parent(level)))
	}
	return cells
}

// chord2 is the squared straight-line distance through the unit sphere that
// belongs to the circle's radius: it grows with the distance and needs no
// trigonometry to compare.
func (c Circle) chord2() float64 {
	chord := 2 * math.Sin(c.RadiusKm/earthRadiusKm/2)
	return chord * chord
}

// DistanceKm is the distance from the circle's centre.
func (c Circle) DistanceKm(lat, lng float64) float64 {
	return point(c.Lat, c.Lng).Distance(point(lat, lng)).Radians() * earthRadiusKm
}

// Cells covers the circle: the lists of event_cells to walk. They are never more than circleCells.
func (c Circle) Cells() []int64 { return cover(c.region(), finestLevel, circleCells) }

// coarse covers the circle by cells of the coarsest level, which are very few.
func (c Circle) coarse() []int64 { return cover(c.region(), coarsestLevel, circleCells) }

func (c Circle) region() s2.Region {
	return s2.CapFromCenterAngle(point(c.Lat, c.Lng), s1.Angle(c.RadiusKm/earthRadiusKm*(1+1e-9)))
}

// cells covers the box by at most mostCells.
func (b Box) cells() []int64 { return cover(b.region(), finestLevel, mostCells) }

func (b Box) region() s2.Region {
	const margin = 1e-9 // radians: a point on the edge is inside
	rect := s2.Rect{
		Lat: r1.Interval{Lo: radians(b.South), Hi: radians(b.North)}.Expanded(margin).Intersection(r1.Interval{Lo: -math.Pi / 2, Hi: math.Pi / 2}),
		Lng: s1.IntervalFromEndpoints(radians(b.West), radians(b.East)).Expanded(margin),
	}
	return rect.PolarClosure()
}

// hair is how far a point may seem to be beyond an edge that it lies on, on the
// unit sphere: some nanometres.
const hair = 1e-15

// edges are the sides of a box on the unit sphere. East of west's meridian is
// what lies to the left of its direction, in the half of the sphere around it;
// a wide box, of more than a half, is all that lies in either half.
type edges struct {
	south, north float64 // bounds of z
	west, east   s2.Point
	wide         bool
}

func (b Box) edges() edges {
	width := b.East - b.West
	if width < 0 {
		width += 360
	}
	return edges{
		south: point(b.South, 0).Z - hair, north: point(b.North, 0).Z + hair,
		west: point(0, b.West), east: point(0, b.East), wide: width > 180,
	}
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }

func cover(region s2.Region, finest, most int) []int64 {
	coverer := s2.RegionCoverer{MinLevel: coarsestLevel, MaxLevel: finest, LevelMod: levelStep, MaxCells: most}
	var cells []int64
	for _, id := range coverer.Covering(region) {
		cells = append(cells, int64(id))
	}
	return cells
}
