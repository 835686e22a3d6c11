package mapfetch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/ops/mapfetch"
	"moothall/internal/platform/pmtiles"
	"moothall/internal/test/maptest"
)

// planetBoxes are Berlin and a place far from it.
var planetBoxes = []pmtiles.Box{maptest.Box, {West: 139.6, South: 35.6, East: 139.8, North: 35.75}}

// childVariable makes this program fetch the request in it, instead of running tests.
const childVariable = "MAPFETCH_TEST_REQUEST"

func TestMain(m *testing.M) {
	if text := os.Getenv(childVariable); text != "" {
		var r mapfetch.Request
		err := json.Unmarshal([]byte(text), &r)
		r.Progress = os.Stderr
		if err == nil {
			_, err = mapfetch.Fetch(context.Background(), r)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// planet serves an archive by ranges and remembers which bytes were sent.
type planet struct {
	*httptest.Server
	archive []byte
	etag    string

	mu      sync.Mutex
	sent    []pmtiles.Range
	respond func(n int, w http.ResponseWriter, r *http.Request) bool // handles the request with a number; nil: never
}

func newPlanet(t *testing.T, archive []byte) *planet {
	p := &planet{archive: archive, etag: `"1"`}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *planet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	var first, last uint64
	_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last)
	p.sent = append(p.sent, pmtiles.Range{First: first, Past: last + 1})
	n, respond, etag := len(p.sent), p.respond, p.etag
	p.mu.Unlock()
	if respond != nil && respond(n, w, r) {
		return
	}
	w.Header().Set("ETag", etag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(p.archive))
}

func (p *planet) requests() []pmtiles.Range {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]pmtiles.Range{}, p.sent...)
}

func (p *planet) setRespond(respond func(n int, w http.ResponseWriter, r *http.Request) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.respond, p.sent = respond, nil
}

func request(t *testing.T, source string) mapfetch.Request {
	return mapfetch.Request{
		Source: source, Boxes: []pmtiles.Box{maptest.Box}, MaxZoom: 14, Output: filepath.Join(t.TempDir(), "map", "streets.pmtiles"),
		MaxBytes: 1 << 30, Pause: time.Millisecond, Progress: new(bytes.Buffer),
	}
}

