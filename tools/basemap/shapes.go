package main

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/maptile"
	"github.com/paulmach/orb/planar"
)

// visible returns the features of a tile at its zoom. It joins the areas and lines of a kind to one
// feature, which takes fewer bytes, and omits points in the margin, which maps do not draw.
func (l layer) visible(at maptile.Tile) *geojson.FeatureCollection {
	features := geojson.NewFeatureCollection()
	joined := map[any]*geojson.Feature{} // by kind
	for _, f := range l.features {
		if f.minZoom > int(at.Z) {
			continue
		}
		point, isPoint := f.geometry.(orb.Point)
		if isPoint && !at.Bound().Contains(point) {
			continue
		}
		kind := f.fields["kind"]
		g := joined[kind]
		if g == nil || isPoint {
			g = &geojson.Feature{Properties: f.fields}
			joined[kind] = g
			features.Append(g)
		}
		g.Geometry = join(g.Geometry, orb.Clone(f.geometry))
	}
	return features
}

// join adds areas to areas, or lines to lines. The first argument may be nil.
func join(all, more orb.Geometry) orb.Geometry {
	switch more := more.(type) {
	case orb.Polygon:
		return join(all, orb.MultiPolygon{more})
	case orb.MultiPolygon:
		areas, _ := all.(orb.MultiPolygon)
		return append(areas, more...)
	case orb.LineString:
		return join(all, orb.MultiLineString{more})
	case orb.MultiLineString:
		lines, _ := all.(orb.MultiLineString)
		return append(lines, more...)
	}
	return more
}

// speck is the area that is too small to be seen, in square units of a tile.
const speck = 4

// removeSpecks returns the areas and holes that can be seen. It winds their rings as the format
// requires: outer rings have a positive area.
func removeSpecks(g orb.Geometry) orb.Geometry {
	areas, ok := join(nil, g).(orb.MultiPolygon)
	if !ok {
		return g
	}
	var visible orb.MultiPolygon
	for _, area := range areas {
		if math.Abs(planar.Area(area[0])) < speck {
			continue
		}
		rings := slices.DeleteFunc(area, func(r orb.Ring) bool { return math.Abs(planar.Area(r)) < speck })
		for i, ring := range rings {
			if outer := i == 0; outer != (planar.Area(ring) > 0) {
				ring.Reverse()
			}
		}
		visible = append(visible, rings)
	}
	return visible
}
