package session_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"moothall/internal/apptest"
)

// tokenCases fills the placeholders of tokens.txt for one fresh session.
func tokenCases(a *apptest.App) func(value string) string {
	ann, other := a.SignIn("ann@example.org"), a.SignIn("bob@example.org")
	stored := sha256.Sum256([]byte(ann.AccessToken))
	last := ann.AccessToken[len(ann.AccessToken)-1:]
	flipped := map[bool]string{true: "B", false: "A"}[last == "A"]
	fill := map[string]func() string{
		"{ACCESS}":             func() string { return ann.AccessToken },
		"{ACCESS":              func() string { return strings.TrimSuffix(ann.AccessToken, last) },
		"{ACCESS_FLIP_LAST}":   func() string { return strings.TrimSuffix(ann.AccessToken, last) + flipped },
		"{ACCESS_LOWER}":       func() string { return strings.ToLower(ann.AccessToken) },
		"{REFRESH}":            func() string { return ann.RefreshToken },
		"{USER_ID}":            func() string { return ann.UserID },
		"{HMAC_HEX_OF_ACCESS}": func() string { return hex.EncodeToString(stored[:]) },
		"{INVALID}":            func() string { return "at_invalid" },
		"{VICTIM}":             func() string { return other.RefreshToken },
		"{OTHER_USER_REFRESH}": func() string { return other.RefreshToken },
		"{4096+ bytes}":        func() string { return strings.Repeat("A", 4200) },
		"{ROTATED_ACCESS}": func() string {
			refresh(a.Anonymous(), ann.RefreshToken).Want(http.StatusOK)
			return ann.AccessToken
		},
		"{ROTATED_REFRESH}": func() string {
			refresh(a.Anonymous(), ann.RefreshToken).Want(http.StatusOK)
			a.Clock.Advance(time.Minute) // beyond the race window
			return ann.RefreshToken
		},
		"{REVOKED_ACCESS}": func() string {
			a.SignIn("ann@example.org").Post("/auth/sessions/revoke-others", nil).Want(http.StatusNoContent)
			return ann.AccessToken
		},
		"{EXPIRED_REFRESH}": func() string {
			a.Clock.Advance(31 * 24 * time.Hour)
			return ann.RefreshToken
		},
	}
	return func(value string) string {
		return regexp.MustCompile(`\{[A-Z0-9+][A-Za-z0-9_+ ]*\}?`).ReplaceAllStringFunc(value, func(name string) string {
			if made, known := fill[name]; known {
				return made()
			}
			return name
		})
	}
}

// sendToken makes the request of one case of tokens.txt.
func sendToken(a *apptest.App, channel, value string) *apptest.Reply {
	anonymous := a.Anonymous()
	switch channel {
	case "authorization":
		if value == "" { // With takes an empty header away
			return anonymous.Raw("GET /me HTTP/1.1\r\nHost: x\r\nAuthorization:\r\nConnection: close\r\n\r\n")
		}
		return anonymous.With("Authorization", value).Get("/me")
	case "authorization+cookie":
		header, _, _ := strings.Cut(value, " + ")
		return withCookie(a, a.SignIn("ann@example.org").RefreshToken).With("Authorization", header).Get("/me")
	case "query":
		return anonymous.Get(value)
	case "form":
		_, body, _ := strings.Cut(value, "x-www-form-urlencoded ")
		return anonymous.With("Content-Type", "application/x-www-form-urlencoded").Post("/auth/refresh", body)
	case "refresh-body":
		return refresh(anonymous, value)
	default:
		return anonymous.With("Cookie", value).Get("/me")
	}
}

var statuses = regexp.MustCompile(`\b[1-5][0-9]{2}\b`)

