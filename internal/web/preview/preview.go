// Package preview draws the picture that link previews show for an event without a cover: its
// date, title and place. It also draws a square one, for stories.
package preview

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"

	"moothall/internal/platform/picture"
)

// The size of a picture, in pixels, and that of a square one.
const (
	Width, Height = 1200, 630
	Square        = 1080
)

// Content is the content of a preview. Texts may be hostile or in any script.
type Content struct {
	Number               uint64 // decides the artwork
	Category             string
	Weekday, Day, Month  string
	Time                 string // of the day, with its zone if it has one
	Title, Place, Footer string
	Square               bool
}

var (
	paper  = color.RGBA{0xFB, 0xFA, 0xF7, 0xFF}
	ink    = color.RGBA{0x1B, 0x1A, 0x17, 0xFF}
	muted  = color.RGBA{0x5B, 0x55, 0x48, 0xFF}
	accent = color.RGBA{0xB3, 0x40, 0x2A, 0xFF}
)

// The layout, in pixels.
const (
	margin     = 64
	artWidth   = 330
	dateRight  = margin + 190
	titleLeft  = dateRight + 48
	titleRight = Width - artWidth - 40

	squareArt = 400 // height of the artwork of a square picture
)

// fonts are Go Bold and Go Regular: Latin, Greek and Cyrillic.
var fonts = sync.OnceValue(func() (f struct{ bold, regular *sfnt.Font }) {
	var errs [2]error
	f.bold, errs[0] = opentype.Parse(gobold.TTF)
	f.regular, errs[1] = opentype.Parse(goregular.TTF)
	if errs[0] != nil || errs[1] != nil {
		panic("preview: an embedded font is invalid")
	}
	return f
})

// Draw returns the picture as a PNG. A text in a script that the fonts lack is left out.
func Draw(c Content) ([]byte, error) {
	width, height, left, right, top := Width, Height, titleLeft, titleRight, margin
	art := image.Rect(Width-artWidth, 0, Width, Height)
	if c.Square {
		width, height, right, top = Square, Square, Square-margin, squareArt+margin
		art = image.Rect(0, 0, Square, squareArt)
	}
	p := painter{image.NewRGBA(image.Rect(0, 0, width, height))}
	draw.Draw(p, p.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	draw.Draw(p, art, picture.DrawCover(c.Number, c.Category, art.Dx(), art.Dy()), image.Point{}, draw.Src)
	p.date(c, top)
	p.title(c.Title, left, right, top)
	p.line(c.Place, face{fonts().regular, 34}, left, right, height-margin-52, muted)
	p.line(c.Footer, face{fonts().bold, 26}, left, right, height-margin, accent)
	var file bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&file, p.RGBA)
	return file.Bytes(), err
}

// painter draws texts. Errors of the font draw nothing.
type painter struct{ *image.RGBA }

// date draws the date at the left, in a block.
func (p painter) date(c Content, top int) {
	block := image.Rect(margin, top, dateRight, top+230)
	draw.Draw(p, block, image.NewUniform(accent), image.Point{}, draw.Src)
	p.centered(strings.ToUpper(c.Weekday), face{fonts().bold, 34}, block, 52)
	p.centered(c.Day, face{fonts().bold, 110}, block, 156)
	p.centered(strings.ToUpper(c.Month), face{fonts().bold, 34}, block, 208)
	p.line(c.Time, face{fonts().bold, 40}, margin, titleLeft-16, block.Max.Y+62, ink)
}

func (p painter) centered(text string, f face, in image.Rectangle, y int) {
	text, drawer, closeFace := f.fit(text, in.Dx()-16)
	defer closeFace()
	drawer.Dst, drawer.Src = p, image.NewUniform(paper)
	left := in.Min.X + (in.Dx()-drawer.MeasureString(text).Ceil())/2
	drawer.Dot = fixed.P(left, in.Min.Y+y)
	drawer.DrawString(text)
}

// line draws one line of text, cut to the space from left to right.
func (p painter) line(text string, f face, left, right, y int, c color.Color) {
	text, drawer, closeFace := f.fit(text, right-left)
	defer closeFace()
	drawer.Dst, drawer.Src, drawer.Dot = p, image.NewUniform(c), fixed.P(left, y)
	drawer.DrawString(text)
}

