package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/ogen-go/ogen/ogenerrors"

	"moothall/api/gen"
	"moothall/internal/platform/form"
	"moothall/internal/web/view"
)

// refreshCookie is the cookie that identifies a signed-in visitor (specification §5.2).
const refreshCookie = "service_refresh_token"

// newClient returns a client of the contract whose requests the handler answers inside the
// process, on behalf of the visit of their context.
func newClient(api http.Handler) (*gen.Client, error) {
	return gen.NewClient("http://moothall", credentials{}, gen.WithClient(transport{api}))
}

// visit is one request of a browser, on whose behalf operations are called.
type visit struct {
	r       *http.Request
	w       http.ResponseWriter
	cookies []*http.Cookie // of the browser, with those that operations have set since
	page    *view.Page
	form    *form.Form // of an action
	changed bool       // a cookie was set; the whole page may depend on it
}

type visitKey struct{}

// newVisit returns the visit of a request and a context for its operations.
func newVisit(w http.ResponseWriter, r *http.Request) (context.Context, *visit) {
	v := &visit{r: r, w: w, cookies: r.Cookies()}
	return context.WithValue(r.Context(), visitKey{}, v), v
}

// background returns a context for operations that may go on after the response to the visit. They set no cookies.
func (v *visit) background(ctx context.Context) context.Context {
	page := *v.page
	later := &visit{r: v.r.Clone(context.WithoutCancel(ctx)), w: &response{header: http.Header{}}, cookies: slices.Clone(v.cookies),
		page: &page}
	later.w.Header().Set("X-Request-Id", v.w.Header().Get("X-Request-Id"))
	return context.WithValue(later.r.Context(), visitKey{}, later)
}

func visitOf(ctx context.Context) *visit { return ctx.Value(visitKey{}).(*visit) }

// cookie returns the value of a cookie, or "".
func (v *visit) cookie(name string) string {
	for _, c := range v.cookies {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// setCookie changes a cookie in the browser, and for the operations that follow.
func (v *visit) setCookie(c *http.Cookie) {
	v.changed = true
	v.w.Header().Add("Set-Cookie", c.String())
	v.cookies = slices.DeleteFunc(v.cookies, func(old *http.Cookie) bool { return old.Name == c.Name })
	if c.MaxAge >= 0 {
		v.cookies = append(v.cookies, c)
	}
}

// credentials satisfy the security requirements of operations by the cookie of the visit.
type credentials struct{}

// BearerAuth implements gen.SecuritySource: pages have no access token.
func (credentials) BearerAuth(context.Context, gen.OperationName) (gen.BearerAuth, error) {
	return gen.BearerAuth{}, ogenerrors.ErrSkipClientSecurity
}

// RefreshCookie implements gen.SecuritySource. The transport sends all cookies.
func (credentials) RefreshCookie(context.Context, gen.OperationName) (gen.RefreshCookie, error) {
	return gen.RefreshCookie{}, nil
}

// RealtimeTicket implements gen.SecuritySource: pages open no sockets.
func (credentials) RealtimeTicket(context.Context, gen.OperationName) (gen.RealtimeTicket, error) {
	return gen.RealtimeTicket{}, ogenerrors.ErrSkipClientSecurity
}

// transport answers requests by a handler.
type transport struct{ handler http.Handler }

// forwarded are the headers of the browser's request that operations see.
var forwarded = []string{"User-Agent", "X-Forwarded-For", "Origin", "Sec-Fetch-Site"}

// Do implements the client of package gen. The response to a request that was refused is a
// *Problem.
func (t transport) Do(r *http.Request) (*http.Response, error) {
	v := visitOf(r.Context())
	r.RequestURI, r.Host, r.RemoteAddr, r.TLS = r.URL.RequestURI(), v.r.Host, v.r.RemoteAddr, v.r.TLS
	if r.Body == nil {
		r.Body = http.NoBody
	}
	for _, name := range forwarded {
		if values, ok := v.r.Header[name]; ok {
			r.Header[name] = values
		}
	}
	r.Header.Set("Accept", "application/json, application/problem+json")
	r.Header.Set("Accept-Language", v.page.Language.String())
	r.Header.Set("X-Request-Id", v.w.Header().Get("X-Request-Id"))
	r.Header.Del("Cookie")
	for _, c := range v.cookies {
		r.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value, Quoted: c.Quoted}) //nolint:gosec // a request has no attributes
	}
	w := &response{header: http.Header{}}
	t.handler.ServeHTTP(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err // the visitor is gone
	}
	answer := &http.Response{StatusCode: w.status, Header: w.header, Body: io.NopCloser(&w.body), Request: r}
	for _, c := range answer.Cookies() {
		v.setCookie(c)
	}
	if w.status >= http.StatusBadRequest {
		return nil, problemOf(answer, w.body.Bytes())
	}
	return answer, nil
}

// response is a response writer in memory.
type response struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (w *response) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *response) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write implements http.ResponseWriter.
func (w *response) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// problemOf reads the refusal of an operation.
func problemOf(r *http.Response, body []byte) *view.Problem {
	p := &view.Problem{Status: r.StatusCode}
	_ = json.Unmarshal(body, p) // any other body has no code
	p.RetryAfter, _ = strconv.Atoi(r.Header.Get("Retry-After"))
	for i, f := range p.Fields {
		p.Fields[i].Name = strings.TrimPrefix(strings.TrimPrefix(f.Pointer, "/"), "?")
	}
	return p
}
