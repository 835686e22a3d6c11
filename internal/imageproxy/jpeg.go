package imageproxy

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
)

// segments gives the marker segments of a JPEG up to its pixels, until seen
// has had enough.
func segments(file *os.File, seen func(marker byte, content []byte) bool) {
	r := bufio.NewReader(io.NewSectionReader(file, headerSize, maxBytes))
	if _, err := r.Discard(2); err != nil {
		return
	}
	for {
		var head [4]byte
		if _, err := io.ReadFull(r, head[:]); err != nil || head[0] != 0xff || head[1] == 0xda {
			return
		}
		content := make([]byte, max(0, int(binary.BigEndian.Uint16(head[2:]))-2))
		if _, err := io.ReadFull(r, content); err != nil || !seen(head[1], content) {
			return
		}
	}
}

// jpegBytes is what decoding takes per pixel, at most: three colors in full,
// and where it is progressive all coefficients of the whole picture besides.
func jpegBytes(file *os.File) (perPixel int64) {
	perPixel = 15
	segments(file, func(marker byte, _ []byte) bool {
		switch marker {
		case 0xc0, 0xc1:
			perPixel = 3
			return false
		case 0xc2:
			return false
		}
		return true
	})
	return perPixel
}

// orientation reads how the picture is to be turned, from its EXIF data.
func orientation(file *os.File) turned {
	turn := upright
	segments(file, func(marker byte, content []byte) bool {
		if marker == 0xe1 && len(content) > 14 && string(content[:6]) == "Exif\x00\x00" {
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
