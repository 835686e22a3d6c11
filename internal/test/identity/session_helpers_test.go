package identity_test

import (
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// instances is the number of instances in tests that need several.
const instances = 3

// wantEverywhere wants a status of GET /me on every instance.
func wantEverywhere(t *testing.T, c *apptest.Client, status int) {
	t.Helper()
	for i := range instances {
		if got := c.On(i).Get("/me").Status; got != status {
			t.Errorf("instance %d: status %d, want %d", i, got, status)
		}
	}
}

func sessionStart(a *apptest.App, email string) *apptest.Reply {
	return a.Anonymous().Post("/auth/dev/start", map[string]string{"email": email})
}

func sessionVerify(c *apptest.Client, email, code string) *apptest.Reply {
	return c.Post("/auth/dev/verify", map[string]string{"email": email, "code": code})
}

var (
	sessionSuspendStmt  = db.SQL("session_test.suspend", `UPDATE users SET suspended_at = $2 WHERE id = $1`)
	sessionSessionsStmt = db.SQL("session_test.sessions", `SELECT COUNT(*) FROM sessions WHERE user_id = $1`)
	revokedStmt         = db.SQL("session_test.revoked", `SELECT COUNT(*) FROM sessions WHERE user_id = $1 AND revoked_at IS NOT NULL`)
	sessionRowsStmt     = db.SQL("session_test.rows", `SELECT (SELECT COUNT(*) FROM sessions) + (SELECT COUNT(*) FROM retired_refresh_tokens)`)
)
