package job

import (
	"context"
	"testing"
	"time"

	"moothall/internal/platform/db"
)

var farStmt = db.SQL("test.far_jobs", `SELECT COUNT(*) FROM jobs WHERE run_at > $1`)

// TestJobsComeBackAfterWrongClock puts a job, fails one, crashes in one, and runs a periodic
// one, all 400 days ahead. When the clock is right again, they run within their interval.
func TestJobsComeBackAfterWrongClock(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		const far = 400 * 24 * time.Hour
		ran := map[string]int{}
		w := b.workers()
		fail := true
		underLease(w, "put", func(context.Context, int) error { ran["put"]++; return nil })
		underLease(w, "failed", func(context.Context, int) error {
			if fail {
				return errTest
			}
			ran["failed"]++
			return nil
		})
		underLease(w, "crashed", func(context.Context, int) error { ran["crashed"]++; return nil })
		w.Every(time.Hour, "periodic", func(context.Context) error { ran["periodic"]++; return nil })
		b.mustRunDue(w)

		b.later(far)
		b.put("crashed", "a", 1)
		if _, found, err := w.take(t.Context(), w.kinds); err != nil || !found { // the periodic one: it is due the longest
			t.Fatal(found, err)
		}
		if h, found, err := w.take(t.Context(), w.kinds); err != nil || !found || h.kind != "crashed" {
			t.Fatal(h, found, err)
		}
		b.put("failed", "a", 1)
		_ = b.runDue(w)
		b.putJob(Job{Kind: "put", Key: "a", Payload: 1, RunAt: b.clock().Add(time.Hour)})

		b.later(-far)
		fail = false
		b.mustRunDue(w)
		var left int
		b.must(b.db.One(t.Context(), farStmt, b.clock().Add(time.Hour)).Scan(&left))
		b.later(time.Hour)
		b.mustRunDue(w)
		if left != 0 || ran["put"] != 1 || ran["failed"] != 1 || ran["crashed"] != 1 || ran["periodic"] == 0 {
			t.Errorf("%d jobs are far ahead, ran %v", left, ran)
		}
		if err := b.db.InTx(t.Context(), func(tx db.Tx) error {
			return Put(t.Context(), tx, b.clock(), Job{Kind: "put", Key: "b", RunAt: b.clock().Add(maxAhead + 1)})
		}); err == nil {
			t.Error("a job was put too far ahead")
		}
	})
}

func TestPurgePausesWithoutTrust(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		trusted, ran := false, 0
		w := b.workersWith(Options{Trusted: func() bool { return trusted }})
		w.Purge(time.Hour, "purge", func(context.Context) error { ran++; return nil })
		b.mustRunDue(w)
		for want := range 2 {
			b.later(time.Hour)
			b.mustRunDue(w)
			if ran != want {
				t.Errorf("ran %d times, want %d", ran, want)
			}
			trusted = true
		}
	})
}

// TestStartSchedulesPeriodicJobs does not wait for the database at the start.
func TestStartSchedulesPeriodicJobs(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		w := b.workers()
		w.Every(time.Hour, "tidy", func(context.Context) error { return nil })
		w.Start(t.Context())
		until(t, func() bool {
			var left int
			b.must(b.db.One(t.Context(), leftStmt).Scan(&left))
			return left == 1
		}, "the job was not scheduled")
		b.must(w.Stop(t.Context()))
	})
}
