// Package maptest makes map archives for tests: tiles with the layers of Protomaps, drawn by a formula.
package maptest

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"moothall/internal/platform/pmtiles"
)

// Tile is a tile of an archive.
type Tile struct {
	Zoom uint8
	X, Y uint32
	Data []byte // unpacked
}

// Box is the area of City: the middle of Berlin.
var Box = pmtiles.Box{West: 13.3, South: 52.48, East: 13.48, North: 52.55}

// City returns an archive with streets of Box, up to a zoom.
func City(most uint8) []byte { return Archive(Tiles([]pmtiles.Box{Box}, 0, most, 0)) }

// Planet returns an archive of boxes with tiles that have about padding bytes each, of which gzip saves nothing.
func Planet(boxes []pmtiles.Box, most uint8, padding int) []byte {
	return Archive(Tiles(boxes, 0, most, padding))
}

// Tiles draws the tiles of boxes.
func Tiles(boxes []pmtiles.Box, least, most uint8, padding int) (tiles []Tile) {
	for _, r := range pmtiles.Cover(boxes, least, most) {
		for id := r.First; id < r.Past; id++ {
			zoom, x, y := pmtiles.Tile(id)
			tiles = append(tiles, Tile{zoom, x, y, draw(zoom, x, y, padding)})
		}
	}
	return tiles
}

// Archive returns an archive of tiles. Equal tiles are stored once, and equal ones that follow each other have one entry.
func Archive(tiles []Tile) []byte {
	slices.SortFunc(tiles, func(a, b Tile) int {
		return cmp.Compare(pmtiles.ID(a.Zoom, a.X, a.Y), pmtiles.ID(b.Zoom, b.X, b.Y))
	})
	var entries []pmtiles.Entry
	var data bytes.Buffer
	stored := map[string]pmtiles.Entry{}
	h := pmtiles.Header{Internal: pmtiles.Gzip, TileCompression: pmtiles.Gzip, TileType: pmtiles.VectorTiles, Clustered: true,
		Bounds: [4]float64{-180, -85, 180, 85}, MinZoom: pmtiles.MaxZoom, Addressed: uint64(len(tiles))}
	for _, t := range tiles {
		h.MinZoom, h.MaxZoom = min(h.MinZoom, t.Zoom), max(h.MaxZoom, t.Zoom)
		e, known := stored[string(t.Data)]
		if !known {
			packed := pmtiles.Pack(t.Data)
			e = pmtiles.Entry{Offset: uint64(data.Len()), Length: uint32(len(packed))}
			stored[string(t.Data)] = e
			data.Write(packed)
		}
		e.ID, e.Run = pmtiles.ID(t.Zoom, t.X, t.Y), 1
		if n := len(entries); n > 0 && entries[n-1].Offset == e.Offset && entries[n-1].ID+uint64(entries[n-1].Run) == e.ID {
			entries[n-1].Run++
		} else {
			entries = append(entries, e)
		}
	}
	root, leaves := pmtiles.EncodeDirectories(entries)
	metadata := pmtiles.Pack([]byte(`{"attribution":"<a href=\"https://www.openstreetmap.org/copyright\">© OpenStreetMap</a>","vector_layers":[` +
		`{"id":"earth"},{"id":"landuse"},{"id":"water"},{"id":"roads"},{"id":"buildings"},{"id":"places"}]}`))
	h.Root = pmtiles.Section{Offset: pmtiles.HeaderBytes, Length: uint64(len(root))}
	h.Metadata = pmtiles.Section{Offset: h.Root.End(), Length: uint64(len(metadata))}
	h.Leaves = pmtiles.Section{Offset: h.Metadata.End(), Length: uint64(len(leaves))}
	h.Tiles = pmtiles.Section{Offset: h.Leaves.End(), Length: uint64(data.Len())}
	h.Entries, h.Contents = uint64(len(entries)), uint64(len(stored))
	return slices.Concat(h.Encode(), root, metadata, leaves, data.Bytes())
}

// extent is the width of a tile in its units.
const extent = 4096

