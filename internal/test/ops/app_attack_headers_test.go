package ops_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// otherHeaderTests names the tests of the rows that TestHeaderCases skips.
var otherHeaderTests = map[string]string{
	"X-Forwarded-For":    "TestForgedForwardedForDoesNotEvadeLimits",
	"X-Forwarded-For x2": "TestForgedForwardedForDoesNotEvadeLimits",
	"Expect":             "TestSlowClientsAreDisconnected",
	"Slow headers":       "TestSlowClientsAreDisconnected",
}

func TestHeaderCases(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		plain := a.Anonymous()
		for _, r := range rows(t, "headers.txt", 2, 0, 1) {
			value := fill(r.value, map[string]string{"WEB_ORIGIN": apptest.WebOrigin})
			raw := "GET /events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
			switch r.target {
			case "True-Client-IP", "X-Client-IP", "Forwarded", "X-Original-URL", "X-HTTP-Method-Override", "X-Admin":
				plain.With(r.target, value).Get("/events").Want(200)
				plain.With(r.target, "/me").Get("/events").Want(200)
				plain.With(r.target, "DELETE").Get("/me").WantError(401, "unauthorized")
			case "Host":
				got := plain.Raw(strings.Replace(raw, "localhost", value, 1) + "\r\n")
				if want := map[bool]int{true: 400, false: 200}[value == ""]; got == nil || got.Status != want {
					t.Errorf("%v: %+v", r, got)
				} else if value == "evil.example" && strings.Contains(string(got.Body), value) {
					t.Errorf("%v: %s", r, got.Body)
				}
			case "Transfer-Encoding", "Content-Length":
				got := plain.Allow5xx().Raw(strings.Replace(raw, "GET", "POST", 1) + r.target + ": " + value + "\r\n\r\nhello")
				if got == nil || !r.allows(got.Status) {
					t.Errorf("%v: %+v", r, got)
				}
			case "PROPFIND /events":
				plain.Do("PROPFIND", "/events", nil).WantError(405, "method_not_allowed")
			case "Range":
				plain.With("Range", "bytes=0-0"+strings.Repeat(",0-0", 999)).Get("/events").Want(200)
			case "If-None-Match":
				public := plain.Get("/events").Want(200).Header.Get("ETag")
				for _, known := range []string{value, public} {
					plain.With("If-None-Match", known).Get("/events").Want(304)
					for _, c := range []*apptest.Client{a.As("ann"), a.As("bob")} {
						c.With("If-None-Match", known).Get("/events").Want(200)
						c.With("If-None-Match", known).Get("/me").Want(200)
					}
				}
			case "Origin":
				got := plain.With("Origin", value).Get("/events").Want(200).Header
				allowed := value == apptest.WebOrigin
				if (got.Get("Access-Control-Allow-Origin") == value) != allowed || !strings.Contains(strings.Join(got["Vary"], ","), "Origin") {
					t.Errorf("%v: %v", r, got)
				}
			default:
				if otherHeaderTests[r.target] == "" {
					t.Errorf("%v has no test", r)
				}
			}
		}
	})
}

