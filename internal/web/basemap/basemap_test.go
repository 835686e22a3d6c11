package basemap_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall/internal/web/basemap"
)

// TestArchiveIsServedInRanges reads the header of the embedded archive as browsers do.
func TestArchiveIsServedInRanges(t *testing.T) {
	tiles, err := basemap.ParseTiles("")
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodGet, tiles.URL(), http.NoBody)
	r.Header.Set("Range", "bytes=0-6")
	r.Header.Set("Accept-Encoding", "gzip, br")
	w := httptest.NewRecorder()
	tiles.ServeHTTP(w, r)
	h := w.Result().Header
	if w.Code != http.StatusPartialContent || w.Body.String() != "PMTiles" || h.Get("Content-Encoding") != "" {
		t.Errorf("got %d %q %v", w.Code, w.Body, h)
	}
	if !strings.Contains(h.Get("Cache-Control"), "immutable") || strings.HasPrefix(h.Get("ETag"), "W/") || h.Get("ETag") == "" {
		t.Errorf("headers: %v", h)
	}
}

func TestParseTiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "berlin.pmtiles")
	if err := os.WriteFile(file, []byte("PMTiles"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, setting, url, origin string }{
		{"file", file, "/basemap/berlin.pmtiles", ""},
		{"other server", "https://tiles.example.org/berlin.pmtiles", "https://tiles.example.org/berlin.pmtiles", "https://tiles.example.org"},
		{"not encrypted", "http://tiles.example.org/berlin.pmtiles", "", ""},
		{"with a password", "https://user:word@tiles.example.org/berlin.pmtiles", "", ""},
		{"missing file", file + "x", "", ""},
		{"folder", filepath.Dir(file), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tiles, err := basemap.ParseTiles(c.setting)
			if c.url == "" {
				if err == nil {
					t.Error("accepted")
				}
				return
			}
			if err != nil || tiles.URL() != c.url || tiles.Origin() != c.origin {
				t.Errorf("got %q, %q, %v", tiles.URL(), tiles.Origin(), err)
			}
		})
	}
}

func TestFileIsServedInRanges(t *testing.T) {
	file := filepath.Join(t.TempDir(), "berlin.pmtiles")
	if err := os.WriteFile(file, []byte("PMTiles and more"), 0o600); err != nil {
		t.Fatal(err)
	}
	tiles, err := basemap.ParseTiles(file)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodGet, tiles.URL(), http.NoBody)
	r.Header.Set("Range", "bytes=8-10")
	w := httptest.NewRecorder()
	tiles.ServeHTTP(w, r)
	if w.Code != http.StatusPartialContent || w.Body.String() != "and" {
		t.Errorf("got %d %q", w.Code, w.Body)
	}
	w = httptest.NewRecorder()
	tiles.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/basemap/other.pmtiles", http.NoBody))
	if w.Code != http.StatusNotFound {
		t.Errorf("another file: %d", w.Code)
	}
}
