// Package basemap is the map of the world under the events: an embedded archive of vector
// tiles. No other server is needed to draw it.
package basemap

import (
	"crypto/sha256"
	_ "embed" // for the archive
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
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

// Tiles is the archive of vector tiles that pages show: the embedded one, a file, or one on
// another server.
type Tiles struct {
	file   string
	remote *url.URL
}

// ParseTiles reads the setting MAP_TILES: the path of a PMTiles archive, or its https URL. The
// archive is embedded if the setting is empty.
func ParseTiles(setting string) (Tiles, error) {
	if setting == "" {
		return Tiles{}, nil
	}
	if strings.Contains(setting, "://") {
		remote, err := url.Parse(setting)
		if err != nil || remote.Scheme != "https" || remote.Host == "" || remote.User != nil {
			return Tiles{}, errors.New("must be the path of a file or an https URL")
		}
		return Tiles{remote: remote}, nil
	}
	if info, err := os.Stat(setting); err != nil || !info.Mode().IsRegular() {
		return Tiles{}, errors.New("must be a file that exists, or an https URL")
	}
	return Tiles{file: setting}, nil
}

// URL returns the address of the archive for pages.
func (t Tiles) URL() string {
	switch {
	case t.remote != nil:
		return t.remote.String()
	case t.file != "":
		return folder + filepath.Base(t.file)
	}
	return folder + "world-" + worldHash() + ".pmtiles"
}

// Origin returns the origin of the archive, or nothing if this service serves it. Pages must
// allow connections to it.
func (t Tiles) Origin() string {
	if t.remote == nil {
		return ""
	}
	return t.remote.Scheme + "://" + t.remote.Host
}

var worldHash = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(world))
	return hex.EncodeToString(sum[:8])
})

// ServeHTTP serves the archive at its address, whole or in ranges.
func (t Tiles) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if t.remote != nil || r.URL.Path != t.URL() {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/vnd.pmtiles")
	if t.file != "" {
		w.Header().Set("Cache-Control", "public, no-cache")
		http.ServeFile(w, r, t.file)
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("ETag", `"`+worldHash()+`"`)
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(world))
}
