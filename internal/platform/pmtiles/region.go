package pmtiles

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Box is an area in degrees. West may be greater than East: then it crosses the 180th meridian.
type Box struct{ West, South, East, North float64 }

// maxLat is the latitude of the edge of square maps.
const maxLat = 85.0511

// Range has the ids from First to before Past.
type Range struct{ First, Past uint64 }

// Cover returns the ids of all tiles of a zoom from least to most that boxes touch, in order.
func Cover(boxes []Box, least, most uint8) []Range {
	c := cover{least: least, most: most}
	var squares []square
	for _, b := range boxes {
		if b.West > b.East {
			squares = append(squares, project(Box{b.West, b.South, 180, b.North}), project(Box{-180, b.South, b.East, b.North}))
		} else {
			squares = append(squares, project(b))
		}
	}
	c.add(0, 0, 0, squares)
	return merge(c.found)
}

// square is an area of the square map, whose sides have the length 1. Y grows to the south.
type square struct{ left, top, right, bottom float64 }

func project(b Box) square {
	y := func(lat float64) float64 {
		lat = max(-maxLat, min(maxLat, lat)) * math.Pi / 180
		return (1 - math.Log(math.Tan(lat)+1/math.Cos(lat))/math.Pi) / 2
	}
	return square{(b.West + 180) / 360, y(b.North), (b.East + 180) / 360, y(b.South)}
}

type cover struct {
	least, most uint8
	found       []Range
}

// add adds a tile and those inside it. around are the squares that may touch it.
func (c *cover) add(zoom uint8, x, y uint32, around []square) {
	side := math.Ldexp(1, -int(zoom))
	tile := square{float64(x) * side, float64(y) * side, float64(x+1) * side, float64(y+1) * side}
	var touching []square
	whole := false
	for _, s := range around {
		if s.left < tile.right && s.right >= tile.left && s.top < tile.bottom && s.bottom >= tile.top {
			touching = append(touching, s)
			whole = whole || s.left <= tile.left && s.right >= tile.right && s.top <= tile.top && s.bottom >= tile.bottom
		}
	}
	if len(touching) == 0 {
		return
	}
	last := zoom
	if whole {
		last = c.most
	}
	id := ID(zoom, x, y)
	for z := max(zoom, c.least); z <= last; z++ { // tiles inside a tile have successive ids
		count := uint64(1) << (2 * (z - zoom))
		first := firstID(z) + (id-firstID(zoom))*count
		c.found = append(c.found, Range{first, first + count})
	}
	if whole || zoom == c.most {
		return
	}
	for _, child := range [4][2]uint32{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		c.add(zoom+1, 2*x+child[0], 2*y+child[1], touching)
	}
}

func merge(ranges []Range) (merged []Range) {
	slices.SortFunc(ranges, func(a, b Range) int { return cmp.Compare(a.First, b.First) })
	for _, r := range ranges {
		if n := len(merged); n > 0 && r.First <= merged[n-1].Past {
			merged[n-1].Past = max(merged[n-1].Past, r.Past)
		} else {
			merged = append(merged, r)
		}
	}
	return merged
}

// firstID returns the id of the first tile of a zoom.
func firstID(zoom uint8) uint64 { return (uint64(1)<<(2*zoom) - 1) / 3 }

// ID returns the id of a tile: its place on a Hilbert curve, after all tiles of smaller zooms.
func ID(zoom uint8, x, y uint32) uint64 {
	id := firstID(zoom)
	for level := int(zoom) - 1; level >= 0; level-- {
		side := uint32(1) << level
		right, below := x&side, y&side
		id += uint64((3*right)^below) << level
		x, y = turn(side, x, y, right, below)
	}
	return id
}

// Tile returns the zoom and the place of the tile with an id.
func Tile(id uint64) (zoom uint8, x, y uint32) {
	zoom = uint8(bits.Len64(3*id+1)-1) / 2
	rest := id - firstID(zoom)
	for level := range zoom {
		side := uint32(1) << level
		right := uint32(1 & (rest >> 1))
		below := uint32(1&rest) ^ right
		x, y = turn(side, x, y, right, below)
		x, y = x+right<<level, y+below<<level
		rest >>= 2
	}
	return zoom, x, y
}

// turn turns a quadrant of the curve.
func turn(side, x, y, right, below uint32) (newX, newY uint32) {
	if below != 0 {
		return x, y
	}
	if right != 0 {
		x, y = side-1-x, side-1-y
	}
	return y, x
}
