package session_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/dbtest"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/session"
	"moothall/internal/user"
)

var anyUUID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)

// TestNobodyIsToldWhoHasAnAccount sends the same requests for somebody who has
// an account, somebody who has none and somebody who is suspended: all answers
// are the same, byte for byte and header for header.
func TestNobodyIsToldWhoHasAnAccount(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		for i, phone := range []string{"+79991230001", "+79991230002", "+79991230003"} {
			if i != 1 {
				in := signInByPhone(t, a, phone)
				if i == 2 {
					id, _ := domain.ParseID[domain.UserKind](in.Text("current_user.user.id"))
					exec(t, a.DB, suspendStmt, id, a.Clock.Now())
				}
			}
		}
		a.As("known")
		exec(t, a.DB, suspendStmt, userID(t, a.As("barred")), a.Clock.Now())
		a.Clock.Advance(24 * time.Hour) // no limit is in use, no challenge is open
		var want map[string]string
		for i, name := range []string{"known", "nobody", "barred"} {
			phone := fmt.Sprintf("+799912300%02d", i+1)
			c := a.Anonymous().With("X-Forwarded-For", fmt.Sprintf("192.0.2.%d", i+1)).With("X-Request-Id", "same")
			started := startCall(c, phone)
			got := map[string]string{
				"start":         answer(c.Post("/auth/dev/start", map[string]string{"email": name + "@example.org"})),
				"start again":   answer(c.Post("/auth/dev/start", map[string]string{"email": name + "@example.org"})),
				"wrong code":    answer(verify(c, name+"@example.org", "000000")),
				"no code":       answer(verify(c, "other-"+name+"@example.org", "000000")),
				"malformed":     answer(verify(c, name+"@example.org", "1")),
				"call":          answer(started),
				"pending call":  answer(pollCall(c, started.Text("challenge_id"))),
				"invented call": answer(pollCall(c, "01890a5d-ac96-474b-bcce-b302099a8057")),
			}
			for _, call := range []string{"call", "pending call"} { // the number that was sent comes back masked
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
	}, apptest.Setting("RATE_LIMITS", "on"), apptest.Setting("TRUSTED_PROXIES", "127.0.0.0/8"), apptest.Setting("PHONE_PROVIDER", "development"),
		apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}

var devCode = regexp.MustCompile(`"dev_code":"\d{6}"`)

// answer is all that a caller is told, but for the machine's date and what is drawn by chance.
func answer(r *apptest.Reply) string {
	r.Header.Del("Date")
	var text bytes.Buffer
	fmt.Fprintln(&text, r.Status)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		fmt.Fprintln(&text, name, r.Header[name])
	}
	text.Write(devCode.ReplaceAll(anyUUID.ReplaceAll(r.Body, []byte("ID")), []byte(`"dev_code":"CODE"`)))
	return text.String()
}

// BenchmarkKnownAndUnknown prints how much longer an answer takes for an e-mail
// address that has an account than for one that has none: 1 tells nothing.
func BenchmarkKnownAndUnknown(b *testing.B) {
	d := dbtest.Open(b, db.SQLite)
	clock := domain.Clock(time.Now)
	profiles := user.NewService(d, clock, user.Moderators{})
	s := session.NewService(d, clock, profiles, session.Options{ExposeCode: true, Key: []byte("key"),
		AccessTTL: time.Hour, RefreshTTL: time.Hour, MaxAge: time.Hour})
	const known, unknown = "known@example.org", "nobody@example.org"
	c, err := s.StartDev(b.Context(), known, "")
	if err == nil {
		_, err = s.VerifyDev(b.Context(), known, c.Code, session.Client{})
	}
	if err != nil {
		b.Fatal(err)
	}
	for name, call := range map[string]func(email string){
		"start":  func(email string) { _, _ = s.StartDev(b.Context(), email, "") },
		"verify": func(email string) { _, _ = s.VerifyDev(b.Context(), email, "wrong", session.Client{}) },
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

// The budget of all calls together ends in 503, and nothing stays behind.
func TestPhoneBudget(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		for i := range 2 {
			startCall(a.Anonymous(), fmt.Sprintf("+7999123000%d", i)).Want(http.StatusOK)
		}
		startCall(a.Anonymous().Allow5xx(), annsPhone).WantError(http.StatusServiceUnavailable, "service_unavailable")
		if n := number(t, a.DB, phoneChallengesStmt); n != 2 {
			t.Errorf("%d challenges", n)
		}
		startCall(a.Anonymous(), "+79991230001").Want(http.StatusOK) // the open one again costs nothing
		a.Clock.Advance(12 * time.Hour)
		startCall(a.Anonymous(), annsPhone).Want(http.StatusOK)
	}, apptest.Setting("RATE_LIMITS", "on"), apptest.Setting("RATE_LIMIT_PHONE_STARTS_PER_DAY", "2/24h"),
		apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}
