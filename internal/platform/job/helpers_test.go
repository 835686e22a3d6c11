package job

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// fixture is a database, a clock that the test sets, and effects
// that count how often each was made.
type fixture struct {
	t   *testing.T
	db  *db.DB
	now atomic.Int64 // microseconds

	log    logBuffer
	logger *slog.Logger
}

// logBuffer is a log that may be read while it is written.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	b := &fixture{t: t, db: d}
	b.now.Store(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC).UnixMicro())
	b.logger = slog.New(slog.NewTextHandler(&b.log, nil))
	return b
}

var (
	effectStmt  = db.SQL("test.effect", `INSERT INTO terms (id, term, df) VALUES ($1, $2, 1) ON CONFLICT (id) DO UPDATE SET df = terms.df + 1`)
	effectsStmt = db.SQL("test.effects", `SELECT COUNT(*), COALESCE(MAX(df), 0) FROM terms`)
	leftStmt    = db.SQL("test.jobs_left", `SELECT COUNT(*) FROM jobs`)
	deleteStmt  = db.SQL("test.delete_jobs", `DELETE FROM jobs`)
	runAtStmt   = db.SQL("test.job_run_at", `SELECT run_at FROM jobs WHERE kind = $1`)
)

func each(t *testing.T, test func(t *testing.T, b *fixture)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		test(t, newFixture(t, d))
	})
}

func (b *fixture) clock() time.Time      { return time.UnixMicro(b.now.Load()).UTC() }
func (b *fixture) later(d time.Duration) { b.now.Add(d.Microseconds()) }
func (b *fixture) workers() *Workers     { return b.workersWith(Options{}) }
func (b *fixture) put(kind, key string, p any) {
	b.t.Helper()
	b.putJob(Job{Kind: kind, Key: key, Payload: p})
}
func (b *fixture) runDue(w *Workers) error { b.t.Helper(); return w.RunDue(b.t.Context()) }
func (b *fixture) mustRunDue(w *Workers)   { b.t.Helper(); b.must(b.runDue(w)) }
func (b *fixture) workersWith(o Options) *Workers {
	o.DB, o.Logger = b.db, b.logger
	if o.Clock == nil {
		o.Clock = b.clock
	}
	return New(o)
}

func (b *fixture) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *fixture) putJob(j Job) {
	b.t.Helper()
	b.must(b.db.InTx(b.t.Context(), func(tx db.Tx) error { return Put(b.t.Context(), tx, b.clock(), j) }))
}

func (b *fixture) deleteJobs() {
	b.t.Helper()
	_, err := b.db.Exec(b.t.Context(), deleteStmt)
	b.must(err)
}

// wantEffects checks that n different effects were made, and each of them once.
func (b *fixture) wantEffects(n int) {
	b.t.Helper()
	var different, most int
	b.must(b.db.One(b.t.Context(), effectsStmt).Scan(&different, &most))
	if different != n || most > 1 {
		b.t.Fatalf("%d effects, one of them %d times; want %d once", different, most, n)
	}
}

func (b *fixture) wantLeft(n int) {
	b.t.Helper()
	var left int
	b.must(b.db.One(b.t.Context(), leftStmt).Scan(&left))
	if left != n {
		b.t.Fatalf("%d jobs are left, not %d", left, n)
	}
}

// once makes the effect of its number.
func once(ctx context.Context, tx db.Tx, number int) error {
	_, err := tx.Exec(ctx, effectStmt, number, fmt.Sprint(number))
	return err
}

// underLease registers work that runs outside of transactions, as with Every, but once
// for each job.
func underLease(w *Workers, kind string, work func(ctx context.Context, n int) error) {
	w.register(kind, func(ctx context.Context, h *leasedJob) error {
		n, err := strconv.Atoi(h.payload)
		if err != nil {
			return err
		}
		if err := w.underLease(ctx, h, func(ctx context.Context) error { return work(ctx, n) }); err != nil {
			return err
		}
		return h.finish(ctx, w.db)
	})
}

var errTest = errors.New("test: refused")
