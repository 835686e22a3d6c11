package session

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler is the room's operations of the contract, and the httpapi.Authenticator.
type Handler struct {
	service *Service
	secure  bool
}

// NewHandler makes the operations of a service. Secure marks the cookie for
// HTTPS only: true whenever browsers reach the service that way.
func NewHandler(s *Service, secure bool) *Handler { return &Handler{service: s, secure: secure} }

// ByAccessToken implements httpapi.Authenticator.
func (h *Handler) ByAccessToken(ctx context.Context, token string) (domain.Viewer, error) {
	return h.service.ByAccessToken(ctx, token, client(ctx))
}

// ByRefreshToken implements httpapi.Authenticator.
func (h *Handler) ByRefreshToken(ctx context.Context, token string) (domain.Viewer, error) {
	return h.service.ByRefreshToken(ctx, token, client(ctx))
}

func client(ctx context.Context) Client {
	c := httpapi.Client(ctx)
	return newClient(c.UserAgent, c.Address)
}

// StartDevSignIn is POST /auth/dev/start.
func (h *Handler) StartDevSignIn(ctx context.Context, req *gen.StartDevSignInRequest) (*gen.DevSignInChallenge, error) {
	c, err := h.service.StartDev(ctx, req.Email, httpapi.Client(ctx).Languages)
	if err != nil {
		return nil, err
	}
	answer := &gen.DevSignInChallenge{
		Status: gen.DevSignInChallengeStatusPending, CodeLength: codeLength,
		ExpiresAt: c.ExpiresAt, ExpiresInSeconds: seconds(codeLifetime), ResendAfterSeconds: seconds(resendAfter),
	}
	if c.Code != "" {
		answer.DevCode = gen.NewOptString(c.Code)
	}
	return answer, nil
}

// VerifyDevSignIn is POST /auth/dev/verify.
func (h *Handler) VerifyDevSignIn(ctx context.Context, req *gen.VerifyDevSignInRequest) (*gen.AuthSession, error) {
	in, err := h.service.VerifyDev(ctx, req.Email, req.Code, client(ctx))
	if err != nil {
		return nil, err
	}
	return h.signedIn(ctx, in), nil
}

// RefreshSession is POST /auth/refresh.
func (h *Handler) RefreshSession(ctx context.Context, req gen.OptRefreshTokenRequest) (*gen.RefreshSession, error) {
	token, ok := sentToken(ctx, req)
	if !ok {
		return nil, domain.Unauthorized
	}
	t, err := h.service.Refresh(ctx, token, client(ctx))
	if err != nil {
		return nil, err
	}
	h.setCookie(ctx, t)
	return &gen.RefreshSession{
		SessionID: uuid.UUID(t.SessionID), TokenType: gen.TokenTypeBearer,
		AccessToken: t.Access, AccessTokenExpiresAt: t.AccessExpiresAt,
		RefreshToken: t.Refresh, ExpiresAt: t.RefreshExpiresAt,
	}, nil
}

// Logout is POST /auth/logout. It ends the session of the refresh token and, for
// clients that send one, that of the access token (policy "Sessions").
func (h *Handler) Logout(ctx context.Context, req gen.OptRefreshTokenRequest) error {
	token, hasToken := sentToken(ctx, req)
	if hasToken {
		if err := h.service.Logout(ctx, token); err != nil {
			return err
		}
	}
	err := h.logoutBearer(ctx)
	if err != nil && !(hasToken && errors.Is(err, domain.Unauthorized)) {
		return err
	}
	h.ExpireCookie(ctx)
	return nil
}

// ExpireCookie has the browser forget its refresh token.
func (h *Handler) ExpireCookie(ctx context.Context) { httpapi.SetCookie(ctx, h.cookie("", -1)) }

func (h *Handler) logoutBearer(ctx context.Context) error {
	v, err := h.ByAccessToken(ctx, httpapi.BearerToken(ctx))
	if err != nil {
		return err
	}
	return h.service.Revoke(ctx, v, v.SessionID)
}

// sentToken gives the refresh token of the body, else of the cookie, which
// never stands in for an Authorization header.
func sentToken(ctx context.Context, req gen.OptRefreshTokenRequest) (token string, ok bool) {
	if body := req.Value.RefreshToken; body.Set && !body.Null {
		return body.Value, true
	}
	return httpapi.RefreshCookie(ctx)
}

// ListSessions is GET /auth/sessions.
func (h *Handler) ListSessions(ctx context.Context) (*gen.AuthSessionsResponse, error) {
	list, err := h.service.List(ctx, httpapi.Viewer(ctx))
	if err != nil {
		return nil, err
	}
	answer := &gen.AuthSessionsResponse{Items: make([]gen.AuthSessionItem, len(list)), NextCursor: gen.NullString(nil)}
	for i, l := range list {
		answer.Items[i] = gen.AuthSessionItem{
			SessionID: uuid.UUID(l.ID), IsCurrent: l.Current, AuthMethod: gen.AuthMethod(l.Method),
			UserAgent: gen.NullString(l.UserAgent), DeviceName: gen.NullString(DeviceName(l.UserAgent)), IP: gen.NullString(l.Network),
			CreatedAt: l.CreatedAt, LastUsedAt: l.LastUsedAt, ExpiresAt: l.ExpiresAt,
		}
	}
	return answer, nil
}

// RevokeSession is DELETE /auth/sessions/{session_id}.
func (h *Handler) RevokeSession(ctx context.Context, params gen.RevokeSessionParams) error {
	return h.service.Revoke(ctx, httpapi.Viewer(ctx), domain.SessionID(params.SessionID))
}

// RevokeOtherSessions is POST /auth/sessions/revoke-others.
func (h *Handler) RevokeOtherSessions(ctx context.Context) error {
	return h.service.RevokeOthers(ctx, httpapi.Viewer(ctx))
}

func (h *Handler) setCookie(ctx context.Context, t Tokens) {
	left := t.RefreshExpiresAt.Sub(h.service.clock.Now())
	httpapi.SetCookie(ctx, h.cookie(t.Refresh, seconds(left)))
}

// cookie is the refresh cookie (specification §5.2); a negative age expires it.
func (h *Handler) cookie(token string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: httpapi.RefreshCookieName, Value: token, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: h.secure, SameSite: http.SameSiteLaxMode,
	}
}

func seconds(d time.Duration) int { return int(d / time.Second) }
