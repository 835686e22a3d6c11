package picture

import (
	"image"
	"image/color"
	"image/draw"
)

// MaxSide is the maximum width and height of a JPEG.
const MaxSide = 1<<16 - 1

// Size returns width and height as the image is shown.
func (i Image) Size() (width, height int) {
	if i.Orientation.sideways() {
		return i.Height, i.Width
	}
	return i.Width, i.Height
}

// Fit returns the size of the image scaled down to at most width and height.
func (i Image) Fit(width, height int) (w, h int) {
	fullWidth, fullHeight := i.Size()
	w = min(width, fullWidth)
	if h = max(1, fullHeight*w/fullWidth); h > height {
		w, h = max(1, fullWidth*height/fullHeight), height
	}
	return w, h
}

// Scale turns an image upright and scales it down to w x h pixels. Each pixel is the average
// of the pixels that it replaces.
func Scale(decoded image.Image, turn Orientation, w, h int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	if turn.sideways() {
		w, h = h, w
	}
	from, pixels := decoded.Bounds(), decoded.(image.RGBA64Image) // all decoders return one
	if turn == Upright && from.Dx() == w && from.Dy() == h {
		draw.Draw(out, out.Rect, decoded, from.Min, draw.Src)
		return out
	}
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

// Orientation is the EXIF orientation, 1 to 8.
type Orientation int

// Upright is the orientation of an image that is not turned.
const Upright Orientation = 1

// sideways reports whether the orientation swaps width and height.
func (o Orientation) sideways() bool { return o >= 5 }

// target returns the position after rotation of the pixel at x, y (TIFF 6.0, tag 274).
func (o Orientation) target(x, y, w, h int) (toX, toY int) {
	switch o {
	case Upright:
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
