package signin_test

import (
	"net/http"
	"testing"
	"time"

	"moothall/internal/apptest"
)

func TestConcurrentPollsReturnOneSession(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		rounds := apptest.Rounds(3, 20)
		for range rounds {
			id := startCall(a.Anonymous(), annsPhone).Want(http.StatusOK).Text("challenge_id")
			call(a, annsPhone)
			replies := apptest.Replies(50, func(i int) *apptest.Reply { return pollCall(a.Anonymous().On(i%instances), id) })
			for _, r := range replies {
				if r.Want(http.StatusOK); string(r.Body) != string(replies[0].Body) {
					t.Fatalf("%s and %s", replies[0].Body, r.Body)
				}
			}
			a.WithBearer(replies[0].Text("access_token")).Get("/me").Want(http.StatusOK)
		}
		if n := a.Count(phoneSessionsStmt); n != rounds {
			t.Errorf("%d sessions from %d calls", n, rounds)
		}
		if n := a.Count(usersStmt); n != 1 {
			t.Errorf("%d users", n)
		}
	}, apptest.Instances(instances))
}

func TestOneOfConcurrentClientsGetsSession(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		id := startCall(a.Anonymous(), annsPhone).Want(http.StatusOK).Text("challenge_id")
		call(a, annsPhone)
		replies := apptest.Replies(50, func(i int) *apptest.Reply {
			return pollCall(device(a, string(rune('A'+i))).On(i%instances), id)
		})
		if good := apptest.Accepted(t, replies); len(good) != 1 {
			t.Errorf("%d clients got the session", len(good))
		}
	}, apptest.Instances(instances))
}

// TestConcurrentStartsMakeOneChallenge starts two clients concurrently for one phone: one
// challenge is created, and only one client gets it.
func TestConcurrentStartsMakeOneChallenge(t *testing.T) {
	withProvider(t, "smsru", func(t *testing.T, a *apptest.App, f *fakeProvider) {
		names := []string{"victim", "attacker"}
		for round := range 5 {
			before := f.count("/callcheck/add")
			replies := apptest.Replies(30, func(i int) *apptest.Reply {
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
				t.Fatalf("round %d: %d challenges for %d clients, %d requests to the provider", round, len(ids), len(winners), asked)
			}
			f.setStatus(`"401"`)
			for id := range ids {
				for winner := range winners {
					pollCall(device(a, names[winner]), id).Want(http.StatusOK).Text("access_token")
				}
			}
			f.setStatus(`"400"`)
		}
		if n := a.Count(phoneSessionsStmt); n != 5 {
			t.Errorf("%d sessions", n)
		}
	}, apptest.Instances(instances))
}

func TestConcurrentStartsWithFailingProvider(t *testing.T) {
	t.Parallel()
	withProvider(t, "smsru", func(t *testing.T, a *apptest.App, f *fakeProvider) {
		f.respond(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		began := time.Now()
		for _, r := range apptest.Replies(10, func(i int) *apptest.Reply {
			return startCall(a.Anonymous().On(i%instances).Allow5xx(), annsPhone)
		}) {
			r.WantError(http.StatusServiceUnavailable, "service_unavailable")
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("after %v", took)
		}
		if n := a.Count(phoneChallengesStmt); n != 0 {
			t.Errorf("%d challenges are stored", n)
		}
	}, apptest.Instances(instances))
}
