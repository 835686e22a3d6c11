package api

import (
	"embed"
	"net/http"
	"sync"

	"github.com/swaggest/swgui/v5/static"
	"github.com/vearutop/statigz"
)

//go:embed docs
var docsFS embed.FS

// docsPolicy lets the reference load resources from this server only. Swagger UI
// loads its icons from data URLs.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Docs serves the API reference: an embedded Swagger UI for the contract at
// /api/openapi.yaml, and a page for the one at /api/asyncapi.yaml. Mount it at /docs and
// /docs/. Its links are relative, because clients may see it below a path.
func Docs() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /docs", docsPage("docs/index.html"))
	mux.HandleFunc("GET /docs/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "../docs") // http.Redirect makes it absolute
		w.WriteHeader(http.StatusMovedPermanently)
	})
	mux.HandleFunc("GET /docs/realtime", serveRealtimePage)
	mux.HandleFunc("GET /docs/reference.js", docsPage("docs/reference.js"))
	mux.HandleFunc("GET /docs/reference.css", docsPage("docs/reference.css"))
	mux.HandleFunc("GET /docs/samples.js", docsPage("docs/samples.js"))
	mux.Handle("GET /docs/", viewer())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", docsPolicy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Cache-Control", "no-cache")
		mux.ServeHTTP(w, r)
	})
}

// viewer serves the files of Swagger UI. It hashes them once per process.
var viewer = sync.OnceValue(func() http.Handler { return http.StripPrefix("/docs/", statigz.FileServer(static.FS)) })

func docsPage(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, docsFS, name)
	}
}
