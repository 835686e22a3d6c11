package db_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
)

var errRefused = errors.New("refused")

func TestFailedTransactionUndoesOnlyItself(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		release := hold(t, d)
		results := make([]error, 60)
		done := make(chan struct{})
		go func() {
			defer close(done)
			together(len(results), func(i int) {
				results[i] = d.InTx(t.Context(), func(tx db.Tx) error {
					if err := mark(t.Context(), tx, "all", i); err != nil {
						return err
					}
					switch i % 3 {
					case 1:
						return errRefused
					case 2:
						panic("a bug")
					}
					return nil
				})
			})
		}()
		time.Sleep(100 * time.Millisecond) // let them queue
		release()
		<-done
		for i, err := range results {
			switch i % 3 {
			case 0:
				must(t, err)
			case 1:
				if err != errRefused { //nolint:errorlint // as it is, not wrapped
					t.Errorf("got %v", err)
				}
			case 2:
				if err == nil || !strings.Contains(err.Error(), "panic in a transaction: a bug") || !strings.Contains(err.Error(), "tx_test.go") {
					t.Errorf("got %v", err)
				}
			}
		}
		if n := marks(t, d, "all"); n != 20 {
			t.Errorf("%d members are stored, want 20", n)
		}
	})
}

func TestHookCommittedRunsAfterCommitsOnly(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		commits := 0
		d.SetHooks(db.Hooks{Committed: func(context.Context) { commits++ }})
		for _, outcome := range []error{nil, errRefused, nil} {
			err := d.InTx(t.Context(), func(tx db.Tx) error {
				tx.Queue(t.Context(), insertMark, "a", commits)
				return outcome
			})
			if !errors.Is(err, outcome) {
				t.Error(err)
			}
		}
		if n := marks(t, d, "a"); commits != 2 || n != 2 {
			t.Errorf("%d commits, %d rows, want 2 and 2", commits, n)
		}
	})
}

func TestFailedStatementEndsTheTransaction(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		must(t, mark(t.Context(), d, "a", 1))
		err := d.InTx(t.Context(), func(tx db.Tx) error {
			must(t, mark(t.Context(), tx, "a", 2))
			if err := mark(t.Context(), tx, "a", 1); !db.UniqueViolation(err) {
				t.Errorf("got %v", err)
			}
			if mark(t.Context(), tx, "a", 3) == nil || tx.One(t.Context(), countMarks, "a").Scan(new(int)) == nil {
				t.Error("a failed transaction accepted a statement")
			}
			return nil // InTx returns the error nevertheless
		})
		if !db.UniqueViolation(err) {
			t.Errorf("got %v", err)
		}
		if n := marks(t, d, "a"); n != 1 {
			t.Errorf("%d rows, want 1", n)
		}
	})
}

func TestUniqueViolationIsRecognized(t *testing.T) {
	negative := db.SQL("test.negative", `INSERT INTO counters (name, n) VALUES ('c', -1)`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		_, err := d.Exec(t.Context(), negative)
		if err == nil || db.UniqueViolation(err) || db.UniqueViolation(nil) || db.UniqueViolation(errRefused) ||
			errors.Is(err, db.ErrUnavailable) {
			t.Error(err)
		}
	})
}

