package web

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/a-h/templ"
	"golang.org/x/text/language"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/text"
	"moothall/internal/web/assets"
	"moothall/internal/web/basemap"
	"moothall/internal/web/documents"
	"moothall/internal/web/preview"
	"moothall/internal/web/view"
)

//go:generate go run ./ui

//go:embed texts
var texts embed.FS

var languages = text.LoadLanguages(texts, language.English, language.German, language.Russian)

// pseudo is for tests. Visitors are not offered it.
var pseudo = text.Pseudo(languages[0])

// Options configure the web client.
type Options struct {
	Calls   *gen.Calls // of operations; see httpapi.Server.Call
	Clock   domain.Clock
	BaseURL string // address of the API for other programs
	Origin  string // scheme and host of the pages
	HTTPS   bool   // browsers reach the service by https only
	Methods view.SignInMethods
	Map     *basemap.Map // under the events

	Documents *documents.Library // pages of whoever runs the service

	Geocoder string // its kind; empty: none

	Currencies []string // ISO 4217, of prices; the first is the usual one
	Live       bool     // there are WebSockets

	RemoteDatabase bool // operations wait for a database on the network

	Reports string // path to which browsers report violations of the Content-Security-Policy; empty: none
}

// Site serves the web client. It implements httpapi.WebClient.
type Site struct {
	Options
	api      *gen.Calls // on behalf of the visit of their context
	brief    *gen.Calls // the same; refused with 503 while the database is busy
	routes   []route
	actions  map[string]action
	origins  *http.CrossOriginProtection
	policy   string
	previews *preview.Cache
}

// New returns the web client of a service.
func New(o Options) *Site {
	s := &Site{Options: o, origins: http.NewCrossOriginProtection(), previews: preview.NewCache()}
	s.policy = policyFor(o.Map.Origin(), o.Reports)
	s.api = &gen.Calls{Operations: o.Calls.Operations, Invoke: s.invoke}
	s.brief = &gen.Calls{Operations: o.Calls.Operations, Invoke: s.invokeBriefly}
	s.routes, s.actions = s.newRoutes(), s.newActions()
	return s
}

// Assets serves the files below assets.Path.
func Assets() http.Handler { return assets.Handler() }

// Worker serves the service worker.
func Worker() http.Handler { return assets.Worker() }

// Page implements httpapi.WebClient.
func (s *Site) Page(path string) string {
	if r := s.match(path, nil); r != nil {
		return r.pattern
	}
	if strings.HasPrefix(path, mailAnswers) {
		return ""
	}
	for _, prefix := range onlyPages {
		if strings.HasPrefix(path, prefix) {
			return prefix
		}
	}
	return ""
}

// Variant implements httpapi.WebClient.
func (s *Site) Variant(r *http.Request) string {
	part := ""
	if r.Header["Hx-Request"] != nil {
		part = "part"
	}
	l := languageOf(r)
	return l.String() + " " + l.HourCycle() + " " + themeOf(r) + " " + part + " " + s.Documents.Version() + " "
}

// Fragments implements httpapi.WebClient.
func (s *Site) Fragments() []string { return assets.Styles }

// ServePage implements httpapi.WebClient.
func (s *Site) ServePage(w http.ResponseWriter, r *http.Request) error {
	route := s.match(r.URL.Path, r)
	if route == nil {
		s.WriteError(w, r, http.StatusNotFound)
		return nil
	}
	ctx, v := newVisit(w, r)
	if goesOn, err := s.begin(ctx, v); !goesOn {
		return err
	}
	return s.show(ctx, v, route.page, http.StatusOK)
}

// WriteError implements httpapi.WebClient. It renders the page as for an anonymous visitor: it calls no
// operation that could fail. A visitor who must sign in goes there.
func (s *Site) WriteError(w http.ResponseWriter, r *http.Request, status int) {
	_, v := newVisit(w, r)
	v.page = s.newPage(r)
	if status == http.StatusUnauthorized {
		v.open(loginPath(v.page.Path()))
		return
	}
	ctx := context.WithoutCancel(r.Context()) // a body that could not be read has canceled it
	seconds, _ := strconv.Atoi(w.Header().Get("Retry-After"))
	if err := s.writeProblem(ctx, v, &view.Problem{Status: status, RetryAfter: seconds}); err != nil {
		http.Error(w, http.StatusText(status), status)
	}
}

// newPage returns what all pages share, for an anonymous visitor.
func (s *Site) newPage(r *http.Request) *view.Page {
	return &view.Page{
		Language: languageOf(r), Languages: languages, Theme: themeOf(r), Now: s.Clock(), URL: r.URL, Query: r.URL.Query(),
		Base: s.BaseURL, Methods: s.Methods, Live: s.Live,
		Documents: s.Documents.List(languageOf(r).String()),
		Tiles:     basemap.WorldURL(), Streets: s.Map.Streets(), Geocoder: s.Geocoder, Part: r.Header["Hx-Request"] != nil,
	}
}

// begin extends the session of the visitor and identifies them. It returns false if it has written a response, or an error.
func (s *Site) begin(ctx context.Context, v *visit) (goesOn bool, err error) {
	v.page = s.newPage(v.r)
	if v.cookie(refreshCookie) == "" {
		return true, nil
	}
	s.extendSession(ctx, v)
	return s.identify(ctx, v)
}

