package imageproxy

import (
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

var errAVIF = errors.New("imageproxy: not an AVIF image")

// Boxes that lead from the beginning of an AVIF file to the sizes of its
// images (ISO/IEC 14496-12 and 23008-12), and how many bytes of each stand
// before the boxes inside.
var containers = map[string]int{"meta": 4, "iprp": 0, "ipco": 0}

// readAVIF reads the brands and the greatest image size of an AVIF file: no
// decoder of the format is at hand, nor needed to pass it on.
func readAVIF(r io.Reader) (shape, error) {
	head, err := io.ReadAll(io.LimitReader(r, 64<<10))
	if err != nil {
		return shape{}, err
	}
	brands, rest, ok := box(head)
	if !ok || brands.kind != "ftyp" || !brands.isAVIF() {
		return shape{}, errAVIF
	}
	s := shape{}
	s.findSizes(rest)
	if s.width == 0 {
		return shape{}, errAVIF
	}
	return s, nil
}

// bmffBox is one box of the file format.
type bmffBox struct {
	kind    string
	content []byte
}

// box cuts the first box off; a box that goes beyond the data is cut short.
func box(data []byte) (b bmffBox, rest []byte, ok bool) {
	if len(data) < 8 {
		return b, nil, false
	}
	size := int64(binary.BigEndian.Uint32(data))
	b.kind = string(data[4:8])
	from := int64(8)
	switch {
	case size == 0: // up to the end
		size = int64(len(data))
	case size == 1 && len(data) >= 16:
		size, from = int64(binary.BigEndian.Uint64(data[8:])&(1<<62-1)), 16
	}
	if size < from {
		return b, nil, false
	}
	end := min(size, int64(len(data)))
	b.content = data[min(from, end):end]
	return b, data[end:], true
}

// isAVIF reports whether a ftyp box names a still image or a sequence.
func (b bmffBox) isAVIF() bool {
	for i, brand := range slices.Collect(slices.Chunk(b.content, 4)) {
		if name := string(brand); i != 1 && (name == "avif" || name == "avis") { // the second is a version
			return true
		}
	}
	return false
}

// findSizes takes the greatest width and height of all ispe boxes.
func (s *shape) findSizes(data []byte) {
	for {
		b, rest, ok := box(data)
		if !ok {
			return
		}
		if skip, within := containers[b.kind]; within && len(b.content) >= skip {
			s.findSizes(b.content[skip:])
		}
		if b.kind == "ispe" && len(b.content) >= 12 {
			s.width = max(s.width, int(binary.BigEndian.Uint32(b.content[4:])))
			s.height = max(s.height, int(binary.BigEndian.Uint32(b.content[8:])))
		}
		data = rest
	}
}
