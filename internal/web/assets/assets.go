// Package assets contains the built styles, scripts, fonts and icons of the web client.
// Command internal/web/ui builds them.
package assets

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/vearutop/statigz"
	"github.com/vearutop/statigz/brotli"
)

//go:embed dist
var dist embed.FS

// Path is the path below which Handler serves the files.
const Path = "/assets/"

// plainStyle is the file of Style. Its name has no hash, so that pages of other packages can
// refer to it: those without an operation of the contract.
const plainStyle = "site.css"

// The style sheets that pages contain. Lists of events and the page of an event have all that they need, because most visits begin there.
var (
	Style      = string(read(plainStyle))
	ListStyle  = Style + string(read("first-list.css"))
	EventStyle = Style + string(read("first-event.css"))
)

// Styles are all style sheets that pages contain, the longest first: each of them begins with Style.
var Styles = []string{ListStyle, EventStyle, Style}

// StyleSources returns some of Styles as sources in a Content-Security-Policy.
func StyleSources(styles ...string) string {
	sources := make([]string, len(styles))
	for i, style := range styles {
		sum := sha256.Sum256([]byte(style))
		sources[i] = "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return strings.Join(sources, " ")
}

// fileOf has the file of each asset.
var fileOf = func() (files map[string]string) {
	if err := json.Unmarshal(read("assets.json"), &files); err != nil {
		panic(err) // the build is wrong
	}
	return files
}()

func read(name string) []byte {
	content, err := dist.ReadFile("dist/" + name)
	if err != nil {
		panic(err) // the build is wrong
	}
	return content
}

// URL returns the address of an asset, such as app.js. Its content never changes. URL panics
// if there is no such asset.
func URL(name string) string {
	file, ok := fileOf[name]
	if !ok {
		panic("assets: no " + name)
	}
	return Path + file
}

// types are the media types that the mime package takes from the machine.
var types = map[string]string{
	".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/woff2",
}

// files serves the files of the folder dist. It hashes them once per process.
var files = sync.OnceValue(func() *statigz.Server {
	return statigz.FileServer(dist, brotli.AddEncoding, statigz.FSPrefix("dist"))
})

// Worker serves the service worker, at an address at which browsers look for a new version. It
// may load files of this service only.
func Worker() http.Handler {
	files := files()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-cache")
		h.Set("Content-Security-Policy", "default-src 'none'; connect-src 'self'")
		r = r.Clone(r.Context())
		r.URL.Path = fileOf["worker.js"]
		files.ServeHTTP(w, r)
	})
}

// Handler serves the files, compressed if the browser takes that.
func Handler() http.Handler {
	files := files()
	return http.StripPrefix(Path, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/") || !files.Found(r) {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		if r.URL.Path == plainStyle {
			h.Set("Cache-Control", "no-cache")
		}
		if mediaType := types[path.Ext(r.URL.Path)]; mediaType != "" {
			h.Set("Content-Type", mediaType)
		}
		files.ServeHTTP(w, r)
	}))
}
