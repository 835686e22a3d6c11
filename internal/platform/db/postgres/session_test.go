package postgres_test

import (
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/pgtest"
)

// TestSessionPoolerIsSupported uses a pooler that gives each client a session and refuses startup parameters.
func TestSessionPoolerIsSupported(t *testing.T) {
	t.Parallel()
	d := open(t, pgtest.NewPooler(t, pgtest.Database(t), false), db.Options{Connections: 2})
	must(t, mark(t.Context(), d, "a", 1))
	must(t, d.InTx(t.Context(), func(tx db.Tx) error { return mark(t.Context(), tx, "a", 2) }))
	must(t, d.Health(t.Context()))
	if n := marks(t, d, "a"); n != 2 {
		t.Errorf("%d rows", n)
	}
	setting := db.SQL("test.setting", "SELECT current_setting($1)")
	for name, want := range map[string]string{
		"default_transaction_isolation": "read committed", "idle_in_transaction_session_timeout": "10s", "max_parallel_workers_per_gather": "0",
	} {
		var got string
		must(t, d.One(t.Context(), setting, name).Scan(&got))
		if got != want {
			t.Errorf("%s = %s, want %s", name, got, want)
		}
	}
}

// TestTransactionPoolerIsRefused uses a pooler whose clients share a session: the start is refused with one sentence.
func TestTransactionPoolerIsRefused(t *testing.T) {
	t.Parallel()
	_, err := db.Open(t.Context(), pgtest.NewPooler(t, pgtest.Database(t), true), db.Options{Wait: time.Minute})
	if err == nil || !strings.Contains(err.Error(), "let it use session pooling") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
}
