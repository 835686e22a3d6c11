package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"moothall/internal/domain"
)

// RefreshCookieName is the cookie of browser clients (specification §5.2).
const RefreshCookieName = "service_refresh_token"

// maxToken is the maximum length of a token that is looked up. Valid tokens have 46
// characters.
const maxToken = 512

// Authenticator identifies the viewer by a token. All methods return
// domain.Unauthorized when the token is not valid, whatever the reason.
type Authenticator interface {
	// ByAccessToken identifies the viewer by an access token or an API key.
	ByAccessToken(ctx context.Context, token string) (domain.Viewer, error)
	// ByRefreshToken identifies the viewer by the refresh cookie on a session
	// endpoint. It never rotates the token, and a stale token revokes nothing.
	ByRefreshToken(ctx context.Context, token string) (domain.Viewer, error)
	// ByTicket identifies the viewer by the ticket of a WebSocket, which it uses up. The
	// ticket must be for the same path parameter, empty for an operation without one.
	ByTicket(ctx context.Context, ticket, parameter string) (domain.Viewer, error)
}

// credential is how the request identifies its caller.
type credential struct {
	bearer    string // token of the Authorization header
	hasHeader bool   // there is an Authorization header, well formed or not
	cookie    string // value of the refresh cookie
	cookieBad bool   // several refresh cookies that disagree
	ticket    string // of a WebSocket; empty if several were sent
	hasTicket bool   // then there is nothing else
}

func credentialOf(r *http.Request) credential {
	header, hasHeader := r.Header["Authorization"]
	c := credential{hasHeader: hasHeader}
	if len(header) == 1 {
		c.bearer = bearerToken(header[0])
	}
	if _, ok := r.Header["Cookie"]; ok {
		for i, cookie := range r.CookiesNamed(RefreshCookieName) {
			c.cookieBad = c.cookieBad || i > 0 && cookie.Value != c.cookie
			c.cookie = cookie.Value
		}
	}
	return c
}

// bearerToken returns the token after the scheme "Bearer" in any letter case, or
// "" when the header is malformed (RFC 6750: one space, the token68 characters).
func bearerToken(header string) string {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") || len(token) > maxToken {
		return ""
	}
	if strings.Trim(token, token68) != "" {
		return ""
	}
	return token
}

const token68 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/="

// present reports whether the request has any credential, valid or not.
func (c credential) present() bool {
	return c.hasHeader || c.hasTicket || c.cookie != "" || c.cookieBad
}

// token returns the token that identifies the caller.
func (c credential) token() string {
	switch {
	case c.hasHeader:
		return c.bearer
	case c.hasTicket:
		return c.ticket
	}
	return c.cookie
}

// byCookie reports whether the cookie identifies the caller. The server ignores the
// cookie if there is an Authorization header, even an invalid one.
func (c credential) byCookie() bool { return !c.hasHeader && c.cookie != "" }

// withoutHeader returns the credential of a request without its Authorization header.
func (c credential) withoutHeader() credential {
	return credential{cookie: c.cookie, cookieBad: c.cookieBad}
}

// chooseCredential decides which credential of the request counts.
func (s *Server) chooseCredential(x *exchange) error {
	if x.st.op.auth == authRefresh {
		x.st.credential = x.st.credential.withoutHeader()
	}
	x.st.takeTicket(x.r)
	return nil
}

// identifyFirst identifies the viewer before a small body is read, if the operation needs a session. A credential of a recent
// request needs no lookup: its viewer is identified after the body has arrived.
func (s *Server) identifyFirst(x *exchange) error {
	if x.st.op.uploads != nil || x.st.op.auth != authSession || x.r.Body == nil || x.r.Body == http.NoBody ||
		s.callers.knows(x.st.credential) {
		return nil
	}
	first := &exchange{w: x.w, r: x.r, arrived: x.arrived, st: x.st}
	defer first.end() // the permit is free while the body arrives
	return s.pass(first, []stage{(*Server).takePermit, (*Server).limitTime, (*Server).identify})
}

