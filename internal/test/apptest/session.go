package apptest

import (
	"net/http"
	"testing"

	"moothall/internal/domain"
)

// RefreshCookie is the name of the cookie with the refresh token.
const RefreshCookie = "service_refresh_token"

// WithCookie returns a client that has only a refresh cookie.
func (a *App) WithCookie(refreshToken string) *Client {
	return a.Anonymous().With("Cookie", RefreshCookie+"="+refreshToken)
}

// WithBearer returns a client that has only an access token.
func (a *App) WithBearer(accessToken string) *Client {
	return a.Anonymous().With("Authorization", "Bearer "+accessToken)
}

// Refresh sends a refresh token in the body of POST /auth/refresh.
func (c *Client) Refresh(token string) *Reply {
	return c.Post("/auth/refresh", map[string]string{"refresh_token": token})
}

// ID returns the client's user id.
func (c *Client) ID() domain.UserID {
	c.t.Helper()
	id, err := domain.ParseID[domain.UserKind](c.UserID)
	if err != nil {
		c.t.Fatal(err)
	}
	return id
}

// Replies sends n requests at the same moment and returns their replies.
func Replies(n int, send func(i int) *Reply) []*Reply {
	replies := make([]*Reply, n)
	Concurrently(n, func(i int) { replies[i] = send(i) })
	return replies
}

// Accepted returns the replies with status 200. Every other reply must be 401.
func Accepted(t *testing.T, replies []*Reply) []*Reply {
	t.Helper()
	var accepted []*Reply
	for _, r := range replies {
		if r.Status == http.StatusOK {
			accepted = append(accepted, r)
			continue
		}
		r.WantError(http.StatusUnauthorized, "unauthorized")
	}
	return accepted
}

// RefreshTokenOf returns the refresh token that a response sets as a cookie, or "".
func RefreshTokenOf(r *Reply) string {
	for _, c := range (&http.Response{Header: r.Header}).Cookies() {
		if c.Name == RefreshCookie {
			return c.Value
		}
	}
	return ""
}
