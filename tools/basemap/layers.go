package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/planar"
	"github.com/paulmach/orb/simplify"
	"github.com/sams96/rgeo"
)

// layer is a layer of all tiles. Names of layers and properties are those of the Protomaps
// basemap, so that one style draws both.
type layer struct {
	name     string
	features []feature
}

// feature is a point, a line or an area.
type feature struct {
	geometry orb.Geometry
	bound    orb.Bound
	fields   geojson.Properties
	minZoom  int // of the tiles that contain it
}

func (l *layer) add(g orb.Geometry, minZoom int, fields geojson.Properties) {
	l.features = append(l.features, feature{g, g.Bound(), fields, minZoom})
}

// worldLayers reads all sources. land and countries are documents of world-atlas.
func worldLayers(land, countries []byte, places []place) ([]layer, error) {
	earth, err := landAreas(land)
	if err != nil {
		return nil, err
	}
	boundaries, labels, err := countryLayers(countries)
	if err != nil {
		return nil, err
	}
	urban, err := urbanAreas()
	if err != nil {
		return nil, err
	}
	water, err := waters()
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		labels.add(orb.Point{p.lng, p.lat}, min(p.minZoom(), maxZoom), geojson.Properties{
			"kind": "locality", "name": p.name, "min_zoom": p.minZoom(), "population_rank": p.rank(),
		})
	}
	return []layer{earth, urban, water, boundaries, labels}, nil
}

func landAreas(document []byte) (layer, error) {
	l := layer{name: "earth"}
	t, err := parseTopology(document)
	if err != nil {
		return l, err
	}
	for _, s := range t.Objects["land"].Geometries {
		area, err := t.polygons(s)
		if err != nil {
			return l, err
		}
		for _, part := range area {
			l.addAround(part)
		}
	}
	return l, nil
}

// southEnd is the latitude of the southern edge of the land. It is outside of all tiles.
const southEnd = -86

// addAround adds an area whose longitudes may exceed 180 degrees. What does so is also added at the other
// side of the world. The margins of tiles reach over both ends.
func (l *layer) addAround(area orb.Polygon) {
	world := orb.Bound{Min: orb.Point{-190, southEnd}, Max: orb.Point{190, 90}}
	for _, degrees := range []float64{-360, 0, 360} {
		var moved orb.Polygon
		for _, ring := range area {
			moved = append(moved, shift(ring, degrees))
		}
		if part := clip.Geometry(world, moved); part != nil {
			l.add(part, 0, nil)
		}
	}
}

// countryLayers returns the borders, and the names of countries at the centres of their
// largest parts.
func countryLayers(document []byte) (boundaries, labels layer, err error) {
	boundaries.name, labels.name = "boundaries", "places"
	t, err := parseTopology(document)
	if err != nil {
		return boundaries, labels, err
	}
	for _, s := range t.Objects["countries"].Geometries {
		area, err := t.polygons(s)
		if err != nil {
			return boundaries, labels, err
		}
		var largest float64
		var centre orb.Point
		for _, part := range area {
			if at, size := planar.CentroidArea(part); math.Abs(size) > largest {
				centre, largest = at, math.Abs(size)
			}
		}
		zoom := min(max(6-int(math.Log2(largest+1)/2), 2), 6)
		labels.add(centre, zoom, geojson.Properties{"kind": "country", "name": s.Properties.Name, "min_zoom": zoom})
	}
	lines, err := t.borders()
	for _, line := range lines {
		boundaries.add(line, 0, geojson.Properties{"kind": "country"})
	}
	return boundaries, labels, err
}

// urbanAreas returns the built-up areas of cities. They come as cells of a grid: simplified by
// more than a cell and rounded, they have no steps.
func urbanAreas() (layer, error) {
	l := layer{name: "landcover"}
	features, err := parse(rgeo.Cities10())
	for _, f := range features {
		area := planar.Area(f.Geometry)
		simple := simplify.DouglasPeucker(0.009).Simplify(f.Geometry)
		l.add(rounded(simple), minUrbanZoom(area), geojson.Properties{"kind": "urban_area"})
	}
	return l, err
}

// rounded cuts the corners of areas twice.
func rounded(area orb.Geometry) orb.Geometry {
	switch area := area.(type) {
	case orb.MultiPolygon:
		for i := range area {
			area[i] = rounded(area[i]).(orb.Polygon)
		}
	case orb.Polygon:
		for i := range area {
			area[i] = cutCorners(cutCorners(area[i]))
		}
	}
	return area
}

// cutCorners replaces each corner of a ring by two, at a quarter of the sides.
func cutCorners(ring orb.Ring) (cut orb.Ring) {
	for i := range len(ring) - 1 {
		a, b := ring[i], ring[i+1]
		cut = append(cut, orb.Point{a[0]*0.75 + b[0]*0.25, a[1]*0.75 + b[1]*0.25}, orb.Point{a[0]*0.25 + b[0]*0.75, a[1]*0.25 + b[1]*0.75})
	}
	if len(cut) > 0 {
		cut = append(cut, cut[0])
	}
	return cut
}

// minUrbanZoom shows an urban area, in square degrees, as soon as it is more than a speck.
func minUrbanZoom(area float64) int {
	if area > 0.1 {
		return 4
	}
	return maxZoom
}

// waters returns lakes and rivers.
func waters() (layer, error) {
	l := layer{name: "water"}
	for _, source := range []struct{ file, kind string }{
		{"ne_10m_lakes.json.gz", "lake"},
		{"ne_10m_rivers_lake_centerlines.json.gz", "river"},
	} {
		packed, err := os.ReadFile(filepath.Join("sources", source.file))
		if err != nil {
			return l, err
		}
		features, err := parse(packed)
		if err != nil {
			return l, err
		}
		for _, f := range features {
			zoom := int(f.Properties.MustFloat64("min_zoom", 2))
			l.add(f.Geometry, min(zoom, maxZoom), geojson.Properties{"kind": source.kind})
		}
	}
	return l, nil
}

// parse returns the features with a geometry of a compressed GeoJSON document.
func parse(packed []byte) ([]*geojson.Feature, error) {
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(plain)
	if err != nil {
		return nil, err
	}
	var collection struct{ Features []*geojson.Feature }
	if err := json.Unmarshal(data, &collection); err != nil {
		return nil, err
	}
	var features []*geojson.Feature
	for _, f := range collection.Features {
		if f.Geometry != nil {
			features = append(features, f)
		}
	}
	return features, nil
}
