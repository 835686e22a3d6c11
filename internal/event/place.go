package event

import (
	"math"

	"github.com/golang/geo/r1"
	"github.com/golang/geo/s1"
	"github.com/golang/geo/s2"
)

// earthRadiusKm is the mean radius: distances are those on a sphere.
const earthRadiusKm = 6371.0088

// The S2 levels at which an event has a posting, and how many cells may stand
// for a searched region. Level 3 is some 1,000 km wide, level 13 about 1 km.
const (
	coarsestLevel = 3
	finestLevel   = 13
	levelStep     = 2
	mostCells     = 16
)

// Circle is everything within RadiusKm of a point, on a sphere.
type Circle struct {
	Lat, Lng float64 // degrees
	RadiusKm float64
}

// Box is everything between two latitudes and from West eastward to East;
// West > East crosses the 180th meridian (contract §4.6).
type Box struct{ West, South, East, North float64 }

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

// Cells covers the circle: the lists of event_cells to walk. They are never more than mostCells.
func (c Circle) Cells() []int64 {
	reach := s1.Angle(c.RadiusKm / earthRadiusKm * (1 + 1e-9))
	return cover(s2.CapFromCenterAngle(point(c.Lat, c.Lng), reach))
}

// cells covers the box, or gives nil when that would take more than mostCells:
// so large a box is read in time order instead.
func (b Box) cells() []int64 {
	const margin = 1e-9 // radians: a point on the edge is inside
	rect := s2.Rect{
		Lat: r1.Interval{Lo: radians(b.South), Hi: radians(b.North)}.Expanded(margin).Intersection(r1.Interval{Lo: -math.Pi / 2, Hi: math.Pi / 2}),
		Lng: s1.IntervalFromEndpoints(radians(b.West), radians(b.East)).Expanded(margin),
	}
	cells := cover(rect.PolarClosure())
	if len(cells) > mostCells {
		return nil
	}
	return cells
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }

func cover(region s2.Region) []int64 {
	coverer := s2.RegionCoverer{MinLevel: coarsestLevel, MaxLevel: finestLevel, LevelMod: levelStep, MaxCells: mostCells}
	var cells []int64
	for _, id := range coverer.Covering(region) {
		cells = append(cells, int64(id))
	}
	return cells
}
