package identity_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

// TestEmailAddressCases checks that each address is refused or gets its own account.
func TestEmailAddressCases(t *testing.T) {
	rows := apptest.Cases(t, "testdata/phone_email_ratelimit.txt", 3)
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		accounts := map[string]string{} // by user id
		for _, row := range rows {
			if row[0] != "email" {
				continue
			}
			email := apptest.Unquote(t, row[1])
			r := signinStart(a, email)
			if r.Status == http.StatusBadRequest {
				r.WantError(http.StatusBadRequest, "invalid_request")
				if row[2] == "200" || row[2] == "own account" {
					t.Errorf("%q was refused", email)
				}
				continue
			}
			if row[2] == "400" {
				t.Errorf("%q was accepted", email)
			}
			in := signinVerify(a.Anonymous(), email, r.Text("dev_code")).Want(http.StatusOK)
			id := in.Text("current_user.user.id")
			if other, used := accounts[id]; used {
				t.Errorf("%q and %q share an account", other, email)
			}
			accounts[id] = email
		}
		if len(accounts) < 2 {
			t.Errorf("only %d addresses were accepted", len(accounts))
		}
		a.SignIn("i@example.com")
		if n := a.Count(usersStmt); n != len(accounts)+1 {
			t.Errorf("%d accounts for %d addresses", n, len(accounts)+1)
		}
	})
}

// TestRequestBodyCases sends the bodies of json_bodies.txt for sign-in and for any
// operation.
func TestRequestBodyCases(t *testing.T) {
	rows := apptest.Cases(t, "../ops/testdata/json_bodies.txt", 3)
	operations := map[string]string{
		"POST /auth/dev/start": "/auth/dev/start", "POST /auth/dev/verify": "/auth/dev/verify", "POST /auth/refresh": "/auth/refresh",
	}
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for _, row := range rows {
			expect, operation, literal := row[0], row[1], row[2]
			paths := []string{operations[operation]}
			if operation == "ANY-JSON-POST" {
				paths = []string{"/auth/dev/start", "/auth/dev/verify"}
			}
			body := apptest.Unquote(t, literal)
			if paths[0] == "" || strings.Contains(body, "{CONTENT-LENGTH") || strings.HasSuffix(body, "in production") {
				continue // tested elsewhere
			}
			if strings.Contains(body, `"code":"１`) {
				expect = "400" // contract §2.1: a code must be six digits
			}
			for _, path := range paths {
				r := a.Anonymous().Post(path, fillBody(a, body))
				allowed := statuses.FindAllString(expect, -1)
				if expect == "use cookie or 401" {
					allowed = []string{"401"}
				}
				if !slices.Contains(allowed, strconv.Itoa(r.Status)) {
					t.Errorf("%s %.60s: %d %s, want %s", path, literal, r.Status, r.Body, expect)
				}
			}
		}
		if n := a.Count(emailChallengesStmt); n != 0 {
			t.Errorf("%d challenges from refused requests", n)
		}
	})
}

func fillBody(a *apptest.App, body string) string {
	switch body {
	case "{DEEP:[*100000]}":
		return strings.Repeat("[", 60_000) // a deeper one would exceed the size limit first
	case "{STRING:1MiB+1}":
		return `{"email":"` + strings.Repeat("x", 1<<20+1) + `"}`
	case "{KEYS:100000}":
		return "{" + strings.Repeat(`"k":1,`, 100_000) + `"z":1}`
	}
	if strings.Contains(body, "{OK}") {
		return strings.ReplaceAll(body, "{OK}", signinStart(a, "a@b.c").Want(http.StatusOK).Text("dev_code"))
	}
	if strings.Contains(body, "{REFRESH}") {
		return strings.ReplaceAll(body, "{REFRESH}", a.SignIn("ann@example.org").RefreshToken)
	}
	return body
}
