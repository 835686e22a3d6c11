package identity_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// startAgain starts with the id of a challenge that the client has begun.
func startAgain(c *apptest.Client, phone, id string) *apptest.Reply {
	return c.Post("/auth/phone/call/start", map[string]string{"phone": phone, "challenge_id": id})
}

// signinStatus returns the status of a challenge.
func signinStatus(c *apptest.Client, id string) string {
	return pollCall(c, id).Want(http.StatusOK).Text("status")
}

// TestOnlyDialledNumberGetsSession starts twice for one phone, from one address with one
// user agent, and dials the number of each start in turn.
func TestOnlyDialledNumberGetsSession(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for victim := range 2 {
			var ids, numbers [2]string
			for i := range ids {
				started := startCall(a.Anonymous().On(i), annsPhone).Want(http.StatusOK)
				ids[i], numbers[i] = started.Text("challenge_id"), started.Text("call_phone")
			}
			attacker := 1 - victim
			if ids[0] == ids[1] || numbers[0] == numbers[1] {
				t.Fatalf("two starts got the challenges %v with the numbers %v", ids, numbers)
			}
			callTo(a, annsPhone, numbers[victim])
			if got := signinStatus(a.Anonymous(), ids[attacker]); got != "pending" {
				t.Errorf("victim %d: the challenge of the attacker is %s", victim, got)
			}
			if got := signinStatus(a.Anonymous(), ids[victim]); got != "verified" {
				t.Errorf("victim %d: the challenge of the victim is %s", victim, got)
			}
			callTo(a, annsPhone, numbers[victim]) // the victim calls again
			if got := signinStatus(a.Anonymous(), ids[attacker]); got != "pending" {
				t.Errorf("victim %d: after a second call the challenge of the attacker is %s", victim, got)
			}
			a.Clock.Advance(6 * time.Minute)
		}
	}, apptest.Instances(instances))
}

func TestConcurrentStartsGetOwnNumbers(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		for range testutil.Rounds(2, 20) {
			replies := apptest.Replies(6, func(i int) *apptest.Reply { return startCall(a.Anonymous().On(i), annsPhone) })
			numbers := map[string]string{}
			for _, r := range replies {
				numbers[r.Want(http.StatusOK).Text("call_phone")] = r.Text("challenge_id")
			}
			if len(numbers) != len(replies) {
				t.Fatalf("%d starts got %d numbers", len(replies), len(numbers))
			}
			dialled := replies[3].Text("call_phone")
			callTo(a, annsPhone, dialled)
			for number, id := range numbers {
				if got := signinStatus(a.Anonymous(), id); (got == "verified") != (number == dialled) {
					t.Errorf("%s is %s after a call to %s", number, got, dialled)
				}
			}
			a.Clock.Advance(6 * time.Minute)
		}
	}, apptest.Instances(instances))
}

// TestConcurrentStartsWithOneNumber starts many times for one phone at a provider that
// has one number: one start gets it, the others are told when it is free.
func TestConcurrentStartsWithOneNumber(t *testing.T) {
	withProvider(t, dbtest.RuleEngines, "smsru", func(t *testing.T, a *apptest.App, f *fakeProvider) {
		for round := range 5 {
			before := f.count("/callcheck/add")
			id := ""
			for _, r := range apptest.Replies(30, func(i int) *apptest.Reply { return startUntilDecided(a.Anonymous().On(i), annsPhone) }) {
				if r.Status == http.StatusOK {
					if id != "" {
						t.Fatalf("round %d: two starts succeeded", round)
					}
					id = r.Text("challenge_id")
					continue
				}
				r.WantError(http.StatusTooManyRequests, "rate_limited")
				if got := r.Header.Get("Retry-After"); got != "300" {
					t.Errorf("Retry-After %s", got)
				}
			}
			if asked := f.count("/callcheck/add") - before; asked != 1 {
				t.Fatalf("round %d: %d requests to the provider", round, asked)
			}
			f.setStatus(`"401"`)
			if got := signinStatus(a.Anonymous(), id); got != "verified" {
				t.Errorf("%s", got)
			}
			f.setStatus(`"400"`)
		}
		if n := a.Count(phoneSessionsStmt); n != 5 {
			t.Errorf("%d sessions", n)
		}
	}, apptest.Instances(instances), apptest.StartAt(begin))
}

// startUntilDecided starts again if the start takes too long, as on a busy machine.
func startUntilDecided(c *apptest.Client, phone string) *apptest.Reply {
	for {
		if r := startCall(c.Allow5xx(), phone); r.Status != http.StatusServiceUnavailable {
			return r
		}
	}
}