// check compares a fetched archive with the tiles that it must have.
func check(t *testing.T, path string, want []maptest.Tile) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h, err := pmtiles.ParseHeader(data, uint64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	got := map[uint64][]byte{}
	var read func(directory []byte)
	read = func(directory []byte) {
		entries, err := h.ParseDirectory(directory)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Run == 0 {
				read(data[h.Leaves.Offset+e.Offset:][:e.Length])
			}
			for i := range uint64(e.Run) {
				if got[e.ID+i], err = h.UnpackTile(data[h.Tiles.Offset+e.Offset:][:e.Length]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	read(data[h.Root.Offset:h.Root.End()])
	for _, w := range want {
		if id := pmtiles.ID(w.Zoom, w.X, w.Y); !bytes.Equal(got[id], w.Data) {
			t.Errorf("tile %d/%d/%d: %d bytes, want %d", w.Zoom, w.X, w.Y, len(got[id]), len(w.Data))
		}
	}
	if len(got) != len(want) || h.Addressed != uint64(len(want)) {
		t.Errorf("%d tiles, the header says %d, want %d", len(got), h.Addressed, len(want))
	}
	if _, err := os.Stat(path + ".part"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the part is left: %v", err)
	}
}

// planetSize returns the greatest zoom and the bytes of a tile of the planet: about 50 MB with LONG_TESTS=1.
func planetSize() (zoom uint8, padding int) {
	if os.Getenv("LONG_TESTS") != "" {
		return 15, 60_000
	}
	return 14, 20_000
}

func TestFetchOnlyTheArea(t *testing.T) {
	zoom, padding := planetSize()
	p := newPlanet(t, maptest.Planet(planetBoxes, zoom, padding))
	r := request(t, p.URL)
	r.MaxZoom = zoom
	result, err := mapfetch.Fetch(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	check(t, r.Output, maptest.Tiles(r.Boxes, mapfetch.MinZoom, zoom, padding))
	t.Logf("planet of %d bytes: fetched %d, stored %d, %d tiles", len(p.archive), result.Fetched, result.Bytes, result.Tiles)
	if result.Fetched > result.Bytes+result.Bytes/10+300_000 || result.Fetched > uint64(len(p.archive))*3/4 {
		t.Errorf("fetched %d of %d bytes for %d", result.Fetched, len(p.archive), result.Bytes)
	}
	file := filepath.Join(t.TempDir(), "planet.pmtiles")
	if err := os.WriteFile(file, p.archive, 0o600); err != nil {
		t.Fatal(err)
	}
	fromFile := request(t, file)
	fromFile.MaxZoom = zoom
	if _, err := mapfetch.Fetch(t.Context(), fromFile); err != nil {
		t.Fatal(err)
	}
	check(t, fromFile.Output, maptest.Tiles(r.Boxes, mapfetch.MinZoom, zoom, padding))
}

// TestFetchContinuesAfterKill kills the process while the server keeps it waiting. The next one requests nothing again that was stored.
func TestFetchContinuesAfterKill(t *testing.T) {
	const answered, waiting = 3, 4 // the header, the metadata and one range; then as many as a fetch requests at once
	zoom, padding := planetSize()
	p := newPlanet(t, maptest.Planet(planetBoxes, zoom, padding))
	r := request(t, p.URL)
	r.MaxZoom = zoom
	stalled := make(chan struct{}, waiting)
	p.setRespond(func(n int, _ http.ResponseWriter, r *http.Request) bool {
		if n <= answered {
			return false
		}
		stalled <- struct{}{}
		<-r.Context().Done()
		return true
	})
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+string(text))
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	for range waiting { // the last of them begins when the range is in the journal
		<-stalled
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	log, err := os.ReadFile(r.Output + ".part.log")
	if err != nil {
		t.Fatal(err)
	}
	finished := bytes.Count(log, []byte(`"done"`))
	before := p.requests()
	p.setRespond(nil)
	if _, err := mapfetch.Fetch(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	check(t, r.Output, maptest.Tiles(r.Boxes, mapfetch.MinZoom, zoom, padding))
	again := 0
	for _, now := range p.requests() {
		for _, was := range before[:answered] {
			if now == was && now.First > 0 {
				again++
			}
		}
	}
	if finished != 1 || again > 0 {
		t.Errorf("%d ranges were finished, %d finished ones were requested again\nbefore %v\nafter %v", finished, again, before, p.requests())
	}
}

func TestDamagedTiles(t *testing.T) {
	zoom, padding := planetSize()
	archive := maptest.Planet(planetBoxes, zoom, padding)
	h, err := pmtiles.ParseHeader(archive, uint64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(archive)
	for at := h.Tiles.Offset + 500; at < h.Tiles.End(); at += 1 << 12 {
		damaged[at] ^= 0xff
	}
	t.Run("on the way", func(t *testing.T) {
		p := newPlanet(t, archive)
		p.setRespond(func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n != 3 { // the first range of tiles
				return false
			}
			w.Header().Set("ETag", `"1"`)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(damaged))
			return true
		})
		r := request(t, p.URL)
		progress := new(bytes.Buffer)
		r.MaxZoom, r.Progress = zoom, progress
		if _, err := mapfetch.Fetch(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(progress.String(), " damaged tiles: fetching them again") {
			t.Errorf("no tile was damaged:\n%s", progress)
		}
		check(t, r.Output, maptest.Tiles(r.Boxes, mapfetch.MinZoom, zoom, padding))
	})
	t.Run("in the source", func(t *testing.T) {
		r := request(t, newPlanet(t, damaged).URL)
		if _, err := mapfetch.Fetch(t.Context(), r); err == nil || !strings.Contains(err.Error(), "tiles of the source are damaged") {
			t.Errorf("got %v", err)
		}
		if _, err := os.Stat(r.Output); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a damaged archive is published: %v", err)
		}
	})
}

func TestRefusals(t *testing.T) {
	archive := maptest.Planet(planetBoxes, 13, 100)
	for _, c := range []struct {
		name    string
		change  func(*mapfetch.Request, *planet)
		message string
	}{
		{"too large", func(r *mapfetch.Request, _ *planet) { r.MaxBytes = 10 }, "choose a smaller area"},
		{"full disk", func(r *mapfetch.Request, _ *planet) {
			r.Free = func(string) (uint64, error) { return 1 << 20, nil }
		}, "only 1 MB are free"},
		{"no tiles there", func(r *mapfetch.Request, _ *planet) {
			r.Boxes = []pmtiles.Box{{West: -10, South: -50, East: -9, North: -49}}
		}, "no tiles there"},
		{"no archive", func(_ *mapfetch.Request, p *planet) { p.archive = []byte("<html>") }, "no valid PMTiles archive"},
		{"missing", func(_ *mapfetch.Request, p *planet) {
			p.respond = func(_ int, w http.ResponseWriter, r *http.Request) bool { http.NotFound(w, r); return true }
		}, "404"},
		{"no ranges", func(_ *mapfetch.Request, p *planet) {
			p.respond = func(_ int, w http.ResponseWriter, _ *http.Request) bool { _, _ = w.Write([]byte("all")); return true }
		}, "does not support range requests"},
		{"another scheme", func(_ *mapfetch.Request, p *planet) {
			p.respond = func(_ int, w http.ResponseWriter, r *http.Request) bool {
				http.Redirect(w, r, "https://127.0.0.1:1/planet", http.StatusFound)
				return true
			}
		}, "it redirects to https://127.0.0.1:1"},
		{"always busy", func(_ *mapfetch.Request, p *planet) {
			p.respond = func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				w.WriteHeader(http.StatusBadGateway)
				return true
			}
		}, "502"},
		{"changes meanwhile", func(_ *mapfetch.Request, p *planet) {
			p.respond = func(n int, w http.ResponseWriter, r *http.Request) bool {
				w.Header().Set("ETag", fmt.Sprintf(`"%d"`, n))
				http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(archive))
				return true
			}
		}, "the source has changed"},
		{"file of another kind", func(r *mapfetch.Request, _ *planet) { r.Source = "ftp://127.0.0.1/planet" }, "must be a path"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlanet(t, archive)
			r := request(t, p.URL)
			c.change(&r, p)
			if _, err := mapfetch.Fetch(t.Context(), r); err == nil || !strings.Contains(err.Error(), c.message) {
				t.Errorf("got %v, want %q", err, c.message)
			}
			if _, err := os.Stat(r.Output); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("an archive is published: %v", err)
			}
		})
	}
}

