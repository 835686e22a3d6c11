package mapfetch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"

	"moothall/internal/platform/pmtiles"
)

const (
	maxDepth       = 4       // of directories
	maxDirectories = 1 << 30 // bytes of all directories
	maxEntries     = 20e6    // of the new archive

	maxRange = 4 << 20  // bytes of one request, unless a tile has more
	maxGap   = 64 << 10 // bytes between two tiles that are fetched in vain, to save a request
)

// blob is the content of one or more tiles. Its place in the source is relative to the section of tiles.
type blob struct {
	from, to uint64 // offset in the source and in the new archive
	length   uint32
	tile     uint64 // id of a tile with this content
}

// plan says which ranges of the source become which ones of the new archive.
type plan struct {
	header   pmtiles.Header // of the new archive
	head     []byte         // what stands before the tiles
	source   pmtiles.Section
	requests [][]blob // of each request, in the order of the source
}

// size returns the bytes of the new archive.
func (p *plan) size() uint64 { return p.header.Tiles.End() }

// directories reads the directories of the source.
type directories struct {
	source *source
	log    *journal
	read   uint64 // bytes
	wanted []pmtiles.Range
	found  []pmtiles.Entry
}

func newPlan(ctx context.Context, r Request, d *directories) (*plan, error) {
	h := d.source.header
	d.wanted = pmtiles.Cover(r.Boxes, max(MinZoom, h.MinZoom), min(r.MaxZoom, h.MaxZoom))
	root, err := h.ParseDirectory(d.source.first[h.Root.Offset:h.Root.End()])
	if err != nil {
		return nil, err
	}
	if err := d.collect(ctx, root, pmtiles.Range{Past: 1 << 62}, 1); err != nil {
		return nil, err
	}
	if len(d.found) == 0 {
		return nil, errors.New("the source has no tiles there")
	}
	metadata, err := d.metadata(ctx)
	if err != nil {
		return nil, err
	}
	p := &plan{source: h.Tiles}
	p.place(d.found, metadata)
	p.header.TileCompression, p.header.TileType = h.TileCompression, h.TileType
	p.header.MinZoom, p.header.MaxZoom = max(MinZoom, h.MinZoom), min(r.MaxZoom, h.MaxZoom)
	p.header.Bounds = bounds(r.Boxes, h.Bounds)
	b := p.header.Bounds
	p.header.Center = [4]float64{(b[0] + b[2]) / 2, (b[1] + b[3]) / 2, float64(min(12, p.header.MaxZoom))}
	p.head = append(p.header.Encode(), p.head...)
	return p, nil
}

