package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"moothall/api/gen"
	"moothall/internal/platform/form"
	"moothall/internal/web/view"
)

// refreshCookie is the cookie that identifies a signed-in visitor (specification §5.2).
const refreshCookie = "service_refresh_token"

// visit is one request of a browser, on whose behalf operations are called.
type visit struct {
	r       *http.Request
	w       http.ResponseWriter
	page    *view.Page
	form    *form.Form // of an action
	changed bool       // a cookie was set; the whole page may depend on it

	mu      sync.Mutex     // guards the cookies while calls are concurrent
	cookies []*http.Cookie // of the browser, with those that operations have set since
	header  []string       // the cookies as operations get them
}

type visitKey struct{}

// newVisit returns the visit of a request and a context for its operations.
func newVisit(w http.ResponseWriter, r *http.Request) (context.Context, *visit) {
	v := &visit{r: r, w: w, cookies: r.Cookies(), header: r.Header["Cookie"]}
	return context.WithValue(r.Context(), visitKey{}, v), v
}

// background returns a context for operations that may go on after the response to the visit. They set no cookies.
func (v *visit) background(ctx context.Context) context.Context {
	page := *v.page
	later := &visit{r: v.r, w: nowhere{}, page: &page, cookies: slices.Clone(v.cookies), header: v.header}
	return context.WithValue(context.WithoutCancel(ctx), visitKey{}, later)
}

// nowhere is a response that nobody gets.
type nowhere struct{ http.ResponseWriter }

// Header implements http.ResponseWriter.
func (nowhere) Header() http.Header { return http.Header{} }

func visitOf(ctx context.Context) *visit { return ctx.Value(visitKey{}).(*visit) }

// cookie returns the value of a cookie, or "".
func (v *visit) cookie(name string) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, c := range v.cookies {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// setCookie changes a cookie in the browser, and for the operations that follow.
func (v *visit) setCookie(c *http.Cookie) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.changed = true
	v.w.Header().Add("Set-Cookie", c.String())
	v.cookies = slices.DeleteFunc(v.cookies, func(old *http.Cookie) bool { return old.Name == c.Name })
	if c.MaxAge >= 0 {
		v.cookies = append(v.cookies, c)
	}
	next := http.Request{Header: http.Header{}}
	for _, c := range v.cookies {
		next.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value, Quoted: c.Quoted}) //nolint:gosec // a request has no attributes
	}
	v.header = next.Header["Cookie"]
}

// cookieHeader returns the cookies as operations get them.
func (v *visit) cookieHeader() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.header
}

// invoke calls an operation on behalf of the visit of the context. The error of a call that was refused is a *view.Problem.
func (s *Site) invoke(ctx context.Context, call *gen.Call) (any, error) {
	v := visitOf(ctx)
	call.Cookies, call.Language = v.cookieHeader(), v.page.Language.Locale()
	value, err := s.Calls.Invoke(ctx, call)
	for _, line := range call.SetCookies {
		if c, err := http.ParseSetCookie(line); err == nil {
			v.setCookie(c)
		}
	}
	if refusal, refused := errors.AsType[*gen.Refusal](err); refused {
		return nil, problemOf(refusal)
	}
	return value, err
}

// briefWait is how long a call that the page can do without waits for the database.
const briefWait = 20 * time.Millisecond

// invokeBriefly is invoke for calls that the page can do without.
func (s *Site) invokeBriefly(ctx context.Context, call *gen.Call) (any, error) {
	call.Wait = briefWait
	return s.invoke(ctx, call)
}

// problemOf returns the refusal of an operation as pages show it.
func problemOf(r *gen.Refusal) *view.Problem {
	p := &view.Problem{Status: r.Status, Code: r.Code, Reason: r.Reason, RetryAfter: r.RetryAfter}
	for _, f := range r.Fields {
		p.Fields = append(p.Fields, view.Field{
			Pointer: f.Pointer, Name: strings.TrimPrefix(strings.TrimPrefix(f.Pointer, "/"), "?"), Detail: f.Detail,
		})
	}
	return p
}
