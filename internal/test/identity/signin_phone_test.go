package identity_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/identity/signin/telephony"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

const annsPhone = "+79991230602"

func startCall(c *apptest.Client, phone string) *apptest.Reply {
	return c.Post("/auth/phone/call/start", map[string]string{"phone": phone})
}

func pollCall(c *apptest.Client, id string) *apptest.Reply {
	return c.Post("/auth/phone/call/status", map[string]string{"challenge_id": id})
}

// call simulates a call to the number of the development provider.
func call(a *apptest.App, phone string) { callTo(a, phone, telephony.DevelopmentNumber) }

func callTo(a *apptest.App, phone, number string) {
	postForm(a.Anonymous(), "/dev/calls", url.Values{"phone": {phone}, "number": {number}}).Want(http.StatusSeeOther)
}

func postForm(c *apptest.Client, path string, form url.Values) *apptest.Reply {
	return c.With("Content-Type", "application/x-www-form-urlencoded").Post(path, form.Encode())
}

func device(a *apptest.App, userAgent string) *apptest.Client {
	return a.Anonymous().With("User-Agent", userAgent)
}

// signInByPhone returns the response with the session.
func signInByPhone(t *testing.T, a *apptest.App, phone string) *apptest.Reply {
	t.Helper()
	id := startCall(a.Anonymous(), phone).Want(http.StatusOK).Text("challenge_id")
	call(a, phone)
	return pollCall(a.Anonymous(), id).Want(http.StatusOK)
}

func TestSignInByPhone(t *testing.T) {
	begin := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		iphone := device(a, "Mozilla/5.0 (iPhone; like Mac OS X)")
		started := startCall(iphone, "8 (999) 123-06-02").Want(http.StatusOK)
		id := started.Text("challenge_id")
		want := `{"challenge_id":"` + id + `","status":"pending","call_phone":"+12025550123","call_phone_pretty":"+1 202-555-0123",` +
			`"phone_masked":"+7 *** ***-06-02","expires_at":"2026-11-20T10:05:00Z","expires_in_seconds":300,"poll_interval_seconds":2}`
		if string(started.Body) != want {
			t.Errorf("started: %s, want %s", started.Body, want)
		}
		if id[14] != '4' || !strings.ContainsAny(id[19:20], "89ab") {
			t.Errorf("%s is not a UUIDv4", id)
		}
		pending := pollCall(iphone, id).Want(http.StatusOK)
		if string(pending.Body) != `{"status":"pending","retry_after_seconds":2,"expires_at":"2026-11-20T10:05:00Z"}` {
			t.Errorf("pending: %s", pending.Body)
		}

		callTo(a, annsPhone, "+12025550199") // another number
		callTo(a, "+79991230603", telephony.DevelopmentNumber)
		if got := pollCall(iphone, id).Text("status"); got != "pending" {
			t.Errorf("after calls of other numbers: %s", got)
		}
		call(a, annsPhone)
		in := pollCall(iphone, id).Want(http.StatusOK)
		if in.Text("status") != "verified" || in.Text("expires_at") != "2026-12-20T10:00:00Z" || in.Text("token_type") != "Bearer" ||
			in.Text("current_user.user.phone") != annsPhone || in.Get("current_user.user.email") != nil {
			t.Errorf("verified: %s", in.Body)
		}
		wantCookie := apptest.RefreshCookie + "=" + in.Text("refresh_token") + "; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax"
		if got := in.Header.Values("Set-Cookie"); !slices.Equal(got, []string{wantCookie}) {
			t.Errorf("Set-Cookie %q, want %q", got, wantCookie)
		}
		ann := a.WithBearer(in.Text("access_token"))
		if got := ann.Get("/auth/sessions").Text("items.0.auth_method"); got != "phone_call" {
			t.Errorf("auth_method %s", got)
		}
		again := signInByPhone(t, a, annsPhone)
		if again.Text("current_user.user.id") != in.Text("current_user.user.id") || again.Text("session_id") == in.Text("session_id") {
			t.Errorf("signed in again: %s", again.Body)
		}
	}, apptest.StartAt(begin))
}

