package pmtiles_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"moothall/internal/platform/pmtiles"
	"moothall/internal/test/maptest"
)

func TestTilesAndIDs(t *testing.T) {
	for _, c := range []struct {
		zoom uint8
		x, y uint32
		id   uint64
	}{{0, 0, 0, 0}, {1, 0, 0, 1}, {1, 0, 1, 2}, {1, 1, 1, 3}, {1, 1, 0, 4}, {2, 0, 0, 5}, {2, 0, 1, 8}, {12, 3423, 1763, 19078479}} {
		zoom, x, y := pmtiles.Tile(c.id)
		if got := pmtiles.ID(c.zoom, c.x, c.y); got != c.id || zoom != c.zoom || x != c.x || y != c.y {
			t.Errorf("%d/%d/%d: id %d, want %d; back %d/%d/%d", c.zoom, c.x, c.y, got, c.id, zoom, x, y)
		}
	}
}

func TestCover(t *testing.T) {
	count := func(boxes ...pmtiles.Box) (n uint64) {
		for _, r := range pmtiles.Cover(boxes, 1, 1) {
			n += r.Past - r.First
		}
		return n
	}
	world := pmtiles.Box{West: -180, South: -90, East: 180, North: 90}
	for name, c := range map[string]struct{ got, want uint64 }{
		"world":             {count(world), 4},
		"one quarter":       {count(pmtiles.Box{West: 10, South: 10, East: 20, North: 20}), 1},
		"both hemispheres":  {count(pmtiles.Box{West: 10, South: -10, East: 20, North: 20}), 2},
		"180th meridian":    {count(pmtiles.Box{West: 170, South: 10, East: -170, North: 20}), 2},
		"overlapping boxes": {count(world, world), 4},
		"none":              {count(), 0},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d tiles, want %d", name, c.got, c.want)
		}
	}
	if all := pmtiles.Cover([]pmtiles.Box{world}, 0, 15); len(all) != 1 || all[0] != (pmtiles.Range{Past: 1431655765}) {
		t.Errorf("all tiles: %v", all)
	}
}

// TestHostileHeaders changes bytes of a valid archive.
func TestHostileHeaders(t *testing.T) {
	valid := maptest.City(12)
	if _, err := pmtiles.ParseHeader(valid, uint64(len(valid))); err != nil {
		t.Fatal(err)
	}
	number := func(at int, n uint64) func([]byte) {
		return func(b []byte) { binary.LittleEndian.PutUint64(b[at:], n) }
	}
	for name, change := range map[string]func([]byte){
		"other format":          func(b []byte) { b[0] = 'X' },
		"version 2":             func(b []byte) { b[7] = 2 },
		"root after the end":    number(8, 1<<63),
		"root of all bytes":     number(16, 1<<63),
		"overflow":              number(56, ^uint64(0)),
		"huge metadata":         number(32, pmtiles.MaxMetadata+1),
		"tiles after the end":   number(64, uint64(len(valid))),
		"zoom 255":              func(b []byte) { b[101] = 255 },
		"unknown compression":   func(b []byte) { b[97] = 9 },
		"brotli":                func(b []byte) { b[98] = 3 },
		"pictures":              func(b []byte) { b[99] = 2 },
		"bounds out of a world": func(b []byte) { binary.LittleEndian.PutUint32(b[110:], 2e9) },
	} {
		data := append([]byte{}, valid...)
		change(data)
		if _, err := pmtiles.ParseHeader(data, uint64(len(valid))); !errors.Is(err, pmtiles.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHostileDirectories(t *testing.T) {
	h := pmtiles.Header{Internal: pmtiles.Gzip, Tiles: pmtiles.Section{Length: 1000}, Leaves: pmtiles.Section{Length: 1000}}
	directory := func(numbers ...uint64) []byte {
		var data []byte
		for _, n := range numbers {
			data = binary.AppendUvarint(data, n)
		}
		return pmtiles.Pack(data)
	}
	if _, err := h.ParseDirectory(directory(2, 5, 1, 1, 1, 10, 10, 1, 0)); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"no gzip":              []byte("PMTiles"),
		"empty":                directory(),
		"no entries":           directory(0),
		"more than its bytes":  directory(1<<40, 1),
		"ids out of order":     directory(2, 5, 0, 1, 1, 10, 10, 1, 0),
		"id of no tile":        directory(1, 1<<60, 1, 10, 1),
		"runs overlap":         directory(2, 5, 1, 2, 1, 10, 10, 1, 0),
		"tile after the end":   directory(1, 5, 1, 10, 992),
		"tile without bytes":   directory(1, 5, 1, 0, 1),
		"leaf after the end":   directory(1, 5, 0, 10, 992),
		"length of 2^40":       directory(1, 5, 1, 1<<40, 1),
		"follows nothing":      directory(1, 5, 1, 10, 0),
		"cut":                  directory(2, 5, 1, 1, 1, 10),
		"a gigabyte of zeroes": pmtiles.Pack(make([]byte, 65<<20)),
	} {
		if _, err := h.ParseDirectory(data); !errors.Is(err, pmtiles.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHostileTiles(t *testing.T) {
	h := pmtiles.Header{TileCompression: pmtiles.Gzip}
	tile := pmtiles.Pack(maptest.Tiles([]pmtiles.Box{maptest.Box}, 12, 12, 0)[0].Data)
	if data, err := h.UnpackTile(tile); err != nil || !pmtiles.IsVectorTile(data) {
		t.Fatal(err)
	}
	damaged := append([]byte{}, tile...)
	damaged[len(damaged)/2] ^= 0xff
	for name, data := range map[string][]byte{"damaged": damaged, "cut": tile[:len(tile)-1], "bomb": pmtiles.Pack(make([]byte, 65<<20))} {
		if _, err := h.UnpackTile(data); !errors.Is(err, pmtiles.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, data := range map[string][]byte{"text": []byte("<html>"), "layer without name": {0x1a, 2, 0x78, 2}} {
		if pmtiles.IsVectorTile(data) {
			t.Errorf("%s is a tile", name)
		}
	}
}
