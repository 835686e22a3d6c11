package session_test

import (
	"net/http"
	"testing"
	"time"

	"moothall/internal/apptest"
)

func TestFiftyPollsGiveOneSession(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		const rounds = 5
		for range rounds {
			id := startCall(a.Anonymous(), annsPhone).Want(http.StatusOK).Text("challenge_id")
			call(a, annsPhone)
			replies := parallel(50, func(i int) *apptest.Reply { return pollCall(a.Anonymous().On(i%instances), id) })
			for _, r := range replies {
				if r.Want(http.StatusOK); string(r.Body) != string(replies[0].Body) {
					t.Fatalf("%s and %s", replies[0].Body, r.Body)
				}
			}
			bearer(a, replies[0].Text("access_token")).Get("/me").Want(http.StatusOK)
		}
		if n := number(t, a.DB, phoneSessionsStmt); n != rounds {
			t.Errorf("%d sessions of %d calls", n, rounds)
		}
		if n := number(t, a.DB, usersStmt); n != 1 {
			t.Errorf("%d users", n)
		}
	}, apptest.Instances(instances))
}

func TestOnlyOneOfManyClientsGetsTheSession(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		id := startCall(a.Anonymous(), annsPhone).Want(http.StatusOK).Text("challenge_id")
		call(a, annsPhone)
		replies := parallel(50, func(i int) *apptest.Reply {
			return pollCall(device(a, string(rune('A'+i))).On(i%instances), id)
		})
		if good := successes(t, replies); len(good) != 1 {
			t.Errorf("%d clients have the session", len(good))
		}
	}, apptest.Instances(instances))
}

// Two clients start for one phone, each many times at once: there is one
// challenge, and only its client ever sees it.
func TestTwoStartersNeverCross(t *testing.T) {
	withProvider(t, "smsru", func(t *testing.T, a *apptest.App, f *fakeProvider) {
		names := []string{"victim", "attacker"}
		for round := range 5 {
			before := f.count("/callcheck/add")
			replies := parallel(30, func(i int) *apptest.Reply {
				return startCall(device(a, names[i%2]).On(i%instances), annsPhone)
			})
			ids, winners := map[string]bool{}, map[int]bool{}
			for i, r := range replies {
				if r.Status == http.StatusOK {
					ids[r.Text("challenge_id")], winners[i%2] = true, true
					continue
				}
				r.WantError(http.StatusTooManyRequests, "rate_limited")
			}
			if asked := f.count("/callcheck/add") - before; len(ids) != 1 || len(winners) != 1 || asked != 1 {
				t.Fatalf("round %d: %d challenges for %d clients, the provider was asked %d times", round, len(ids), len(winners), asked)
			}
			f.says(`"401"`)
			for id := range ids {
				for winner := range winners {
					pollCall(device(a, names[winner]), id).Want(http.StatusOK).Text("access_token")
				}
			}
			f.says(`"400"`)
		}
		if n := number(t, a.DB, phoneSessionsStmt); n != 5 {
			t.Errorf("%d sessions", n)
		}
	}, apptest.Instances(instances))
}

// A provider fails while many starts of one client wait for it.
func TestParallelStartsAtABrokenProvider(t *testing.T) {
	withProvider(t, "smsru", func(t *testing.T, a *apptest.App, f *fakeProvider) {
		f.answers(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		began := time.Now()
		for _, r := range parallel(10, func(i int) *apptest.Reply {
			return startCall(a.Anonymous().On(i%instances).Allow5xx(), annsPhone)
		}) {
			r.WantError(http.StatusServiceUnavailable, "service_unavailable")
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("after %v", took)
		}
		if n := number(t, a.DB, phoneChallengesStmt); n != 0 {
			t.Errorf("%d challenges are stored", n)
		}
	}, apptest.Instances(instances))
}
