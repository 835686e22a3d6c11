package geo

import (
	"errors"
	"fmt"

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
		return nil, fmt.Errorf("geo.readMap: %w", err)
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
	lng, data, err := nextDifference(data)
	if err != nil {
		return p, nil, err
	}
	lat, data, err := nextDifference(data)
	return point{p.lng + lng, p.lat + lat}, data, err
}

var errBorder = errors.New("a border is not encoded as a polyline")

// nextDifference decodes a number of an encoded polyline: groups of 5 bits, the lowest first, each plus 63. The bit 0x20
// means that another group follows. The lowest bit of the number inverts the others.
func nextDifference(data []byte) (n int32, rest []byte, err error) {
	const first, more, bits = 63, 0x20, 5
	value := uint64(0)
	for i, c := range data {
		group := uint64(c) - first
		if c < first || group >= 2*more || i*bits > 32 {
			break
		}
		value |= group % more << (i * bits)
		if group < more {
			return int32(value>>1) ^ -int32(value&1), data[i+1:], nil
		}
	}
	return 0, nil, errBorder
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
