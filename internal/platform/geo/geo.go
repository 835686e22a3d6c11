// Package geo computes with circles and boxes on a sphere, and covers them
// with S2 cells (specification §4.5, contract §4.6).
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
func Degrees(x, y, z float64) (lat, lng float64) {
	at := s2.LatLngFromPoint(s2.PointFromCoords(x, y, z))
	return at.Lat.Degrees(), at.Lng.Degrees()
}

// CellsOf returns the cells that contain a point, one per level.
func CellsOf(lat, lng float64) []int64 {
	leaf := s2.CellIDFromLatLng(s2.LatLngFromDegrees(lat, lng))
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

// Chord is a circle in a form for cheap comparisons: its centre on the unit sphere,
// and the squared length of the straight line (chord) from there to its edge. The
// chord to a point grows with the distance and needs no trigonometry.
type Chord struct{ X, Y, Z, Squared float64 }

// Chord returns the circle in the form for cheap comparisons.
func (c Circle) Chord() Chord {
	p, chord := Point(c.Lat, c.Lng), 2*math.Sin(c.RadiusKm/earthRadiusKm/2)
	return Chord{p.X, p.Y, p.Z, chord * chord}
}

// Region returns the circle as an S2 region.
func (c Circle) Region() s2.Region {
	return s2.CapFromCenterAngle(Point(c.Lat, c.Lng), s1.Angle(c.RadiusKm/earthRadiusKm*(1+1e-9)))
}

// Cells covers the circle by at most 16 cells.
func (c Circle) Cells() []int64 { return cover(c.Region(), finestLevel, maxCircleCells) }

// CoarseCells covers the circle by a few cells of the coarsest level.
func (c Circle) CoarseCells() []int64 { return cover(c.Region(), coarsestLevel, maxCircleCells) }

// Region returns the box as an S2 region.
func (b Box) Region() s2.Region {
	const margin = 1e-9 // radians: a point on the edge is inside
	rect := s2.Rect{
		Lat: r1.Interval{Lo: radians(b.South), Hi: radians(b.North)}.Expanded(margin).Intersection(r1.Interval{Lo: -math.Pi / 2, Hi: math.Pi / 2}),
		Lng: s1.IntervalFromEndpoints(radians(b.West), radians(b.East)).Expanded(margin),
	}
	return rect.PolarClosure()
}

// Cells covers the box by at most MaxCells.
func (b Box) Cells() []int64 { return cover(b.Region(), finestLevel, MaxCells) }

// Epsilon is the tolerance of comparisons on the unit sphere, some nanometres on
// Earth: rounding may move a point on an edge that far outside.
const Epsilon = 1e-15

// Edges are the sides of a box on the unit sphere. West and East are the points of
// the equator on its meridians. A point is in the box if it is in the hemisphere east
// of West and in the hemisphere west of East. A Wide box, of more than 180 degrees,
// contains the points that are in either hemisphere.
type Edges struct {
	South, North float64 // bounds of z
	West, East   s2.Point
	Wide         bool
}

// Edges returns the sides of the box.
func (b Box) Edges() Edges {
	width := b.East - b.West
	if width < 0 {
		width += 360
	}
	return Edges{
		South: Point(b.South, 0).Z - Epsilon, North: Point(b.North, 0).Z + Epsilon,
		West: Point(0, b.West), East: Point(0, b.East), Wide: width > 180,
	}
}

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
