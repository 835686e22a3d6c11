package session

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
	"moothall/internal/user"
)

// idpCookieName is the cookie that ties a trip to a browser. It is sent to the
// callback only.
const idpCookieName = "service_idp_trip"

func (h *Handler) idpCookie(browser string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: idpCookieName, Value: browser, Path: "/auth/idp", MaxAge: maxAge,
		HttpOnly: true, Secure: h.secure, SameSite: http.SameSiteLaxMode,
	}
}

// StartIdpSignIn is GET /auth/idp/start. Anything wrong with return_to, a
// second one included, leads to the default place.
func (h *Handler) StartIdpSignIn(ctx context.Context, _ gen.StartIdpSignInParams) (*gen.StartIdpSignInSeeOther, error) {
	q := httpapi.Query(ctx)
	returnTo, _, twice := single(q, "return_to")
	if twice {
		returnTo = ""
	}
	d, err := h.service.StartIdp(ctx, q.Get("provider"), returnTo)
	if err != nil {
		return nil, err
	}
	httpapi.SetCookie(ctx, h.idpCookie(d.Browser, seconds(tripLifetime)))
	httpapi.Header(ctx).Set("Cache-Control", "private, no-store")
	return &gen.StartIdpSignInSeeOther{Location: d.URL}, nil
}

// FinishIdpSignIn is GET /auth/idp/callback. Whatever a browser brings, it is
// sent on to a local path.
func (h *Handler) FinishIdpSignIn(ctx context.Context, _ gen.FinishIdpSignInParams) (*gen.FinishIdpSignInSeeOther, error) {
	r := returned(httpapi.Query(ctx))
	r.Browser, _ = httpapi.Cookie(ctx, idpCookieName)
	httpapi.Header(ctx).Set("Cache-Control", "private, no-store")
	in, returnTo, consumed, err := h.service.FinishIdp(ctx, r, client(ctx))
	if consumed {
		httpapi.SetCookie(ctx, h.idpCookie("", -1))
	}
	if code := LoginError(""); errors.As(err, &code) {
		httpapi.Note(ctx, err)
		return &gen.FinishIdpSignInSeeOther{Location: "/login?error=" + string(code)}, nil
	}
	if err != nil {
		return nil, err
	}
	h.setCookie(ctx, in.Tokens)
	return &gen.FinishIdpSignInSeeOther{Location: returnTo}, nil
}

// returned reads the answer of a provider. A parameter that stands twice could
// be read differently by others on its way (RFC 6749 §3.1 forbids it).
func returned(q url.Values) Return {
	var r Return
	for name, to := range map[string]*string{"state": &r.State, "code": &r.Code, "error": &r.Error, "iss": &r.Issuer} {
		value, given, twice := single(q, name)
		*to = value
		r.Twice = r.Twice || twice
		r.HasIssuer = r.HasIssuer || given && name == "iss"
	}
	return r
}

// single gives the one value of a parameter.
func single(q url.Values, name string) (value string, given, twice bool) {
	return q.Get(name), len(q[name]) > 0, len(q[name]) > 1
}

// SignInWithIdpToken is POST /auth/idp/mobile.
func (h *Handler) SignInWithIdpToken(ctx context.Context, req *gen.IdpTokenRequest) (*gen.AuthSession, error) {
	in, err := h.service.SignInByToken(ctx, req.Provider.Value, req.OAuthToken, req.Nonce.Value, client(ctx))
	if err != nil {
		return nil, err
	}
	return h.signedIn(ctx, in), nil
}

// signedIn is the answer to whoever has signed in; it sets the cookie too.
func (h *Handler) signedIn(ctx context.Context, in SignedIn) *gen.AuthSession {
	h.setCookie(ctx, in.Tokens)
	return &gen.AuthSession{
		CurrentUser: *user.AccountAPI(in.Account),
		SessionID:   uuid.UUID(in.SessionID), TokenType: gen.TokenTypeBearer,
		AccessToken: in.Access, AccessTokenExpiresAt: in.AccessExpiresAt,
		RefreshToken: in.Refresh, ExpiresAt: in.RefreshExpiresAt,
	}
}