var begin = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// TestStartReturnsChallengeToItsHolder checks that only a start with the id of the pending
// challenge gets that challenge again, whatever its network and user agent.
func TestStartReturnsChallengeToItsHolder(t *testing.T) {
	withProvider(t, dbtest.RuleEngines, "smsru", func(t *testing.T, a *apptest.App, f *fakeProvider) {
		first := startCall(device(a, "victim"), annsPhone).Want(http.StatusOK)
		id := first.Text("challenge_id")
		a.Clock.Advance(time.Minute)
		for _, userAgent := range []string{"victim", "another device"} {
			again := startAgain(device(a, userAgent).On(1), "8 999 123 06 02", id).Want(http.StatusOK)
			want := strings.Replace(string(first.Body), `"expires_in_seconds":300`, `"expires_in_seconds":240`, 1)
			if string(again.Body) != want {
				t.Errorf("%s got %s, want %s", userAgent, again.Body, want)
			}
		}
		for _, body := range []string{`{"phone":"%s"}`, `{"phone":"%s","challenge_id":null}`,
			`{"phone":"%s","challenge_id":"5f0f1a52-93a4-4a43-8d55-6a35c7f1e0d2"}`} {
			r := device(a, "victim").Post("/auth/phone/call/start", fmt.Sprintf(body, annsPhone))
			r.WantError(http.StatusTooManyRequests, "rate_limited")
			if got := r.Header.Get("Retry-After"); got != "240" {
				t.Errorf("Retry-After %q", got)
			}
		}
		startAgain(a.Anonymous(), annsPhone, "x").WantError(http.StatusBadRequest, "invalid_request")
		if n := f.count("/callcheck/add"); n != 1 {
			t.Errorf("%d requests to the provider", n)
		}
		a.Clock.Advance(4 * time.Minute)
		if next := startAgain(a.Anonymous(), annsPhone, id).Want(http.StatusOK).Text("challenge_id"); next == id {
			t.Error("an expired challenge was started again")
		}
	}, apptest.Instances(instances), apptest.StartAt(begin))

	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		id := startCall(a.Anonymous(), "+79991230603").Want(http.StatusOK).Text("challenge_id")
		if other := startAgain(a.Anonymous(), annsPhone, id).Want(http.StatusOK).Text("challenge_id"); other == id {
			t.Error("the challenge of another phone was returned")
		}
		call(a, "+79991230603")
		if again := startAgain(a.Anonymous(), "+79991230603", id).Want(http.StatusOK).Text("challenge_id"); again != id {
			t.Error("a verified challenge was not returned to its holder")
		}
		pollCall(a.Anonymous(), id).Want(http.StatusOK)
		if next := startAgain(a.Anonymous(), "+79991230603", id).Want(http.StatusOK).Text("challenge_id"); next == id {
			t.Error("a redeemed challenge was started again")
		}
	})
}

// TestSMSCReportVerifiesDialledNumber gives two starts two of the provider's numbers and
// refuses the third.
func TestSMSCReportVerifiesDialledNumber(t *testing.T) {
	withProvider(t, dbtest.RuleEngines, "smsc", func(t *testing.T, a *apptest.App, f *fakeProvider) {
		f.respond(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprint(w, `{"phone":"74951234567","all_phones":["74951234567",74951234568]}`)
		})
		report := func(to string) {
			a.Clock.Advance(time.Second)
			form := url.Values{"phone": {"79991230602"}, "to": {to}, "ts": {strconv.FormatInt(a.Clock.Now().Unix(), 10)}}
			postForm(a.Anonymous().On(2), "/auth/phone/callback/smsc?key="+url.QueryEscape(smscKey), form).Want(http.StatusOK)
		}
		attacker := startCall(a.Anonymous(), annsPhone).Want(http.StatusOK)
		victim := startCall(a.Anonymous().On(1), annsPhone).Want(http.StatusOK)
		if attacker.Text("call_phone") != "+74951234567" || victim.Text("call_phone") != "+74951234568" {
			t.Fatalf("%s and %s", attacker.Body, victim.Body)
		}
		refused := startCall(a.Anonymous(), annsPhone)
		refused.WantError(http.StatusTooManyRequests, "rate_limited")
		if got := refused.Header.Get("Retry-After"); got != "300" {
			t.Errorf("Retry-After %q", got)
		}
		report("74951234568")
		report("74951234568") // the victim calls again, before the session is fetched
		if got := signinStatus(a.Anonymous(), attacker.Text("challenge_id")); got != "pending" {
			t.Errorf("the challenge of the attacker is %s", got)
		}
		startCall(a.Anonymous(), annsPhone).WantError(http.StatusTooManyRequests, "rate_limited") // the number is not given away yet
		if got := signinStatus(a.Anonymous(), victim.Text("challenge_id")); got != "verified" {
			t.Errorf("the challenge of the victim is %s", got)
		}
	}, apptest.Instances(instances), apptest.StartAt(begin))
}

// TestStartSucceedsAfterInstanceDiesDuringStart leaves the reservation of a start behind.
func TestStartSucceedsAfterInstanceDiesDuringStart(t *testing.T) {
	withProvider(t, dbtest.RuleEngines, "smsru", func(t *testing.T, a *apptest.App, _ *fakeProvider) {
		a.Exec(reservationStmt, []byte("the hash of an id"), annsPhone, a.Clock.Now(), a.Clock.Now().Add(10*time.Second))
		startCall(a.Anonymous().Allow5xx(), annsPhone).WantError(http.StatusServiceUnavailable, "service_unavailable")
		a.Clock.Advance(10 * time.Second)
		startCall(a.Anonymous(), annsPhone).Want(http.StatusOK)
	}, apptest.StartAt(begin))
}

var reservationStmt = db.SQL("signin_test.reservation", `
	INSERT INTO phone_challenges (id_hash, phone, open, provider, created_at, expires_at) VALUES ($1, $2, TRUE, 'smsru', $3, $4)`)
