package app

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the start page
	"encoding/hex"
	"html/template"
	"net/http"
	"time"

	"moothall/api"
)

// pages are the routes outside the contract, all of them.
func (a *App) pages() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", a.startPage)
	mux.HandleFunc("GET /api/openapi.yaml", contract())
	mux.HandleFunc("GET /livez", live)
	mux.HandleFunc("GET /readyz", a.ready)
	return mux
}

// contract serves the canonical contract, byte for byte.
func contract() http.HandlerFunc {
	sum := sha256.Sum256(api.Spec)
	etag := `"` + hex.EncodeToString(sum[:16]) + `"`
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "application/yaml")
		h.Set("ETag", etag)
		h.Set("Cache-Control", "no-cache")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(api.Spec))
	}
}

//go:embed start.html
var startHTML string

var startTemplate = template.Must(template.New("start").Parse(startHTML))

// Start is what the start page shows beside the way in.
type Start struct {
	People []Person
	Events []Coming
}

// Person is somebody to sign in as.
type Person struct{ Name, Email string }

// Coming is an event to look at.
type Coming struct{ Title, When, City string }

// startPage greets a visitor and says how to go on.
func (a *App) startPage(w http.ResponseWriter, r *http.Request) {
	data := struct {
		Start
		Base, Version, Email  string
		DevSignIn, ExposeCode bool
	}{
		Base: a.settings.PublicBaseURL, Version: Version, Email: "you@example.org",
		DevSignIn: a.settings.DevSignIn, ExposeCode: a.settings.DevExposeCode,
	}
	if a.Demo != nil {
		data.Start = a.Demo(r.Context())
	}
	if len(data.People) > 0 {
		data.Email = data.People[0].Email
	}
	var page bytes.Buffer
	if err := startTemplate.Execute(&page, data); err != nil {
		panic(err) // the template and its data are ours
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-cache")
	_, _ = page.WriteTo(w) // the client is gone: nobody to tell
}
