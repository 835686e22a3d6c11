package main

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/protomaps/go-pmtiles/pmtiles"
)

// attribution names the sources. Maps must show it.
const attribution = "Natural Earth, GeoNames"

// The header and the root directory of an archive are read together, by one request.
const (
	headerBytes = 127
	firstBytes  = 16384
)

// encodeArchive returns a PMTiles archive, version 3. Equal tiles are stored once.
func encodeArchive(tiles []tile) ([]byte, error) {
	id := func(t tile) uint64 { return pmtiles.ZxyToID(uint8(t.at.Z), t.at.X, t.at.Y) }
	slices.SortFunc(tiles, func(a, b tile) int { return cmp.Compare(id(a), id(b)) })
	var entries []pmtiles.EntryV3
	var data bytes.Buffer
	offsets := map[string]uint64{}
	for _, t := range tiles {
		offset, stored := offsets[string(t.data)]
		if !stored {
			offset = uint64(data.Len())
			offsets[string(t.data)] = offset
			data.Write(t.data)
		}
		entries = append(entries, pmtiles.EntryV3{TileID: id(t), Offset: offset, Length: uint32(len(t.data)), RunLength: 1})
	}
	root, leaves := directories(entries)
	metadata, err := pmtiles.SerializeMetadata(metadata(), pmtiles.Gzip)
	if err != nil {
		return nil, err
	}
	h := pmtiles.HeaderV3{
		SpecVersion: 3, TileType: pmtiles.Mvt, TileCompression: pmtiles.Gzip, InternalCompression: pmtiles.Gzip, Clustered: true,
		MaxZoom: maxZoom, MinLonE7: -180e7, MinLatE7: -85e7, MaxLonE7: 180e7, MaxLatE7: 85e7,
		AddressedTilesCount: uint64(len(entries)), TileEntriesCount: uint64(len(entries)), TileContentsCount: uint64(len(offsets)),
		RootOffset: headerBytes, RootLength: uint64(len(root)), MetadataLength: uint64(len(metadata)),
		LeafDirectoryLength: uint64(len(leaves)), TileDataLength: uint64(data.Len()),
	}
	h.MetadataOffset = h.RootOffset + h.RootLength
	h.LeafDirectoryOffset = h.MetadataOffset + h.MetadataLength
	h.TileDataOffset = h.LeafDirectoryOffset + h.LeafDirectoryLength
	return slices.Concat(pmtiles.SerializeHeader(h), root, metadata, leaves, data.Bytes()), nil
}

func metadata() map[string]any {
	var layers []map[string]any
	for _, name := range []string{"earth", "landcover", "water", "boundaries", "places"} {
		layers = append(layers, map[string]any{"id": name, "fields": map[string]string{}})
	}
	return map[string]any{"name": "World", "attribution": attribution, "vector_layers": layers}
}

// directories returns the root directory and the leaf directories, as few as let the root
// fit into the first bytes.
func directories(entries []pmtiles.EntryV3) (root, leaves []byte) {
	for size := 4096; ; size *= 2 {
		var top []pmtiles.EntryV3
		leaves = nil
		for leaf := range slices.Chunk(entries, size) {
			data := pmtiles.SerializeEntries(leaf, pmtiles.Gzip)
			top = append(top, pmtiles.EntryV3{TileID: leaf[0].TileID, Offset: uint64(len(leaves)), Length: uint32(len(data))})
			leaves = append(leaves, data...)
		}
		if root = pmtiles.SerializeEntries(top, pmtiles.Gzip); headerBytes+len(root) <= firstBytes {
			return root, leaves
		}
	}
}
