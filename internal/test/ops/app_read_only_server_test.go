package ops_test

import (
	"sync"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

var demoteStmt = db.SQL("app_test.demote", `SELECT set_config('default_transaction_read_only', 'on', false)`)

// demote lets the server refuse writes on n connections of the pool, as a primary does that
// has become a standby and keeps its connections. New connections accept writes.
func demote(t *testing.T, a *apptest.App, n int) {
	t.Helper()
	var all sync.WaitGroup
	all.Add(n)
	apptest.Concurrently(n, func(int) {
		once := sync.OnceFunc(all.Done)
		err := a.DB.InTx(t.Context(), func(tx db.Tx) error {
			err := tx.One(t.Context(), demoteStmt).Scan(new(string))
			once()
			all.Wait() // each transaction has a connection of its own
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// TestRefusedWriteLeavesReadOnlyServer demotes the server of all connections. A write gets
// 503 and has no effect, reads succeed, and soon writes succeed on new connections.
func TestRefusedWriteLeavesReadOnlyServer(t *testing.T) {
	t.Parallel()
	const connections = 3
	a := apptest.New(t, db.PostgreSQL, apptest.Setting("DATABASE_MAX_CONNS", "3"))
	org := a.As("org")
	starts := a.Clock.Now().Add(time.Hour)
	create := func() *apptest.Reply {
		return org.Allow5xx().Post("/events", apptest.Fields{"title": "Chess", "starts_at": starts})
	}
	refused := 0
	var slowest time.Duration
	for try := 0; refused < testutil.Rounds(2, 20) && try < 100; try++ { // a background job may be refused first
		demote(t, a, connections)
		began := time.Now()
		first := create()
		if first.Status == 201 {
			continue
		}
		refused++
		first.WantError(503, "service_unavailable")
		if first.Header.Get("Retry-After") == "" {
			t.Error("503 without Retry-After")
		}
		org.Get("/events").Want(200)
		testutil.Until(t, "a write", func() bool { return create().Status == 201 })
		slowest = max(slowest, time.Since(began))
	}
	testutil.Fault(t, "a primary becomes a standby and keeps its connections",
		"%d writes got 503; writes succeeded on new connections within %v", refused, slowest)
	if refused == 0 {
		t.Error("no write was refused")
	}
}
