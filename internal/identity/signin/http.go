package signin

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/platform/httpapi"
)

// Handler implements the sign-in operations and the pages of phone calls.
type Handler struct {
	service  *Service
	sessions *session.Handler
	secure   bool
}

// NewHandler returns the handler of a service. sessions sets the refresh cookie.
// secure restricts the cookies to HTTPS.
func NewHandler(s *Service, sessions *session.Handler, secure bool) *Handler {
	return &Handler{service: s, sessions: sessions, secure: secure}
}

// StartDevSignIn serves POST /auth/dev/start.
func (h *Handler) StartDevSignIn(ctx context.Context, req *gen.StartDevSignInRequest) (*gen.DevSignInChallenge, error) {
	c, err := h.service.StartEmail(ctx, req.Email, httpapi.Client(ctx).Languages)
	if err != nil {
		return nil, err
	}
	response := &gen.DevSignInChallenge{
		Status: gen.DevSignInChallengeStatusPending, CodeLength: codeLength,
		ExpiresAt: c.ExpiresAt, ExpiresInSeconds: seconds(codeLifetime), ResendAfterSeconds: seconds(resendAfter),
	}
	if c.Code != "" {
		response.DevCode = gen.NewOptString(c.Code)
	}
	return response, nil
}

// VerifyDevSignIn serves POST /auth/dev/verify.
func (h *Handler) VerifyDevSignIn(ctx context.Context, req *gen.VerifyDevSignInRequest) (*gen.AuthSession, error) {
	in, err := h.service.VerifyEmail(ctx, req.Email, req.Code, session.ClientOf(ctx))
	if err != nil {
		return nil, err
	}
	return h.sessions.AuthSession(ctx, in), nil
}

// StartPhoneCall serves POST /auth/phone/call/start.
func (h *Handler) StartPhoneCall(ctx context.Context, req *gen.StartPhoneCallRequest) (*gen.PhoneCallChallenge, error) {
	refreshToken, _ := httpapi.RefreshCookie(ctx)
	c, err := h.service.StartPhone(ctx, PhoneStart{
		Number: req.Phone, Challenge: domain.ChallengeID(req.ChallengeID.Value), Address: httpapi.Client(ctx).Address,
		AccessToken: httpapi.BearerToken(ctx), RefreshToken: refreshToken,
	})
	if err != nil {
		return nil, err
	}
	return &gen.PhoneCallChallenge{
		ChallengeID: uuid.UUID(c.ID), Status: gen.PhoneCallChallengeStatusPending,
		CallPhone: c.Number, CallPhonePretty: c.Pretty, PhoneMasked: c.Phone.Masked(),
		ExpiresAt: c.ExpiresAt, ExpiresInSeconds: seconds(c.ExpiresIn), PollIntervalSeconds: seconds(pollEvery),
	}, nil
}

// GetPhoneCallStatus serves POST /auth/phone/call/status.
func (h *Handler) GetPhoneCallStatus(ctx context.Context, req *gen.PhoneCallStatusRequest) (*gen.PhoneCallStatus, error) {
	poll, err := h.service.PollPhone(ctx, req.ChallengeID, session.ClientOf(ctx))
	if err != nil {
		return nil, err
	}
	switch poll.State {
	case PhonePending:
		return &gen.PhoneCallStatus{Status: gen.PhoneCallStatusStatusPending,
			ExpiresAt: gen.NewOptDateTime(poll.ExpiresAt), RetryAfterSeconds: gen.NewOptInt(seconds(pollEvery))}, nil
	case PhoneExpired:
		return &gen.PhoneCallStatus{Status: gen.PhoneCallStatusStatusExpired, ExpiresAt: gen.NewOptDateTime(poll.ExpiresAt)}, nil
	case PhoneVerified: // the response is below
	}
	in := poll.SignedIn
	h.sessions.Begin(ctx, in)
	return &gen.PhoneCallStatus{
		Status: gen.PhoneCallStatusStatusVerified, CurrentUser: gen.NewOptCurrentUser(*user.AccountAPI(in.Account)),
		SessionID: gen.NewOptUUID(uuid.UUID(in.SessionID)), TokenType: gen.NewOptTokenType(gen.TokenTypeBearer),
		AccessToken: gen.NewOptString(in.Access), AccessTokenExpiresAt: gen.NewOptDateTime(in.AccessExpiresAt),
		RefreshToken: gen.NewOptString(in.Refresh), ExpiresAt: gen.NewOptDateTime(in.RefreshExpiresAt),
	}, nil
}

