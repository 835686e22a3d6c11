package imageproxy

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
	"os"

	"golang.org/x/image/webp"

	"moothall/internal/domain"
)

// shape is what the first bytes of an image tell.
type shape struct {
	mediaType     string
	width, height int
	animated      bool
}

// format knows one kind of image by how it begins.
type format struct {
	mediaType string
	begins    func(head []byte) bool
	read      func(io.Reader) (shape, error)
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

func config(decode func(io.Reader) (image.Config, error)) func(io.Reader) (shape, error) {
	return func(r io.Reader) (shape, error) {
		c, err := decode(r)
		return shape{width: c.Width, height: c.Height}, err
	}
}

// inspect tells an image's kind and size from its bytes, before anything is
// decoded. It refuses what is no image, and what is larger than 40 megapixels.
func inspect(file *os.File) (shape, error) {
	var head [headLength]byte
	if _, err := file.ReadAt(head[:], headerSize); err != nil && !errors.Is(err, io.EOF) {
		return shape{}, err
	}
	for _, f := range formats {
		if !f.begins(head[:]) {
			continue
		}
		s, err := f.read(bufio.NewReader(io.NewSectionReader(file, headerSize, maxBytes)))
		if err != nil || s.width <= 0 || s.height <= 0 {
			return shape{}, domain.UnsupportedMedia
		}
		if s.width > maxPixels/s.height { // the product may be more than an int holds
			return shape{}, domain.PayloadTooLarge
		}
		s.mediaType = f.mediaType
		return s, nil
	}
	return shape{}, domain.UnsupportedMedia
}

// readWebP looks for the animation flag of the extended format.
func readWebP(r io.Reader) (shape, error) {
	buffered := bufio.NewReader(r)
	head, err := buffered.Peek(21)
	if err != nil {
		return shape{}, err
	}
	const animation = 1 << 1
	s := shape{animated: string(head[12:16]) == "VP8X" && head[20]&animation != 0}
	c, err := webp.DecodeConfig(buffered)
	s.width, s.height = c.Width, c.Height
	return s, err
}

// lossy reports whether a WebP is written in the lossy format alone. The other,
// in which transparency is written, too, decodes into trees of any size.
func lossy(file *os.File) bool {
	at := int64(headerSize + headLength)
	for range 16 { // what stands before the picture
		var chunk [8]byte
		if _, err := file.ReadAt(chunk[:], at); err != nil {
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

// pngBytes is what decoding a PNG takes per pixel, at most: 8 or 16 bits of
// four colors, and all passes of an interlaced one besides.
func pngBytes(file *os.File) (perPixel int64) {
	var depths [5]byte // bits of one color, its kind, and how it is written
	if _, err := file.ReadAt(depths[:], headerSize+24); err != nil {
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

// readGIF walks the blocks up to the second frame: a header alone is no image.
func readGIF(r io.Reader) (shape, error) {
	buffered := bufio.NewReader(r)
	head, err := buffered.Peek(13)
	if err != nil {
		return shape{}, err
	}
	colors := colorTable(head[10])
	c, err := gif.DecodeConfig(bytes.NewReader(append(head, make([]byte, colors)...)))
	if err != nil {
		return shape{}, err
	}
	s := shape{width: c.Width, height: c.Height}
	if _, err := buffered.Discard(13 + colors); err != nil {
		return shape{}, err
	}
	frames, err := countFrames(buffered)
	if frames == 0 {
		return shape{}, errors.Join(errors.New("imageproxy: a GIF without a frame"), err)
	}
	s.animated = frames > 1
	return s, nil
}

// colorTable is the length of the color table that the flags announce, in bytes.
func colorTable(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

// countFrames counts up to two.
func countFrames(r *bufio.Reader) (frames int, err error) {
	for frames < 2 {
		kind, err := r.ReadByte()
		if err != nil {
			return frames, err
		}
		switch kind {
		case 0x21: // an extension: its label, then its blocks
			_, err = r.Discard(1)
		case 0x2c: // a frame: place and size, colors, the code size, then its blocks
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
			return frames, errors.New("imageproxy: an unknown block in a GIF")
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
