package db_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var (
	insertID   = db.SQL("test.insert_id", `INSERT INTO samples (id) VALUES ($1)`)
	lockSample = db.SQL("test.lock_sample", `SELECT 1 FROM samples WHERE id = $1 FOR NO KEY UPDATE`)
)

// TestLocksDoNotDeadlock lets transactions lock the same rows, each in another order.
func TestLocksDoNotDeadlock(t *testing.T) {
	const rows, transactions = 5, 60
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		var ids [rows]domain.ID[any]
		for i := range ids {
			ids[i] = domain.RandomID[any]()
			_, err := d.Exec(t.Context(), insertID, ids[i])
			must(t, err)
		}
		var runs atomic.Int64
		together(transactions, func(i int) {
			err := d.InTx(t.Context(), func(tx db.Tx) error {
				runs.Add(1)
				tx.Queue(t.Context(), insertMark, "a", i)
				for n := range ids {
					tx.Lock(t.Context(), lockSample, ids[(i*(n+1)+n)%rows])
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
		if n := marks(t, d, "a"); n != transactions || runs.Load() != transactions {
			t.Errorf("%d of %d transactions, in %d runs", n, transactions, runs.Load())
		}
	})
}

// TestRequiredRowUndoesTheTransaction requires a row that does not exist.
func TestRequiredRowUndoesTheTransaction(t *testing.T) {
	for name, last := range map[string]func(t *testing.T, tx db.Tx) error{
		"before the commit":  func(*testing.T, db.Tx) error { return nil },
		"before a query":     func(t *testing.T, tx db.Tx) error { return tx.One(t.Context(), countMarks, "a").Scan(new(int)) },
		"before a statement": func(t *testing.T, tx db.Tx) error { _, err := tx.Exec(t.Context(), insertMark, "a", 2); return err },
	} {
		t.Run(name, func(t *testing.T) {
			onEngines(t, func(t *testing.T, url string) {
				d := open(t, url, db.Options{})
				err := d.InTx(t.Context(), func(tx db.Tx) error {
					tx.Queue(t.Context(), insertMark, "a", 1)
					tx.Lock(t.Context(), lockSample, domain.RandomID[any]()).Require(errRefused)
					return last(t, tx)
				})
				if n := marks(t, d, "a"); !errors.Is(err, errRefused) || n != 0 {
					t.Errorf("%v, %d marks", err, n)
				}
			})
		})
	}
}

// TestHookBeginRunsFirst queues a statement at the beginning of each transaction.
func TestHookBeginRunsFirst(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		d.SetHooks(db.Hooks{Begin: func(ctx context.Context, tx db.Tx) { tx.Queue(ctx, insertMark, "a", 1) }})
		must(t, d.InTx(t.Context(), func(tx db.Tx) error {
			if n := marks(t, tx, "a"); n != 1 {
				t.Errorf("%d marks", n)
			}
			return nil
		}))
	})
}