// title draws the title as large as it fits into the lines of its size.
func (p painter) title(title string, left, right, top int) {
	sizes := []struct {
		size  float64
		lines int
	}{{76, 3}, {60, 4}, {46, 6}}
	for i, s := range sizes {
		f := face{fonts().bold, s.size}
		drawn, drawer, closeFace := f.open(title)
		lines := wrap(drawer, drawn, right-left)
		last := i == len(sizes)-1
		if len(lines) <= s.lines || last {
			if len(lines) > s.lines {
				lines = lines[:s.lines]
				lines[s.lines-1] = cut(drawer, lines[s.lines-1]+"…", right-left)
			}
			drawer.Dst, drawer.Src = p, image.NewUniform(ink)
			for n, line := range lines {
				drawer.Dot = fixed.P(left, top+int(s.size*(0.78+1.16*float64(n))))
				drawer.DrawString(line)
			}
			last = true
		}
		closeFace()
		if last {
			return
		}
	}
}

// face is a font in a size, in pixels.
type face struct {
	font *sfnt.Font
	size float64
}

// maxRunes limits the work for one text.
const maxRunes = 300

// open returns the part of the text that the font can draw, and a drawer for it. The caller
// must call closeFace.
func (f face) open(text string) (drawn string, d *font.Drawer, closeFace func()) {
	opened, err := opentype.NewFace(f.font, &opentype.FaceOptions{Size: f.size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic(err) // the options are constant
	}
	return drawable(f.font, text), &font.Drawer{Face: opened}, func() { _ = opened.Close() }
}

// fit is open for one line, cut to a width.
func (f face) fit(text string, width int) (drawn string, d *font.Drawer, closeFace func()) {
	drawn, d, closeFace = f.open(text)
	return cut(d, drawn, width), d, closeFace
}

// drawable returns the text without characters that the font lacks, such as emoji. It returns
// nothing if these are most of its letters: a rest would be misread.
func drawable(f *sfnt.Font, text string) string {
	var buffer sfnt.Buffer
	var kept strings.Builder
	letters, lost, count := 0, 0, 0
	for _, r := range norm.NFC.String(strings.ToValidUTF8(first(text, maxRunes), "")) {
		if count++; count > maxRunes {
			break
		}
		if unicode.IsSpace(r) {
			r = ' '
		}
		glyph, err := f.GlyphIndex(&buffer, r)
		has := err == nil && glyph != 0 && unicode.IsGraphic(r) && !unicode.Is(unicode.Mn, r)
		if unicode.IsLetter(r) {
			letters++
			if !has {
				lost++
			}
		}
		if has {
			kept.WriteRune(r)
		}
	}
	if 2*lost > letters {
		return ""
	}
	return strings.Join(strings.Fields(kept.String()), " ")
}

// first returns the first runes of a text.
func first(text string, runes int) string {
	n := 0
	for at := range text {
		if n == runes {
			return text[:at]
		}
		n++
	}
	return text
}

// wrap breaks a text into lines, at spaces where it can.
func wrap(d *font.Drawer, text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if longer := strings.TrimSpace(line + " " + word); fits(d, longer, width) {
			line = longer
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for !fits(d, word, width) {
			part := longest(d, word, width)
			lines = append(lines, part)
			word = word[len(part):]
		}
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

func fits(d *font.Drawer, text string, width int) bool { return d.MeasureString(text).Ceil() <= width }

// longest returns the longest beginning of a text that fits, at least one rune.
func longest(d *font.Drawer, text string, width int) string {
	end := 0
	for at, r := range text {
		next := at + len(string(r))
		if at > 0 && !fits(d, text[:next], width) {
			break
		}
		end = next
	}
	return text[:end]
}

// cut shortens a text to a width, with an ellipsis.
func cut(d *font.Drawer, text string, width int) string {
	if fits(d, text, width) {
		return text
	}
	return strings.TrimRight(longest(d, strings.TrimSuffix(text, "…"), width-d.MeasureString("…").Ceil()), " ") + "…"
}
