package view_test

import (
	"strings"
	"testing"

	"moothall/internal/web/view"
)

func TestLinkifyFindsOnlyHTTPS(t *testing.T) {
	for text, want := range map[string]string{
		"no link":                          "no link",
		"see https://a.example/x.":         "see [https://a.example/x].",
		"(https://a.example/b_(c))":        "([https://a.example/b_(c)])",
		"https://a.example, https://b.x/?": "[https://a.example], [https://b.x/]?",
		"http://a.example":                 "http://a.example",
		"javascript:alert(1)":              "javascript:alert(1)",
		"https://user@evil.example/":       "https://user@evil.example/",
		`https://a.example/"onclick="x`:    `[https://a.example/]"onclick="x`,
		"https://":                         "https://",
		"مرحبا https://a.example/ع":        "مرحبا [https://a.example/ع]",
	} {
		var got strings.Builder
		for _, p := range view.Linkify(text) {
			if p.Address == "" {
				got.WriteString(p.Text)
			} else {
				got.WriteString("[" + p.Text + "]")
			}
		}
		if got.String() != want {
			t.Errorf("%q: %s, want %s", text, got.String(), want)
		}
	}
}
