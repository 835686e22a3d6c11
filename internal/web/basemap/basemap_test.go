package basemap_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/maptest"
	"moothall/internal/web/basemap"
)

// TestArchiveIsServedInRanges reads the header of the embedded archive as browsers do.
func TestArchiveIsServedInRanges(t *testing.T) {
	r := httptest.NewRequest(http.MethodGet, basemap.WorldURL(), http.NoBody)
	r.Header.Set("Range", "bytes=0-6")
	r.Header.Set("Accept-Encoding", "gzip, br")
	w := httptest.NewRecorder()
	basemap.NewMap(basemap.Tiles{}, time.Now).ServeHTTP(w, r)
	h := w.Result().Header
	if w.Code != http.StatusPartialContent || w.Body.String() != "PMTiles" || h.Get("Content-Encoding") != "" {
		t.Errorf("got %d %q %v", w.Code, w.Body, h)
	}
	if !strings.Contains(h.Get("Cache-Control"), "immutable") || strings.HasPrefix(h.Get("ETag"), "W/") || h.Get("ETag") == "" {
		t.Errorf("headers: %v", h)
	}
}

func TestParseTiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "streets.pmtiles")
	for _, c := range []struct{ name, setting, file, origin string }{
		{"missing file", file, file, ""},
		{"other server", "https://tiles.example.org/berlin.pmtiles", "", "https://tiles.example.org"},
		{"not encrypted", "http://tiles.example.org/berlin.pmtiles", "refused", ""},
		{"with a password", "https://user:word@tiles.example.org/berlin.pmtiles", "refused", ""},
		{"folder", filepath.Dir(file), "refused", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tiles, err := basemap.ParseTiles(c.setting)
			if c.file == "refused" {
				if err == nil {
					t.Error("accepted")
				}
				return
			}
			if err != nil || tiles.File() != c.file || basemap.NewMap(tiles, time.Now).Origin() != c.origin {
				t.Errorf("got %+v, %v", tiles, err)
			}
		})
	}
}

// TestMapNoticesANewFile replaces the file with streets. A page that knows the address of the file before gets the new one with its own
// ETag, by which its script notices the change.
func TestMapNoticesANewFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "streets.pmtiles")
	now := time.Unix(0, 0)
	tiles, err := basemap.ParseTiles(file)
	if err != nil {
		t.Fatal(err)
	}
	m := basemap.NewMap(tiles, func() time.Time { return now })
	if m.Streets() != "" {
		t.Errorf("streets without a file: %s", m.Streets())
	}
	replace := func(archive []byte) {
		t.Helper()
		if err := errors.Join(os.WriteFile(file+".part", archive, 0o600), os.Rename(file+".part", file)); err != nil {
			t.Fatal(err)
		}
	}
	replace(maptest.City(13))
	if now = now.Add(59 * time.Second); m.Streets() != "" {
		t.Error("it looks before a minute has passed")
	}
	now = now.Add(time.Second)
	first := m.Streets()
	w := get(m, first, "bytes=0-6")
	if w.Code != http.StatusPartialContent || w.Body.String() != "PMTiles" || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("%s: %d %q %v", first, w.Code, w.Body, w.Header())
	}
	replace(maptest.City(14))
	again := get(m, first, "bytes=0-6")
	if again.Code != http.StatusPartialContent || again.Header().Get("ETag") == w.Header().Get("ETag") ||
		again.Header().Get("Cache-Control") != "public, no-cache" {
		t.Errorf("the address before: %d %v", again.Code, again.Header())
	}
	now = now.Add(time.Minute)
	if second := m.Streets(); second == first || second == "" {
		t.Errorf("the new file is at %q", second)
	}
	for name, archive := range map[string][]byte{"no archive": []byte("PMTiles"), "empty": nil} {
		replace(archive)
		now = now.Add(time.Minute)
		if m.Streets() != "" || get(m, first, "").Code != http.StatusNotFound {
			t.Errorf("%s is served", name)
		}
	}
}

func get(m *basemap.Map, address, ranges string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, address, http.NoBody)
	if ranges != "" {
		r.Header.Set("Range", ranges)
	}
	w := httptest.NewRecorder()
	m.ServeHTTP(w, r)
	return w
}
