// Package pmtiles reads and writes PMTiles archives, version 3: map tiles in one file, found by directories of byte
// ranges. What it reads may be hostile: each length, count and depth has a limit.
//
// The format is described at https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md.
package pmtiles

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"
)

// Compression is how directories or tiles are compressed.
type Compression uint8

// The compressions that browsers can unpack.
const (
	Plain Compression = 1
	Gzip  Compression = 2
)

// VectorTiles is the type of tiles in the format MVT.
const VectorTiles = 1

// Limits of what is read.
const (
	MaxZoom     = 22
	MaxTile     = 16 << 20 // bytes of a compressed tile
	MaxMetadata = 4 << 20  // bytes of the compressed metadata

	maxUnpackedTile     = 64 << 20
	maxUnpackedMetadata = 16 << 20
	maxDirectory        = 8 << 20 // bytes of a compressed directory
	maxUnpacked         = 64 << 20
)

// The header and the root directory are in the first bytes of an archive, so that one request reads both.
const (
	HeaderBytes = 127
	FirstBytes  = 16384
)

// ErrInvalid is the error of an archive that does not follow the format or a limit.
var ErrInvalid = errors.New("no valid PMTiles archive")

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrInvalid}, args...)...)
}

// Section is a part of an archive, in bytes.
type Section struct{ Offset, Length uint64 }

// End returns the offset after the section.
func (s Section) End() uint64 { return s.Offset + s.Length }

// Header describes an archive.
type Header struct {
	Root, Metadata, Leaves, Tiles Section

	Addressed, Entries, Contents uint64 // numbers of tiles, of entries in directories, and of different tiles; 0: unknown
	Clustered                    bool   // tiles are stored in the order of their ids

	Internal, TileCompression Compression // Internal: of directories and metadata
	TileType                  uint8
	MinZoom, MaxZoom          uint8
	Bounds, Center            [4]float64 // west, south, east, north; longitude, latitude and zoom
}

// magic begins each archive. The last byte is the version.
const magic = "PMTiles\x03"

const e7 = 1e7 // degrees are stored as integers of 10^-7

// ParseHeader reads the first bytes of an archive of a size, in bytes. All sections are inside the archive.
func ParseHeader(data []byte, size uint64) (Header, error) {
	if len(data) < HeaderBytes || string(data[:len(magic)]) != magic {
		return Header{}, invalid("it does not begin like one of version 3")
	}
	number := func(at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }
	section := func(at int) Section { return Section{number(at), number(at + 8)} }
	degrees := func(at int) float64 { return float64(int32(binary.LittleEndian.Uint32(data[at:]))) / e7 }
	h := Header{
		Root: section(8), Metadata: section(24), Leaves: section(40), Tiles: section(56),
		Addressed: number(72), Entries: number(80), Contents: number(88), Clustered: data[96] == 1,
		Internal: Compression(data[97]), TileCompression: Compression(data[98]), TileType: data[99],
		MinZoom: data[100], MaxZoom: data[101],
		Bounds: [4]float64{degrees(102), degrees(106), degrees(110), degrees(114)},
		Center: [4]float64{degrees(119), degrees(123), float64(data[118])},
	}
	for _, s := range []Section{h.Root, h.Metadata, h.Leaves, h.Tiles} {
		if s.Offset > size || s.Length > size-s.Offset {
			return Header{}, invalid("a section is outside of its %d bytes", size)
		}
	}
	return h, h.check()
}

func (h Header) check() error {
	readable := func(c Compression) bool { return c == Plain || c == Gzip }
	b := h.Bounds
	switch {
	case h.Root.Offset < HeaderBytes, h.Root.End() > FirstBytes, h.Root.Length == 0:
		return invalid("the root directory is not within the first %d bytes", FirstBytes)
	case h.Metadata.Length > MaxMetadata:
		return invalid("its metadata have more than %d bytes", MaxMetadata)
	case h.MinZoom > h.MaxZoom, h.MaxZoom > MaxZoom:
		return invalid("its zoom is %d to %d", h.MinZoom, h.MaxZoom)
	case !readable(h.Internal), !readable(h.TileCompression):
		return invalid("browsers cannot unpack its compressions %d and %d", h.Internal, h.TileCompression)
	case h.TileType != VectorTiles:
		return invalid("its tiles are not vector tiles (MVT)")
	case b[0] < -180, b[1] < -90, b[2] > 180, b[3] > 90, b[0] > b[2], b[1] > b[3]:
		return invalid("its bounds are %v", b)
	}
	return nil
}

// Encode returns the HeaderBytes of a header.
func (h Header) Encode() []byte {
	data := make([]byte, HeaderBytes)
	copy(data, magic)
	for i, s := range []Section{h.Root, h.Metadata, h.Leaves, h.Tiles, {h.Addressed, h.Entries}, {h.Contents, 0}} {
		binary.LittleEndian.PutUint64(data[8+16*i:], s.Offset)
		binary.LittleEndian.PutUint64(data[16+16*i:], s.Length)
	}
	if h.Clustered {
		data[96] = 1
	}
	data[97], data[98], data[99], data[100], data[101] = byte(h.Internal), byte(h.TileCompression), h.TileType, h.MinZoom, h.MaxZoom
	degrees := func(at int, value float64) {
		binary.LittleEndian.PutUint32(data[at:], uint32(int32(math.Round(value*e7))))
	}
	for i, value := range h.Bounds {
		degrees(102+4*i, value)
	}
	data[118] = uint8(h.Center[2])
	degrees(119, h.Center[0])
	degrees(123, h.Center[1])
	return data
}

// UnpackTile returns the content of a tile. A tile that is damaged, or too large, is ErrInvalid.
func (h Header) UnpackTile(data []byte) ([]byte, error) {
	return unpack(data, h.TileCompression, maxUnpackedTile)
}

// UnpackMetadata returns the JSON document of the metadata.
func (h Header) UnpackMetadata(data []byte) ([]byte, error) {
	return unpack(data, h.Internal, maxUnpackedMetadata)
}

func unpack(data []byte, c Compression, limit int64) ([]byte, error) {
	if c == Plain {
		return data, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, invalid("gzip: %v", err)
	}
	plain, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, invalid("gzip: %v", err)
	case int64(len(plain)) > limit:
		return nil, invalid("something has more than %d bytes unpacked", limit)
	}
	return plain, nil
}

// Pack compresses data by gzip.
func Pack(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	_, _ = w.Write(data)                                  // a buffer accepts everything
	_ = w.Close()
	return b.Bytes()
}
