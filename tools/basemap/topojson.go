package main

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/paulmach/orb"
)

// topology is a TopoJSON document. The shapes of its objects share arcs, which are quantized
// and delta-encoded.
type topology struct {
	Objects   map[string]struct{ Geometries []shape }
	Arcs      [][][2]float64
	Transform struct{ Scale, Translate [2]float64 }
}

// shape is a Polygon or a MultiPolygon of indexes of arcs: ^i is arc i reversed.
type shape struct {
	Type       string
	Arcs       json.RawMessage
	Properties struct{ Name string }
}

func parseTopology(data []byte) (t topology, err error) {
	if err = json.Unmarshal(data, &t); err != nil {
		return t, err
	}
	scale, translate := t.Transform.Scale, t.Transform.Translate
	for _, arc := range t.Arcs {
		var x, y float64
		for i, p := range arc {
			x, y = x+p[0], y+p[1]
			arc[i] = [2]float64{x*scale[0] + translate[0], y*scale[1] + translate[1]}
		}
	}
	return t, nil
}

// rings returns the indexes of the arcs of each ring of each polygon.
func (s shape) rings() (polygons [][][]int, err error) {
	switch s.Type {
	case "Polygon":
		polygons = make([][][]int, 1)
		return polygons, json.Unmarshal(s.Arcs, &polygons[0])
	case "MultiPolygon":
		return polygons, json.Unmarshal(s.Arcs, &polygons)
	}
	return nil, fmt.Errorf("%s is a %s", s.Properties.Name, s.Type)
}

// polygons returns the area of a shape. Its longitudes may exceed 180 degrees.
func (t topology) polygons(s shape) (area orb.MultiPolygon, err error) {
	indexes, err := s.rings()
	for _, polygon := range indexes {
		var p orb.Polygon
		for _, ring := range polygon {
			p = append(p, unwrap(t.ring(ring)))
		}
		area = append(area, p)
	}
	return area, err
}

func (t topology) ring(arcs []int) (ring orb.Ring) {
	for _, i := range arcs {
		line := t.line(i)
		if len(ring) > 0 {
			line = line[1:] // the last point of the arc before
		}
		ring = append(ring, line...)
	}
	return ring
}

// unwrap makes the longitudes of a ring continuous where it crosses the 180th meridian. A ring around
// the south pole gets an edge along it.
func unwrap(ring orb.Ring) orb.Ring {
	for i := 1; i < len(ring); i++ {
		ring[i][0] -= 360 * math.Round((ring[i][0]-ring[i-1][0])/360)
	}
	if first, last := ring[0], ring[len(ring)-1]; first != last {
		ring = append(ring, orb.Point{last[0], southEnd}, orb.Point{first[0], southEnd}, first)
	}
	return shift(ring, -360*math.Round(ring.Bound().Center()[0]/360))
}

// shift moves a ring to the east.
func shift(ring orb.Ring, degrees float64) (shifted orb.Ring) {
	for _, p := range ring {
		shifted = append(shifted, orb.Point{p[0] + degrees, p[1]})
	}
	return shifted
}

func (t topology) line(i int) orb.LineString {
	arc, reversed := i, i < 0
	if reversed {
		arc = ^i
	}
	var line orb.LineString
	for _, p := range t.Arcs[arc] {
		line = append(line, p)
	}
	if reversed {
		line.Reverse()
	}
	return line
}

// borders returns the arcs that two countries share.
func (t topology) borders() (lines []orb.LineString, err error) {
	uses := make([]int, len(t.Arcs))
	for _, s := range t.Objects["countries"].Geometries {
		indexes, err := s.rings()
		if err != nil {
			return nil, err
		}
		for _, polygon := range indexes {
			for _, ring := range polygon {
				for _, i := range ring {
					uses[max(i, ^i)]++
				}
			}
		}
	}
	for i, n := range uses {
		if n > 1 {
			lines = append(lines, t.line(i))
		}
	}
	return lines, nil
}
