package imageproxy

import (
	"bufio"
	"crypto/sha256"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"os"

	"golang.org/x/image/webp"
)

// maxMemory is how many bytes making one picture smaller may take.
const maxMemory = 28 << 20

// shrink writes original into file at most width pixels wide, and tells what it
// wrote. What need not or cannot be made smaller is written as it is.
func shrink(file *os.File, original *Picture, width int) (Entry, error) {
	s, err := inspect(original.File)
	if err != nil {
		return Entry{}, err
	}
	turn := upright
	if s.mediaType == "image/jpeg" {
		turn = orientation(original.File)
	}
	if s.animated || turn.width(s) <= width || s.memory(original.File, turn, width) > maxMemory {
		return asItIs(file, original)
	}
	picture, err := decode(s.mediaType, bufio.NewReader(original.image()))
	if err != nil { // its header was good, the rest is not: clients judge
		return asItIs(file, original)
	}
	sum := sha256.New()
	mediaType, err := encode(io.MultiWriter(file, sum), averaged(picture, turn, width))
	return Entry{Type: mediaType, ETag: etag(sum.Sum(nil)), Fresh: original.Fresh}, err
}

func asItIs(file *os.File, original *Picture) (Entry, error) {
	_, err := io.Copy(file, original.image())
	return original.Entry, err
}

// memory is about what making it smaller takes at its peak, in bytes.
func (s shape) memory(file *os.File, turn turned, width int) int64 {
	w, h := turn.smaller(s.width, s.height, width)
	pixels, made := int64(s.width)*int64(s.height), int64(w)*int64(h)*4
	switch s.mediaType {
	case "image/jpeg":
		return made + pixels*jpegBytes(file)
	case "image/gif":
		return made + pixels
	case "image/png", "image/webp":
		return made + pixels*8
	}
	return maxMemory + 1 // nothing here decodes it
}

func decode(mediaType string, r io.Reader) (image.Image, error) {
	switch mediaType {
	case "image/jpeg":
		return jpeg.Decode(r)
	case "image/gif":
		return gif.Decode(r)
	case "image/webp":
		return webp.Decode(r)
	}
	return png.Decode(r)
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
