// Package basemap is the map under the events: an embedded archive of vector tiles of the world, and an archive with streets that the
// operator may add. No other server is needed to draw it.
package basemap

import (
	"crypto/sha256"
	_ "embed" // for the archive
	"encoding/hex"
	"net/http"
	"strings"
	"sync"
	"time"
)

// world is a PMTiles archive with zoom 0 to 6.
//
//go:embed world.pmtiles
var world string

// Attribution names the sources of the map. Every page with the map must show it.
const Attribution = "Natural Earth, GeoNames"

// folder is the folder of the map's addresses.
const folder = "/basemap/"

var worldHash = sync.OnceValue(func() string { return hash([]byte(world)) })

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// WorldURL returns the address of the embedded map of the world.
func WorldURL() string { return folder + "world-" + worldHash() + ".pmtiles" }

// ServeHTTP serves the embedded map and the file with streets, whole or in ranges.
func (m *Map) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if r.URL.Path == WorldURL() {
		h.Set("Content-Type", contentType)
		h.Set("Cache-Control", immutable)
		h.Set("ETag", `"`+worldHash()+`"`)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(world))
		return
	}
	if m.tiles.file == "" || !strings.HasPrefix(r.URL.Path, folder+streetsPrefix) {
		http.NotFound(w, r)
		return
	}
	file, streets, err := m.open()
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer func() { _ = file.Close() }() // nothing was written
	h.Set("Content-Type", contentType)
	h.Set("ETag", `"`+streets.hash+`"`)
	h.Set("Cache-Control", "public, no-cache") // a page that was opened before the file changed; its script compares the ETag
	if r.URL.Path == streets.url() {
		h.Set("Cache-Control", immutable)
	}
	http.ServeContent(w, r, "", time.Time{}, file)
}

const (
	contentType = "application/vnd.pmtiles"
	immutable   = "public, max-age=31536000, immutable"
)