// TestTransientFailures lets each second request fail.
func TestTransientFailures(t *testing.T) {
	p := newPlanet(t, maptest.Planet(planetBoxes, 13, 1000))
	p.setRespond(func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n%2 == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return n%2 == 1
	})
	r := request(t, p.URL)
	if _, err := mapfetch.Fetch(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	check(t, r.Output, maptest.Tiles(r.Boxes, mapfetch.MinZoom, 13, 1000))
}

func TestAreas(t *testing.T) {
	berlin, err := mapfetch.Near("Berlin", "60km")
	if b := berlin[0]; err != nil || b.South > 52 || b.North < 53 || b.West > 12.6 || b.East < 14.2 {
		t.Errorf("Berlin: %v, %v", b, err)
	}
	germany, err := mapfetch.Country("de")
	if err != nil || len(germany) < 1000 {
		t.Errorf("Germany: %d boxes, %v", len(germany), err)
	}
	fiji, err := mapfetch.ParseBBox("177,-19,-179,-16")
	if err != nil || fiji[0].West != 177 || fiji[0].East != -179 {
		t.Errorf("Fiji: %v, %v", fiji, err)
	}
	for _, wrong := range []string{"", "1,2,3", "1,2,3,4,5", "0,10,1,5", "0,0,NaN,1", "-200,0,1,1", "x,0,1,1"} {
		if _, err := mapfetch.ParseBBox(wrong); err == nil {
			t.Errorf("--bbox %q is accepted", wrong)
		}
	}
	for _, wrong := range [][2]string{{"Atlantis at the sea", "60km"}, {"Berlin", "0km"}, {"Berlin", "60 miles"}, {"Berlin", "NaN"}} {
		if _, err := mapfetch.Near(wrong[0], wrong[1]); err == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
}

func TestNewestBuild(t *testing.T) {
	p := newPlanet(t, maptest.City(12))
	p.setRespond(func(_ int, w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/20261125.pmtiles" {
			http.NotFound(w, r)
			return true
		}
		return false
	})
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	if got, err := mapfetch.Newest(t.Context(), p.URL+"/", now); got != p.URL+"/20261125.pmtiles" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := mapfetch.Newest(t.Context(), p.URL+"/", now.AddDate(0, 0, 30)); err == nil {
		t.Errorf("an old build: %q", got)
	}
}