func TestTokenList(t *testing.T) {
	rows := readList(t, "tokens.txt", 3)
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		for _, row := range rows {
			channel, literal, expect := row[0], row[1], row[2]
			if strings.Contains(literal, "{A*1048576}") {
				continue // a header too long for any service: TestLongHeader
			}
			r := sendToken(a, channel, tokenCases(a)(unquote(t, literal)))
			allowed := statuses.FindAllString(expect, -1)
			if channel == "form" { // contract §0 gives a body of another type a status of its own
				allowed = append(allowed, "415")
			}
			if !slices.Contains(allowed, strconv.Itoa(r.Status)) {
				t.Errorf("%s %s: %d, want %s", channel, literal, r.Status, expect)
			}
			if r.Status == http.StatusUnauthorized {
				r.WantError(http.StatusUnauthorized, "unauthorized")
			}
		}
	})
}

func TestLongHeader(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		r := a.Anonymous().Raw("GET /me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + strings.Repeat("A", 1<<20) + "\r\n\r\n")
		if r != nil && r.Status != http.StatusRequestHeaderFieldsTooLarge { // nil: it hung up
			t.Errorf("%d", r.Status)
		}
		a.As("ann").Get("/me").Want(http.StatusOK)
	})
}

// Each address of the list is refused, or makes an account of its own.
func TestEmailList(t *testing.T) {
	rows := readList(t, "phone_email_ratelimit.txt", 3)
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		accounts := map[string]string{} // by user id
		for _, row := range rows {
			if row[0] != "email" {
				continue
			}
			email := unquote(t, row[1])
			r := start(a, email)
			if r.Status == http.StatusBadRequest {
				r.WantError(http.StatusBadRequest, "invalid_request")
				if row[2] == "200" || row[2] == "own account" {
					t.Errorf("%q is refused", email)
				}
				continue
			}
			if row[2] == "400" {
				t.Errorf("%q passed", email)
			}
			in := verify(a.Anonymous(), email, r.Text("dev_code")).Want(http.StatusOK)
			id := in.Text("current_user.user.id")
			if before, taken := accounts[id]; taken {
				t.Errorf("%q and %q share an account", before, email)
			}
			accounts[id] = email
		}
		if len(accounts) < 2 {
			t.Errorf("only %d addresses passed", len(accounts))
		}
		a.SignIn("i@example.com")
		if n := number(t, a.DB, usersStmt); n != len(accounts)+1 {
			t.Errorf("%d accounts of %d addresses", n, len(accounts)+1)
		}
	})
}

// The bodies of json_bodies.txt that concern signing in, and the general ones.
func TestBodyList(t *testing.T) {
	rows := readList(t, "json_bodies.txt", 3)
	operations := map[string]string{
		"POST /auth/dev/start": "/auth/dev/start", "POST /auth/dev/verify": "/auth/dev/verify", "POST /auth/refresh": "/auth/refresh",
	}
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		for _, row := range rows {
			expect, operation, literal := row[0], row[1], row[2]
			paths := []string{operations[operation]}
			if operation == "ANY-JSON-POST" {
				paths = []string{"/auth/dev/start", "/auth/dev/verify"}
			}
			body := unquote(t, literal)
			if paths[0] == "" || strings.Contains(body, "{CONTENT-LENGTH") || strings.HasSuffix(body, "in production") {
				continue // another room's; a slow body: see web; production: TestDisabled
			}
			if strings.Contains(body, `"code":"１`) {
				expect = "400" // contract §2.1: a code that is not six digits is malformed
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
		if n := number(t, a.DB, challengesStmt); n != 0 {
			t.Errorf("%d challenges of refused requests", n)
		}
	})
}

func fillBody(a *apptest.App, body string) string {
	switch body {
	case "{DEEP:[*100000]}":
		return strings.Repeat("[", 60_000) // more would be too long before it is too deep
	case "{STRING:1MiB+1}":
		return `{"email":"` + strings.Repeat("x", 1<<20+1) + `"}`
	case "{KEYS:100000}":
		return "{" + strings.Repeat(`"k":1,`, 100_000) + `"z":1}`
	}
	if strings.Contains(body, "{OK}") {
		return strings.ReplaceAll(body, "{OK}", start(a, "a@b.c").Want(http.StatusOK).Text("dev_code"))
	}
	if strings.Contains(body, "{REFRESH}") {
		return strings.ReplaceAll(body, "{REFRESH}", a.SignIn("ann@example.org").RefreshToken)
	}
	return body
}