func TestHolderFetchesSessionAgain(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		phone := device(a, "phone")
		id := startCall(phone, annsPhone).Text("challenge_id")
		call(a, annsPhone)
		first := pollCall(phone, id).Want(http.StatusOK)
		a.Clock.Advance(29 * time.Second)
		again := pollCall(device(a, "phone 2.0").On(1), id).Want(http.StatusOK) // the id alone counts
		if string(first.Body) != string(again.Body) {
			t.Errorf("first %s, repeated %s", first.Body, again.Body)
		}
		a.Clock.Advance(2 * time.Second)
		pollCall(phone, id).WantError(http.StatusUnauthorized, "unauthorized")

		// A refreshed session is not returned again and is not revoked.
		id = startCall(phone, annsPhone).Text("challenge_id")
		call(a, annsPhone)
		token := pollCall(phone, id).Text("refresh_token")
		next := a.Anonymous().Refresh(token).Want(http.StatusOK)
		pollCall(phone, id).WantError(http.StatusUnauthorized, "unauthorized")
		a.WithBearer(next.Text("access_token")).Get("/me").Want(http.StatusOK)

		id = startCall(phone, annsPhone).Text("challenge_id")
		call(a, annsPhone)
		token = pollCall(phone, id).Text("refresh_token")
		a.WithCookie(token).Post("/auth/logout", nil).Want(http.StatusNoContent)
		pollCall(phone, id).WantError(http.StatusUnauthorized, "unauthorized")
	}, apptest.Instances(2), apptest.StartAt(begin))
}

// TestCallVerifiesOpenChallengeOnly checks that a call after the end of a challenge verifies
// only the challenge that has the number then.
func TestCallVerifiesOpenChallengeOnly(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		first := startCall(a.Anonymous(), annsPhone).Want(http.StatusOK).Text("challenge_id")
		startCall(a.Anonymous(), "+79991230603").Want(http.StatusOK)
		a.Clock.Advance(5 * time.Minute)
		expired := pollCall(a.Anonymous(), first).Want(http.StatusOK)
		if string(expired.Body) != `{"status":"expired","expires_at":"2026-11-20T10:05:00Z"}` {
			t.Errorf("expired: %s", expired.Body)
		}
		call(a, annsPhone) // too late
		second := startCall(a.Anonymous(), annsPhone).Want(http.StatusOK)
		if second.Text("challenge_id") == first || second.Text("call_phone") != telephony.DevelopmentNumber {
			t.Errorf("%s", second.Body)
		}
		call(a, annsPhone)
		if got := signinStatus(a.Anonymous(), first); got != "expired" {
			t.Errorf("after a later call: %s", got)
		}
		if got := signinStatus(a.Anonymous(), second.Text("challenge_id")); got != "verified" {
			t.Errorf("the new challenge is %s", got)
		}
		a.Clock.Advance(time.Hour)
		pollCall(a.Anonymous(), first).WantError(http.StatusUnauthorized, "unauthorized")
	}, apptest.StartAt(begin))
}

// TestLateCallExtendsChallenge checks that a call in the last second leaves time for the
// next poll.
func TestLateCallExtendsChallenge(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		id := startCall(a.Anonymous(), annsPhone).Text("challenge_id")
		a.Clock.Advance(5*time.Minute - time.Second)
		call(a, annsPhone)
		a.Clock.Advance(30 * time.Second)
		if got := pollCall(a.Anonymous(), id).Text("status"); got != "verified" {
			t.Errorf("%s", got)
		}
		id = startCall(a.Anonymous(), annsPhone).Text("challenge_id")
		call(a, annsPhone)
		a.Clock.Advance(6 * time.Minute)
		if got := pollCall(a.Anonymous(), id).Text("status"); got != "expired" {
			t.Errorf("not fetched in time: %s", got)
		}
	}, apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}