// collect adds the wanted entries of a directory, whose ids must be in a scope, and of those below it.
func (d *directories) collect(ctx context.Context, list []pmtiles.Entry, scope pmtiles.Range, depth int) error {
	if list[0].ID < scope.First || list[len(list)-1].ID >= scope.Past {
		return fmt.Errorf("%w: a directory has ids of another one", pmtiles.ErrInvalid)
	}
	for i, e := range list {
		own := pmtiles.Range{First: e.ID, Past: e.ID + uint64(e.Run)}
		if e.Run == 0 {
			own.Past = scope.Past
			if i+1 < len(list) {
				own.Past = list[i+1].ID
			}
		}
		parts := d.parts(own)
		if len(parts) == 0 {
			continue
		}
		if e.Run > 0 {
			for _, part := range parts {
				d.found = append(d.found, pmtiles.Entry{ID: part.First, Offset: e.Offset, Length: e.Length, Run: uint32(part.Past - part.First)})
			}
			if len(d.found) > maxEntries {
				return errors.New("the area has too many tiles: choose a smaller one, or --maxzoom")
			}
			continue
		}
		if depth == maxDepth {
			return fmt.Errorf("%w: its directories are too deep", pmtiles.ErrInvalid)
		}
		below, err := d.leaf(ctx, e)
		if err == nil {
			err = d.collect(ctx, below, own, depth+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// parts returns the wanted ids within a range.
func (d *directories) parts(r pmtiles.Range) (parts []pmtiles.Range) {
	first := sort.Search(len(d.wanted), func(i int) bool { return d.wanted[i].Past > r.First })
	for _, w := range d.wanted[first:] {
		if w.First >= r.Past {
			break
		}
		parts = append(parts, pmtiles.Range{First: max(w.First, r.First), Past: min(w.Past, r.Past)})
	}
	return parts
}

func (d *directories) leaf(ctx context.Context, e pmtiles.Entry) ([]pmtiles.Entry, error) {
	h := d.source.header
	data, err := d.section(ctx, h.Leaves.Offset+e.Offset, uint64(e.Length))
	if err != nil {
		return nil, err
	}
	return h.ParseDirectory(data)
}

// section reads a range that is neither tile nor header, unless an earlier run has done so.
func (d *directories) section(ctx context.Context, offset, length uint64) ([]byte, error) {
	if d.read += length; d.read > maxDirectories {
		return nil, fmt.Errorf("%w: its directories have more than %s", pmtiles.ErrInvalid, megabytes(maxDirectories))
	}
	if known := d.log.directories[offset]; uint64(len(known)) == length {
		return known, nil
	}
	data, err := d.source.read(ctx, offset, length)
	if err != nil {
		return nil, err
	}
	return data, d.log.add(entry{Offset: offset, Directory: data})
}

// metadata returns the metadata of the source: names of layers, and whom a map must name.
func (d *directories) metadata(ctx context.Context) ([]byte, error) {
	h := d.source.header
	if h.Metadata.Length == 0 {
		return nil, errors.New("the source has no metadata, so maps would not name its authors")
	}
	data, err := d.section(ctx, h.Metadata.Offset, h.Metadata.Length)
	if err == nil {
		data, err = h.UnpackMetadata(data)
	}
	if err == nil && !json.Valid(data) {
		err = fmt.Errorf("%w: its metadata are no JSON", pmtiles.ErrInvalid)
	}
	return data, err
}

// place gives each blob its place in the new archive, in the order of the source, and writes header and directories.
func (p *plan) place(entries []pmtiles.Entry, metadata []byte) {
	blobs := make([]blob, 0, len(entries))
	for _, e := range entries {
		blobs = append(blobs, blob{from: e.Offset, length: e.Length, tile: e.ID})
	}
	slices.SortFunc(blobs, func(a, b blob) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.length, b.length), cmp.Compare(a.tile, b.tile))
	})
	blobs = slices.CompactFunc(blobs, func(a, b blob) bool { return a.from == b.from && a.length == b.length })
	type key struct {
		from   uint64
		length uint32
	}
	offsets := make(map[key]uint64, len(blobs))
	end := uint64(0)
	for i := range blobs {
		b := &blobs[i]
		b.to = end
		offsets[key{b.from, b.length}] = end
		end += uint64(b.length)
	}
	p.requests = group(blobs)
	h := &p.header
	h.Internal, h.Entries, h.Contents = pmtiles.Gzip, uint64(len(entries)), uint64(len(blobs))
	for i := range entries {
		e := &entries[i]
		e.Offset = offsets[key{e.Offset, e.Length}]
		h.Addressed += uint64(e.Run)
	}
	h.Clustered = slices.IsSortedFunc(entries, func(a, b pmtiles.Entry) int { return cmp.Compare(a.Offset, b.Offset) })
	root, leaves := pmtiles.EncodeDirectories(entries)
	packed := pmtiles.Pack(metadata)
	p.head = slices.Concat(root, packed, leaves)
	h.Root = pmtiles.Section{Offset: pmtiles.HeaderBytes, Length: uint64(len(root))}
	h.Metadata = pmtiles.Section{Offset: h.Root.End(), Length: uint64(len(packed))}
	h.Leaves = pmtiles.Section{Offset: h.Metadata.End(), Length: uint64(len(leaves))}
	h.Tiles = pmtiles.Section{Offset: h.Leaves.End(), Length: end}
}

// group puts blobs that are near to each other into one request.
func group(blobs []blob) (requests [][]blob) {
	begin := 0
	for i := 1; i <= len(blobs); i++ {
		if i < len(blobs) {
			last, next := blobs[i-1], blobs[i]
			reach := last.from + uint64(last.length)
			if next.from <= reach+maxGap && next.from+uint64(next.length) <= blobs[begin].from+maxRange {
				continue
			}
		}
		requests = append(requests, blobs[begin:i])
		begin = i
	}
	return requests
}

// bounds returns the box around all boxes, within that of the source.
func bounds(boxes []pmtiles.Box, source [4]float64) [4]float64 {
	all := [4]float64{180, 90, -180, -90}
	for _, b := range boxes {
		if b.West > b.East {
			b.West, b.East = -180, 180
		}
		all = [4]float64{min(all[0], b.West), min(all[1], b.South), max(all[2], b.East), max(all[3], b.North)}
	}
	return [4]float64{max(all[0], source[0]), max(all[1], source[1]), min(all[2], source[2]), min(all[3], source[3])}
}
