package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"slices"

	"golang.org/x/image/vector"
)

// palette is five colours, the lightest first.
type palette [5]color.RGBA

var palettes = []palette{
	{rgb(0xF6EBDD), rgb(0xE8A87C), rgb(0xC7522A), rgb(0x74402C), rgb(0x3D2B2E)},
	{rgb(0xE9F0EA), rgb(0xA9C5A0), rgb(0x5E8C61), rgb(0x2F5D50), rgb(0x22333B)},
	{rgb(0xF3E9DC), rgb(0xF2B880), rgb(0xE26D5A), rgb(0x7D4F50), rgb(0x2E3047)},
	{rgb(0xE8EEF2), rgb(0x9CC5D3), rgb(0x4A7C95), rgb(0x2B4C63), rgb(0x16283A)},
	{rgb(0xF7EDE2), rgb(0xF5CAC3), rgb(0xF28482), rgb(0x84A59D), rgb(0x394648)},
	{rgb(0xFAF3DD), rgb(0xF1C166), rgb(0xD98E32), rgb(0x8C4A2F), rgb(0x37231C)},
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// motifs are the ways to draw a cover, and the categories that each one suits.
var motifs = []struct {
	draw       func(canvas, palette)
	categories []string
}{
	{hills, []string{"hiking", "running", "cycling", "nature", "travel", "swimming"}},
	{tiles, []string{"games", "technology", "crafts", "volunteering"}},
	{arcs, []string{"music", "dance", "cinema", "wellness"}},
	{dots, nil}, // all others
}

// DrawCover draws a cover of w x h pixels for an event of a category, out of plain shapes in a warm palette. The same
// number draws the same picture.
func DrawCover(number uint64, category string, w, h int) *image.RGBA {
	c := newCanvas(number, w, h)
	p := palettes[c.IntN(len(palettes))]
	motif(category)(c, p)
	return c.RGBA
}

func motif(category string) func(canvas, palette) {
	for _, m := range motifs {
		if slices.Contains(m.categories, category) {
			return m.draw
		}
	}
	return motifs[len(motifs)-1].draw
}

// hills draws a sun above the ridges of hills.
func hills(c canvas, p palette) {
	c.gradient(p[0], p[1])
	c.circle(c.between(0.2, 0.8)*c.width, c.between(0.3, 0.5)*c.height, c.between(0.12, 0.22)*c.height,
		mix(p[0], color.RGBA{255, 255, 255, 255}, 0.6))
	for layer := range 4 {
		base := c.height * (0.5 + 0.13*float64(layer))
		slow, fast, shift := c.between(1, 2.5), c.between(3, 7), c.between(0, 6)
		ridge := []point{{0, c.height}}
		for x := 0.0; x <= c.width; x += 12 {
			at := x / c.width * 2 * math.Pi
			ridge = append(ridge, point{x, base + c.height*(0.09*math.Sin(slow*at/2+shift)+0.025*math.Sin(fast*at+shift))})
		}
		c.polygon(append(ridge, point{c.width, base}, point{c.width, c.height}), mix(p[1], p[4], 0.25+0.25*float64(layer)))
	}
}

// tiles draws a pavement of quarter circles, circles and triangles.
func tiles(c canvas, p palette) {
	const rows = 3
	side := c.height / rows
	for x := 0.0; x < c.width; x += side {
		for row := range rows {
			y := float64(row) * side
			back := c.IntN(len(p))
			front := p[(back+1+c.IntN(len(p)-1))%len(p)]
			c.rectangle(x, y, side, side, p[back])
			switch c.IntN(4) {
			case 0:
				c.circle(x+side/2, y+side/2, side*0.36, front)
			case 1:
				c.polygon([]point{{x, y}, {x + side, y}, {x, y + side}}, front)
			default:
				c.quarter(x, y, side, c.IntN(4), front)
			}
		}
	}
}

// arcs draws rings around a point at the edge.
func arcs(c canvas, p palette) {
	c.gradient(p[0], p[1])
	x, y := c.between(0.15, 0.85)*c.width, c.height*c.between(0.9, 1.15)
	for ring := range 7 {
		c.circle(x, y, c.height*(1.3-0.18*float64(ring)), p[1+(ring+c.IntN(2))%4])
	}
	for range 5 {
		c.circle(c.between(0, 1)*c.width, c.between(0.05, 0.4)*c.height, c.between(0.02, 0.06)*c.height, p[0])
	}
}

// dots draws large overlapping discs.
func dots(c canvas, p palette) {
	c.gradient(p[0], mix(p[0], p[1], 0.7))
	for i := range 9 {
		shade := p[1+i%4]
		shade.A = 210
		c.circle(c.between(0, 1)*c.width, c.between(0, 1)*c.height, c.between(0.1, 0.45)*c.height, shade)
	}
}

var (
	skins = []color.RGBA{rgb(0xF2D3BC), rgb(0xE3B18F), rgb(0xC68863), rgb(0x9A5F3F), rgb(0x6B412C)}
	hairs = []color.RGBA{rgb(0x2B211E), rgb(0x5A3825), rgb(0x9B6A3A), rgb(0xC9A26B), rgb(0x8E8A86), rgb(0x8C3B21)}
)

// DrawPortrait draws a friendly face of size x size pixels.
func DrawPortrait(number uint64, size int) *image.RGBA {
	c := newCanvas(number, size, size)
	p := palettes[c.IntN(len(palettes))]
	skin, hair := skins[c.IntN(len(skins))], hairs[c.IntN(len(hairs))]
	at := func(share float64) float64 { return share * c.width }
	c.gradient(p[1], p[2])
	long := c.IntN(2) == 0
	if long {
		c.circle(at(0.5), at(0.47), at(0.27), hair)
		c.rectangle(at(0.23), at(0.47), at(0.54), at(0.3), hair)
	}
	c.circle(at(0.5), at(1.1), at(0.4), p[4])
	c.rectangle(at(0.43), at(0.6), at(0.14), at(0.16), mix(skin, p[4], 0.15))
	c.circle(at(0.5), at(0.46), at(0.21), skin)
	if long {
		c.halfDisc(at(0.5), at(0.42), at(0.22), hair)
	} else {
		c.halfDisc(at(0.5), at(c.between(0.38, 0.42)), at(0.215), hair)
	}
	for _, side := range []float64{-1, 1} {
		c.circle(at(0.5+side*0.075), at(0.47), at(0.016), rgb(0x2B211E))
	}
	c.circle(at(0.5), at(0.555), at(0.04), mix(skin, rgb(0x8C3B21), 0.6))
	c.circle(at(0.5), at(0.535), at(0.045), skin)
	return c.RGBA
}

// canvas is a picture in progress. Sizes are in pixels.
type canvas struct {
	*image.RGBA
	*rand.Rand
	width, height float64
}

type point struct{ x, y float64 }

func newCanvas(number uint64, w, h int) canvas {
	return canvas{image.NewRGBA(image.Rect(0, 0, w, h)), rand.New(rand.NewPCG(number, 0)), float64(w), float64(h)}
}

func (c canvas) between(low, high float64) float64 { return low + (high-low)*c.Float64() }

// mix returns a color between two, b by its share.
func mix(a, b color.RGBA, share float64) color.RGBA {
	of := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*share) }
	return color.RGBA{of(a.R, b.R), of(a.G, b.G), of(a.B, b.B), 255}
}

