package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/pgtest"
)

// TestPostgresConnectTimeoutFreesThePool connects to a server that accepts
// connections and never answers: the attempt must leave the pool.
func TestPostgresConnectTimeoutFreesThePool(t *testing.T) {
	url := pgtest.Database(t)
	open(t, url, db.Options{})
	p := pgtest.NewProxy(t, url)
	d := open(t, p.URL, db.Options{Connections: 2, Wait: 3 * time.Second})
	must(t, d.InTx(t.Context(), func(db.Tx) error { // holds one connection; the others wait for the second
		p.Dropping.Store(true)
		mustBe(t, d.One(t.Context(), countMarks, "a").Scan(new(int)), db.ErrUnavailable)
		p.Dropping.Store(false)
		for began := time.Now(); d.One(t.Context(), countMarks, "a").Scan(new(int)) != nil; {
			if time.Since(began) > 30*time.Second {
				t.Error("one silent connection holds the pool")
				break
			}
		}
		return nil
	}))
}

// TestPostgresDeadConnectionFreesThePool loses the only connection of a pool in a network
// that has failed: its place is free at once, though closing it takes seconds.
func TestPostgresDeadConnectionFreesThePool(t *testing.T) {
	url := pgtest.Database(t)
	open(t, url, db.Options{})
	p := pgtest.NewProxy(t, url)
	d := open(t, p.URL, db.Options{Connections: 1})
	for _, statement := range []func(ctx context.Context) error{
		func(ctx context.Context) error { return d.One(ctx, countMarks, "a").Scan(new(int)) },
		func(ctx context.Context) error { return mark(ctx, d, "a", 1) },
		func(ctx context.Context) error {
			return d.InTx(ctx, func(tx db.Tx) error { return mark(ctx, tx, "a", 2) })
		},
	} {
		must(t, d.One(t.Context(), countMarks, "a").Scan(new(int)))
		p.Dropping.Store(true)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if statement(ctx) == nil {
			t.Error("a dead connection answered")
		}
		cancel()
		p.Dropping.Store(false)
		began := time.Now()
		for d.One(t.Context(), countMarks, "a").Scan(new(int)) != nil {
			if time.Since(began) > 30*time.Second {
				t.Fatal("the dead connection stays in the pool")
			}
		}
		if took := time.Since(began); took > 10*time.Second { // pgx closes it for 15 s
			t.Errorf("the pool was free after %v", took)
		}
	}
}

// TestBackgroundLeavesLastConnection occupies the connections that work in the background
// may have: further work waits in vain, and requests do not wait.
func TestBackgroundLeavesLastConnection(t *testing.T) {
	d := open(t, pgtest.Database(t), db.Options{Connections: 2, Wait: 3 * time.Second})
	background := db.Background(t.Context())
	must(t, d.InTx(background, func(tx db.Tx) error {
		must(t, tx.One(background, countMarks, "a").Scan(new(int)))
		mustBe(t, d.One(background, countMarks, "a").Scan(new(int)), db.ErrUnavailable)
		return d.One(t.Context(), countMarks, "a").Scan(new(int))
	}))
	must(t, d.One(background, countMarks, "a").Scan(new(int)))
}

// TestPostgresEndsIdleTransactions leaves a transaction idle, as a client behind a
// broken network does: it must lose its locks.
func TestPostgresEndsIdleTransactions(t *testing.T) {
	d := open(t, pgtest.Database(t), db.Options{})
	timeout := db.SQL("test.show_timeout", `SELECT current_setting('idle_in_transaction_session_timeout')`)
	shorten := db.SQL("test.shorten_timeout", `SELECT pg_backend_pid() FROM set_config('idle_in_transaction_session_timeout', '10ms', true)`)
	alive := db.SQL("test.backend_alive", `SELECT COUNT(*) FROM pg_stat_activity WHERE pid = $1`)
	runs := 0
	must(t, d.InTx(t.Context(), func(tx db.Tx) error {
		runs++
		if err := mark(t.Context(), tx, "a", runs); err != nil {
			return err
		}
		if runs == 1 {
			var pid int
			if err := tx.One(t.Context(), shorten).Scan(&pid); err != nil {
				return err
			}
			for n, began := 1, time.Now(); n != 0; { // until PostgreSQL has ended it
				must(t, d.One(t.Context(), alive, pid).Scan(&n))
				if time.Since(began) > time.Minute {
					return errors.New("the transaction does not end")
				}
			}
		}
		return tx.One(t.Context(), countMarks, "a").Scan(new(int))
	}))
	if n := marks(t, d, "a"); runs != 2 || n != 1 {
		t.Errorf("%d runs, %d rows, want 2 and 1", runs, n)
	}
	var ends string
	must(t, d.One(t.Context(), timeout).Scan(&ends))
	if ends != "10s" {
		t.Errorf("abandoned transactions end after %q", ends)
	}
}

