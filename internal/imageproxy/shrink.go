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
)

// What making one picture smaller may take.
const (
	maxMemory  = 28 << 20  // bytes
	maxSide    = 1<<16 - 1 // pixels of a JPEG
	decodeTime = 3 * time.Second
)

// shrink writes original into file at most width pixels wide, and tells what it
// wrote. What need not or cannot be made smaller is written as it is.
func shrink(ctx context.Context, file *os.File, original *Picture, width int) (Entry, error) {
	s, err := inspect(original.File)
	if err != nil {
		return Entry{}, err
	}
	turn := upright
	if s.mediaType == "image/jpeg" {
		turn = orientation(original.File)
	}
	if s.animated || turn.width(s) <= width || !s.fits(original.File, turn, width) {
		return asItIs(file, original)
	}
	picture, err := decode(ctx, s, original.image())
	if ctx.Err() != nil {
		return Entry{}, crowded(ctx)
	}
	if err != nil { // its header was good, the rest is not: clients judge
		return asItIs(file, original)
	}
	sum := sha256.New()
	mediaType, err := encode(io.MultiWriter(file, sum), averaged(picture, turn, width))
	return Entry{Type: mediaType, ETag: etag(sum.Sum(nil)), Fresh: original.Fresh, Private: original.Private}, err
}

func asItIs(file *os.File, original *Picture) (Entry, error) {
	_, err := io.Copy(file, original.image())
	return original.Entry, err
}

// fits reports whether it can be made smaller in little memory.
func (s shape) fits(file *os.File, turn turned, width int) bool {
	w, h := turn.smaller(s.width, s.height, width)
	return max(w, h) <= maxSide && s.memory(file)+int64(w)*int64(h)*4 <= maxMemory
}

// memory is about what decoding it takes at its peak, in bytes.
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
			return maxBytes + pixels*2 // what is compressed is read as a whole
		}
	}
	return maxMemory + 1 // nothing here decodes it
}

// decode gives the picture that was promised by its header, unless decoding
// takes too long: a few bytes may ask for the same work over and over.
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
		err = errors.New("imageproxy: a picture of another size") // such as a GIF's frame
	}
	return picture, err
}

// inTime reads until a context ends.
type inTime struct {
	ctx context.Context // a reader has no other way to hear of it
	io.Reader
}

func (r inTime) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// averaged makes the picture width wide once it is turned: each pixel is the
// average of those it stands for.
func averaged(picture image.Image, turn turned, width int) *image.NRGBA {
	from, pixels := picture.Bounds(), picture.(image.RGBA64Image) // as all decoders' are
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
			toX, toY := turn.place(x, y, w, h)
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

// encode writes a JPEG, or a PNG where something shines through.
func encode(w io.Writer, picture *image.NRGBA) (mediaType string, err error) {
	if picture.Opaque() {
		return "image/jpeg", jpeg.Encode(w, picture, &jpeg.Options{Quality: 85})
	}
	return "image/png", png.Encode(w, picture)
}

// turned is how a camera was held: the orientation of EXIF, 1 to 8.
type turned int

const upright turned = 1

// sideways reports whether width and height change places.
func (t turned) sideways() bool { return t >= 5 }

// width is how wide the picture is once it is turned.
func (t turned) width(s shape) int {
	if t.sideways() {
		return s.height
	}
	return s.width
}

// smaller gives the stored width and height that make it width wide once it is
// turned.
func (t turned) smaller(w, h, width int) (int, int) {
	if t.sideways() {
		return max(1, w*width/h), width
	}
	return width, max(1, h*width/w)
}

// place is where the stored pixel at x and y is to be seen (TIFF 6.0, tag 274).
func (t turned) place(x, y, w, h int) (toX, toY int) {
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