func TestPollRefusesUnknownChallenge(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		id := startCall(a.Anonymous(), annsPhone).Text("challenge_id")
		call(a, annsPhone)
		for _, body := range []string{``, `{`, `{}`, `{"challenge_id":null}`, `{"challenge_id":1}`, `[]`, `{"id":"` + id + `"}`} {
			a.Anonymous().Post("/auth/phone/call/status", body).WantError(http.StatusBadRequest, "invalid_request")
		}
		for _, unknown := range []string{"", "x", "00000000-0000-4000-8000-000000000000", "urn:uuid:" + id, "{" + id + "}",
			strings.ReplaceAll(id, "-", ""), id + " ", telephony.CallRef(annsPhone, telephony.DevelopmentNumber)} {
			pollCall(a.Anonymous(), unknown).WantError(http.StatusUnauthorized, "unauthorized")
		}
		if n := a.Count(usersStmt); n != 0 {
			t.Errorf("%d users", n)
		}
		if got := pollCall(a.Anonymous(), strings.ToUpper(id)).Text("status"); got != "verified" {
			t.Errorf("%s", got)
		}
	})
}

func TestSuspendedUserCannotSignInByPhone(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		in := signInByPhone(t, a, annsPhone)
		ann := a.Anonymous()
		ann.UserID = in.Text("current_user.user.id")
		a.Exec(signinSuspendStmt, ann.ID(), a.Clock.Now())
		id := startCall(a.Anonymous(), annsPhone).Want(http.StatusOK).Text("challenge_id")
		call(a, annsPhone)
		for range 2 {
			pollCall(a.Anonymous(), id).WantError(http.StatusUnauthorized, "unauthorized")
		}
		if n := a.Count(phoneSessionsStmt); n != 1 {
			t.Errorf("%d sessions", n)
		}
	})
}

func TestPhoneStartDoesNotRevealAccounts(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		signInByPhone(t, a, "+79991230601")
		var responses [2]string
		for i, phone := range []string{"+79991230601", "+79991230602"} {
			started := startCall(a.Anonymous(), phone).Want(http.StatusOK)
			id := started.Text("challenge_id")
			pending := pollCall(a.Anonymous(), id).Want(http.StatusOK)
			for _, varies := range []string{"Date", "X-Request-Id"} {
				started.Header.Del(varies)
				pending.Header.Del(varies)
			}
			all := fmt.Sprintf("%s %v %s %v", started.Body, started.Header, pending.Body, pending.Header)
			responses[i] = strings.NewReplacer(id, "ID", "06-01", "PHONE", "06-02", "PHONE").Replace(all)
		}
		if responses[0] != responses[1] {
			t.Errorf("known:   %s\nunknown: %s", responses[0], responses[1])
		}
	}, apptest.StartAt(time.Now()))
}

func TestPhoneNumberCases(t *testing.T) {
	cases := apptest.Cases(t, "testdata/phone_email_ratelimit.txt", 3)
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		tried := 0
		for _, c := range cases {
			if c[0] != "phone" {
				continue
			}
			tried++
			phone := apptest.Unquote(t, c[1])
			r := startCall(device(a, phone), phone)
			if strings.HasPrefix(c[2], "400") && (c[2] == "400" || r.Status != http.StatusOK) {
				r.WantError(http.StatusBadRequest, "invalid_request")
				continue
			}
			call(a, "+79991234567")
			in := pollCall(device(a, phone), r.Want(http.StatusOK).Text("challenge_id"))
			if got := in.Want(http.StatusOK).Text("current_user.user.phone"); got != "+79991234567" {
				t.Errorf("%s: account with %s", c[1], got)
			}
		}
		if n := a.Count(usersStmt); tried < 10 || n != 1 {
			t.Errorf("%d cases created %d accounts", tried, n)
		}
		for _, phone := range []any{nil, 79991234567, []string{annsPhone}, "12", strings.Repeat("7", 33)} {
			a.Anonymous().Post("/auth/phone/call/start", map[string]any{"phone": phone}).WantError(http.StatusBadRequest, "invalid_request")
		}
	})
}

func TestPhoneRegionsAreRestricted(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.Setting("PHONE_DEFAULT_REGION", "DE"), apptest.Setting("PHONE_ALLOWED_REGIONS", "DE,AT"))
	if got := startCall(a.Anonymous(), "030 901820").Want(http.StatusOK).Text("phone_masked"); got != "+49 ** **1820" {
		t.Errorf("%s", got)
	}
	startCall(a.Anonymous(), "+43 1 534 60 0").Want(http.StatusOK)
	startCall(a.Anonymous(), annsPhone).WantError(http.StatusBadRequest, "invalid_request")
}

