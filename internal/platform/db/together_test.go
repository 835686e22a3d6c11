package db_test

import (
	"context"
	"errors"
	"math"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"moothall/internal/pgtest"
	"moothall/internal/platform/db"
)

var (
	claimMark = db.SQL("test.claim_mark", `INSERT INTO marks (owner, n) VALUES ($1, $2) ON CONFLICT (owner, n) DO NOTHING`)

	// countClaim counts the claims of $1 that were just made; the counter $3 may
	// be NULL, which it does not take.
	countClaim = db.SQL("test.count_claim", `
		INSERT INTO counters (name, n) SELECT m.owner, CAST($3 AS BIGINT) FROM marks m WHERE m.owner = $1 AND m.n = $2 AND written_now(m)
		ON CONFLICT (name) DO UPDATE SET n = counters.n + excluded.n
		RETURNING n`)
)

// claim makes a mark of an owner and counts it, as one transaction.
func claim(ctx context.Context, on db.Stepper, owner string, n int, by any) (done bool, count int, err error) {
	done, err = on.Together(ctx, db.Do(claimMark, owner, n), db.Do(countClaim, owner, n, by).Into(&count).Hint("claims"))
	return done, count, err
}

func TestTogether(t *testing.T) {
	inTx := func(d *db.DB) db.Stepper {
		return stepperFunc(func(ctx context.Context, steps ...db.Step) (done bool, err error) {
			err = d.InTx(ctx, func(tx db.Tx) error {
				done, err = tx.Together(ctx, steps...)
				return err
			})
			return done, err
		})
	}
	for name, on := range map[string]func(*db.DB) db.Stepper{
		"alone":            func(d *db.DB) db.Stepper { return d },
		"in a transaction": inTx,
	} {
		t.Run(name, func(t *testing.T) {
			onEngines(t, func(t *testing.T, url string) {
				d := open(t, url, db.Options{})
				hints := d.Hints("claims")
				for n, want := range []struct {
					done  bool
					count int
				}{{true, 1}, {false, 0}} {
					done, count, err := claim(t.Context(), on(d), "a", 1, 1)
					must(t, err)
					if done != want.done || count != want.count {
						t.Errorf("time %d: %v, %d", n+1, done, count)
					}
				}
				if len(hints) != 1 {
					t.Error("no hint of the change")
				}
				<-hints
				done, _, err := claim(t.Context(), on(d), "a", 2, nil)
				if done || !db.NullViolation(err) || db.NullViolation(errRefused) {
					t.Errorf("%v, %v", done, err)
				}
				if n := marks(t, d, "a"); n != 1 || len(hints) != 0 {
					t.Errorf("%d marks, want that of the first time, and no hint", n)
				}
			})
		})
	}
}

type stepperFunc func(ctx context.Context, steps ...db.Step) (bool, error)

func (f stepperFunc) Together(ctx context.Context, steps ...db.Step) (bool, error) {
	return f(ctx, steps...)
}

// TestTogetherCountsExactly has a crowd claim a few marks: each is won once and
// counted once.
func TestTogetherCountsExactly(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		var won atomic.Int64
		together(50, func(int) {
			for n := range 10 {
				done, _, err := claim(t.Context(), d, "a", n, 1)
				if err != nil {
					t.Error(err)
				}
				if done {
					won.Add(1)
				}
			}
		})
		var count int
		must(t, d.One(t.Context(), getCount, "a").Scan(&count))
		if won.Load() != 10 || count != 10 || marks(t, d, "a") != 10 {
			t.Errorf("%d won, %d counted", won.Load(), count)
		}
	})
}

// TestTogetherIsOver does not begin for a caller who has gone.
func TestTogetherIsOver(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		over, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err := claim(over, d, "a", 1, 1)
		mustBe(t, err, context.Canceled)
		if n := marks(t, d, "a"); n != 0 {
			t.Errorf("%d marks", n)
		}
	})
}

// TestPostgresTogetherInDoubt loses the answer to what was sent at once: whether
// it happened is not known, so it must not run again.
func TestPostgresTogetherInDoubt(t *testing.T) {
	url := pgtest.Database(t)
	open(t, url, db.Options{})
	var cutting atomic.Bool
	through := before(t, url, func(front, back net.Conn) {
		go copyAll(back, front)
		each(back, func(piece []byte) bool {
			if cutting.Load() && strings.Contains(string(piece), "INSERT 0 1\x00") {
				return false
			}
			_, err := front.Write(piece)
			return err == nil
		})
		_ = front.Close()
	})
	d := open(t, through, db.Options{})
	cutting.Store(true)
	_, _, err := claim(t.Context(), d, "a", 1, 1)
	cutting.Store(false)
	if n := marks(t, d, "a"); !errors.Is(err, db.ErrUnavailable) || !strings.Contains(err.Error(), "in doubt") || n != 1 {
		t.Errorf("%d marks, %v", n, err)
	}
}

// TestPostgresRoundTrips counts how often a client waits for the server.
func TestPostgresRoundTrips(t *testing.T) {
	url := pgtest.Database(t)
	open(t, url, db.Options{})
	var trips atomic.Int64
	through := before(t, url, func(front, back net.Conn) {
		var asked atomic.Bool
		go func() {
			each(back, func(piece []byte) bool {
				asked.Store(false)
				_, err := front.Write(piece)
				return err == nil
			})
			_ = front.Close()
		}()
		each(front, func(piece []byte) bool {
			if asked.CompareAndSwap(false, true) {
				trips.Add(1)
			}
			_, err := back.Write(piece)
			return err == nil
		})
		_ = back.Close()
	})
	d := open(t, through, db.Options{Connections: 1})
	n := 0
	for _, c := range []struct {
		what string
		do   func() error
		want int64
	}{
		{"a statement", func() error { return mark(t.Context(), d, "a", n) }, 1},
		{"several at once", func() error { _, _, err := claim(t.Context(), d, "a", n, 1); return err }, 1},
		{"a transaction of two", func() error {
			return d.InTx(t.Context(), func(tx db.Tx) error {
				return errors.Join(mark(t.Context(), tx, "a", n), mark(t.Context(), tx, "b", n))
			})
		}, 3},
		{"a transaction of several at once", func() error {
			return d.InTx(t.Context(), func(tx db.Tx) error { _, _, err := claim(t.Context(), tx, "a", n, 1); return err })
		}, 2},
		{"a transaction of queued statements", func() error { _, err := markAndCount(t.Context(), d, "c", n, 1); return err }, 1},
		{"a transaction of a query and queued statements", func() error {
			return d.InTx(t.Context(), func(tx db.Tx) error {
				marks(t, tx, "d")
				tx.Queue(t.Context(), insertMark, "d", n)
				tx.Queue(t.Context(), addCount, "d", 1)
				return nil
			})
		}, 2},
		{"a transaction of nothing", func() error { return d.InTx(t.Context(), func(db.Tx) error { return nil }) }, 0},
		{"a reading of two", func() error {
			return d.Read(t.Context(), func(q db.Querier) error {
				marks(t, q, "a")
				marks(t, q, "b")
				return nil
			})
		}, 3},
	} {
		fewest := int64(math.MaxInt64)
		for range 100 { // it is prepared at first, and what works beside it is counted too
			n++
			trips.Store(0)
			must(t, c.do())
			if fewest = min(fewest, trips.Load()); fewest <= c.want {
				break
			}
		}
		if fewest != c.want {
			t.Errorf("%s takes %d round trips, want %d", c.what, fewest, c.want)
		}
	}
}
