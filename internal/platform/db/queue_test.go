package db_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/pgtest"
)

var (
	insertMark = db.SQL("test.insert_mark", `INSERT INTO marks (owner, n) VALUES ($1, $2)`)
	addCount   = db.SQL("test.add_count", `
		INSERT INTO counters (name, n) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET n = counters.n + excluded.n
		RETURNING n`)
	getCount = db.SQL("test.get_count", `SELECT n FROM counters WHERE name = $1`)
)

// markAndCount inserts a mark of an owner and counts it, as one batch. by may be
// nil, which the counter refuses.
func markAndCount(ctx context.Context, d *db.DB, owner string, n int, by any) (count int, err error) {
	err = d.InTx(ctx, func(tx db.Tx) error {
		tx.Queue(ctx, insertMark, owner, n)
		tx.Queue(ctx, addCount, owner, by).Into(&count)
		return nil
	})
	return count, err
}

func TestQueueRunsInOrderBeforeTheCommit(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		count, err := markAndCount(t.Context(), d, "a", 1, 1)
		must(t, err)
		if n := marks(t, d, "a"); count != 1 || n != 1 {
			t.Errorf("counted %d, %d marks", count, n)
		}
	})
}

func TestQueueRunsBeforeTheNextStatement(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		must(t, d.InTx(t.Context(), func(tx db.Tx) error {
			queued := tx.Queue(t.Context(), insertMark, "a", 1)
			if queued.Rows() != 0 {
				t.Errorf("%d rows before it ran", queued.Rows())
			}
			if n := marks(t, tx, "a"); n != 1 || queued.Rows() != 1 {
				t.Errorf("a query finds %d marks, %d rows", n, queued.Rows())
			}
			tx.Queue(t.Context(), insertMark, "a", 2)
			rows, err := tx.Exec(t.Context(), insertMark, "a", 3)
			if rows != 1 {
				t.Errorf("the statement after the queue changed %d rows", rows)
			}
			return err
		}))
		if n := marks(t, d, "a"); n != 3 {
			t.Errorf("%d marks", n)
		}
	})
}

func TestReadBatchReadsFirstRows(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		for n := range 3 {
			_, err := d.Exec(t.Context(), insertMark, "a", n+1)
			must(t, err)
		}
		must(t, d.ReadBatch(t.Context(), func(*db.Batch) {}))
		var count, first int
		missing := -1
		var listed, none *db.Queued
		must(t, d.ReadBatch(t.Context(), func(b *db.Batch) {
			b.Queue(t.Context(), countMarks, "a").Into(&count)
			listed = b.Queue(t.Context(), listMarks, "a").Into(&first)
			none = b.Queue(t.Context(), listMarks, "b").Into(&missing)
		}))
		if count != 3 || first != 1 || missing != -1 || listed.Rows() == 0 || none.Rows() != 0 {
			t.Errorf("counted %d, first %d, missing %d, rows %d and %d", count, first, missing, listed.Rows(), none.Rows())
		}
		if err := d.ReadBatch(t.Context(), func(b *db.Batch) { b.Queue(t.Context(), countMarks) }); err == nil {
			t.Error("a query without its argument is no error")
		}
	})
}

func TestFailedQueueUndoesTheTransaction(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		_, err := markAndCount(t.Context(), d, "a", 1, nil)
		if !db.NullViolation(err) || !strings.HasPrefix(err.Error(), "test.add_count: ") {
			t.Errorf("%v", err)
		}
		err = d.InTx(t.Context(), func(tx db.Tx) error {
			tx.Queue(t.Context(), insertMark, "a") // an argument is missing
			return nil
		})
		if err == nil || !strings.HasPrefix(err.Error(), "test.insert_mark: ") {
			t.Errorf("%v", err)
		}
		if n := marks(t, d, "a"); n != 0 {
			t.Errorf("%d marks", n)
		}
	})
}

func TestRefusedTransactionDropsItsQueue(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		err := d.InTx(t.Context(), func(tx db.Tx) error {
			tx.Queue(t.Context(), insertMark, "a", 1)
			return errRefused
		})
		mustBe(t, err, errRefused)
		if n := marks(t, d, "a"); n != 0 {
			t.Errorf("%d marks", n)
		}
	})
}

