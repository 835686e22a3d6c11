package job

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/test/dbtest"
)

// soon waits for a signal and fails the test if it does not come.
func soon(t *testing.T, signal <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-signal:
	case <-time.After(time.Minute): // long, because the machine may be busy
		t.Fatal(what)
	}
}

// until waits until done returns true and fails the test if it does not.
func until(t *testing.T, done func() bool, otherwise string) {
	t.Helper()
	for range 6000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal(otherwise)
}

func TestPeriodicJobRunsOnceOverAllInstances(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		var runs atomic.Int32
		instances := make([]*Workers, 4)
		for i := range instances {
			instances[i] = b.workers()
			instances[i].Every(10*time.Minute, "tidy", func(context.Context) error { runs.Add(1); return nil })
		}
		for hour, want := range []int32{0, 1, 2, 3} {
			var all sync.WaitGroup
			for _, w := range instances {
				all.Go(func() {
					for range 3 {
						if err := b.runDue(w); err != nil {
							t.Error(err)
						}
					}
				})
			}
			all.Wait()
			if runs.Load() != want {
				t.Fatalf("it ran %d times in %d intervals", runs.Load(), hour)
			}
			b.later(10 * time.Minute)
		}
		b.later(24 * time.Hour) // missed runs are not made up for
		b.mustRunDue(instances[0])
		b.mustRunDue(instances[1])
		if runs.Load() != 4 {
			t.Errorf("it ran %d times", runs.Load())
		}
	})
}

func TestPeriodicJobIsNeverDiscarded(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		broken, runs := true, 0
		w := b.workersWith(Options{Attempts: 2})
		w.Every(10*time.Second, "tidy", func(context.Context) error {
			if runs++; broken {
				return errTest
			}
			return nil
		})
		b.mustRunDue(w)
		for range 20 {
			b.later(10 * time.Second)
			if err := b.runDue(w); !errors.Is(err, errTest) {
				t.Fatalf("after %d runs: %v", runs, err)
			}
		}
		broken = false
		b.later(10 * time.Second)
		b.mustRunDue(w)
		if discarded, err := Discarded(t.Context(), b.db); err != nil || len(discarded) != 0 || runs != 21 {
			t.Errorf("%d runs, discarded %v, %v", runs, discarded, err)
		}
	})
}

func TestShorterIntervalTakesEffectAtOnce(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		before, after := b.workers(), b.workers()
		before.Every(24*time.Hour, "tidy", func(context.Context) error { return nil })
		runs := 0
		after.Every(time.Minute, "tidy", func(context.Context) error { runs++; return nil })
		b.mustRunDue(before)
		b.mustRunDue(after)
		b.later(time.Minute)
		b.mustRunDue(after)
		var next time.Time
		b.must(b.db.One(t.Context(), runAtStmt, "tidy").Scan(&next))
		if runs != 1 || !next.Equal(b.clock().Add(time.Minute)) {
			t.Errorf("ran %d times, next %v at %v", runs, next, b.clock())
		}
	})
}

func TestCommitWakesAWorker(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		ran := make(chan struct{}, 1)
		w := b.workersWith(Options{Poll: time.Hour})
		underLease(w, "ping", func(context.Context, int) error { ran <- struct{}{}; return nil })
		w.Start(t.Context())
		for range 5 {
			b.put("ping", "a", 1)
			soon(t, ran, "no worker woke up")
		}
		b.must(w.Stop(t.Context()))
		b.wantLeft(0)
	})
}

func TestPollFindsJobsOfOtherInstances(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			url := dbtest.URL(t, engine)
			open := func() *fixture {
				d, err := db.Open(t.Context(), url, db.Options{})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = d.Close() })
				return newFixture(t, d)
			}
			here, there := open(), open()
			here.must(migrate.Run(t.Context(), here.db))
			ran := make(chan struct{}, 1)
			w := here.workersWith(Options{Poll: 20 * time.Millisecond})
			underLease(w, "ping", func(context.Context, int) error { ran <- struct{}{}; return nil })
			w.Start(t.Context())
			there.put("ping", "a", 1)
			soon(t, ran, "the poll found nothing")
			here.must(w.Stop(t.Context()))
		})
	}
}

func TestWorkersRunInParallel(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		both := make(chan struct{}, 2)
		var running sync.WaitGroup
		running.Add(2)
		w := b.workersWith(Options{Parallel: 2, Poll: time.Hour})
		underLease(w, "meet", func(context.Context, int) error {
			running.Done()
			running.Wait() // for the other
			both <- struct{}{}
			return nil
		})
		b.put("meet", "a", 1)
		b.put("meet", "b", 1)
		w.Start(t.Context())
		soon(t, both, "the two jobs do not run side by side")
		soon(t, both, "the second job did not end")
		b.must(w.Stop(t.Context()))
	})
}

