package timezone

import (
	"fmt"

	polyline "github.com/twpayne/go-polyline"
	"google.golang.org/protobuf/encoding/protowire"
)

// readMap reads a message CompressedTimezones of
// https://github.com/ringsaturn/tzf/blob/main/pb/tzf/v1/tzf.proto
// The map refers to data.
func readMap(data []byte) (m zoneMap, err error) {
	err = eachField(data, func(number protowire.Number, zone []byte) error {
		if number != 2 { // timezones
			return nil
		}
		polygons, err := readZone(zone)
		m = append(m, polygons...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("timezone.readMap: %w", err)
	}
	return m, nil
}

// readZone reads a message CompressedTimezone.
func readZone(data []byte) (polygons []polygon, err error) {
	name := ""
	err = eachField(data, func(number protowire.Number, value []byte) error {
		switch number {
		case 1: // data
			p := polygon{box: empty}
			err := p.read(value)
			polygons = append(polygons, p)
			return err
		case 2:
			name = string(value)
		}
		return nil
	})
	for i := range polygons {
		polygons[i].zone = name
	}
	return polygons, err
}

// read reads a message CompressedPolygon. Its holes have the same type.
func (g *polygon) read(data []byte) error {
	return eachField(data, func(number protowire.Number, value []byte) error {
		switch number {
		case 1: // points
			return g.addBorder(value)
		case 2: // holes
			return g.read(value)
		}
		return nil
	})
}

// arcPoints is the maximum number of points of an arc. Longer arcs take less memory,
// shorter arcs less time.
const arcPoints = 64

// addBorder adds the arcs of a border, which ends where it begins.
func (g *polygon) addBorder(points []byte) error {
	at, points, err := point{}.next(points)
	for err == nil && len(points) > 0 {
		a := arc{box: box{at, at}, first: at}
		rest := points
		for n := 0; n < arcPoints && err == nil && len(rest) > 0; n++ {
			at, rest, err = at.next(rest)
			a.box.add(at)
		}
		a.last, a.points, points = at, points[:len(points)-len(rest)], rest
		g.arcs = append(g.arcs, a)
		g.box.add(a.box.min)
		g.box.add(a.box.max)
	}
	return err
}

// next decodes the point that follows p in encoded differences.
func (p point) next(data []byte) (point, []byte, error) {
	lng, data, err := polyline.DecodeInt(data)
	if err != nil {
		return p, nil, err
	}
	lat, data, err := polyline.DecodeInt(data)
	return point{p.lng + int32(lng), p.lat + int32(lat)}, data, err
}

// eachField calls read with each field of a protobuf message that is a message, bytes
// or text.
func eachField(data []byte, read func(number protowire.Number, value []byte) error) error {
	for len(data) > 0 {
		number, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		if n = protowire.ConsumeFieldValue(number, kind, data); n < 0 {
			return protowire.ParseError(n)
		}
		if kind == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(data)
			if err := read(number, value); err != nil {
				return err
			}
		}
		data = data[n:]
	}
	return nil
}
