package mail

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// TestResultsShareTransactions records results while another one is being committed.
func TestResultsShareTransactions(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const permits = 8
		var commits, recorded atomic.Int32
		d.SetHooks(db.Hooks{Committed: func(context.Context) { commits.Add(1) }})
		w := NewWorker(Options{DB: d, Logger: slog.New(slog.DiscardHandler)})
		sending := w.newScheduler(&Pusher{}, permits)
		if n := sending.acquire(2 * permits); n != permits {
			t.Errorf("%d permits", n)
		}
		began, release := make(chan struct{}), make(chan struct{})
		go sending.record(t.Context(), func(context.Context, db.Tx) {
			close(began)
			<-release
		})
		<-began
		for range permits - 1 {
			sending.record(t.Context(), func(context.Context, db.Tx) { recorded.Add(1) })
		}
		close(release)
		sending.await()
		if commits.Load() != 2 || recorded.Load() != permits-1 {
			t.Errorf("%d results in %d transactions", recorded.Load()+1, commits.Load())
		}
	})
}

// TestResultsSurviveFailureOfAnother records three results in one transaction, of which the database refuses one.
func TestResultsSurviveFailureOfAnother(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := NewWorker(Options{DB: d, Logger: slog.New(slog.DiscardHandler)})
		one := func(channel Channel) result {
			return func(ctx context.Context, tx db.Tx) {
				tx.Queue(ctx, savePreferenceStmt, domain.NewID[domain.UserKind](time.Now()), notify.EventCanceled, channel, orNull(string(channel)))
			}
		}
		w.newScheduler(&Pusher{}, 3).recordAll(t.Context(), []result{one(Email), one(""), one(Push)})
		var n int
		if err := d.One(t.Context(), countRulesStmt).Scan(&n); err != nil || n != 2 {
			t.Errorf("%d results of 2, %v", n, err)
		}
	})
}

var countRulesStmt = db.SQL("deliver_test.count_rules", `SELECT COUNT(*) FROM notification_rules`)
