package meetup_test

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

var (
	red  = color.NRGBA{R: 200, G: 30, B: 30, A: 255}
	blue = color.NRGBA{R: 30, G: 30, B: 200, A: 255}
)

// painted returns a picture with two colors, one on each side.
func painted(w, h int, left, right color.Color) *image.NRGBA {
	p := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			p.Set(x, y, left)
			if x >= w/2 {
				p.Set(x, y, right)
			}
		}
	}
	return p
}

func asJPEG(t *testing.T, p image.Image) []byte {
	t.Helper()
	return encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, p, nil) })
}

func asPNG(t *testing.T, p image.Image) []byte {
	t.Helper()
	return encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, p) })
}

// asGIF returns an animation.
func asGIF(t *testing.T, frames ...image.Image) []byte {
	t.Helper()
	var all gif.GIF
	for _, p := range frames {
		frame := image.NewPaletted(p.Bounds(), color.Palette{red, blue})
		for y := range p.Bounds().Dy() {
			for x := range p.Bounds().Dx() {
				frame.Set(x, y, p.At(x, y))
			}
		}
		all.Image, all.Delay = append(all.Image, frame), append(all.Delay, 10)
	}
	return encoded(t, func(b *bytes.Buffer) error { return gif.EncodeAll(b, &all) })
}

func file(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// load returns the file at an address of the service.
func load(a *apptest.App, url string) *apptest.Reply {
	return a.Anonymous().Get(strings.TrimPrefix(url, apptest.BaseURL))
}

// decoded returns the picture at an address.
func decoded(t *testing.T, a *apptest.App, url string) image.Image {
	t.Helper()
	p, err := jpeg.Decode(bytes.NewReader(load(a, url).Want(200).Body))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func mediaNear(a color.Color, b color.NRGBA) bool {
	r, g, bl, _ := a.RGBA()
	off := func(x uint32, y uint8) bool { d := int(x>>8) - int(y); return d > 24 || d < -24 }
	return !off(r, b.R) && !off(g, b.G) && !off(bl, b.B)
}

// storedFiles lists the files in the store.
func storedFiles(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, d.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