// draw returns a tile: land, a park, a canal, a grid of streets with names, paths, houses and, once, the name of a district.
func draw(zoom uint8, x, y uint32, padding int) []byte {
	t := &tile{}
	t.layer("earth", area(nil, -64, -64, extent+64, extent+64))
	if zoom < 12 {
		t.pad(zoom, x, y, padding)
		return t.data
	}
	park := area(map[string]string{"kind": "park"}, 2200, 2200, 3700, 3700)
	t.layer("landuse", park)
	t.layer("water", area(map[string]string{"kind": "water"}, -64, 1700, extent+64, 1900))
	var streets, houses []feature
	for at := 500; at < extent; at += 1000 {
		kind := "minor_road"
		if at == 1500 {
			kind = "major_road"
		}
		streets = append(streets,
			line(map[string]string{"kind": kind, "name": "Lindenstraße"}, -64, at, extent+64, at),
			line(map[string]string{"kind": kind, "name": "Marktgasse"}, at, -64, at, extent+64))
	}
	streets = append(streets, line(map[string]string{"kind": "path", "name": "Parkweg"}, 2200, 2200, 3700, 3700))
	for left := 600; left < 2000; left += 300 {
		houses = append(houses, area(map[string]string{"kind": "building"}, left, 600, left+200, 800), area(nil, left, 1100, left+200, 1300))
	}
	t.layer("roads", streets...)
	t.layer("buildings", houses...)
	t.layer("places", spot(map[string]string{"kind": "neighbourhood", "name": "Mitte"}, 2950, 2000))
	t.pad(zoom, x, y, padding)
	return t.data
}

type tile struct{ data []byte }

// pad adds a layer with bytes that depend on the tile.
func (t *tile) pad(zoom uint8, x, y uint32, bytes int) {
	if bytes == 0 {
		return
	}
	random := rand.New(rand.NewPCG(uint64(zoom), uint64(x)<<32|uint64(y)))
	noise := make([]byte, bytes)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	t.layer("padding", feature{fields: map[string]string{"noise": string(noise)}, kind: 1, geometry: []uint64{9, 0, 0}})
}

// feature has its geometry as commands of MVT.
type feature struct {
	fields   map[string]string
	kind     uint64 // 1: point, 2: line, 3: area
	geometry []uint64
}

func zigzag(n int) uint64 { return uint64(n<<1) ^ uint64(n>>63) }

func spot(fields map[string]string, x, y int) feature {
	return feature{fields, 1, []uint64{9, zigzag(x), zigzag(y)}}
}

func line(fields map[string]string, x1, y1, x2, y2 int) feature {
	return feature{fields, 2, []uint64{9, zigzag(x1), zigzag(y1), 10, zigzag(x2 - x1), zigzag(y2 - y1)}}
}

func area(fields map[string]string, left, top, right, bottom int) feature {
	wide, high := right-left, bottom-top
	return feature{fields, 3, []uint64{9, zigzag(left), zigzag(top), 26, zigzag(wide), 0, 0, zigzag(high), zigzag(-wide), 0, 15}}
}

func (t *tile) layer(name string, features ...feature) {
	layer := number(nil, 15, 2) // version
	layer = block(layer, 1, []byte(name))
	var keys, values []string
	index := func(list *[]string, text string) uint64 {
		if i := slices.Index(*list, text); i >= 0 {
			return uint64(i)
		}
		*list = append(*list, text)
		return uint64(len(*list) - 1)
	}
	for _, f := range features {
		var tags, geometry []byte
		for _, key := range []string{"kind", "name", "noise"} {
			if value, has := f.fields[key]; has {
				tags = binary.AppendUvarint(tags, index(&keys, key))
				tags = binary.AppendUvarint(tags, index(&values, value))
			}
		}
		for _, n := range f.geometry {
			geometry = binary.AppendUvarint(geometry, n)
		}
		layer = block(layer, 2, block(number(block(nil, 2, tags), 3, f.kind), 4, geometry))
	}
	for _, key := range keys {
		layer = block(layer, 3, []byte(key))
	}
	for _, value := range values {
		layer = block(layer, 4, block(nil, 1, []byte(value)))
	}
	t.data = block(t.data, 3, number(layer, 5, extent))
}

// block and number append a field of a protobuf message.
func block(to []byte, field uint64, data []byte) []byte {
	to = binary.AppendUvarint(to, field<<3|2)
	return append(binary.AppendUvarint(to, uint64(len(data))), data...)
}

func number(to []byte, field, n uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(to, field<<3), n)
}