func TestPhoneSignInWithoutProviderIsUnavailable(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		c := a.Anonymous().Allow5xx()
		r := startCall(c, annsPhone)
		if r.WantError(http.StatusServiceUnavailable, "service_unavailable"); r.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		startCall(c, "112").WantError(http.StatusBadRequest, "invalid_request")
		pollCall(c, "5f0f1a52-93a4-4a43-8d55-6a35c7f1e0d2").WantError(http.StatusUnauthorized, "unauthorized")
		c.Get("/dev/calls").Want(http.StatusNotFound)
		postForm(c, "/dev/calls", url.Values{"phone": {annsPhone}}).Want(http.StatusNotFound)
		postForm(c, "/auth/phone/callback/smsru", url.Values{}).Want(http.StatusNotFound)
		if n := a.Count(phoneChallengesStmt); n != 0 {
			t.Errorf("%d challenges", n)
		}
	}, apptest.Setting("PHONE_PROVIDER", "none"))
}

func TestDevelopmentPageSimulatesCalls(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	id := startCall(a.Anonymous(), annsPhone).Text("challenge_id")
	page := a.Anonymous().Get("/dev/calls").Want(http.StatusOK)
	if !strings.Contains(string(page.Body), "&#43;79991230602 should call &#43;12025550123") || strings.Contains(string(page.Body), id) {
		t.Errorf("%s", page.Body)
	}
	form := url.Values{"phone": {annsPhone}, "number": {telephony.DevelopmentNumber}}
	postForm(a.Anonymous().With("Sec-Fetch-Site", "cross-site"), "/dev/calls", form).Want(http.StatusForbidden)
	postForm(a.Anonymous(), "/dev/calls", url.Values{"phone": {"x"}}).Want(http.StatusBadRequest)
	if got := pollCall(a.Anonymous(), id).Text("status"); got != "pending" {
		t.Errorf("%s", got)
	}
	postForm(a.Anonymous(), "/dev/calls", form).Want(http.StatusSeeOther)
	if page := a.Anonymous().Get("/dev/calls"); strings.Contains(string(page.Body), "79991230602") {
		t.Errorf("%s", page.Body)
	}
	if got := pollCall(a.Anonymous(), id).Text("status"); got != "verified" {
		t.Errorf("%s", got)
	}
}

func TestPhoneRateLimits(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		id := ""
		for range 3 {
			id = startCall(a.Anonymous(), annsPhone).Want(http.StatusOK).Text("challenge_id")
		}
		r := startCall(a.Anonymous(), "8 999 123 06 02")
		if r.WantError(http.StatusTooManyRequests, "rate_limited"); r.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		startCall(a.Anonymous(), "+79991230603").Want(http.StatusOK)
		for range 60 {
			pollCall(a.Anonymous(), id).Want(http.StatusOK)
		}
		pollCall(a.Anonymous(), id).WantError(http.StatusTooManyRequests, "rate_limited")
		a.Clock.Advance(2 * time.Second)
		pollCall(a.Anonymous(), id).Want(http.StatusOK)

		for range 7 { // 3 of the 10 per day were used
			a.Clock.Advance(200 * time.Second)
			startCall(a.Anonymous(), annsPhone).Want(http.StatusOK)
		}
		a.Clock.Advance(200 * time.Second)
		startCall(a.Anonymous(), annsPhone).WantError(http.StatusTooManyRequests, "rate_limited")
	}, apptest.Setting("RATE_LIMITS", "on"), apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}

func TestPurgeDeletesPhoneChallenges(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		signInByPhone(t, a, annsPhone)
		startCall(a.Anonymous(), "+79991230603").Want(http.StatusOK)
		startCall(a.Anonymous(), "+79991230604").Want(http.StatusOK)
		a.Clock.Advance(time.Hour)
		a.RunJobs()
		if n := a.Count(phoneChallengesStmt); n != 2 {
			t.Errorf("%d challenges remain, want the two expired ones", n)
		}
		a.Clock.Advance(time.Hour)
		a.RunJobs()
		if n := a.Count(phoneChallengesStmt); n != 0 {
			t.Errorf("%d challenges remain", n)
		}
	})
}
