// Package geo computes with circles and boxes on a sphere, covers them with S2 cells (specification §4.5,
// contract §4.6), and finds the time zone of a place.
package geo

import (
	"math"

	"github.com/golang/geo/r1"
	"github.com/golang/geo/s1"
	"github.com/golang/geo/s2"
)

// earthRadiusKm is the mean radius: distances are those on a sphere.
const earthRadiusKm = 6371.0088

// The S2 levels in use. A cell of level 1 is about 4,000 km wide, a cell of level 13
// about 1 km.
const (
	coarsestLevel = 1
	finestLevel   = 13
	levelStep     = 2
)

// MaxCells is the maximum number of cells that cover a box, which may be long and
// narrow. At most maxCircleCells cover a circle.
const (
	MaxCells       = 32
	maxCircleCells = 16
)

// Circle contains every point within RadiusKm of its centre.
type Circle struct {
	Lat, Lng float64 // degrees
	RadiusKm float64
}

// Box contains every point between two latitudes and from West eastward to
// East, in degrees. West > East crosses the 180th meridian (contract §4.6).
type Box struct{ West, South, East, North float64 }

// World is the box that contains every point.
var World = Box{West: -180, South: -90, East: 180, North: 90}

// Point returns a point on the unit sphere.
func Point(lat, lng float64) s2.Point {
	return s2.PointFromLatLng(s2.LatLngFromDegrees(lat, lng))
}

// Degrees returns the latitude and longitude of a direction from the centre of
// the sphere.
func Degrees(direction s2.Point) (lat, lng float64) {
	at := s2.LatLngFromPoint(s2.Point{Vector: direction.Normalize()})
	return at.Lat.Degrees(), at.Lng.Degrees()
}

// Leaf returns the smallest cell that contains a point. It is about 1 cm wide.
func Leaf(lat, lng float64) int64 {
	return int64(s2.CellIDFromLatLng(s2.LatLngFromDegrees(lat, lng)))
}

// Centre returns the centre of a cell.
func Centre(cell int64) s2.Point { return s2.CellID(cell).Point() }

// CellsOf returns the cells that contain a point, one per level.
func CellsOf(lat, lng float64) []int64 {
	leaf := s2.CellID(Leaf(lat, lng))
	var cells []int64
	for level := coarsestLevel; level <= finestLevel; level += levelStep {
		cells = append(cells, int64(leaf.Parent(level)))
	}
	return cells
}

// BoundsOf returns the box around a cell.
func BoundsOf(cell int64) Box {
	r := s2.CellFromCellID(s2.CellID(cell)).RectBound()
	south, west := r.Lo().Lat.Degrees(), r.Lo().Lng.Degrees()
	north, east := r.Hi().Lat.Degrees(), r.Hi().Lng.Degrees()
	return Box{West: west, South: max(south, -90), East: east, North: min(north, 90)}
}

// DistanceKm returns the distance of a point from the circle's centre.
func (c Circle) DistanceKm(lat, lng float64) float64 {
	return Point(c.Lat, c.Lng).Distance(Point(lat, lng)).Radians() * earthRadiusKm
}

// Contains reports whether a point is in the circle.
func (c Circle) Contains(lat, lng float64) bool { return c.DistanceKm(lat, lng) <= c.RadiusKm }

// Chord2 returns the square of the greatest distance, through the unit sphere, of a point in the circle from its centre.
func (c Circle) Chord2() float64 {
	return float64(s1.ChordAngleFromAngle(s1.Angle(c.RadiusKm / earthRadiusKm)))
}

// margin is by how many radians a Region is larger than its circle or box, some 6 cm: it
// contains the centres of the leaf cells of all points inside.
const margin = 1e-8

// Leaves returns a function that reports whether a leaf cell may contain a point of the
// circle. It is wrong only for cells next to the edge, which may not.
func (c Circle) Leaves() func(leaf int64) bool {
	region := c.Region()
	return func(leaf int64) bool { return region.ContainsPoint(Centre(leaf)) }
}

// Region returns the circle as an S2 region.
func (c Circle) Region() s2.Region {
	return s2.CapFromCenterAngle(Point(c.Lat, c.Lng), s1.Angle(c.RadiusKm/earthRadiusKm+margin))
}

// Cells covers the circle by at most 16 cells.
func (c Circle) Cells() []int64 { return cover(c.Region(), finestLevel, maxCircleCells) }

// Contains reports whether a point is in the box.
func (b Box) Contains(lat, lng float64) bool {
	if b.West > b.East {
		return b.South <= lat && lat <= b.North && (lng >= b.West || lng <= b.East)
	}
	return b.South <= lat && lat <= b.North && b.West <= lng && lng <= b.East
}

// Leaves returns a function that reports whether a leaf cell may contain a point of the
// box. It is wrong only for cells next to the edge, which may not. A pole is on every
// meridian.
func (b Box) Leaves() func(leaf int64) bool {
	rect := b.rect()
	return func(leaf int64) bool {
		at := s2.LatLngFromPoint(Centre(leaf))
		return rect.Lat.Contains(at.Lat.Radians()) && rect.Lng.Expanded(margin/math.Cos(at.Lat.Radians())).Contains(at.Lng.Radians())
	}
}

func (b Box) rect() s2.Rect {
	return s2.Rect{
		Lat: r1.Interval{Lo: radians(b.South), Hi: radians(b.North)}.Expanded(margin).Intersection(r1.Interval{Lo: -math.Pi / 2,
			Hi: math.Pi / 2}),
		Lng: s1.IntervalFromEndpoints(radians(b.West), radians(b.East)).Expanded(margin),
	}
}

// Region returns the box as an S2 region, whole around a pole.
func (b Box) Region() s2.Region { return b.rect().PolarClosure() }

// Cells covers the box by at most MaxCells.
func (b Box) Cells() []int64 { return cover(b.Region(), finestLevel, MaxCells) }

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }

// ZoomCells covers a region by at most MaxCells cells for a zoom level of a web map.
// A cell is one or two tiles wide at the equator. It is smaller for a small region,
// and larger where there would be too many cells.
func ZoomCells(region s2.Region, zoom int) []int64 {
	level := max(zoom-2, s2.AvgEdgeMetric.ClosestLevel(float64(region.CapBound().Radius())))
	level = min(max(level, coarsestLevel), finestLevel)
	return cover(region, level-(level-coarsestLevel)%levelStep, MaxCells)
}

func cover(region s2.Region, finest, most int) []int64 {
	coverer := s2.RegionCoverer{MinLevel: coarsestLevel, MaxLevel: finest, LevelMod: levelStep, MaxCells: most}
	var cells []int64
	for _, id := range coverer.Covering(region) {
		cells = append(cells, int64(id))
	}
	return cells
}
