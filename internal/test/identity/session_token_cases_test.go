package identity_test

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

	"moothall/internal/test/apptest"
)

// tokenCases replaces the placeholders of tokens.txt with values of a new session.
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
			a.Anonymous().Refresh(ann.RefreshToken).Want(http.StatusOK)
			return ann.AccessToken
		},
		"{ROTATED_REFRESH}": func() string {
			a.Anonymous().Refresh(ann.RefreshToken).Want(http.StatusOK)
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
			if value, known := fill[name]; known {
				return value()
			}
			return name
		})
	}
}

// sendToken sends the request of one case of tokens.txt.
func sendToken(a *apptest.App, channel, value string) *apptest.Reply {
	anonymous := a.Anonymous()
	switch channel {
	case "authorization":
		if value == "" { // With removes an empty header
			return anonymous.Raw("GET /me HTTP/1.1\r\nHost: x\r\nAuthorization:\r\nConnection: close\r\n\r\n")
		}
		return anonymous.With("Authorization", value).Get("/me")
	case "authorization+cookie":
		header, _, _ := strings.Cut(value, " + ")
		return a.WithCookie(a.SignIn("ann@example.org").RefreshToken).With("Authorization", header).Get("/me")
	case "query":
		return anonymous.Get(value)
	case "form":
		_, body, _ := strings.Cut(value, "x-www-form-urlencoded ")
		return anonymous.With("Content-Type", "application/x-www-form-urlencoded").Post("/auth/refresh", body)
	case "refresh-body":
		return anonymous.Refresh(value)
	default:
		return anonymous.With("Cookie", value).Get("/me")
	}
}

var statuses = regexp.MustCompile(`\b[1-5][0-9]{2}\b`)

func TestTokenCases(t *testing.T) {
	rows := apptest.Cases(t, "../ops/testdata/tokens.txt", 3)
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for _, row := range rows {
			channel, literal, expect := row[0], row[1], row[2]
			if strings.Contains(literal, "{A*1048576}") {
				continue // see TestHeaderOfOneMegabyteIsRefused
			}
			r := sendToken(a, channel, tokenCases(a)(apptest.Unquote(t, literal)))
			allowed := statuses.FindAllString(expect, -1)
			if channel == "form" { // contract §0: another content type has its own status
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

func TestHeaderOfOneMegabyteIsRefused(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		r := a.Anonymous().Raw("GET /me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + strings.Repeat("A", 1<<20) + "\r\n\r\n")
		if r != nil && r.Status != http.StatusRequestHeaderFieldsTooLarge { // nil: the server closed the connection
			t.Errorf("%d", r.Status)
		}
		a.As("ann").Get("/me").Want(http.StatusOK)
	})
}
