package geo

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCellsCoverEveryPoint tries random regions, poles and the 180th meridian
// included: every point inside has one of the region's cells.
func TestCellsCoverEveryPoint(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		c := Circle{Lat: latitude(random), Lng: longitude(random), RadiusKm: math.Pow(10, random.Float64()*5.7-3)}
		if cells := c.Cells(); len(cells) > MaxCells {
			t.Errorf("%+v takes %d cells", c, len(cells))
		} else if lat, lng := pointInside(random, c); !meets(cells, lat, lng) {
			t.Errorf("%+v: no cell of %v, %v", c, lat, lng)
		}
		b := Box{West: longitude(random), South: latitude(random)}
		b.East, b.North = wrap(b.West+random.Float64()*40), min(b.South+0.001+random.Float64()*20, 90)
		if cells := b.Cells(); cells != nil {
			lat, lng := b.South+random.Float64()*(b.North-b.South), wrap(b.West+random.Float64()*width(b))
			if !meets(cells, lat, lng) {
				t.Errorf("%+v: no cell of %v, %v", b, lat, lng)
			}
		}
	}
}

func meets(cells []int64, lat, lng float64) bool {
	return slices.ContainsFunc(CellsOf(lat, lng), func(cell int64) bool { return slices.Contains(cells, cell) })
}

// pointInside returns a point inside the circle.
func pointInside(random *rand.Rand, c Circle) (lat, lng float64) {
	for {
		lat, lng = c.Lat+(random.Float64()*2-1)*c.RadiusKm/111,
			wrap(c.Lng+(random.Float64()*2-1)*min(180, c.RadiusKm/111/math.Cos(c.Lat*math.Pi/180)))
		if lat >= -90 && lat <= 90 && c.DistanceKm(lat, lng) <= c.RadiusKm {
			return lat, lng
		}
	}
}

func latitude(random *rand.Rand) float64 {
	return []float64{90, -90, random.Float64()*180 - 90, random.Float64()*180 - 90, random.Float64()*180 - 90}[random.IntN(5)]
}

func longitude(random *rand.Rand) float64 {
	return []float64{180, -180, 179.999, random.Float64()*360 - 180, random.Float64()*360 - 180}[random.IntN(5)]
}

func wrap(lng float64) float64 {
	if lng > 180 {
		return lng - 360
	}
	if lng < -180 {
		return lng + 360
	}
	return lng
}

func width(b Box) float64 {
	if b.West > b.East {
		return b.East - b.West + 360
	}
	return b.East - b.West
}

// TestLeavesContainPoints expects that the leaf cell of a point may be in a circle or box
// if the point is, on the edge too.
func TestLeavesContainPoints(t *testing.T) {
	circle := Circle{Lat: 55.75, Lng: 37.62, RadiusKm: 50}
	box := Box{West: 179, South: 55, East: -179, North: 90}
	for _, row := range []struct {
		name            string
		lat, lng        float64
		inCircle, inBox bool
	}{
		{"the centre", 55.75, 37.62, true, false},
		{"49.9 km north", 55.75 + 49.9/111.195, 37.62, true, false},
		{"50.1 km north", 55.75 + 50.1/111.195, 37.62, false, false},
		{"the other side of the world", -55.75, -142.38, false, false},
		{"an edge", 60, 179, false, true},
		{"a corner", 55, -179, false, true},
		{"near the pole", 89.9999999, 179.5, false, true},
		{"near the pole outside", 89.9, 0, false, false},
		{"the 180th meridian", 55, -180, false, true},
	} {
		leaf := Leaf(row.lat, row.lng)
		if circle.Contains(row.lat, row.lng) != row.inCircle || circle.Leaves()(leaf) != row.inCircle {
			t.Errorf("%s: in the circle is not %v", row.name, row.inCircle)
		}
		if box.Contains(row.lat, row.lng) != row.inBox || box.Leaves()(leaf) != row.inBox {
			t.Errorf("%s: in the box is not %v", row.name, row.inBox)
		}
	}
}