// TestSnapshotMayPause compares how long the server lets a snapshot and other transactions pause.
func TestSnapshotMayPause(t *testing.T) {
	d := open(t, pgtest.Database(t), db.Options{})
	show := db.SQL("test.show_timeout_of_snapshot", `SELECT current_setting('idle_in_transaction_session_timeout')`)
	var inside, after string
	must(t, d.Snapshot(t.Context(), func(q db.Querier) error { return q.One(t.Context(), show).Scan(&inside) }))
	must(t, d.One(t.Context(), show).Scan(&after))
	if inside != "1h" || after != "10s" {
		t.Errorf("a snapshot ends after a pause of %q, other transactions after %q", inside, after)
	}
}

// TestPostgresCrashInDoubt replaces the response to a single statement by the last
// message of a crashing server. The outcome is unknown, so the statement must not
// run again.
func TestPostgresCrashInDoubt(t *testing.T) {
	url := pgtest.Database(t)
	open(t, url, db.Options{})
	p := pgtest.NewProxy(t, url)
	for _, message := range []string{"SFATAL\x00VFATAL\x00C57P02\x00Mcrash\x00\x00", "SPANIC\x00VPANIC\x00C58030\x00Mfsync\x00\x00"} {
		words := append([]byte{'E', 0, 0, 0, byte(4 + len(message))}, message...)
		p.LastWords.Store(&words)
		d := open(t, p.URL, db.Options{})
		before := marks(t, d, "a")
		p.CutCommits.Store(true)
		err := mark(context.Background(), d, "a", before)
		p.CutCommits.Store(false)
		mustBe(t, err, db.ErrInDoubt)
		if n := marks(t, d, "a") - before; n != 1 {
			t.Errorf("%q: %d rows, %v", message, n, err)
		}
	}
}

// TestPostgresCommitWithoutAnswerIsInDoubt drops COMMIT, then the context of the caller ends: soon
// after that the caller learns that the commit is in doubt.
func TestPostgresCommitWithoutAnswerIsInDoubt(t *testing.T) {
	url := pgtest.Database(t)
	open(t, url, db.Options{})
	p := pgtest.NewProxy(t, url)
	d := open(t, p.URL, db.Options{})
	p.DropCommits.Store(true)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	canceled := make(chan time.Time, 1)
	go func() {
		for p.Drops.Load() == 0 && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
		canceled <- time.Now()
		cancel()
	}()
	err := d.InTx(ctx, func(tx db.Tx) error { return mark(ctx, tx, "a", 1) })
	if took := time.Since(<-canceled); !errors.Is(err, db.ErrInDoubt) || errors.Is(err, db.ErrUnavailable) || took > 8*time.Second {
		t.Errorf("after %v: %v", took, err)
	}
}

// TestPostgresLeavesReadOnlyServer makes the only connection of the pool read-only, as on a
// primary that has become a standby: one write fails, the next one has a new connection.
func TestPostgresLeavesReadOnlyServer(t *testing.T) {
	demote := db.SQL("test.demote", `SELECT set_config('default_transaction_read_only', 'on', false)`)
	d := open(t, pgtest.Database(t), db.Options{Connections: 1})
	must(t, d.One(t.Context(), demote).Scan(new(string)))
	err := d.InTx(t.Context(), func(tx db.Tx) error { return mark(t.Context(), tx, "a", 1) })
	mustBe(t, err, db.ErrUnavailable)
	if errors.Is(err, db.ErrInDoubt) {
		t.Errorf("nothing was done: %v", err)
	}
	must(t, mark(t.Context(), d, "a", 2))
	if n := marks(t, d, "a"); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
}

// TestHealthOfSilentServerAnswersSoon freezes all packets of a server. Health then answers within 1.5 seconds; a busy
// machine may delay some of the answers.
func TestHealthOfSilentServerAnswersSoon(t *testing.T) {
	t.Parallel()
	p := pgtest.NewProxy(t, pgtest.Database(t))
	d := open(t, p.URL, db.Options{Connections: 1})
	must(t, d.Health(t.Context()))
	p.Frozen.Store(true)
	defer p.Frozen.Store(false)
	fastest := time.Hour
	for try := 0; try < 10 && fastest > 1500*time.Millisecond; try++ {
		time.Sleep(time.Second) // the latest result no longer counts
		began := time.Now()
		mustBe(t, d.Health(t.Context()), db.ErrUnavailable)
		fastest = min(fastest, time.Since(began))
	}
	if fastest > 1500*time.Millisecond {
		t.Errorf("the fastest answer took %v", fastest)
	}
}
