package identity_test

import (
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// limitsBehindProxy enables the limits, stops the clock and lets a test choose addresses.
func limitsBehindProxy(limits string) []apptest.Option {
	return []apptest.Option{apptest.Setting("RATE_LIMITS", limits), apptest.Setting("TRUSTED_PROXIES", "127.0.0.0/8"), apptest.StartAt(begin)}
}

func at(a *apptest.App, address string) *apptest.Client {
	return a.Anonymous().With("X-Forwarded-For", address)
}

// nthPhone returns a different phone for each n below 10,000.
func nthPhone(n int) string { return fmt.Sprintf("+7999123%04d", n) }

// retryAfter expects a refusal by a limit and returns the time to wait.
func retryAfter(t *testing.T, r *apptest.Reply) time.Duration {
	t.Helper()
	r.WantError(http.StatusTooManyRequests, "rate_limited")
	seconds, err := strconv.Atoi(r.Header.Get("Retry-After"))
	if err != nil {
		t.Fatalf("Retry-After %q", r.Header.Get("Retry-After"))
	}
	return time.Duration(seconds) * time.Second
}

// TestFloodFromOneNetworkLeavesSignInToOthers starts many more calls than allowed from the many
// networks of one IPv6 /48, then a person elsewhere signs in.
func TestFloodFromOneNetworkLeavesSignInToOthers(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		var started, n atomic.Int32
		apptest.Concurrently(20, func(i int) {
			for range testutil.Rounds(26, 100) { // more than the 400 an hour of the /32, which refused ones must not use up
				n := int(n.Add(1))
				switch r := startCall(at(a, fmt.Sprintf("2001:db8:1:%x::1", n)).On(i), nthPhone(n)); r.Status {
				case http.StatusOK:
					started.Add(1)
				default:
					r.WantError(http.StatusTooManyRequests, "rate_limited")
				}
			}
		})
		if n := started.Load(); n > 100 {
			t.Errorf("one network started %d calls", n)
		}
		for _, address := range []string{"192.0.2.1", "2001:db9::1", "2001:db8:2::1"} {
			person := at(a, address)
			id := startCall(person, annsPhone).Want(http.StatusOK).Text("challenge_id")
			call(a, annsPhone)
			if got := signinStatus(person, id); got != "verified" {
				t.Errorf("%s: %s", address, got)
			}
		}
	}, limitsBehindProxy("on")...)
}

// TestHourlyLimitsOfNetworks checks the limits of an address and of each kind of network.
func TestHourlyLimitsOfNetworks(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		phone := 0
		for _, c := range []struct {
			rule    string
			address func(i int) string
			allowed int
			step    time.Duration
		}{
			{"phone_start_per_address", func(int) string { return "192.0.2.1" }, 2, 30 * time.Minute},
			{"phone_start_per_address", func(i int) string { return fmt.Sprintf("2001:db8::%x", i) }, 2, 30 * time.Minute},
			{"phone_start_per_network", func(i int) string { return fmt.Sprintf("198.51.100.%d", i) }, 4, 15 * time.Minute},
			{"phone_start_per_network", func(i int) string { return fmt.Sprintf("2001:db9:0:%x::1", i) }, 4, 15 * time.Minute},
			{"phone_start_per_wide_network", func(i int) string { return fmt.Sprintf("2001:dba:%x::1", i) }, 6, 10 * time.Minute},
		} {
			start := func(i int) *apptest.Reply {
				phone++
				return startCall(at(a, c.address(i)), nthPhone(phone))
			}
			for i := range c.allowed {
				start(i).Want(http.StatusOK)
			}
			refused := start(c.allowed)
			if got := retryAfter(t, refused); got != c.step || refused.Header.Get("RateLimit") != fmt.Sprintf("%q;r=0;t=%d", c.rule,
				int(c.step.Seconds())) {
				t.Errorf("%s: wait %v, RateLimit %s", c.rule, got, refused.Header.Get("RateLimit"))
			}
			a.Clock.Advance(c.step)
			start(c.allowed).Want(http.StatusOK)
			a.Clock.Advance(time.Hour)
		}
	}, limitsBehindProxy("phone_start_per_address=2/1h, phone_start_per_network=4/1h, phone_start_per_wide_network=6/1h")...)
}

