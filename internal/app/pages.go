package app

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the start page
	"encoding/hex"
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"moothall/api"
	"moothall/internal/signin"
)

// extraRoutes are the routes outside the contract.
func (a *App) extraRoutes(signIn *signin.Handler) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", a.startPage)
	mux.HandleFunc("GET /api/openapi.yaml", contract())
	mux.Handle("GET /docs", api.Docs())
	mux.Handle("GET /docs/", api.Docs())
	mux.HandleFunc("GET /livez", live)
	mux.HandleFunc("GET /readyz", a.ready)
	mux.HandleFunc("POST /auth/phone/callback/smsru", signIn.PhoneReports("smsru"))
	mux.HandleFunc("POST /auth/phone/callback/smsc", signIn.PhoneReports("smsc"))
	mux.HandleFunc("GET /dev/calls", signIn.PendingCallsPage)
	mux.HandleFunc("POST /dev/calls", signIn.SimulateCall)
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

// startPage greets a visitor and says how to go on.
func (a *App) startPage(w http.ResponseWriter, r *http.Request) {
	events, err := a.comingUp(r.Context())
	if err != nil {
		a.log.WarnContext(r.Context(), "start page without events", slog.String("error", err.Error()))
	}
	email := "you@example.org"
	if len(a.demo) > 0 {
		email = a.demo[0].Email
	}
	var page bytes.Buffer
	err = startTemplate.Execute(&page, map[string]any{
		"Base": a.settings.PublicBaseURL, "Version": Version, "Email": email, "People": a.demo, "Events": events,
		"DevSignIn": a.settings.DevSignIn, "ExposeCode": a.settings.DevExposeCode,
	})
	if err != nil {
		panic(err) // the template and its data are ours
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-cache")
	_, _ = page.WriteTo(w) // the client is gone: nobody to tell
}
