package httpapi

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

// TestPagesAreCompressed reads compressed pages with the gzip reader of the standard library.
func TestPagesAreCompressed(t *testing.T) {
	fragment := "<style>" + strings.Repeat("p { color: red } ", 2000)
	longer, other := fragment+strings.Repeat("b { color: red } ", 500), fragment+strings.Repeat("i { color: red } ", 500)
	c := newPageCompressor([]string{longer, other, fragment})
	for name, page := range map[string]string{
		"empty":                    "",
		"without the fragment":     "<html><p>Hello",
		"with the fragment":        "<html>" + fragment + "<p>Hello",
		"the fragment at its ends": fragment + "<p>Hello, p { color: red }" + fragment,
		"only the fragment":        fragment,
		"with a part of it":        "<html>" + fragment[:100] + "<p>Hello",
		"with a longer one":        "<html>" + longer + "<p>Hello",
		"with another one":         "<html>" + other + "<p>Hello",
		"with two of them":         "<html>" + other + longer + "<p>Hello",
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 { // the second time with a writer that was used before
				if got := gunzipped(t, c.compress([]byte(page))); got != page {
					t.Errorf("%d bytes have become %d", len(page), len(got))
				}
			}
		})
	}
	if page := "<p>Hello"; gunzipped(t, newPageCompressor(nil).compress([]byte(page))) != page {
		t.Error("a page without any fragment has changed")
	}
}

func gunzipped(t *testing.T, compressed []byte) string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
