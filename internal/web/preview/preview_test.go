package preview_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"moothall/internal/web/preview"
)

func draw(t *testing.T, c preview.Content) image.Image {
	t.Helper()
	file, err := preview.Draw(c)
	if err != nil {
		t.Fatal(err)
	}
	if len(file) > 300_000 {
		t.Errorf("%d bytes", len(file))
	}
	drawn, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if drawn.Bounds() != image.Rect(0, 0, preview.Width, preview.Height) {
		t.Errorf("size %v", drawn.Bounds())
	}
	return drawn
}

// ink counts the dark pixels of the area of the title.
func ink(drawn image.Image) (n int) {
	for y := 40; y < 480; y++ {
		for x := 302; x < 830; x++ {
			if color.GrayModel.Convert(drawn.At(x, y)).(color.Gray).Y < 80 {
				n++
			}
		}
	}
	return n
}

// outside counts the pixels between the title and the artwork that are not of the paper.
func outside(drawn image.Image) (n int) {
	for y := range preview.Height {
		for x := 832; x < 868; x++ {
			if color.GrayModel.Convert(drawn.At(x, y)).(color.Gray).Y < 200 {
				n++
			}
		}
	}
	return n
}

func TestTitlesOfEveryKind(t *testing.T) {
	for _, c := range []struct {
		name, title string
		shown       bool
	}{
		{"short", "Board games", true},
		{"Cyrillic", "Чай и разговоры по-русски", true},
		{"Greek", "Ρεμπέτικα και χορός", true},
		{"longest", strings.Repeat("A wonderful evening ", 50), true},
		{"one long word", strings.Repeat("w", 500), true},
		{"Arabic", "أمسية عود", false},
		{"Hebrew", "עברית על קפה", false},
		{"Chinese", "一起包饺子", false},
		{"Arabic with some Latin", "أمسية عود طويلة جدا – oud", false},
		{"mostly Latin with Chinese", "Dumplings together 包饺子", true},
		{"emoji", "Picnic 🧺🥪 in the park", true},
		{"only emoji", "🧺🥪🏳️‍🌈", false},
		{"combining marks", "Ze" + strings.Repeat("\u0301", 400) + "bra", true},
		{"overrides of direction", "\u202eevil\u202c \u2066title\u2069", true},
		{"control characters", "a\x00b\x1b[31mc\u0085", true},
		{"invalid UTF-8", "abc\xff\xfe", true},
		{"spaces", strings.Repeat(" \t\n\u2003", 100), false},
		{"empty", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			drawn := draw(t, preview.Content{Number: 7, Category: "games", Weekday: "Fri", Day: "27", Month: "Nov", Time: "20:00", Title: c.title,
				Place: "Berlin", Footer: "Moothall"})
			if shown := ink(drawn) > 0; shown != c.shown {
				t.Errorf("title shown: %v", shown)
			}
			if n := outside(drawn); n > 0 {
				t.Errorf("%d pixels outside", n)
			}
		})
	}
}

func TestLongTextsStayInside(t *testing.T) {
	long := strings.Repeat("Donaudampfschiff ", 40)
	drawn := draw(t, preview.Content{Weekday: long, Day: long, Month: long, Time: long, Title: long, Place: long, Footer: long})
	if n := outside(drawn); n > 0 {
		t.Errorf("%d pixels outside", n)
	}
}