// TestSeparateKindDelaysNoOtherJob blocks all workers of one kind.
func TestSeparateKindDelaysNoOtherJob(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		begun, goOn, ran := make(chan struct{}, 4), make(chan struct{}), make(chan struct{}, 1)
		w := b.workersWith(Options{Parallel: 1, Poll: time.Hour})
		underLease(w, "slow", func(context.Context, int) error { begun <- struct{}{}; <-goOn; return nil })
		w.Separate("slow", 2)
		underLease(w, "ping", func(context.Context, int) error { ran <- struct{}{}; return nil })
		w.Start(t.Context())
		for i := range 4 {
			b.put("slow", strconv.Itoa(i), 1)
		}
		soon(t, begun, "the first slow job did not begin")
		soon(t, begun, "the second slow job did not begin")
		b.put("ping", "a", 1)
		soon(t, ran, "the slow jobs delay another one")
		close(goOn)
		soon(t, begun, "the third slow job did not begin")
		soon(t, begun, "the fourth slow job did not begin")
		b.must(w.Stop(t.Context()))
		b.wantLeft(0)
		b.put("slow", "a", 1)
		b.mustRunDue(w)
		b.wantLeft(0)
	})
}

func TestStopWaitsForRunningJobs(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		begun, goOn := make(chan struct{}), make(chan struct{})
		w := b.workers()
		underLease(w, "slow", func(ctx context.Context, _ int) error {
			close(begun)
			<-goOn
			return b.db.InTx(ctx, func(tx db.Tx) error { _, err := tx.Exec(ctx, effectStmt, 1, "1"); return err })
		})
		b.put("slow", "a", 1)
		w.Start(t.Context())
		soon(t, begun, "the job did not begin")
		stopped := make(chan error, 1)
		go func() { stopped <- w.Stop(context.Background()) }()
		select {
		case err := <-stopped:
			t.Fatalf("stopped with %v while a job runs", err)
		case <-time.After(50 * time.Millisecond):
		}
		close(goOn)
		b.must(<-stopped)
		b.wantEffects(1)
		b.wantLeft(0)
	})
}

func TestStopTimesOutAndOtherInstanceContinues(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		begun := make(chan struct{}, 1)
		w := b.workers()
		underLease(w, "endless", func(ctx context.Context, _ int) error {
			begun <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		})
		b.put("endless", "a", 1)
		w.Start(t.Context())
		soon(t, begun, "the job did not begin")
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if err := w.Stop(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("stopped with %v", err)
		}
		other := b.workers()
		ran := false
		underLease(other, "endless", func(context.Context, int) error { ran = true; return nil })
		until(t, func() bool { // at the same moment: the lease is given back
			b.mustRunDue(other)
			return ran
		}, "the interrupted job was not given back")
		wantMetric(t, w, "endless", "interrupted", 1)
	})
}

// TestLeaseIsRenewed runs a job for several leases while a second worker polls. The clock moves only after
// a renewal, so that no pause of the machine ends the lease.
func TestLeaseIsRenewed(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		const lease = 300 * time.Millisecond
		var runs atomic.Int32
		renewed := func() bool {
			var end time.Time
			return b.db.One(t.Context(), runAtStmt, "long").Scan(&end) == nil && end.Equal(b.clock().Add(lease))
		}
		ended := make(chan struct{}, 10)
		start := func() *Workers {
			w := b.workersWith(Options{Lease: lease, Poll: 10 * time.Millisecond})
			underLease(w, "long", func(context.Context, int) error {
				runs.Add(1)
				for range 5 {
					b.later(lease * 2 / 3)
					until(t, renewed, "the lease was not renewed")
				}
				ended <- struct{}{}
				return nil
			})
			w.Start(t.Context())
			return w
		}
		first, second := start(), start()
		b.put("long", "a", 1)
		soon(t, ended, "the job did not end")
		b.must(first.Stop(t.Context()))
		b.must(second.Stop(t.Context()))
		if runs.Load() != 1 {
			t.Errorf("it ran %d times", runs.Load())
		}
		b.wantLeft(0)
	})
}

// TestLostLeaseCancelsHandler deletes a job under a running handler.
func TestLostLeaseCancelsHandler(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		begun, told := make(chan struct{}), make(chan struct{})
		w := b.workersWith(Options{Lease: 30 * time.Millisecond})
		underLease(w, "endless", func(ctx context.Context, _ int) error {
			close(begun)
			<-ctx.Done()
			close(told)
			return ctx.Err()
		})
		b.put("endless", "a", 1)
		w.Start(t.Context())
		soon(t, begun, "the job did not begin")
		b.deleteJobs()
		soon(t, told, "the handler was not told")
		b.must(w.Stop(t.Context()))
		wantMetric(t, w, "endless", "lost", 1)
	})
}

func TestWorkersSurviveUnreachableDatabase(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			d, err := db.Open(t.Context(), dbtest.URL(t, engine), db.Options{})
			if err != nil {
				t.Fatal(err)
			}
			b := newFixture(t, d)
			b.must(migrate.Run(t.Context(), d))
			w := b.workersWith(Options{Poll: time.Millisecond, Parallel: 1})
			InTx(w, "one", once)
			w.Start(t.Context())
			b.must(d.Close())
			said := func() int { return strings.Count(b.log.String(), "cannot look for due jobs") }
			until(t, func() bool { return said() > 0 }, "nothing was said")
			time.Sleep(30 * time.Millisecond) // for many more looks
			b.must(w.Stop(t.Context()))
			if got := said(); got != 1 {
				t.Errorf("said %d times:\n%s", got, b.log.String())
			}
		})
	}
}
