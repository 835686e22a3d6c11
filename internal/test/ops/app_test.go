package ops_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

func TestHealth(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ok := a.Anonymous().Get("/healthz").Want(http.StatusOK)
		if ok.Text("status") != "ok" || ok.Text("database") != "ok" || ok.Text("cache") != "disabled" {
			t.Errorf("%s", ok.Body)
		}
		if got := ok.Header.Get("Cache-Control"); got != "private, no-store" {
			t.Errorf("Cache-Control: %q", got)
		}
		a.Anonymous().Get("/healthz?verbose=1").WantError(http.StatusBadRequest, "invalid_request")
	})
}

// TestHealthReportsThatNobodyCanSignIn starts production with each way to sign in, and
// without any: the instance is ready, but says so in the log and in /healthz.
func TestHealthReportsThatNobodyCanSignIn(t *testing.T) {
	production := []apptest.Option{apptest.Setting("APP_ENV", "production"), apptest.Setting("RATE_LIMITS", "on"),
		apptest.Setting("SHUTDOWN_DELAY", "0s")}
	for want, more := range map[string][]apptest.Option{
		"unavailable": nil,
		"ok": {apptest.Setting("IDP_PROVIDERS", "google"), apptest.Setting("IDP_GOOGLE_ISSUER", "https://accounts.google.test"),
			apptest.Setting("IDP_GOOGLE_CLIENT_ID", "web")},
		"ok by phone": {apptest.Setting("PHONE_PROVIDER", "smsru+https://:an-id-of-tests-only@sms.test")},
	} {
		apptest.Rules(t, func(t *testing.T, a *apptest.App) {
			r := a.Anonymous().Get("/healthz").Want(http.StatusOK)
			want, _, _ := strings.Cut(want, " ")
			if r.Text("sign_in") != want || r.Text("status") != "ok" {
				t.Errorf("want %s: %s", want, r.Body)
			}
			a.Anonymous().Get("/readyz").Want(http.StatusOK)
			testutil.Until(t, "the start", func() bool { return strings.Contains(a.Log(), `"serving"`) })
			if warned := strings.Contains(a.Log(), "nobody can sign in"); warned != (want == "unavailable") {
				t.Errorf("sign_in %s, warned: %t", want, warned)
			}
		}, append(production, more...)...)
	}
}

func TestExtraRoutesAllowReadsOnly(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	for _, path := range []string{"/", "/docs", "/livez", "/readyz", "/api/openapi.yaml"} {
		a.Anonymous().Get(path).Want(http.StatusOK)
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "PROPFIND"} {
			got := a.As("ann").Do(method, path, "{}")
			got.WantError(http.StatusMethodNotAllowed, "method_not_allowed")
			if got.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
				t.Errorf("%s %s: Allow %q", method, path, got.Header.Get("Allow"))
			}
		}
	}
	a.Anonymous().Post("/livez/x", nil).WantError(http.StatusNotFound, "not_found")
}

func TestGetMe(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		me := ann.Get("/me").Want(http.StatusOK)
		if me.Text("user.id") != ann.UserID || me.Text("user.email") != apptest.Email("ann") {
			t.Errorf("%s", me.Body)
		}
		ann.On(2).Get("/me").Want(http.StatusOK)
		ann.With("Authorization", "").With("Cookie", "service_refresh_token="+ann.RefreshToken).Get("/me").Want(http.StatusOK)
	}, apptest.Instances(3))
}

// TestHiddenEventIsNotFound compares the response for an event that the viewer may not
// see with the response for an unknown id: status, headers and body are equal.
func TestHiddenEventIsNotFound(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		hidden := a.As("org").Post("/events", draft).Want(http.StatusCreated).Text("event.id")
		const missing = "01890a5d-ac96-774b-bcce-b302099a8057"
		for name, c := range map[string]*apptest.Client{"stranger": a.As("stranger"), "anonymous": a.Anonymous()} {
			c = c.With("X-Request-Id", "same")
			for _, call := range []struct{ method, path, body string }{
				{"GET", "", ""},
				{"PATCH", "", `{"title":"Mine"}`},
				{"PUT", "/cover", apptest.Pixel},
				{"PUT", "/cover", "\x89PNG\r\n\x1a\n"},
				{"DELETE", "/cover", ""},
				{"PATCH", "", `{"title":`},
				{"PATCH", "", `{"title":1}`},
				{"POST", "/publish", ""},
				{"POST", "/cancel", ""},
				{"POST", "/join", ""},
				{"POST", "/join", `{"participation_visibility":"nobody"}`},
				{"DELETE", "/join", ""},
			} {
				one, other := c.Do(call.method, "/events/"+hidden+call.path, call.body), c.Do(call.method, "/events/"+missing+call.path, call.body)
				one.Header.Del("Date")
				other.Header.Del("Date")
				if one.Status != other.Status || string(one.Body) != string(other.Body) || !maps.EqualFunc(one.Header, other.Header, slices.Equal) {
					t.Errorf("%s: %v: %d %s %v, want %d %s %v", name, call, one.Status, one.Body, one.Header, other.Status, other.Body, other.Header)
				}
				if want := map[string]int{"stranger": 404, "anonymous": 401}[name]; one.Status != want && call.method != "GET" {
					t.Errorf("%s: %v: %d, want %d", name, call, one.Status, want)
				}
			}
		}
	})
}

func TestJobsPurgeExpiredRows(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		a.As("ann")
		a.RunJobs() // those of the start, so that none of them is running when the rows expire
		before := count(t, a)
		a.Clock.Advance(300 * 24 * time.Hour)
		if a.RunJobs(); count(t, a) >= before {
			t.Errorf("the purge deleted none of the %d rows, which have expired", before)
		}
	})
}