// TestRetryUniqueCountsExactly inserts a few marks from many callers at once: each mark
// is inserted once and counted once.
func TestRetryUniqueCountsExactly(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		var inserted atomic.Int64
		together(50, func(int) {
			for n := range 10 {
				err := db.RetryUnique(func() error {
					there := false
					err := d.InTx(t.Context(), func(tx db.Tx) error {
						var err error
						there, err = tx.One(t.Context(), findMark, "a", n).Find(nil)
						if err == nil && !there {
							tx.Queue(t.Context(), insertMark, "a", n)
							tx.Queue(t.Context(), addCount, "a", 1)
						}
						return err
					})
					if err == nil && !there {
						inserted.Add(1)
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
		var count int
		must(t, d.One(t.Context(), getCount, "a").Scan(&count))
		if inserted.Load() != 10 || count != 10 || marks(t, d, "a") != 10 {
			t.Errorf("%d inserted, %d counted", inserted.Load(), count)
		}
	})
}

var findMark = db.SQL("test.find_mark", `SELECT n FROM marks WHERE owner = $1 AND n = $2`)

// TestPostgresBatchInDoubt loses the answer to a batch with its commit. The outcome
// is unknown, so the batch must not run again.
func TestPostgresBatchInDoubt(t *testing.T) {
	url := pgtest.Database(t)
	open(t, url, db.Options{})
	p := pgtest.NewProxy(t, url)
	d := open(t, p.URL, db.Options{})
	p.CutCommits.Store(true)
	_, err := markAndCount(t.Context(), d, "a", 1, 1)
	p.CutCommits.Store(false)
	if n := marks(t, d, "a"); !errors.Is(err, db.ErrInDoubt) || n != 1 {
		t.Errorf("%d marks, %v", n, err)
	}
}

// TestPostgresRoundTrips counts the round trips of each kind of call.
func TestPostgresRoundTrips(t *testing.T) {
	url := pgtest.Database(t)
	open(t, url, db.Options{})
	p := pgtest.NewProxy(t, url)
	d := open(t, p.URL, db.Options{Connections: 1})
	sample := domain.RandomID[any]()
	_, err := d.Exec(t.Context(), insertID, sample)
	must(t, err)
	n := 0
	for _, c := range []struct {
		what string
		do   func() error
		want int64
	}{
		{"a statement", func() error { return mark(t.Context(), d, "a", n) }, 1},
		{"a transaction of two", func() error {
			return d.InTx(t.Context(), func(tx db.Tx) error {
				return errors.Join(mark(t.Context(), tx, "a", n), mark(t.Context(), tx, "b", n))
			})
		}, 3},
		{"a transaction of queued statements", func() error { _, err := markAndCount(t.Context(), d, "c", n, 1); return err }, 1},
		{"a transaction that requires a row", func() error {
			return d.InTx(t.Context(), func(tx db.Tx) error {
				tx.Lock(t.Context(), lockSample, sample).Require(errRefused)
				tx.Queue(t.Context(), insertMark, "e", n)
				return nil
			})
		}, 1},
		{"a transaction of a query and queued statements", func() error {
			return d.InTx(t.Context(), func(tx db.Tx) error {
				marks(t, tx, "d")
				tx.Queue(t.Context(), insertMark, "d", n)
				tx.Queue(t.Context(), addCount, "d", 1)
				return nil
			})
		}, 2},
		{"a transaction of nothing", func() error { return d.InTx(t.Context(), func(db.Tx) error { return nil }) }, 0},
		{"a batch of two reads", func() error {
			return d.ReadBatch(t.Context(), func(b *db.Batch) {
				b.Queue(t.Context(), countMarks, "a")
				b.Queue(t.Context(), countMarks, "b")
			})
		}, 1},
		{"a snapshot of two reads", func() error {
			return d.Read(t.Context(), func(q db.Querier) error {
				marks(t, q, "a")
				marks(t, q, "b")
				return nil
			})
		}, 3},
	} {
		fewest := int64(math.MaxInt64)
		for range 100 { // statements are prepared first, and background work is counted too
			n++
			p.RoundTrips.Store(0)
			must(t, c.do())
			if fewest = min(fewest, p.RoundTrips.Load()); fewest <= c.want {
				break
			}
		}
		if fewest != c.want {
			t.Errorf("%s takes %d round trips, want %d", c.what, fewest, c.want)
		}
	}
}
