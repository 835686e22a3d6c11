// Package picturetest makes hostile and unusual images for tests.
package picturetest

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
	segment := func(marker byte, content ...byte) []byte {
		return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(content)+2)), content...)
	}
	codes := append([]byte{0x10, 1}, make([]byte, 15)...) // one code of one bit: 16384 blocks of nothing
	picture := slices.Concat([]byte{0xff, 0xd8}, segment(0xdb, make([]byte, 65)...),
		segment(startOfProgressive, 8, 2000>>8, 2000&0xff, 2000>>8, 2000&0xff, 1, 1, 0x11, 0), segment(0xc4, append(codes, 0xe0)...))
	scan := append(segment(startOfScan, 1, 1, 0, 1, 63, 0), make([]byte, 8)...)
	picture = append(append(picture, bytes.Repeat(scan, scans)...), 0xff, 0xd9)
	return append(picture, make([]byte, max(0, 9<<20-len(picture)))...)
}
