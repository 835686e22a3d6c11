package view_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/language"

	"moothall/internal/platform/text"
	"moothall/internal/web/view"
)

func TestMoney(t *testing.T) {
	files := fstest.MapFS{"texts/en.json": {Data: []byte(`{}`)}, "texts/de.json": {Data: []byte(`{}`)}}
	languages := text.LoadLanguages(files, language.English, language.German)
	for _, c := range []struct {
		language int
		amount   int
		code     string
		want     string
	}{
		{0, 1250, "EUR", "12.50\u00a0€"},
		{0, 1200, "EUR", "12\u00a0€"},
		{0, 123456789, "USD", "1,234,567.89\u00a0$"},
		{0, 500, "JPY", "500\u00a0¥"},
		{0, 500, "?", "500 ?"},
		{1, 123450, "EUR", "1.234,50\u00a0€"},
	} {
		p := &view.Page{Language: languages[c.language]}
		if got := p.Money(c.amount, c.code); got != c.want {
			t.Errorf("%d %s: %q, want %q", c.amount, c.code, got, c.want)
		}
	}
}

func TestExcerptEndsBetweenGraphemes(t *testing.T) {
	const family = "👨‍👩‍👧"
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"  Two\n\tlines ", "Two lines"},
		{strings.Repeat("a", 200), strings.Repeat("a", 200)},
		{strings.Repeat("a", 201), strings.Repeat("a", 200) + "…"},
		{strings.Repeat(family, 200), strings.Repeat(family, 200)},
		{strings.Repeat(family, 201), strings.Repeat(family, 200) + "…"},
		{strings.Repeat("a", 199) + " b", strings.Repeat("a", 199) + "…"},
	} {
		if got := view.Excerpt(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