// TestDailyBudgetIsShared spends the daily budget from several networks: each gets at most
// its share, a quarter of the budget remains for networks with few starts, and half of it for
// clients that have signed in with their phone.
func TestDailyBudgetIsShared(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := at(a, "203.0.113.1").With("Authorization", "Bearer "+signInByPhone(t, a, annsPhone).Text("access_token"))
		a.Clock.Advance(24 * time.Hour)
		phone := 0
		start := func(format string, network, host int) *apptest.Reply {
			phone++
			return startCall(at(a, fmt.Sprintf(format, network, host)), nthPhone(phone))
		}
		const v4, v6 = "198.18.%d.%d", "2001:db8:%x:%x::1"
		for network := range 3 { // 60 of 80 for the /32, 60 of 100 for everybody
			for host := range 20 {
				start(v6, network, host).Want(http.StatusOK)
			}
			if got := retryAfter(t, start(v6, network, 20)); got != 24*time.Hour/20 {
				t.Errorf("the share of a network: wait %v", got)
			}
		}
		for host := range 20 {
			start(v6, 3, host).Want(http.StatusOK)
		}
		if got := retryAfter(t, start(v6, 4, 0)); got != 24*time.Hour/80 {
			t.Errorf("the share of an IPv6 /32: wait %v", got)
		}
		for host := range 20 {
			start(v4, 0, host).Want(http.StatusOK)
		}
		for network := 1; network <= 20; network++ { // from the part for networks with few starts
			for host := range 5 {
				start(v4, network, host).Want(http.StatusOK)
			}
			if got := retryAfter(t, start(v4, network, 5)); got != 24*time.Hour/100 {
				t.Errorf("the part for everybody: wait %v", got)
			}
		}
		stored := a.Count(phoneChallengesStmt)
		retryAfter(t, start(v4, 21, 0))
		if n := a.Count(phoneChallengesStmt); n != stored {
			t.Error("a refused start is stored")
		}
		startCall(ann, annsPhone).Want(http.StatusOK)
		retryAfter(t, startCall(ann, nthPhone(phone+1))) // it has signed in with another phone
		a.Clock.Advance(24 * time.Hour / 100)
		start(v4, 21, 0).Want(http.StatusOK)
	}, limitsBehindProxy("phone_starts_per_day=400/24h")...)
}

// TestSmallDailyBudget checks that the parts of a budget never add up to more.
func TestSmallDailyBudget(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		known := at(a, "203.0.113.1").With("Authorization", "Bearer "+signInByPhone(t, a, annsPhone).Text("access_token"))
		a.Clock.Advance(24 * time.Hour)
		startCall(at(a, "192.0.2.1"), nthPhone(1)).Want(http.StatusOK)
		refused := startCall(at(a, "192.0.4.1"), nthPhone(3))
		startCall(known, annsPhone).Want(http.StatusOK)
		retryAfter(t, startCall(known, annsPhone))
		a.Clock.Advance(retryAfter(t, refused))
		startCall(at(a, "192.0.4.1"), nthPhone(3)).Want(http.StatusOK)
	}, limitsBehindProxy("phone_starts_per_day=2/24h")...)
}

