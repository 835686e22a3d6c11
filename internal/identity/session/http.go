package session

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of sessions and httpapi.Authenticator.
type Handler struct {
	service *Service
	secure  bool
}

// NewHandler returns the handler of a service. secure restricts the cookie to HTTPS:
// set it if browsers use HTTPS.
func NewHandler(s *Service, secure bool) *Handler { return &Handler{service: s, secure: secure} }

// ByAccessToken implements httpapi.Authenticator.
func (h *Handler) ByAccessToken(ctx context.Context, token string) (domain.Viewer, error) {
	return h.service.ByAccessToken(ctx, token, ClientOf(ctx))
}

// ByRefreshToken implements httpapi.Authenticator.
func (h *Handler) ByRefreshToken(ctx context.Context, token string) (domain.Viewer, error) {
	return h.service.ByRefreshToken(ctx, token, ClientOf(ctx))
}

// ClientOf returns the client of a request.
func ClientOf(ctx context.Context) Client {
	c := httpapi.Client(ctx)
	return newClient(c.UserAgent, c.Address)
}

// RefreshSession serves POST /auth/refresh.
func (h *Handler) RefreshSession(ctx context.Context, req gen.OptRefreshTokenRequest,
	params gen.RefreshSessionParams) (*gen.RefreshSession, error) {
	token, ok := sentToken(ctx, req)
	if !ok {
		return nil, domain.Unauthorized
	}
	t, err := h.service.Refresh(ctx, token, params.IdempotencyKey.Value, ClientOf(ctx))
	if reuse, ok := errors.AsType[*reuseError](err); ok {
		httpapi.LogSecurity(ctx, httpapi.RefreshReuse, reuse.of)
	}
	if err != nil {
		return nil, err
	}
	h.SetCookie(ctx, t)
	return &gen.RefreshSession{
		SessionID: uuid.UUID(t.SessionID), TokenType: gen.TokenTypeBearer,
		AccessToken: t.Access, AccessTokenExpiresAt: t.AccessExpiresAt,
		RefreshToken: t.Refresh, ExpiresAt: t.RefreshExpiresAt,
	}, nil
}

// Logout serves POST /auth/logout (policy "Sessions").
func (h *Handler) Logout(ctx context.Context, req gen.OptRefreshTokenRequest) error {
	token, ok := sentToken(ctx, req)
	if !ok {
		return domain.Unauthorized
	}
	of, err := h.service.Logout(ctx, token)
	if err != nil {
		return err
	}
	if of.SignedIn() {
		httpapi.LogSecurity(ctx, httpapi.Logout, of)
	}
	h.ExpireCookie(ctx)
	return nil
}

// sentToken returns the refresh token of the body, else of the cookie.
func sentToken(ctx context.Context, req gen.OptRefreshTokenRequest) (token string, ok bool) {
	if body := req.Value.RefreshToken; body.Set && !body.Null {
		return body.Value, true
	}
	return httpapi.RefreshCookie(ctx)
}

// ListSessions serves GET /auth/sessions.
func (h *Handler) ListSessions(ctx context.Context) (*gen.AuthSessionsResponse, error) {
	list, err := h.service.List(ctx, httpapi.Viewer(ctx))
	if err != nil {
		return nil, err
	}
	response := &gen.AuthSessionsResponse{Items: make([]gen.AuthSessionItem, len(list)), NextCursor: gen.NullString(nil)}
	for i, l := range list {
		response.Items[i] = gen.AuthSessionItem{
			SessionID: uuid.UUID(l.ID), IsCurrent: l.Current, AuthMethod: gen.AuthMethod(l.Method),
			UserAgent: gen.NullString(l.UserAgent), DeviceName: gen.NullString(DeviceName(l.UserAgent)), IP: gen.NullString(l.Network),
			CreatedAt: l.CreatedAt, LastUsedAt: l.LastUsedAt, ExpiresAt: l.ExpiresAt,
		}
	}
	return response, nil
}

// RevokeSession serves DELETE /auth/sessions/{session_id}.
func (h *Handler) RevokeSession(ctx context.Context, params gen.RevokeSessionParams) error {
	return h.service.Revoke(ctx, httpapi.Viewer(ctx), domain.SessionID(params.SessionID))
}

// RevokeOtherSessions serves POST /auth/sessions/revoke-others.
func (h *Handler) RevokeOtherSessions(ctx context.Context) error {
	return h.service.RevokeOthers(ctx, httpapi.Viewer(ctx))
}

// Begin sets the refresh cookie of a sign-in and logs it.
func (h *Handler) Begin(ctx context.Context, in SignedIn) {
	h.SetCookie(ctx, in.Tokens)
	httpapi.LogSecurity(ctx, httpapi.SignIn, domain.Viewer{UserID: in.Account.Profile.UserID, SessionID: in.SessionID})
}

// AuthSession returns the response to a sign-in and sets the refresh cookie.
func (h *Handler) AuthSession(ctx context.Context, in SignedIn) *gen.AuthSession {
	h.Begin(ctx, in)
	return &gen.AuthSession{
		CurrentUser: *user.AccountAPI(in.Account),
		SessionID:   uuid.UUID(in.SessionID), TokenType: gen.TokenTypeBearer,
		AccessToken: in.Access, AccessTokenExpiresAt: in.AccessExpiresAt,
		RefreshToken: in.Refresh, ExpiresAt: in.RefreshExpiresAt,
	}
}

// SetCookie sets the refresh cookie (specification §5.2).
func (h *Handler) SetCookie(ctx context.Context, t Tokens) {
	left := t.RefreshExpiresAt.Sub(h.service.Clock.Now())
	httpapi.SetCookie(ctx, h.cookie(t.Refresh, int(left/time.Second)))
}

// ExpireCookie deletes the refresh cookie in the browser.
func (h *Handler) ExpireCookie(ctx context.Context) { httpapi.SetCookie(ctx, h.cookie("", -1)) }

func (h *Handler) cookie(token string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: httpapi.RefreshCookieName, Value: token, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: h.secure, SameSite: http.SameSiteLaxMode,
	}
}
