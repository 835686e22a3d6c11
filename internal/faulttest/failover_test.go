package faulttest

import (
	"strings"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/pgtest"
)

// TestServiceFollowsFailover gives the service the addresses of a primary and of its standby,
// and promotes the standby under load. The former primary is killed, or keeps its
// connections and refuses writes. Nothing acknowledged is missing.
func TestServiceFollowsFailover(t *testing.T) {
	if apptest.Rounds(0, 1) == 0 {
		t.Skip("only with LONG_TESTS: TestRefusedWriteLeavesReadOnlyServer is the short form")
	}
	for name, end := range map[string]func(t *testing.T, primary, standby *pgtest.Cluster){
		"killed": func(t *testing.T, primary, _ *pgtest.Cluster) { must(t, primary.Kill()) },
		"read-only": func(t *testing.T, primary, standby *pgtest.Cluster) {
			set(t, primary.URL("postgres"), "default_transaction_read_only", "on")
			must(t, standby.AwaitReplay(primary))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			primary := pgtest.Private(t, pgtest.Replicated)
			standby := primary.Standby(t)
			_, socket, _ := strings.Cut(standby.URL("postgres"), "host=")
			s := newDeadlineService(t, primary.URL("postgres")+","+socket)
			l := newLoad(t, s)
			l.allow503 = true
			stop := l.start()
			l.awaitWrites(busy)
			end(t, primary, standby)
			l.await(&l.unavailable, 1)
			must(t, standby.Promote())
			began := time.Now()
			l.awaitWrites(1)
			took := time.Since(began)
			l.awaitWrites(busy)
			stop()
			v := l.ledger.check(standby.URL("postgres"))
			apptest.Report(t, "failover to a standby", "writes on the new primary after %v; %v, %d times 503, the slowest answer took %v",
				took, v, l.unavailable.value(), l.slowest)
			if len(v.missing)+len(v.wrong) > 0 {
				t.Error("acknowledged writes are missing or wrong")
			}
			if took > 5*time.Second {
				t.Errorf("the new primary was in use after %v", took)
			}
		})
	}
}