// TestLockedPhoneAllowsKnownClients uses up the limits of a phone from several networks. A
// client that has signed in with the phone can still start.
func TestLockedPhoneAllowsKnownClients(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		in := signInByPhone(t, a, annsPhone)
		other := signInByPhone(t, a, "+79991230603")
		for network := 1; network < 10; network++ {
			a.Clock.Advance(200 * time.Second)
			startCall(at(a, fmt.Sprintf("192.0.%d.1", network)), annsPhone).Want(http.StatusOK)
		}
		a.Clock.Advance(200 * time.Second) // the access tokens have expired
		stranger := at(a, "198.51.100.1")
		locked := retryAfter(t, startCall(stranger, annsPhone))
		if want := 24*time.Hour/10 - 2000*time.Second; locked != want {
			t.Errorf("wait %v, want %v", locked, want)
		}
		retryAfter(t, startCall(stranger.With("Authorization", "Bearer "+other.Text("access_token")), annsPhone))
		retryAfter(t, startCall(stranger.With("Authorization", "Bearer at_unknown"), annsPhone))
		retryAfter(t, startCall(stranger.With("Cookie", apptest.RefreshCookie+"="+other.Text("refresh_token")), annsPhone))

		byCookie := at(a, "203.0.113.1").With("Cookie", apptest.RefreshCookie+"="+in.Text("refresh_token"))
		startCall(byCookie, annsPhone).Want(http.StatusOK)
		byToken := at(a, "203.0.113.2").With("Authorization", "Bearer "+in.Text("access_token"))
		started := startCall(byToken, annsPhone).Want(http.StatusOK)
		callTo(a, annsPhone, started.Text("call_phone"))
		if got := signinStatus(byToken.With("Authorization", ""), started.Text("challenge_id")); got != "verified" {
			t.Errorf("%s", got)
		}
		startCall(byToken, annsPhone).Want(http.StatusOK)
		if got := retryAfter(t, startCall(byToken, annsPhone)); got != 200*time.Second {
			t.Errorf("the limit of a known client: wait %v", got)
		}
		a.Anonymous().Post("/auth/logout", map[string]string{"refresh_token": in.Text("refresh_token")})
		a.Clock.Advance(10 * time.Minute)
		retryAfter(t, startCall(byToken, annsPhone)) // a revoked session proves nothing

		a.Clock.Advance(locked - 10*time.Minute)
		startCall(stranger, annsPhone).Want(http.StatusOK)
	}, limitsBehindProxy("on")...)
}

// TestRetryAfterIsTheLongestWait refuses starts for several reasons at once: the open
// challenge and both limits of the phone.
func TestRetryAfterIsTheLongestWait(t *testing.T) {
	withProvider(t, dbtest.RuleEngines, "smsru", func(t *testing.T, a *apptest.App, f *fakeProvider) {
		start := func() *apptest.Reply { return startCall(a.Anonymous(), annsPhone) }
		end := func(r *apptest.Reply) {
			t.Helper()
			f.setStatus(`"402"`)
			if got := signinStatus(a.Anonymous(), r.Want(http.StatusOK).Text("challenge_id")); got != "expired" {
				t.Errorf("%s", got)
			}
		}
		end(start())
		end(start())
		open := start()
		for _, want := range []time.Duration{300 * time.Second, 240 * time.Second} {
			if got := retryAfter(t, start()); got != want { // the limit of the phone is 200 s
				t.Errorf("wait %v, want %v", got, want)
			}
			a.Clock.Advance(time.Minute)
		}
		end(open)
		if got := retryAfter(t, start()); got != 80*time.Second {
			t.Errorf("wait %v", got)
		}
		a.Clock.Advance(80 * time.Second)
		end(start())
		for range 6 {
			a.Clock.Advance(200 * time.Second)
			end(start())
		}
		locked := retryAfter(t, start()) // 200 s by the one limit, hours by the other
		if locked < time.Hour {
			t.Errorf("wait %v", locked)
		}
		a.Clock.Advance(locked - time.Second)
		retryAfter(t, start())
		a.Clock.Advance(time.Second)
		start().Want(http.StatusOK)
	}, limitsBehindProxy("phone_start_per_address=1000/1h")...)
}