// identify checks the origin and identifies the viewer.
func (s *Server) identify(x *exchange) error {
	x.st.foreign = s.origins.isForeign(x.r)
	if err := x.st.checkOrigin(); err != nil {
		return err
	}
	if err := s.origins.checkSocket(x.st, x.r); err != nil {
		return err
	}
	return s.authenticate(x.r.Context(), x.st)
}

// authenticate identifies the viewer by the operation's security requirements.
func (s *Server) authenticate(ctx context.Context, st *requestState) error {
	switch st.op.auth {
	case authNone, authRefresh:
		return nil
	case authOptional:
		if !st.credential.present() {
			return nil
		}
	case authSession:
		if !st.credential.present() {
			return domain.Unauthorized
		}
	}
	viewer, err := s.viewerOf(ctx, st)
	st.viewer = viewer
	if err != nil {
		return err
	}
	s.callers.remember(st.credential, viewer.UserID)
	if viewer.Key != nil && !viewer.Key.Allows(st.op.scope) {
		return domain.Forbid(domain.InsufficientScope)
	}
	return nil
}

func (s *Server) viewerOf(ctx context.Context, st *requestState) (domain.Viewer, error) {
	switch c := st.credential; {
	case c.hasTicket:
		parameter := ""
		if len(st.args) > 0 {
			parameter = st.args[0]
		}
		return s.auth.ByTicket(ctx, c.ticket, parameter)
	case c.hasHeader && c.bearer != "":
		return s.auth.ByAccessToken(ctx, c.bearer)
	case c.hasHeader, c.cookieBad, len(c.cookie) > maxToken:
		return domain.Viewer{}, domain.Unauthorized
	case st.page != nil:
		return st.page.visitor.identify(c, func() (domain.Viewer, error) { return s.auth.ByRefreshToken(ctx, c.cookie) })
	default:
		return s.auth.ByRefreshToken(ctx, c.cookie)
	}
}

const (
	corsMethods = "GET, HEAD, POST, PUT, PATCH, DELETE"
	corsHeaders = "Authorization, Content-Type, Accept-Language, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id"
	corsExposed = "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"
)

// origins are the web origins whose pages may call the API (specification §5.9):
// an exact list without patterns. It can never contain "null".
type origins struct {
	allowed    []string
	protection *http.CrossOriginProtection
}

func newOrigins(allowed []string) (*origins, error) {
	o := &origins{allowed: allowed, protection: http.NewCrossOriginProtection()}
	for _, origin := range allowed {
		if err := o.protection.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// writeCORS writes the CORS headers: whether the calling page may read the response.
func (o *origins) writeCORS(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if !slices.Contains(o.allowed, origin) {
		return
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Credentials", "true")
	if isPreflight(r) {
		h.Set("Access-Control-Allow-Methods", corsMethods)
		h.Set("Access-Control-Allow-Headers", corsHeaders)
		h.Set("Access-Control-Max-Age", "7200")
	} else {
		h.Set("Access-Control-Expose-Headers", corsExposed)
	}
}

func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// isForeign reports whether a page of a foreign origin sends a request that changes something.
func (o *origins) isForeign(r *http.Request) bool {
	return o.protection.Check(r) != nil || len(r.Header["Origin"]) > 1
}

// checkOrigin returns domain.Forbidden for a change that a foreign page makes with the
// visitor's cookie (CSRF). A foreign page cannot forge an Authorization header.
func (st *requestState) checkOrigin() error {
	if !st.credential.byCookie() || !st.foreign {
		return nil
	}
	return domain.Forbid(domain.ForeignOrigin)
}

// addVary names request headers that the response depends on.
func addVary(h http.Header, names ...string) { h.Add("Vary", strings.Join(names, ", ")) }
