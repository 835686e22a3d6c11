package httpapi

import (
	"context"
	"net/http"
	"strings"

	"moothall/api/gen"
	"moothall/internal/domain"
)

// RefreshCookieName is the cookie of browser clients (specification §5.2).
const RefreshCookieName = "service_refresh_token"

// maxToken bounds what is looked up: a token of ours has 46 characters.
const maxToken = 512

// Authenticator says whose a token is. Both answer domain.Unauthorized for one
// that is not good, whatever the reason.
type Authenticator interface {
	// ByAccessToken judges an access token.
	ByAccessToken(ctx context.Context, token string) (domain.Viewer, error)
	// ByRefreshToken judges the refresh cookie on a session endpoint. It never
	// rotates, and a stale token revokes nothing.
	ByRefreshToken(ctx context.Context, token string) (domain.Viewer, error)
}

// credential is what the request brought along to show who is asking.
type credential struct {
	bearer    string // token of the Authorization header
	hasHeader bool   // an Authorization header is there, well formed or not
	cookie    string // value of the refresh cookie
	cookieBad bool   // several refresh cookies that disagree
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

// bearerToken gives the one token after the scheme "Bearer" in any case, or ""
// (RFC 6750: one space, the characters of token68).
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

// present reports whether the request claims to be somebody.
func (c credential) present() bool { return c.hasHeader || c.cookie != "" || c.cookieBad }

// byCookie reports whether the cookie is what decides: an Authorization header
// is always judged alone, a bad one never falls back to the cookie.
func (c credential) byCookie() bool { return !c.hasHeader && c.cookie != "" }

// authenticate finds out who is asking, as the operation's security says.
func (s *Server) authenticate(ctx context.Context, ex *exchange) error {
	switch ex.op.auth {
	case authNone:
		return nil
	case authOptional:
		if !ex.login.present() {
			return nil
		}
	case authSession:
		if !ex.login.present() {
			return domain.Unauthorized
		}
	}
	viewer, err := s.viewerOf(ctx, ex.login)
	ex.viewer = viewer
	return err
}

func (s *Server) viewerOf(ctx context.Context, c credential) (domain.Viewer, error) {
	switch {
	case c.hasHeader && c.bearer != "":
		return s.auth.ByAccessToken(ctx, c.bearer)
	case c.hasHeader, c.cookieBad, len(c.cookie) > maxToken:
		return domain.Viewer{}, domain.Unauthorized
	default:
		return s.auth.ByRefreshToken(ctx, c.cookie)
	}
}

// admitted stands in for the generated security hooks: authenticate has judged
// the request before, also where the hooks would never be asked (a malformed
// Authorization header beside a good cookie, or on an operation that takes
// anonymous callers).
type admitted struct{}

// HandleBearerAuth accepts what authenticate has accepted.
func (admitted) HandleBearerAuth(ctx context.Context, _ gen.OperationName, _ gen.BearerAuth) (context.Context, error) {
	return ctx, nil
}

// HandleRefreshCookie accepts what authenticate has accepted.
func (admitted) HandleRefreshCookie(ctx context.Context, _ gen.OperationName, _ gen.RefreshCookie) (context.Context, error) {
	return ctx, nil
}
