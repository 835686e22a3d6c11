package faults

import (
	"strings"
	"testing"
	"time"

	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// failover is a primary and its standby. The service knows both by database, or only address,
// which leads to the primary.
type failover struct {
	primary, standby *pgtest.Cluster
	database         string
	address          *pgtest.Proxy
}

func newFailover(t *testing.T) failover {
	t.Helper()
	primary := pgtest.Private(t, pgtest.Replicated)
	standby := primary.Standby(t)
	_, socket, _ := strings.Cut(standby.URL("postgres"), "host=")
	return failover{primary, standby, primary.URL("postgres") + "," + socket, pgtest.NewProxy(t, primary.URL("postgres"))}
}

// demote lets the primary keep its connections and refuse writes, of which the standby has all.
func (f failover) demote(t *testing.T) {
	t.Helper()
	set(t, f.primary.URL("postgres"), "default_transaction_read_only", "on")
	must(t, f.standby.AwaitReplay(f.primary))
}

// TestServiceFollowsFailover promotes the standby of a primary under load. The former primary
// is killed, or keeps its connections and refuses writes. Nothing acknowledged is missing.
func TestServiceFollowsFailover(t *testing.T) {
	if testutil.Rounds(0, 1) == 0 {
		t.Skip("too slow for make test: it starts two clusters for each case; make check runs it. TestRefusedWriteLeavesReadOnlyServer is the short form")
	}
	for name, c := range map[string]struct {
		database func(f failover) string
		end      func(t *testing.T, f failover)
	}{
		"killed": {
			func(f failover) string { return f.database },
			func(t *testing.T, f failover) { must(t, f.primary.Kill()) },
		},
		"read-only": {
			func(f failover) string { return f.database },
			func(t *testing.T, f failover) { f.demote(t) },
		},
		"one address": {
			func(f failover) string { return f.address.URL },
			func(t *testing.T, f failover) { f.demote(t); f.address.Switch(f.standby) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFailover(t)
			s := newDeadlineService(t, c.database(f))
			l := newLoad(t, s)
			l.allow503 = true
			stop := l.start()
			l.awaitWrites(busy)
			c.end(t, f)
			l.await(&l.unavailable, 1)
			must(t, f.standby.Promote())
			began := time.Now()
			l.awaitWrites(1)
			took := time.Since(began)
			l.awaitWrites(busy)
			stop()
			v := l.ledger.check(f.standby.URL("postgres"))
			testutil.Fault(t, "failover to a standby", "writes on the new primary after %v; %v, %d times 503, the slowest answer took %v",
				took, v, l.unavailable.value(), l.slowest)
			if len(v.missing)+len(v.wrong) > 0 {
				t.Error("acknowledged writes are missing or wrong")
			}
			if took > 20*time.Second { // a second, and the rest for a busy machine
				t.Errorf("the new primary was in use after %v", took)
			}
		})
	}
}
