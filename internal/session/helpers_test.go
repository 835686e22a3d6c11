package session_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"moothall/internal/apptest"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const cookieName = "service_refresh_token"

// refresh trades a token sent in the body.
func refresh(c *apptest.Client, token string) *apptest.Reply {
	return c.Post("/auth/refresh", map[string]string{"refresh_token": token})
}

// withCookie is a client that has nothing but the refresh cookie.
func withCookie(a *apptest.App, token string) *apptest.Client {
	return a.Anonymous().With("Cookie", cookieName+"="+token)
}

// bearer is a client that has nothing but the access token.
func bearer(a *apptest.App, token string) *apptest.Client {
	return a.Anonymous().With("Authorization", "Bearer "+token)
}

// instances is on how many instances the tests run that need several.
const instances = 3

// wantEverywhere asks every instance for /me.
func wantEverywhere(t *testing.T, c *apptest.Client, status int) {
	t.Helper()
	for i := range instances {
		if got := c.On(i).Get("/me").Status; got != status {
			t.Errorf("instance %d answers %d, want %d", i, got, status)
		}
	}
}

// parallel makes n calls at once, spread over the instances, and gives the answers.
func parallel(n int, call func(i int) *apptest.Reply) []*apptest.Reply {
	replies := make([]*apptest.Reply, n)
	var ready, all sync.WaitGroup
	ready.Add(1)
	for i := range n {
		all.Go(func() {
			ready.Wait()
			replies[i] = call(i)
		})
	}
	ready.Done()
	all.Wait()
	return replies
}

// successes gives the answers 200 and fails the test on any but 200 and 401.
func successes(t *testing.T, replies []*apptest.Reply) []*apptest.Reply {
	t.Helper()
	var good []*apptest.Reply
	for _, r := range replies {
		if r.Status == http.StatusOK {
			good = append(good, r)
			continue
		}
		r.WantError(http.StatusUnauthorized, "unauthorized")
	}
	return good
}

func exec(t *testing.T, d *db.DB, s *db.Stmt, args ...any) {
	t.Helper()
	if _, err := d.Exec(t.Context(), s, args...); err != nil {
		t.Fatal(err)
	}
}

func number(t *testing.T, d *db.DB, s *db.Stmt, args ...any) (n int) {
	t.Helper()
	if err := d.One(t.Context(), s, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func userID(t *testing.T, c *apptest.Client) domain.UserID {
	t.Helper()
	id, err := domain.ParseID[domain.UserKind](c.UserID)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

var (
	suspendStmt    = db.SQL("session_test.suspend", `UPDATE users SET suspended_at = $2 WHERE id = $1`)
	usersStmt      = db.SQL("session_test.users", `SELECT COUNT(*) FROM users`)
	sessionsStmt   = db.SQL("session_test.sessions", `SELECT COUNT(*) FROM sessions WHERE user_id = $1`)
	revokedStmt    = db.SQL("session_test.revoked", `SELECT COUNT(*) FROM sessions WHERE user_id = $1 AND revoked_at IS NOT NULL`)
	challengesStmt = db.SQL("session_test.challenges", `SELECT COUNT(*) FROM email_challenges`)
	triesStmt      = db.SQL("session_test.tries", `SELECT tries_left FROM email_challenges WHERE email_key = $1`)
	remainsStmt    = db.SQL("session_test.remains", `
		SELECT (SELECT COUNT(*) FROM sessions) + (SELECT COUNT(*) FROM retired_refresh_tokens) + (SELECT COUNT(*) FROM email_challenges)`)
)

// readList reads a list of cases: columns separated by TAB, at least n.
func readList(t *testing.T, name string, n int) [][]string {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var rows [][]string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		columns := strings.Split(lines.Text(), "\t")
		if !strings.HasPrefix(columns[0], "#") && len(columns) >= n {
			rows = append(rows, columns)
		}
	}
	if len(rows) < 20 {
		t.Fatalf("%s has only %d cases", name, len(rows))
	}
	return rows
}

// unquote gives the text of a JSON string; anything else stands for itself.
func unquote(t *testing.T, literal string) string {
	t.Helper()
	if !strings.HasPrefix(literal, `"`) {
		return literal
	}
	var text string
	if err := json.Unmarshal([]byte(literal), &text); err != nil {
		t.Fatalf("%s: %v", literal, err)
	}
	return text
}