func TestTokenCases(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		expired := a.SignIn(apptest.Email("expired"))
		a.Clock.Advance(31 * 24 * time.Hour)
		other := a.SignIn(apptest.Email("other"))
		rotated, revoked := a.SignIn(apptest.Email("ann")), a.SignIn(apptest.Email("ann"))
		next := a.Anonymous().Post("/auth/refresh", map[string]string{"refresh_token": rotated.RefreshToken}).Want(200)
		ann := a.SignIn(apptest.Email("ann"))
		ann.Delete("/auth/sessions/" + revoked.SessionID).Want(204)
		a.Clock.Advance(time.Minute) // past REFRESH_RACE_WINDOW
		hash := sha256.Sum256([]byte(ann.AccessToken))
		with := map[string]string{
			"ACCESS": ann.AccessToken, "REFRESH": ann.RefreshToken, "USER_ID": ann.UserID, "INVALID": "at_invalid",
			"ACCESS_FLIP_LAST": flipLast(ann.AccessToken), "ACCESS_LOWER": strings.ToLower(ann.AccessToken),
			"HMAC_HEX_OF_ACCESS": hex.EncodeToString(hash[:]), "ROTATED_ACCESS": rotated.AccessToken,
			"REVOKED_ACCESS": revoked.AccessToken, "ROTATED_REFRESH": rotated.RefreshToken,
			"EXPIRED_REFRESH": expired.RefreshToken, "OTHER_USER_REFRESH": other.RefreshToken,
			"VICTIM": ann.RefreshToken, "A*1048576": strings.Repeat("A", 1<<20), "4096+ bytes": strings.Repeat("c", 5000),
		}
		for _, r := range rows(t, "tokens.txt", 2, 0, 1) {
			value := fill(r.value, with)
			if strings.Contains(r.why, "last char removed") {
				value = strings.TrimSuffix("Bearer "+ann.AccessToken, ann.AccessToken[len(ann.AccessToken)-1:])
			}
			got := sendCredential(a, r.target, value, ann)
			if !tokenStatusAllowed(r, got.Status) {
				t.Errorf("%v: %d %s, want %s", r, got.Status, got.Body, r.expect)
			}
			if got.Status == 401 && string(got.Body) != `{"error":"unauthorized"}` {
				t.Errorf("%v: %s", r, got.Body)
			}
		}
		// the session has ended
		a.Anonymous().With("Authorization", "Bearer "+next.Text("access_token")).Get("/me").WantError(401, "unauthorized")
		for name, secret := range with {
			if len(secret) > 20 && strings.Contains(a.Log(), secret) && name != "USER_ID" {
				t.Errorf("the log contains %s", name)
			}
		}
	})
}

// sendCredential sends a credential through the channel of a row.
func sendCredential(a *apptest.App, channel, value string, ann *apptest.Client) *apptest.Reply {
	anonymous := a.Anonymous().Allow5xx()
	switch channel {
	case "authorization":
		return anonymous.Header("Authorization", value).Get("/me")
	case "authorization+cookie":
		token, _, _ := strings.Cut(value, " + ")
		return anonymous.Header("Authorization", token).With("Cookie", "service_refresh_token="+ann.RefreshToken).Get("/me")
	case "query":
		return anonymous.Get(value)
	case "form":
		return anonymous.With("Content-Type", "application/x-www-form-urlencoded").Post("/auth/refresh", "refresh_token="+ann.RefreshToken)
	case "refresh-body":
		return anonymous.Post("/auth/refresh", map[string]string{"refresh_token": value})
	case "cookie":
		return anonymous.With("Cookie", value).Get("/me")
	}
	return &apptest.Reply{}
}

// tokenStatusAllowed is row.allows, except that a form gets 415 like every body that is
// not JSON (contract §0).
func tokenStatusAllowed(r row, status int) bool {
	if r.target == "form" {
		return status == http.StatusUnsupportedMediaType
	}
	return r.allows(status)
}

// flipLast changes the last bit of a token.
func flipLast(token string) string {
	last := token[len(token)-1]
	return token[:len(token)-1] + string(last^1)
}

// TestOnlyAllowedOriginsReadHeaders checks Access-Control-Expose-Headers: only pages of
// allowed origins may read the headers of the contract.
func TestOnlyAllowedOriginsReadHeaders(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	org := a.As("org")
	path := "/events/" + org.Post("/events", draft).Want(http.StatusCreated).Text("event.id")
	for origin, want := range map[string]string{
		apptest.WebOrigin:      "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
		"https://evil.example": "", "": "",
	} {
		c := org.With("Origin", origin)
		for _, reply := range []*apptest.Reply{c.Get(path).Want(http.StatusOK), c.Post("/events", draft).Want(http.StatusCreated)} {
			if got := strings.Join(reply.Header.Values("Access-Control-Expose-Headers"), "; "); got != want || reply.Header.Get("ETag") == "" {
				t.Errorf("origin %q: %q, ETag %q", origin, got, reply.Header.Get("ETag"))
			}
		}
	}
}