// redirect is the error of a page that sends the visitor elsewhere.
type redirect struct{ to string }

// Error implements error.
func (r redirect) Error() string { return "web: go to " + r.to }

// found is the error of a page at an earlier address. The visitor goes to the one that people share.
type found struct{ at string }

// Error implements error.
func (f found) Error() string { return "web: found at " + f.at }

// moveTo returns found if the page has another path, with the query of the page. It returns nil for htmx and for a form that is shown
// again: both need the content.
func (v *visit) moveTo(path string) error {
	if v.page.URL.Path == path || v.page.Part || v.page.Form.Action != "" {
		return nil
	}
	return found{(&url.URL{Path: path, RawQuery: v.page.URL.RawQuery}).String()}
}

// loginPath is the address of the sign-in that returns to an address.
func loginPath(returnTo string) string {
	return "/login?" + url.Values{"return_to": {returnTo}}.Encode()
}

// show writes a page. A refusal of the page becomes a redirect or the error page.
func (s *Site) show(ctx context.Context, v *visit, page page, status int) error {
	content, err := page(ctx, v)
	elsewhere, moved := errors.AsType[redirect](err)
	shared, isFound := errors.AsType[found](err)
	switch problem, refused := errors.AsType[*view.Problem](err); {
	case err == nil:
		return s.write(ctx, v, content, status)
	case moved:
		v.open(elsewhere.to)
	case isFound:
		v.w.Header().Set("Cache-Control", "private, no-store")
		v.w.Header().Set("Location", shared.at)
		v.w.WriteHeader(http.StatusFound)
	case refused && problem.Status == http.StatusUnauthorized:
		v.open(loginPath(v.page.Path()))
	case refused:
		return s.writeProblem(ctx, v, problem)
	default:
		return err
	}
	return nil
}

// open sends the browser to an address of this service.
func (v *visit) open(to string) { v.openFrom(to, v.isOn(to)) }

// openFrom is open. shown says that the browser shows that page, or has loaded it as a part of the one that it shows.
func (v *visit) openFrom(to string, shown bool) {
	h := v.w.Header()
	h.Set("Cache-Control", "private, no-store")
	if v.page.Part && (v.changed || !shown) {
		h.Set("HX-Redirect", to) // htmx would replace only the content of the page
		v.w.WriteHeader(http.StatusOK)
		return
	}
	h.Set("Location", to)
	v.w.WriteHeader(http.StatusSeeOther)
}

// isOn reports whether the browser shows the page at an address.
func (v *visit) isOn(address string) bool {
	current, err := url.Parse(v.r.Header.Get("HX-Current-URL"))
	page, _, _ := strings.Cut(address, "#")
	return err == nil && current.RequestURI() == page
}

// policyFor returns the Content-Security-Policy of all pages. Pages load nothing from other
// hosts except the tiles of maps, and contain no inline scripts.
func policyFor(tiles, reports string) string {
	directives := []string{
		"default-src 'none'", "script-src 'self'", "style-src 'self' " + assets.StyleSources(assets.Styles...),
		"img-src 'self' data: blob:", "font-src 'self'",
		strings.TrimSpace("connect-src 'self' " + tiles),
		"worker-src 'self'", "manifest-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
		"require-trusted-types-for 'script'", "trusted-types default htmx",
	}
	if reports != "" {
		directives = append(directives, "report-uri "+reports)
	}
	return strings.Join(directives, "; ")
}

// writeProblem writes the error page. If the service is too busy, the browser loads the page again by itself.
func (s *Site) writeProblem(ctx context.Context, v *visit, problem *view.Problem) error {
	if problem.Status == http.StatusServiceUnavailable {
		seconds := v.retryLater(problem)
		if v.r.Method == http.MethodGet && v.page.Form.Action == "" {
			v.w.Header().Set("Refresh", seconds)
		}
	}
	if v.page.Part {
		v.w.Header().Set("HX-Retarget", "#main") // the form may have asked for another part of its page
		v.w.Header().Set("HX-Reselect", "#main")
	}
	return s.write(ctx, v, view.Error(v.page, problem), problem.Status)
}

// retryLater says when a request may be sent again, in seconds.
func (v *visit) retryLater(problem *view.Problem) string {
	seconds := strconv.Itoa(max(1, problem.RetryAfter))
	v.w.Header().Set("Retry-After", seconds)
	return seconds
}

// bodies are buffers of pages, most of which are larger than 50 KB.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// write renders a page.
func (s *Site) write(ctx context.Context, v *visit, content templ.Component, status int) error {
	body := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(body)
	body.Reset()
	if err := view.Layout(v.page, content).Render(ctx, body); err != nil {
		return err
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", v.page.Language.String())
	h.Set("Content-Security-Policy", s.policy)
	h.Set("Referrer-Policy", "same-origin") // browsers without Sec-Fetch-Site must send Origin
	v.w.WriteHeader(status)
	_, _ = body.WriteTo(v.w) // fails only when the client is gone
	return nil
}
