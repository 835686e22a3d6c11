package identity_test

import (
	"fmt"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// longest is how long a response may take when a provider does not answer: longer than the limits of
// the service, shorter than the minute after which any request ends.
const longest = 50 * time.Second

func signinStart(a *apptest.App, email string) *apptest.Reply {
	return a.Anonymous().Post("/auth/dev/start", map[string]string{"email": email})
}

func signinVerify(c *apptest.Client, email, code string) *apptest.Reply {
	return c.Post("/auth/dev/verify", map[string]string{"email": email, "code": code})
}

// wrongCode returns a code that differs from the given one, another one for each
// n below 999,999.
func wrongCode(code string, n int) string {
	var value int
	_, _ = fmt.Sscanf(code, "%d", &value) // six digits
	return fmt.Sprintf("%06d", (value+1+n)%1_000_000)
}

var (
	signinSuspendStmt   = db.SQL("signin_test.suspend", `UPDATE users SET suspended_at = $2 WHERE id = $1`)
	usersStmt           = db.SQL("signin_test.users", `SELECT COUNT(*) FROM users`)
	signinSessionsStmt  = db.SQL("signin_test.sessions", `SELECT COUNT(*) FROM sessions`)
	sessionsOfStmt      = db.SQL("signin_test.sessions_of", `SELECT COUNT(*) FROM sessions WHERE user_id = $1`)
	phoneSessionsStmt   = db.SQL("signin_test.phone_sessions", `SELECT COUNT(*) FROM sessions WHERE auth_method = 'phone_call'`)
	emailChallengesStmt = db.SQL("signin_test.email_challenges", `SELECT COUNT(*) FROM email_challenges`)
	phoneChallengesStmt = db.SQL("signin_test.phone_challenges", `SELECT COUNT(*) FROM phone_challenges`)
	triesStmt           = db.SQL("signin_test.tries", `SELECT tries_left FROM email_challenges WHERE email_key = $1`)
	identitiesStmt      = db.SQL("signin_test.identities", `SELECT COUNT(*) FROM identities`)
	statesStmt          = db.SQL("signin_test.states", `SELECT COUNT(*) FROM oauth_states`)
	unverifyStmt        = db.SQL("signin_test.unverify", `UPDATE users SET email_verified = FALSE WHERE email_key = $1`)
)