func seconds(d time.Duration) int { return int(d / time.Second) }

// stateCookieName is the cookie that ties an OAuth state to a browser. Browsers
// send it to the callback and its siblings only.
const stateCookieName = "service_idp_state"

func (h *Handler) stateCookie(browser string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: stateCookieName, Value: browser, Path: h.service.Idp.cookiePath(), MaxAge: maxAge,
		HttpOnly: true, Secure: h.secure, SameSite: http.SameSiteLaxMode,
	}
}

// StartIdpSignIn serves GET /auth/idp/start. An invalid or repeated return_to
// selects the default path.
func (h *Handler) StartIdpSignIn(ctx context.Context, _ gen.StartIdpSignInParams) (*gen.StartIdpSignInSeeOther, error) {
	q := httpapi.Query(ctx)
	returnTo, _, repeated := single(q, "return_to")
	if repeated {
		returnTo = ""
	}
	r, err := h.service.StartIdp(ctx, q.Get("provider"), returnTo)
	if err != nil {
		return nil, err
	}
	httpapi.SetCookie(ctx, h.stateCookie(r.Browser, seconds(stateLifetime)))
	httpapi.ResponseHeader(ctx).Set("Cache-Control", "private, no-store")
	return &gen.StartIdpSignInSeeOther{Location: r.URL}, nil
}

// FinishIdpSignIn serves GET /auth/idp/callback. It always redirects to a path of the web
// client, except for an internal error.
func (h *Handler) FinishIdpSignIn(ctx context.Context, _ gen.FinishIdpSignInParams) (*gen.FinishIdpSignInSeeOther, error) {
	cb := callback(httpapi.Query(ctx))
	cb.Browser, _ = httpapi.Cookie(ctx, stateCookieName)
	httpapi.ResponseHeader(ctx).Set("Cache-Control", "private, no-store")
	in, returnTo, consumed, err := h.service.FinishIdp(ctx, cb, session.ClientOf(ctx))
	if consumed {
		httpapi.SetCookie(ctx, h.stateCookie("", -1))
	}
	if code := LoginError(""); errors.As(err, &code) {
		httpapi.LogReason(ctx, err)
		httpapi.LogSecurity(ctx, httpapi.SignInFailed, domain.Viewer{})
		return &gen.FinishIdpSignInSeeOther{Location: h.service.Idp.WebOrigin + "/login?error=" + string(code)}, nil
	}
	if err != nil {
		return nil, err
	}
	h.sessions.Begin(ctx, in)
	return &gen.FinishIdpSignInSeeOther{Location: h.service.Idp.WebOrigin + returnTo}, nil
}

// callback reads the query of a callback. RFC 6749 §3.1 forbids repeated parameters,
// because other programs could read a different one of the values.
func callback(q url.Values) Callback {
	var cb Callback
	for name, dest := range map[string]*string{"state": &cb.State, "code": &cb.Code, "error": &cb.Error, "iss": &cb.Issuer} {
		value, given, repeated := single(q, name)
		*dest = value
		cb.Repeated = cb.Repeated || repeated
		cb.HasIssuer = cb.HasIssuer || given && name == "iss"
	}
	return cb
}

// single returns the value of a parameter that must not be repeated.
func single(q url.Values, name string) (value string, given, repeated bool) {
	return q.Get(name), len(q[name]) > 0, len(q[name]) > 1
}

// SignInWithIdpToken serves POST /auth/idp/mobile.
func (h *Handler) SignInWithIdpToken(ctx context.Context, req *gen.IdpTokenRequest) (*gen.AuthSession, error) {
	in, err := h.service.SignInByToken(ctx, req.Provider.Value, req.OAuthToken, req.Nonce.Value, session.ClientOf(ctx))
	if err != nil {
		return nil, err
	}
	return h.sessions.AuthSession(ctx, in), nil
}