func TestOneOfFiftyInsertsAKey(t *testing.T) {
	claim := db.SQL("test.claim", `INSERT INTO counters (name, n) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		var inserted, violated, claimed atomic.Int64
		together(50, func(i int) {
			switch err := mark(t.Context(), d, "key", 7); {
			case err == nil:
				inserted.Add(1)
			case db.UniqueViolation(err):
				violated.Add(1)
			default:
				t.Error(err)
			}
			n, err := d.Exec(t.Context(), claim, "key", i)
			claimed.Add(n)
			if err != nil {
				t.Error(err)
			}
		})
		if inserted.Load() != 1 || violated.Load() != 49 || claimed.Load() != 1 {
			t.Errorf("%d inserted, %d violated, %d claimed", inserted.Load(), violated.Load(), claimed.Load())
		}
	})
}

func TestConcurrentCountersAreExact(t *testing.T) {
	up := db.SQL("test.count_up", `INSERT INTO counters (name, n) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE
		SET n = counters.n + excluded.n RETURNING n`)
	get := db.SQL("test.get_count", `SELECT n FROM counters WHERE name = $1`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		together(50, func(int) {
			for range 10 {
				if err := d.InTx(t.Context(), func(tx db.Tx) error { return tx.One(t.Context(), up, "c", 1).Scan(new(int)) }); err != nil {
					t.Error(err)
				}
			}
		})
		var n int
		must(t, d.One(t.Context(), get, "c").Scan(&n))
		if n != 500 {
			t.Errorf("counted %d, want 500", n)
		}
	})
}

func TestCancelBeforeTheTransactionStarts(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{Connections: 1, Readers: 1})
		over, cancel := context.WithCancel(t.Context())
		cancel()
		never := func(db.Tx) error {
			t.Error("fn ran although its context had ended")
			return nil
		}
		mustBe(t, d.InTx(over, never), context.Canceled)
		mustBe(t, d.Read(over, func(db.Querier) error { return nil }), context.Canceled)
		mustBe(t, d.One(over, countMarks, "a").Scan(new(int)), context.Canceled)

		release := hold(t, d)
		waiting, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		err := d.InTx(waiting, never)
		mustBe(t, err, context.DeadlineExceeded)
		mustBe(t, err, db.ErrUnavailable)
		release()
		must(t, mark(t.Context(), d, "a", 1)) // the writer skips the abandoned transaction
	})
}

func TestCancelInterruptsStatement(t *testing.T) {
	endless := db.SQL("test.endless", `WITH RECURSIVE s (n) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM s) SELECT count(*) FROM s
		WHERE n < 0`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{Readers: 1})
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			began := time.Now()
			mustBe(t, d.One(ctx, endless).Scan(new(int)), context.DeadlineExceeded)
			mustBe(t, d.Read(ctx, func(q db.Querier) error { return q.One(ctx, endless).Scan(new(int)) }), context.DeadlineExceeded)
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("ended after %v", took)
			}
			cancel()
			if n := marks(t, d, "a"); n != 0 { // the connection is usable again
				t.Errorf("%d rows", n)
			}
		}
	})
}

func TestCancelInsideTransactionRollsBack(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		err := d.InTx(ctx, func(tx db.Tx) error {
			must(t, mark(ctx, tx, "a", 1))
			cancel()
			return mark(ctx, tx, "a", 2)
		})
		mustBe(t, err, context.Canceled)
		if n := marks(t, d, "a"); n != 0 {
			t.Errorf("%d rows of a canceled transaction", n)
		}
		// Canceled after its last statement: it commits, and InTx returns nil.
		ctx, cancel = context.WithCancel(t.Context())
		must(t, d.InTx(ctx, func(tx db.Tx) error {
			must(t, mark(ctx, tx, "a", 1))
			cancel()
			return nil
		}))
		if n := marks(t, d, "a"); n != 1 {
			t.Errorf("%d rows, want the acknowledged one", n)
		}
	})
}

func TestGoexitDoesNotAffectOtherCallers(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		ended := make(chan error, 1)
		go func() {
			defer close(ended) // on PostgreSQL this goroutine is the one that exits
			ended <- d.InTx(t.Context(), func(tx db.Tx) error {
				must(t, mark(t.Context(), tx, "a", 1))
				runtime.Goexit()
				return nil
			})
		}()
		if err, answered := <-ended; answered && err == nil {
			t.Error("acknowledged")
		}
		must(t, mark(t.Context(), d, "b", 1))
		if n := marks(t, d, "a"); n != 0 {
			t.Errorf("%d rows stayed", n)
		}
	})
}

func TestSubscribersWakeAfterCommit(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		work := db.Topic{Name: "work"}
		first, second, others := d.Subscribe(work), d.Subscribe(work), d.Subscribe(db.Topic{Name: "else"})
		mustBe(t, d.InTx(t.Context(), func(tx db.Tx) error { tx.Publish(work); return errRefused }), errRefused)
		if len(first) != 0 {
			t.Error("woken by a transaction that was rolled back")
		}
		for round := range 2 { // no subscriber receives in between
			must(t, d.InTx(t.Context(), func(tx db.Tx) error {
				tx.Publish(work)
				if len(first) != round {
					t.Error("woken before the commit")
				}
				return nil
			}))
		}
		if len(first) != 1 || len(second) != 1 || len(others) != 0 {
			t.Error(len(first), len(second), len(others))
		}
		var shared []string
		d.SubscribeShared(func(names []string) { shared = append(shared, names...) })
		must(t, d.InTx(t.Context(), func(tx db.Tx) error { tx.Publish(work, db.Topic{Name: "chat", Shared: true}); return nil }))
		if !slices.Equal(shared, []string{"chat"}) {
			t.Error(shared)
		}
	})
}

func TestTransactionRefusesStatementsAfterItsEnd(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		var ended db.Tx
		must(t, d.InTx(t.Context(), func(tx db.Tx) error { ended = tx; return nil }))
		var reader db.Querier
		must(t, d.Read(t.Context(), func(q db.Querier) error { reader = q; return nil }))
		if mark(t.Context(), ended, "a", 1) == nil || reader.One(t.Context(), countMarks, "a").Scan(new(int)) == nil {
			t.Error("an ended transaction accepted a statement")
		}
	})
}

func TestReadSeesOneSnapshot(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		must(t, mark(t.Context(), d, "a", 1))
		must(t, d.Read(t.Context(), func(q db.Querier) error {
			for i := range 3 {
				if n := marks(t, q, "a"); n != 1 {
					return fmt.Errorf("sees %d rows, want 1", n)
				}
				must(t, mark(t.Context(), d, "a", 2+i))
			}
			return nil
		}))
		if n := marks(t, d, "a"); n != 4 {
			t.Errorf("%d rows afterwards, want 4", n)
		}
		if d.Read(t.Context(), func(q db.Querier) error { return mark(t.Context(), q, "a", 9) }) == nil {
			t.Error("Read accepted a write")
		}
		mustBe(t, d.Read(t.Context(), func(db.Querier) error { return errRefused }), errRefused)
	})
}

func TestWriterQueueTimesOut(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{Wait: 300 * time.Millisecond, Connections: 1, Readers: 1})
		release := hold(t, d)
		mustBe(t, mark(t.Context(), d, "a", 1), db.ErrUnavailable)
		release()
		must(t, d.Read(t.Context(), func(db.Querier) error {
			mustBe(t, d.One(t.Context(), countMarks, "a").Scan(new(int)), db.ErrUnavailable)
			must(t, d.Health(t.Context())) // busy, but healthy
			return nil
		}))
		if n := marks(t, d, "a"); n != 0 {
			t.Errorf("%d rows of a caller whose wait timed out", n)
		}
	})
}

func TestClosedDatabaseIsUnavailable(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d, err := db.Open(t.Context(), url, db.Options{})
		must(t, err)
		must(t, d.Close())
		mustBe(t, d.One(t.Context(), countMarks, "a").Scan(new(int)), db.ErrUnavailable)
		mustBe(t, d.InTx(t.Context(), func(db.Tx) error { return nil }), db.ErrUnavailable)
		mustBe(t, d.Read(t.Context(), func(db.Querier) error { return nil }), db.ErrUnavailable)
	})
}

func TestStatementsSurviveMigrations(t *testing.T) {
	everything := db.SQL("test.everything", `SELECT * FROM counters`)
	get := db.SQL("test.get_count", `SELECT n FROM counters WHERE name = $1`)
	insert := db.SQL("test.insert_counter", `INSERT INTO counters (name, n) VALUES ($1, 1)`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		_, err := d.Exec(t.Context(), insert, "a")
		must(t, err)
		var name string
		var n int
		for range 20 { // on every connection, often enough for a generic plan
			must(t, d.One(t.Context(), get, "a").Scan(&n))
			must(t, d.One(t.Context(), everything).Scan(&name, &n))
		}
		files := testMigrations()
		files["0002_more.sql"] = file(`ALTER TABLE counters ADD COLUMN note TEXT; CREATE INDEX counters_n ON counters (n);`)
		open(t, url, db.Options{}, migrate.Options{Files: files}) // another instance migrates
		var note *string
		must(t, d.One(t.Context(), get, "a").Scan(&n))
		must(t, d.One(t.Context(), everything).Scan(&name, &n, &note))
		must(t, d.InTx(t.Context(), func(tx db.Tx) error {
			if err := tx.One(t.Context(), everything).Scan(&name, &n, &note); err != nil {
				return err
			}
			_, err := tx.Exec(t.Context(), insert, "b")
			return err
		}))
	})
}
