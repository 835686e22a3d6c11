// Package picture inspects, decodes and scales images that may be hostile: it finds out how
// much memory and work an image needs before it decodes it.
package picture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"slices"

	"golang.org/x/image/webp"

	"moothall/internal/domain"
)

// Limits of an image.
const (
	MaxBytes  = 10 << 20
	MaxPixels = 40_000_000
)

// Image is an encoded image, described by its header.
type Image struct {
	MediaType     string // detected from the bytes
	Width, Height int    // as stored: see Size
	Animated      bool
	Orientation   Orientation

	data *io.SectionReader
}

// format is one image format.
type format struct {
	mediaType string
	begins    func(head []byte) bool
	read      func(io.Reader) (Image, error)
}

var formats = []format{
	{"image/jpeg", prefix("\xff\xd8\xff"), config(jpeg.DecodeConfig)},
	{"image/png", prefix("\x89PNG\r\n\x1a\n"), config(png.DecodeConfig)},
	{"image/gif", prefix("GIF8"), readGIF},
	{"image/webp", func(head []byte) bool { return prefix("RIFF")(head) && bytes.Equal(head[8:12], []byte("WEBP")) }, readWebP},
	{"image/avif", func(head []byte) bool { return bytes.Equal(head[4:8], []byte("ftyp")) }, readAVIF},
}

const headLength = 12

func prefix(magic string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }
}

func config(decode func(io.Reader) (image.Config, error)) func(io.Reader) (Image, error) {
	return func(r io.Reader) (Image, error) {
		c, err := decode(r)
		return Image{Width: c.Width, Height: c.Height}, err
	}
}

