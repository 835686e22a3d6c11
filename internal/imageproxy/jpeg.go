package imageproxy

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
)

// Markers of a JPEG (ITU T.81, table B.1).
const (
	startOfFrame, startOfProgressive = 0xc0, 0xc2
	startOfScan                      = 0xda
	exifSegment, adobeSegment        = 0xe1, 0xee
)

// segments gives the marker segments of a JPEG up to its pixels, until seen
// has had enough, and what follows them; nil where a decoder might see other
// segments than these.
func segments(file *os.File, seen func(marker byte, content []byte) bool) (pixels *bufio.Reader) {
	r := bufio.NewReader(io.NewSectionReader(file, headerSize, maxBytes))
	if _, err := r.Discard(2); err != nil {
		return nil
	}
	for {
		var head [4]byte
		if _, err := io.ReadFull(r, head[:]); err != nil || head[0] != 0xff {
			return nil
		}
		switch marker := head[1]; {
		case marker == startOfScan:
			return r
		case marker >= 0xc0 && marker <= 0xc4 || marker == 0xdb || marker == 0xdd || marker >= 0xe0 && marker <= 0xef || marker == 0xfe:
		default: // has no length, or no meaning
			return nil
		}
		content := make([]byte, max(0, int(binary.BigEndian.Uint16(head[2:]))-2))
		if _, err := io.ReadFull(r, content); err != nil || !seen(head[1], content) {
			return nil
		}
	}
}

// jpegBytes is what decoding takes per pixel, at most: a byte of each color,
// where it is progressive all coefficients of the whole picture, and a second
// picture where the colors are those of a screen or of print.
func jpegBytes(file *os.File) (perPixel int64) {
	colors, progressive, usual, adobe := int64(4), true, false, false
	pixels := segments(file, func(marker byte, content []byte) bool {
		switch {
		case marker >= startOfFrame && marker <= startOfProgressive && len(content) > 6:
			colors, progressive = int64(content[5]), marker == startOfProgressive
			usual = colors < 4 && content[6] != 'R'
		case marker == adobeSegment:
			adobe = true
		}
		return true
	})
	perPixel = colors
	if progressive {
		perPixel += 4 * colors
	}
	if !usual || adobe || pixels == nil || names(pixels, adobeSegment) {
		perPixel += 4
	}
	return perPixel
}

// names reports whether a marker stands anywhere in r.
func names(r io.ByteReader, marker byte) bool {
	var before byte
	for {
		b, err := r.ReadByte()
		if err != nil || before == 0xff && b == marker {
			return err == nil
		}
		before = b
	}
}

// orientation reads how the picture is to be turned, from its EXIF data.
func orientation(file *os.File) turned {
	turn := upright
	segments(file, func(marker byte, content []byte) bool {
		if marker == exifSegment && len(content) > 14 && string(content[:6]) == "Exif\x00\x00" {
			turn = exifOrientation(content[6:])
			return false
		}
		return true
	})
	return turn
}

// exifOrientation looks for tag 274 in the first directory of a TIFF header.
func exifOrientation(tiff []byte) turned {
	var order binary.ByteOrder = binary.LittleEndian
	if tiff[0] == 'M' {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return upright
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			return upright
		}
		if value := turned(order.Uint16(entries[8:])); order.Uint16(entries) == 274 && value >= 1 && value <= 8 {
			return value
		}
		entries = entries[12:]
	}
	return upright
}