// gradient fills the picture from top to bottom.
func (c canvas) gradient(top, bottom color.RGBA) {
	for y := range c.Rect.Dy() {
		row := image.Rect(0, y, c.Rect.Dx(), y+1)
		draw.Draw(c.RGBA, row, image.NewUniform(mix(top, bottom, float64(y)/c.height)), image.Point{}, draw.Src)
	}
}

func (c canvas) rectangle(x, y, w, h float64, fill color.RGBA) {
	draw.Draw(c.RGBA, image.Rect(int(x), int(y), int(math.Ceil(x+w)), int(math.Ceil(y+h))), image.NewUniform(fill), image.Point{}, draw.Src)
}

func (c canvas) circle(x, y, r float64, fill color.RGBA) { c.sector(x, y, r, 0, 4, fill) }

// halfDisc fills the upper half of a circle.
func (c canvas) halfDisc(x, y, r float64, fill color.RGBA) { c.sector(x, y, r, 2, 2, fill) }

// quarter fills a quarter of a circle around one of the corners of a square.
func (c canvas) quarter(x, y, side float64, corner int, fill color.RGBA) {
	centre := []point{{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}}[corner]
	c.sector(centre.x, centre.y, side, corner, 1, fill)
}

// sector fills some quarters of a circle, clockwise from the one at the lower right.
func (c canvas) sector(x, y, r float64, first, quarters int, fill color.RGBA) {
	const steps = 16 // of a quarter
	outline := []point{}
	if quarters < 4 {
		outline = append(outline, point{x, y})
	}
	for i := range quarters*steps + 1 {
		sin, cos := math.Sincos((float64(first) + float64(i)/steps) * math.Pi / 2)
		outline = append(outline, point{x + r*cos, y + r*sin})
	}
	c.polygon(outline, fill)
}

// polygon fills the inside of an outline.
func (c canvas) polygon(outline []point, fill color.RGBA) {
	left, top, right, bottom := c.width, c.height, 0.0, 0.0
	for _, p := range outline {
		left, top, right, bottom = min(left, p.x), min(top, p.y), max(right, p.x), max(bottom, p.y)
	}
	box := image.Rect(int(left)-1, int(top)-1, int(right)+2, int(bottom)+2).Intersect(c.Rect)
	if box.Empty() {
		return
	}
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	for i, p := range outline {
		x, y := float32(p.x)-float32(box.Min.X), float32(p.y)-float32(box.Min.Y)
		if i == 0 {
			r.MoveTo(x, y)
		} else {
			r.LineTo(x, y)
		}
	}
	r.ClosePath()
	r.Draw(c.RGBA, box, image.NewUniform(color.NRGBA(fill)), image.Point{})
}
