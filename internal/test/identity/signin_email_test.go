package identity_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"moothall/internal/identity/signin"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

func TestSignInByEmailCode(t *testing.T) {
	begin := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		started := signinStart(a, "Ann@Example.org").Want(http.StatusOK)
		code := started.Text("dev_code")
		want := `{"status":"pending","expires_at":"2026-11-20T10:10:00Z","expires_in_seconds":600,"resend_after_seconds":60,"code_length":6,"dev_code":"` + code + `"}`
		if string(started.Body) != want {
			t.Errorf("started: %s", started.Body)
		}
		in := signinVerify(a.Anonymous().With("User-Agent", "Mozilla/5.0 (iPhone; like Mac OS X)"), "ann@example.ORG", code).Want(http.StatusOK)
		if in.Text("access_token_expires_at") != "2026-11-20T10:15:00Z" || in.Text("expires_at") != "2026-12-20T10:00:00Z" ||
			in.Text("token_type") != "Bearer" || in.Text("current_user.user.email") != "ann@example.org" {
			t.Errorf("signed in: %s", in.Body)
		}
		for token, prefix := range map[string]string{in.Text("access_token"): "at_", in.Text("refresh_token"): "rt_"} {
			if !regexp.MustCompile(`^` + prefix + `[A-Za-z0-9_-]{43}$`).MatchString(token) {
				t.Errorf("token %q", token)
			}
		}
		wantCookie := apptest.RefreshCookie + "=" + in.Text("refresh_token") + "; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax"
		if got := in.Header.Values("Set-Cookie"); len(got) != 1 || got[0] != wantCookie {
			t.Errorf("Set-Cookie %q, want %q", got, wantCookie)
		}
		me := a.WithBearer(in.Text("access_token")).Get("/me").Want(http.StatusOK)
		again := a.SignIn("ANN@example.org").Get("/me")
		if string(me.Body) != string(again.Body) {
			t.Errorf("two accounts: %s and %s", me.Body, again.Body)
		}
	}, apptest.StartAt(begin))
}

func TestCookieOverHTTPIsNotSecure(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.Setting("WEB_ORIGIN", "http://localhost:8080"),
		apptest.Setting("PUBLIC_BASE_URL", "http://localhost:8080"))
	code := signinStart(a, "ann@example.org").Text("dev_code")
	in := signinVerify(a.Anonymous(), "ann@example.org", code).Want(http.StatusOK)
	if cookie := in.Header.Get("Set-Cookie"); strings.Contains(cookie, "Secure") || !strings.Contains(cookie, "HttpOnly") {
		t.Errorf("Set-Cookie %q", cookie)
	}
}

func TestCodeWorksOnceInTimeAndForItsAddress(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		refused := func(email, code, why string) {
			t.Helper()
			r := signinVerify(a.Anonymous(), email, code)
			if r.WantError(http.StatusUnauthorized, "unauthorized"); r.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s: a cookie was set", why)
			}
		}
		refused("nobody@example.org", "123456", "no challenge")

		first := signinStart(a, "ann@example.org").Text("dev_code")
		again := signinStart(a, "ANN@example.org").Text("dev_code")
		if again != first {
			t.Errorf("within a minute the code changed from %s to %s", first, again)
		}
		refused("bob@example.org", first, "another's code")
		a.Clock.Advance(61 * time.Second)
		second := signinStart(a, "ann@example.org").Text("dev_code")
		if first != second {
			refused("ann@example.org", first, "replaced code")
		}
		signinVerify(a.Anonymous(), "ann@example.org", second).Want(http.StatusOK)
		refused("ann@example.org", second, "used code")

		expired := signinStart(a, "ann@example.org").Text("dev_code")
		a.Clock.Advance(10 * time.Minute)
		refused("ann@example.org", expired, "expired code")

		code := signinStart(a, "ann@example.org").Text("dev_code")
		for n := range 5 {
			refused("ann@example.org", wrongCode(code, n), "wrong code")
		}
		refused("ann@example.org", code, "code after five wrong ones")
		fresh := signinStart(a, "ann@example.org").Text("dev_code")
		signinVerify(a.Anonymous(), "ann@example.org", fresh).Want(http.StatusOK)

		code = signinStart(a, "ann@example.org").Text("dev_code")
		for n := range 4 {
			refused("ann@example.org", wrongCode(code, n), "wrong code")
			signinStart(a, "ann@example.org").Want(http.StatusOK) // adds no tries
		}
		refused("ann@example.org", wrongCode(code, 5), "fifth wrong code")
		refused("ann@example.org", code, "code after five wrong ones between starts")
	})
}

func TestCodesAreRandom(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	var first [10]int
	codes := map[string]bool{}
	const many = 200
	for i := range many {
		code := signinStart(a, fmt.Sprintf("user%d@example.org", i)).Want(http.StatusOK).Text("dev_code")
		if !regexp.MustCompile(`^[0-9]{6}$`).MatchString(code) {
			t.Fatalf("code %q", code)
		}
		codes[code] = true
		first[code[0]-'0']++
	}
	if len(codes) < many-5 {
		t.Errorf("only %d of %d codes differ", len(codes), many)
	}
	for digit, n := range first {
		if n == 0 { // probability 10^-9
			t.Errorf("no code starts with %d", digit)
		}
	}
}

func TestConcurrentTriesRedeemCodeOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		code := signinStart(a, "ann@example.org").Text("dev_code")
		replies := apptest.Replies(50, func(i int) *apptest.Reply {
			return signinVerify(a.Anonymous().On(i%instances), "ann@example.org", code)
		})
		// a try is spent before the code is compared, so at most 5 requests compare it
		if good := apptest.Accepted(t, replies); len(good) != 1 {
			t.Fatalf("%d sessions from one code", len(good))
		}
		if n := a.Count(sessionsOfStmt, a.As("ann").ID()); n != 2 { // the second is the session of a.As
			t.Errorf("%d sessions", n)
		}

		code = signinStart(a, "bob@example.org").Text("dev_code")
		replies = apptest.Replies(200, func(i int) *apptest.Reply {
			return signinVerify(a.Anonymous().On(i%instances), "bob@example.org", wrongCode(code, i))
		})
		if good := apptest.Accepted(t, replies); len(good) != 0 {
			t.Errorf("%d wrong codes were accepted", len(good))
		}
		if left := a.Count(triesStmt, "bob@example.org"); left != 0 {
			t.Errorf("%d of 5 tries are left after 200", left)
		}
		signinVerify(a.Anonymous(), "bob@example.org", code).WantError(http.StatusUnauthorized, "unauthorized")
	}, apptest.Instances(instances))
}

// TestCodeIsNotStoredOrLogged checks that the database alone does not reveal a code.
func TestCodeIsNotStoredOrLogged(t *testing.T) {
	columns := db.SQL("signin_test.challenge", `SELECT email_key, seed FROM email_challenges`)
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		code := signinStart(a, "ann@example.org").Text("dev_code")
		plain := sha256.Sum256([]byte(code))
		for row, err := range a.DB.Query(t.Context(), columns) {
			var key string
			var seed []byte
			if err == nil {
				err = row.Scan(&key, &seed)
			}
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(seed), code) || string(seed) == string(plain[:]) || len(seed) < 16 {
				t.Errorf("the database stores %q for %s", seed, code)
			}
		}
		if strings.Contains(a.Log(), code) || strings.Contains(a.Log(), "ann@example.org") {
			t.Error("the log contains the code or the address")
		}
	})
}

func TestStartDoesNotRevealAccounts(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		a.As("known")
		var shapes [2]string
		for i, email := range []string{"known@example.org", "unknown@example.org"} {
			r := signinStart(a, email).Want(http.StatusOK)
			shapes[i] = regexp.MustCompile(`[0-9]+`).ReplaceAllString(string(r.Body), "0") + fmt.Sprint(len(r.Header))
		}
		if shapes[0] != shapes[1] {
			t.Errorf("known: %s, unknown: %s", shapes[0], shapes[1])
		}
	})
}

func TestCodeIsNotExposed(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.Setting("AUTH_DEV_EXPOSE_CODE", "false"))
	if r := signinStart(a, "ann@example.org").Want(http.StatusOK); strings.Contains(string(r.Body), "dev_code") {
		t.Errorf("%s", r.Body)
	}
}

func TestDisabledEmailSignInIsNotFound(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		signinStart(a, "ann@example.org").WantError(http.StatusNotFound, "not_found")
		signinVerify(a.Anonymous(), "ann@example.org", "123456").WantError(http.StatusNotFound, "not_found")
		for _, path := range []string{"/auth/dev/start", "/auth/dev/verify"} {
			for _, body := range []any{nil, "{", "{}", `{"email":1}`, strings.Repeat(" ", 65<<10)} {
				for _, contentType := range []string{"application/json", "text/plain", ""} {
					a.Anonymous().Header("Content-Type", contentType).Post(path, body).WantError(http.StatusNotFound, "not_found")
				}
			}
			a.Anonymous().Get(path).WantError(http.StatusNotFound, "not_found")
			a.WithBearer("at_unknown").Post(path, "{}").WantError(http.StatusNotFound, "not_found")
			a.WithCookie("rt_unknown").With("Origin", "https://evil.example").Post(path, "{}").WantError(http.StatusNotFound, "not_found")
		}
		if n := a.Count(emailChallengesStmt); n != 0 {
			t.Errorf("%d challenges", n)
		}
	}, apptest.Setting("AUTH_DEV_ENABLED", "false"))
}

func TestPurgeDeletesExpiredCodes(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		s := &signin.Service{DB: a.DB, Clock: a.Clock.Now}
		signinStart(a, "bob@example.org").Want(http.StatusOK)
		for _, want := range []int{1, 0} {
			if err := s.Purge(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := a.Count(emailChallengesStmt); n != want {
				t.Errorf("%d codes are left, want %d", n, want)
			}
			a.Clock.Advance(11 * time.Minute)
		}
	})
}
