package identity_test

import (
	"net/http"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

func TestConcurrentPollsReturnOneSession(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		rounds := testutil.Rounds(3, 20)
		for range rounds {
			id := startCall(a.Anonymous(), annsPhone).Want(http.StatusOK).Text("challenge_id")
			call(a, annsPhone)
			replies := apptest.Replies(50, func(i int) *apptest.Reply { return pollCall(device(a, string(rune('A'+i))).On(i), id) })
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

func TestConcurrentStartsWithFailingProvider(t *testing.T) {
	t.Parallel()
	withProvider(t, dbtest.RuleEngines, "smsru", func(t *testing.T, a *apptest.App, f *fakeProvider) {
		f.respond(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		began := time.Now()
		for _, r := range apptest.Replies(10, func(i int) *apptest.Reply {
			return startCall(a.Anonymous().On(i%instances).Allow5xx(), annsPhone)
		}) {
			r.WantError(http.StatusServiceUnavailable, "service_unavailable")
		}
		if took := time.Since(began); took > longest {
			t.Errorf("after %v", took)
		}
		if n := a.Count(phoneChallengesStmt); n != 0 {
			t.Errorf("%d challenges are stored", n)
		}
	}, apptest.Instances(instances))
}
