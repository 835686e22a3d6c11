package testutil

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Markers of a JPEG.
const (
	startOfProgressive = 0xc2
	startOfScan        = 0xda
)

// ManyScans returns a progressive JPEG of 9 MB that needs as many passes over an image of
// 2000 by 2000 pixels.
func ManyScans(scans int) []byte {
	codes := append([]byte{0x10, 1}, make([]byte, 15)...) // one code of one bit: 16384 blocks of nothing
	picture := slices.Concat([]byte{0xff, 0xd8}, segment(0xdb, make([]byte, 65)...),
		segment(startOfProgressive, 8, 2000>>8, 2000&0xff, 2000>>8, 2000&0xff, 1, 1, 0x11, 0), segment(0xc4, append(codes, 0xe0)...))
	scan := append(segment(startOfScan, 1, 1, 0, 1, 63, 0), make([]byte, 8)...)
	picture = append(append(picture, bytes.Repeat(scan, scans)...), 0xff, 0xd9)
	return append(picture, make([]byte, max(0, 9<<20-len(picture)))...)
}

// PicturePlace is the text of the place in the metadata of WithMetadata.
const PicturePlace = "52 31 12.025 N"

// WithMetadata inserts metadata into a JPEG: an orientation, a place, a color profile and a
// comment with a script.
func WithMetadata(picture []byte, orientation byte) []byte {
	entry := func(tag, kind uint16, count, value uint32) []byte {
		e := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, tag), kind)
		return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(e, count), value)
	}
	const ascii, short, long = 2, 3, 4
	const directory = 8                  // offset of the first directory
	const gps = directory + 2 + 2*12 + 4 // of the second one
	const text = gps + 2 + 12 + 4
	tiff := slices.Concat([]byte("MM\x00*\x00\x00\x00\x08"),
		[]byte{0, 2}, entry(0x0112, short, 1, uint32(orientation)<<16), entry(0x8825, long, 1, gps), make([]byte, 4),
		[]byte{0, 1}, entry(0x0002, ascii, uint32(len(PicturePlace)+1), text), make([]byte, 4), []byte(PicturePlace+"\x00"))
	return slices.Concat(picture[:2],
		segment(0xe1, slices.Concat([]byte("Exif\x00\x00"), tiff)...),
		segment(0xe2, []byte("ICC_PROFILE\x00\x01\x01"+PicturePlace)...),
		segment(0xfe, []byte("<script>alert(1)</script>")...),
		picture[2:])
}

// segment returns a segment of a JPEG.
func segment(marker byte, content ...byte) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(content)+2)), content...)
}
