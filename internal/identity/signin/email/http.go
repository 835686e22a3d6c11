package email

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/user"
	"moothall/internal/identity/session"
	"moothall/internal/identity/signin"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of sign-in by e-mail and the page of the link.
type Handler struct {
	service    *Service
	sessions   *session.Handler
	secure     bool
	protection *http.CrossOriginProtection
}

// NewHandler returns the handler of a service. sessions sets the refresh cookie. secure
// restricts the cookies to HTTPS.
func NewHandler(s *Service, sessions *session.Handler, secure bool) (*Handler, error) {
	h := &Handler{service: s, sessions: sessions, secure: secure, protection: http.NewCrossOriginProtection()}
	return h, h.protection.AddTrustedOrigin(s.WebOrigin)
}

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"startEmailSignIn": httpapi.BodyCheck(func(_ context.Context, req *gen.StartEmailSignInRequest) error {
			_, err := signin.ParseEmail(req.Email)
			return err
		}),
		"verifyEmailSignIn": httpapi.BodyCheck(func(_ context.Context, req *gen.VerifyEmailSignInRequest) error {
			_, err := signin.ParseEmail(req.Email)
			return err
		}),
	}
}

// StartEmailSignIn serves POST /auth/email/start.
func (h *Handler) StartEmailSignIn(ctx context.Context, req *gen.StartEmailSignInRequest) (*gen.EmailSignInChallenge, error) {
	challenge, err := h.challenge(ctx, req.Challenge)
	if err != nil {
		return nil, err
	}
	client := httpapi.Client(ctx)
	refreshToken, _ := httpapi.RefreshCookie(ctx)
	c, err := h.service.Start(ctx, Start{
		Email: req.Email, ReturnTo: req.ReturnTo.Value, Challenge: challenge, Languages: client.Languages,
		Client: session.ClientOf(ctx), Address: client.Address, AccessToken: httpapi.BearerToken(ctx), RefreshToken: refreshToken,
	})
	if err != nil {
		return nil, err
	}
	httpapi.SetCookie(ctx, h.cookie(c.Secret, seconds(c.ExpiresIn)))
	return &gen.EmailSignInChallenge{
		Status: gen.EmailSignInChallengeStatusPending, Challenge: c.Secret, Number: c.Number, ExpiresAt: c.ExpiresAt,
		ExpiresInSeconds: seconds(c.ExpiresIn), ResendAfterSeconds: seconds(resendAfter), CodeLength: codeLength,
		PollIntervalSeconds: seconds(pollEvery),
	}, nil
}

// VerifyEmailSignIn serves POST /auth/email/verify.
func (h *Handler) VerifyEmailSignIn(ctx context.Context, req *gen.VerifyEmailSignInRequest) (*gen.AuthSession, error) {
	challenge, err := h.challenge(ctx, req.Challenge)
	if err != nil {
		return nil, err
	}
	in, err := h.service.Verify(ctx, req.Email, req.Code, challenge, session.ClientOf(ctx))
	if err != nil {
		return nil, err
	}
	httpapi.SetCookie(ctx, h.cookie("", -1))
	return h.sessions.AuthSession(ctx, in), nil
}

// GetEmailSignInStatus serves POST /auth/email/status.
func (h *Handler) GetEmailSignInStatus(ctx context.Context, req *gen.EmailSignInStatusRequest) (*gen.EmailSignInStatus, error) {
	challenge, err := h.challenge(ctx, req.Challenge)
	if err != nil {
		return nil, err
	}
	status, err := h.service.Poll(ctx, challenge, session.ClientOf(ctx))
	if err != nil {
		return nil, err
	}
	switch status.State {
	case Pending:
		return &gen.EmailSignInStatus{Status: gen.EmailSignInStatusStatusPending,
			ExpiresAt: gen.NewOptDateTime(status.ExpiresAt), RetryAfterSeconds: gen.NewOptInt(seconds(pollEvery))}, nil
	case Expired:
		return &gen.EmailSignInStatus{Status: gen.EmailSignInStatusStatusExpired, ExpiresAt: gen.NewOptDateTime(status.ExpiresAt)}, nil
	case Verified: // the response is below
	}
	in := status.SignedIn
	h.sessions.Begin(ctx, in)
	httpapi.SetCookie(ctx, h.cookie("", -1))
	return &gen.EmailSignInStatus{
		Status: gen.EmailSignInStatusStatusVerified, CurrentUser: gen.NewOptCurrentUser(*user.AccountAPI(in.Account)),
		SessionID: gen.NewOptUUID(uuid.UUID(in.SessionID)), TokenType: gen.NewOptTokenType(gen.TokenTypeBearer),
		AccessToken: gen.NewOptString(in.Access), AccessTokenExpiresAt: gen.NewOptDateTime(in.AccessExpiresAt),
		RefreshToken: gen.NewOptString(in.Refresh), ExpiresAt: gen.NewOptDateTime(in.RefreshExpiresAt),
	}, nil
}

// challenge returns the challenge of the body, else of the cookie. The cookie of a foreign page is domain.Forbidden.
func (h *Handler) challenge(ctx context.Context, sent gen.OptNilString) (string, error) {
	if sent.Set && !sent.Null {
		return sent.Value, nil
	}
	return httpapi.OwnCookie(ctx, h.cookieName())
}

// cookieName returns the name of the cookie with the challenge. Over HTTPS its prefix keeps
// other hosts of the domain from setting it.
func (h *Handler) cookieName() string {
	if h.secure {
		return "__Host-email_sign_in"
	}
	return "email_sign_in"
}

func (h *Handler) cookie(challenge string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: h.cookieName(), Value: challenge, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: h.secure, SameSite: http.SameSiteLaxMode,
	}
}

func seconds(d time.Duration) int { return int(d / time.Second) }
