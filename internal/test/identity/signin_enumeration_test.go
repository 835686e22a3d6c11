package identity_test

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/identity/signin"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

var anyUUID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)

// TestSignInByPhoneDoesNotRevealAccounts checks that requests for a user with an account, one
// without and one who is suspended get equal responses, including the headers.
func TestSignInByPhoneDoesNotRevealAccounts(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for i, phone := range []string{"+79991230001", "+79991230002", "+79991230003"} {
			if i != 1 {
				in := signInByPhone(t, a, phone)
				if i == 2 {
					id, _ := domain.ParseID[domain.UserKind](in.Text("current_user.user.id"))
					a.Exec(signinSuspendStmt, id, a.Clock.Now())
				}
			}
		}
		a.As("known")
		a.Exec(signinSuspendStmt, a.As("suspended").ID(), a.Clock.Now())
		a.Clock.Advance(24 * time.Hour) // all quotas are full again, and no challenge is open
		var want map[string]string
		for i, name := range []string{"known", "unknown", "suspended"} {
			phone := fmt.Sprintf("+799912300%02d", i+1)
			c := a.Anonymous().With("X-Forwarded-For", fmt.Sprintf("192.0.2.%d", i+1)).With("X-Request-Id", "same")
			started := startCall(c, phone)
			got := map[string]string{
				"start":        signinResponse(c.Post("/auth/dev/start", map[string]string{"email": name + "@example.org"})),
				"start again":  signinResponse(c.Post("/auth/dev/start", map[string]string{"email": name + "@example.org"})),
				"wrong code":   signinResponse(signinVerify(c, name+"@example.org", "000000")),
				"no code":      signinResponse(signinVerify(c, "other-"+name+"@example.org", "000000")),
				"malformed":    signinResponse(signinVerify(c, name+"@example.org", "1")),
				"call":         signinResponse(started),
				"pending call": signinResponse(pollCall(c, started.Text("challenge_id"))),
				"unknown call": signinResponse(pollCall(c, "01890a5d-ac96-474b-bcce-b302099a8057")),
			}
			for _, call := range []string{"call", "pending call"} { // the response contains the masked number
				got[call] = regexp.MustCompile(`-\d\d"`).ReplaceAllString(got[call], `-00"`)
			}
			if want == nil {
				want = got
			}
			for call := range want {
				if got[call] != want[call] {
					t.Errorf("%s, %s:\n%s\nknown:\n%s", call, name, got[call], want[call])
				}
			}
		}
	}, apptest.Setting("RATE_LIMITS", "on"), apptest.Setting("TRUSTED_PROXIES", "127.0.0.0/8"),
		apptest.Setting("PHONE_PROVIDER", "development"),
		apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}

var devCode = regexp.MustCompile(`"dev_code":"\d{6}"`)

// signinResponse returns all that the client receives, except the date and random values.
func signinResponse(r *apptest.Reply) string {
	r.Header.Del("Date")
	var text bytes.Buffer
	fmt.Fprintln(&text, r.Status)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		fmt.Fprintln(&text, name, r.Header[name])
	}
	text.Write(devCode.ReplaceAll(anyUUID.ReplaceAll(r.Body, []byte("ID")), []byte(`"dev_code":"CODE"`)))
	return text.String()
}

// BenchmarkTimingOfKnownAddress reports the ratio of the response times for an
// address with an account and one without: at 1 the time reveals nothing.
func BenchmarkTimingOfKnownAddress(b *testing.B) {
	d := dbtest.Open(b, db.SQLite)
	clock := domain.Clock(time.Now)
	users := &user.Service{DB: d, Clock: clock}
	sessions := &session.Service{DB: d, Clock: clock, Users: users, AccessTTL: time.Hour, RefreshTTL: time.Hour, MaxAge: time.Hour}
	s := &signin.Service{DB: d, Clock: clock, Users: users, Sessions: sessions, ExposeCode: true, Key: []byte("key")}
	const known, unknown = "known@example.org", "unknown@example.org"
	c, err := s.StartEmail(b.Context(), known, "")
	if err == nil {
		_, err = s.VerifyEmail(b.Context(), known, c.Code, session.Client{})
	}
	if err != nil {
		b.Fatal(err)
	}
	for name, call := range map[string]func(email string){
		"start":  func(email string) { _, _ = s.StartEmail(b.Context(), email, "") },
		"verify": func(email string) { _, _ = s.VerifyEmail(b.Context(), email, "wrong", session.Client{}) },
	} {
		b.Run(name, func(b *testing.B) {
			var took [2]time.Duration
			for b.Loop() {
				for i, email := range []string{known, unknown} {
					begin := time.Now()
					call(email)
					took[i] += time.Since(begin)
				}
			}
			b.ReportMetric(float64(took[0])/float64(took[1]), "known/unknown")
		})
	}
}
