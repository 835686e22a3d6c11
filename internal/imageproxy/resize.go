package imageproxy

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"time"

	"golang.org/x/image/webp"

	"moothall/internal/domain"
)

// Limits of resizing one image.
const (
	maxScans   = 32        // of a JPEG; each is a pass over all pixels
	maxSide    = 1<<16 - 1 // pixels of a JPEG
	decodeTime = 2 * time.Second
)

// resize writes original into file, at most width pixels wide. It copies images that are
// small enough, and those that it cannot resize. While decoders are busy, it copies
// images, too; such a copy expires soon.
func (p *Service) resize(ctx context.Context, file *os.File, original *Picture, width int, who source) (Entry, error) {
	s, err := inspect(original.File)
	if err != nil {
		return Entry{}, err
	}
	turn := upright
	if s.mediaType == "image/jpeg" {
		turn = orientation(original.File)
	}
	t := &task{source: who, memory: s.memory(original.File) + turn.outputMemory(s, width), work: s.work(original.File)}
	if s.animated || turn.width(s) <= width || t.memory > maxMemory || t.work > maxWork {
		return passThrough(file, original)
	}
	now := p.clock.Now()
	release, err := p.decoder(ctx, t, now)
	if errors.Is(err, domain.ServiceUnavailable) {
		entry, err := passThrough(file, original)
		entry.Fresh = now.Add(min(minLifetime, entry.Fresh.Sub(now)))
		return entry, err
	}
	if err != nil {
		return Entry{}, err
	}
	defer release()
	picture, err := decode(ctx, s, original.image())
	if ctx.Err() != nil {
		return Entry{}, waitError(ctx)
	}
	if err != nil { // a valid header, but invalid data: pass it on
		return passThrough(file, original)
	}
	sum := sha256.New()
	mediaType, err := encode(io.MultiWriter(file, sum), averaged(picture, turn, width))
	return Entry{Type: mediaType, ETag: etag(sum.Sum(nil)), Fresh: original.Fresh, Private: original.Private}, err
}

func passThrough(file *os.File, original *Picture) (Entry, error) {
	_, err := io.Copy(file, original.image())
	return original.Entry, err
}

// outputMemory returns the memory of the smaller image in bytes, too much if a JPEG
// cannot have its size.
func (t rotation) outputMemory(s shape, width int) int64 {
	w, h := t.smaller(s.width, s.height, width)
	if max(w, h) > maxSide {
		return maxMemory + 1
	}
	return int64(w) * int64(h) * 4
}

// work returns the approximate work of decoding the image, too much if a JPEG has more
// than maxScans.
func (s shape) work(file *os.File) int64 {
	pixels, scans := int64(s.width)*int64(s.height), int64(1)
	if s.mediaType == "image/jpeg" {
		scans = 0
		for r := bufio.NewReader(io.NewSectionReader(file, headerSize, maxBytes)); contains(r, startOfScan); {
			scans++
		}
	}
	info, err := file.Stat()
	if err != nil || scans > maxScans {
		return maxWork + 1
	}
	return info.Size() + pixels + pixels*scans/8
}

// memory returns the approximate peak memory of decoding the image, in bytes.
func (s shape) memory(file *os.File) int64 {
	pixels := int64(s.width) * int64(s.height)
	switch s.mediaType {
	case "image/jpeg":
		return pixels * jpegBytes(file)
	case "image/gif":
		return pixels * 2
	case "image/png":
		return pixels * pngBytes(file)
	case "image/webp":
		if lossy(file) {
			return maxBytes + pixels*2 // the compressed data is read as a whole
		}
	}
	return maxMemory + 1 // no decoder
}

// decode decodes an image within decodeTime: a small file can need unbounded work. It
// fails when the size differs from the header.
func decode(ctx context.Context, s shape, from io.Reader) (picture image.Image, err error) {
	ctx, cancel := context.WithTimeout(ctx, decodeTime)
	defer cancel()
	r := bufio.NewReader(inTime{ctx, from})
	switch s.mediaType {
	case "image/jpeg":
		picture, err = jpeg.Decode(r)
	case "image/gif":
		picture, err = gif.Decode(r)
	case "image/webp":
		picture, err = webp.Decode(r)
	default:
		picture, err = png.Decode(r)
	}
	if err == nil && picture.Bounds() != image.Rect(0, 0, s.width, s.height) {
		err = errors.New("imageproxy: size differs from the header") // such as a GIF frame
	}
	return picture, err
}

// inTime is a reader that fails once its context ends.
type inTime struct {
	ctx context.Context
	io.Reader
}

func (r inTime) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// averaged scales and rotates an image. Each pixel is the average of the pixels that it
// replaces.
func averaged(picture image.Image, turn rotation, width int) *image.NRGBA {
	from, pixels := picture.Bounds(), picture.(image.RGBA64Image) // all decoders return one
	w, h := turn.smaller(from.Dx(), from.Dy(), width)
	size := image.Rect(0, 0, w, h)
	if turn.sideways() {
		size = image.Rect(0, 0, h, w)
	}
	out := image.NewNRGBA(size)
	for y := range h {
		top, bottom := from.Min.Y+y*from.Dy()/h, from.Min.Y+(y+1)*from.Dy()/h
		for x := range w {
			left, right := from.Min.X+x*from.Dx()/w, from.Min.X+(x+1)*from.Dx()/w
			toX, toY := turn.target(x, y, w, h)
			out.SetRGBA64(toX, toY, average(pixels, image.Rect(left, top, right, bottom)))
		}
	}
	return out
}

func average(pixels image.RGBA64Image, area image.Rectangle) color.RGBA64 {
	var r, g, b, a uint64
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			c := pixels.RGBA64At(x, y)
			r, g, b, a = r+uint64(c.R), g+uint64(c.G), b+uint64(c.B), a+uint64(c.A)
		}
	}
	n := uint64(area.Dx() * area.Dy())
	return color.RGBA64{R: uint16(r / n), G: uint16(g / n), B: uint16(b / n), A: uint16(a / n)}
}

// encode writes a JPEG, or a PNG when the image has transparency.
func encode(w io.Writer, picture *image.NRGBA) (mediaType string, err error) {
	if picture.Opaque() {
		return "image/jpeg", jpeg.Encode(w, picture, &jpeg.Options{Quality: 85})
	}
	return "image/png", png.Encode(w, picture)
}

// rotation is the EXIF orientation, 1 to 8.
type rotation int

const upright rotation = 1

// sideways reports whether rotation swaps width and height.
func (t rotation) sideways() bool { return t >= 5 }

// width returns the width after rotation.
func (t rotation) width(s shape) int {
	if t.sideways() {
		return s.height
	}
	return s.width
}

// smaller returns the size before rotation of an image that is width wide after it.
func (t rotation) smaller(w, h, width int) (int, int) {
	if t.sideways() {
		return max(1, w*width/h), width
	}
	return width, max(1, h*width/w)
}

// target returns the position after rotation of the pixel at x, y (TIFF 6.0, tag 274).
func (t rotation) target(x, y, w, h int) (toX, toY int) {
	switch t {
	case upright:
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return h - 1 - y, x
	case 7:
		return h - 1 - y, w - 1 - x
	case 8:
		return y, w - 1 - x
	}
	return x, y
}
