package picture_test

import (
	"bytes"
	"image"
	"testing"

	"moothall/internal/platform/picture"
)

func TestPicturesDependOnlyOnTheirNumber(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(uint64) *image.RGBA
		size image.Point
	}{
		{"hills", func(n uint64) *image.RGBA { return picture.DrawCover(n, "hiking", 480, 206) }, image.Pt(480, 206)},
		{"tiles", func(n uint64) *image.RGBA { return picture.DrawCover(n, "games", 480, 206) }, image.Pt(480, 206)},
		{"arcs", func(n uint64) *image.RGBA { return picture.DrawCover(n, "music", 480, 206) }, image.Pt(480, 206)},
		{"dots", func(n uint64) *image.RGBA { return picture.DrawCover(n, "", 480, 206) }, image.Pt(480, 206)},
		{"portrait", func(n uint64) *image.RGBA { return picture.DrawPortrait(n, 64) }, image.Pt(64, 64)},
	} {
		t.Run(c.name, func(t *testing.T) {
			one, again, two := c.draw(1), c.draw(1), c.draw(2)
			if one.Rect.Size() != c.size {
				t.Errorf("size %v", one.Rect.Size())
			}
			if !bytes.Equal(one.Pix, again.Pix) || bytes.Equal(one.Pix, two.Pix) {
				t.Error("the number does not decide the picture")
			}
			if !one.Opaque() {
				t.Error("not opaque")
			}
		})
	}
}