// Inspect reads the header of an image without decoding it. It returns UnsupportedMedia if
// data is not an image, PayloadTooLarge over 40 megapixels.
func Inspect(data *io.SectionReader) (Image, error) {
	var head [headLength]byte
	if _, err := data.ReadAt(head[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return Image{}, err
	}
	for _, f := range formats {
		if !f.begins(head[:]) {
			continue
		}
		i, err := f.read(bufio.NewReader(io.NewSectionReader(data, 0, MaxBytes)))
		if err != nil || i.Width <= 0 || i.Height <= 0 {
			return Image{}, domain.UnsupportedMedia
		}
		if i.Width > MaxPixels/i.Height { // the product may overflow
			return Image{}, domain.PayloadTooLarge
		}
		i.MediaType, i.Orientation, i.data = f.mediaType, Upright, data
		if i.MediaType == "image/jpeg" {
			i.Orientation = orientation(data)
		}
		return i, nil
	}
	return Image{}, domain.UnsupportedMedia
}

// readWebP reads the size and the animation flag.
func readWebP(r io.Reader) (Image, error) {
	buffered := bufio.NewReader(r)
	head, err := buffered.Peek(21)
	if err != nil {
		return Image{}, err
	}
	const animation = 1 << 1
	i := Image{Animated: string(head[12:16]) == "VP8X" && head[20]&animation != 0}
	c, err := webp.DecodeConfig(buffered)
	i.Width, i.Height = c.Width, c.Height
	return i, err
}

// lossy reports whether a WebP uses the lossy format only. The lossless format, also
// used for transparency, decodes into trees of unbounded size.
func lossy(data *io.SectionReader) bool {
	at := int64(headLength)
	for range 16 { // chunks before the image
		var chunk [8]byte
		if _, err := data.ReadAt(chunk[:], at); err != nil {
			return false
		}
		switch string(chunk[:4]) {
		case "VP8 ":
			return true
		case "VP8L", "ALPH":
			return false
		}
		length := int64(binary.LittleEndian.Uint32(chunk[4:]))
		at += int64(len(chunk)) + length + length&1
	}
	return false
}

// pngBytes returns the maximum memory of decoding a PNG, in bytes per pixel: 8 or 16
// bits for each of four channels, and twice that when the PNG is interlaced.
func pngBytes(data *io.SectionReader) (perPixel int64) {
	var depths [5]byte // bit depth, color type, compression, filter, interlacing
	if _, err := data.ReadAt(depths[:], 24); err != nil {
		return 16
	}
	perPixel = 4
	if depths[0] == 16 {
		perPixel = 8
	}
	if depths[4] != 0 {
		perPixel *= 2
	}
	return perPixel
}

// readGIF reads up to the second frame: a header without a frame is not an image.
func readGIF(r io.Reader) (Image, error) {
	buffered := bufio.NewReader(r)
	head, err := buffered.Peek(13)
	if err != nil {
		return Image{}, err
	}
	colors := colorTable(head[10])
	c, err := gif.DecodeConfig(bytes.NewReader(append(head, make([]byte, colors)...)))
	if err != nil {
		return Image{}, err
	}
	i := Image{Width: c.Width, Height: c.Height}
	if _, err := buffered.Discard(13 + colors); err != nil {
		return Image{}, err
	}
	frames, err := countFrames(buffered)
	if frames == 0 {
		return Image{}, errors.Join(errors.New("picture: a GIF without a frame"), err)
	}
	i.Animated = frames > 1
	return i, nil
}

// colorTable returns the length of the color table by its flags, in bytes.
func colorTable(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

// countFrames counts frames, at most two.
func countFrames(r *bufio.Reader) (frames int, err error) {
	for frames < 2 {
		kind, err := r.ReadByte()
		if err != nil {
			return frames, err
		}
		switch kind {
		case 0x21: // an extension: label, blocks
			_, err = r.Discard(1)
		case 0x2c: // a frame: descriptor, colors, code size, blocks
			var descriptor [9]byte
			if _, err = io.ReadFull(r, descriptor[:]); err == nil {
				_, err = r.Discard(colorTable(descriptor[8]) + 1)
			}
			if err == nil {
				frames++
			}
		case 0x3b: // the end
			return frames, nil
		default:
			return frames, errors.New("picture: an unknown block in a GIF")
		}
		if err == nil {
			err = skipBlocks(r)
		}
		if err != nil {
			return frames, err
		}
	}
	return frames, nil
}

func skipBlocks(r *bufio.Reader) error {
	for {
		length, err := r.ReadByte()
		if err != nil || length == 0 {
			return err
		}
		if _, err := r.Discard(int(length)); err != nil {
			return err
		}
	}
}

var errAVIF = errors.New("picture: not an AVIF image")

// containers are the boxes that contain the image sizes of an AVIF file. The values are
// the numbers of bytes before the inner boxes (ISO/IEC 14496-12 and 23008-12).
var containers = map[string]int{"meta": 4, "iprp": 0, "ipco": 0}

// readAVIF reads the brands and the maximum image size of an AVIF file. There is no decoder
// of AVIF.
func readAVIF(r io.Reader) (Image, error) {
	head, err := io.ReadAll(io.LimitReader(r, 64<<10))
	if err != nil {
		return Image{}, err
	}
	brands, rest, ok := box(head)
	if !ok || brands.kind != "ftyp" || !brands.isAVIF() {
		return Image{}, errAVIF
	}
	var i Image
	i.findSizes(rest)
	if i.Width == 0 {
		return Image{}, errAVIF
	}
	return i, nil
}

// bmffBox is a box of the ISO base media file format.
type bmffBox struct {
	kind    string
	content []byte
}

// box returns the first box and the remaining data. It truncates a box that exceeds
// the data.
func box(data []byte) (b bmffBox, rest []byte, ok bool) {
	if len(data) < 8 {
		return b, nil, false
	}
	size := int64(binary.BigEndian.Uint32(data))
	b.kind = string(data[4:8])
	from := int64(8)
	switch {
	case size == 0: // to the end
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
		if name := string(brand); i != 1 && (name == "avif" || name == "avis") { // the second one is a version
			return true
		}
	}
	return false
}

// findSizes finds the maximum width and height of all ispe boxes.
func (i *Image) findSizes(data []byte) {
	for {
		b, rest, ok := box(data)
		if !ok {
			return
		}
		if skip, within := containers[b.kind]; within && len(b.content) >= skip {
			i.findSizes(b.content[skip:])
		}
		if b.kind == "ispe" && len(b.content) >= 12 {
			i.Width = max(i.Width, int(binary.BigEndian.Uint32(b.content[4:])))
			i.Height = max(i.Height, int(binary.BigEndian.Uint32(b.content[8:])))
		}
		data = rest
	}
}

// Markers of a JPEG (ITU T.81, table B.1).
const (
	startOfFrame, startOfProgressive = 0xc0, 0xc2
	startOfScan                      = 0xda
	exifSegment, adobeSegment        = 0xe1, 0xee
)

// segments calls visit for the marker segments of a JPEG until it returns false, and
// returns a reader of the pixels. The content is valid until visit returns. It returns nil for a JPEG in which a decoder might
// find other segments.
func segments(data *io.SectionReader, visit func(marker byte, content []byte) bool) (pixels *bufio.Reader) {
	r := bufio.NewReader(io.NewSectionReader(data, 0, MaxBytes))
	if _, err := r.Discard(2); err != nil {
		return nil
	}
	buffer := make([]byte, 1<<16)
	for {
		var head [4]byte
		if _, err := io.ReadFull(r, head[:]); err != nil || head[0] != 0xff {
			return nil
		}
		switch marker := head[1]; {
		case marker == startOfScan:
			return r
		case marker >= 0xc0 && marker <= 0xc4 || marker == 0xdb || marker == 0xdd || marker >= 0xe0 && marker <= 0xef || marker == 0xfe:
		default: // without a length, or unknown
			return nil
		}
		content := buffer[:max(0, int(binary.BigEndian.Uint16(head[2:]))-2)]
		if _, err := io.ReadFull(r, content); err != nil || !visit(head[1], content) {
			return nil
		}
	}
}

// jpegBytes returns the maximum memory of decoding a JPEG, in bytes per pixel. Each
// channel takes one byte, and four more if the JPEG is progressive. RGB and CMYK take
// four more for a second image.
func jpegBytes(data *io.SectionReader) (perPixel int64) {
	colors, progressive, usual, adobe := int64(4), true, false, false
	pixels := segments(data, func(marker byte, content []byte) bool {
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
	if !usual || adobe || pixels == nil || contains(pixels, adobeSegment) {
		perPixel += 4
	}
	return perPixel
}

// contains reports whether r contains a marker.
func contains(r io.ByteReader, marker byte) bool {
	var before byte
	for {
		b, err := r.ReadByte()
		if err != nil || before == 0xff && b == marker {
			return err == nil
		}
		before = b
	}
}

// orientation reads the orientation from the EXIF data.
func orientation(data *io.SectionReader) Orientation {
	turn := Upright
	segments(data, func(marker byte, content []byte) bool {
		if marker == exifSegment && len(content) > 14 && string(content[:6]) == "Exif\x00\x00" {
			turn = exifOrientation(content[6:])
			return false
		}
		return true
	})
	return turn
}

// exifOrientation reads tag 274 in the first directory of a TIFF header.
func exifOrientation(tiff []byte) Orientation {
	var order binary.ByteOrder = binary.LittleEndian
	if tiff[0] == 'M' {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return Upright
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			return Upright
		}
		if value := Orientation(order.Uint16(entries[8:])); order.Uint16(entries) == 274 && value >= 1 && value <= 8 {
			return value
		}
		entries = entries[12:]
	}
	return Upright
}
