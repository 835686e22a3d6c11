package job

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/db"
)

func TestJobRunsOnceAndIsDeleted(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		w := b.workers()
		InTx(w, "one", once)
		err := b.db.InTx(t.Context(), func(tx db.Tx) error {
			b.must(Put(t.Context(), tx, b.clock(), Job{Kind: "one", Key: "undone", Payload: 1}))
			return errTest
		})
		if !errors.Is(err, errTest) {
			t.Fatal(err)
		}
		b.mustRunDue(w)
		b.wantEffects(0)
		b.put("one", "a", 2)
		b.put("one", "b", 3)
		b.mustRunDue(w)
		b.mustRunDue(w)
		b.wantEffects(2)
		b.wantLeft(0)
	})
}

func TestPutReplacesJobOfSameKey(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		var got []int
		w := b.workers()
		underLease(w, "note", func(_ context.Context, n int) error { got = append(got, n); return nil })
		underLease(w, "other", func(_ context.Context, n int) error { got = append(got, n); return nil })
		b.put("note", "a", 1)
		b.later(time.Second)
		b.put("note", "a", 2)
		b.put("other", "a", 3)
		b.mustRunDue(w)
		if fmt.Sprint(got) != "[2 3]" {
			t.Errorf("ran %v", got)
		}
	})
}

func TestJobRunsAtRunAt(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		w := b.workers()
		InTx(w, "one", once)
		b.putJob(Job{Kind: "one", Key: "a", Payload: 1, RunAt: b.clock().Add(time.Hour)})
		b.later(time.Hour - time.Microsecond)
		b.mustRunDue(w)
		b.wantEffects(0)
		b.later(time.Microsecond)
		b.mustRunDue(w)
		b.wantEffects(1)
	})
}

func TestKindsWithoutHandlerAreNotTaken(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		old, newer := b.workers(), b.workers()
		InTx(old, "one", once)
		InTx(newer, "new", once)
		b.put("new", "a", 1)
		b.mustRunDue(old)
		b.mustRunDue(b.workers()) // no handler at all
		b.wantEffects(0)
		b.mustRunDue(newer)
		b.wantEffects(1)
	})
}

func TestFailingJobBacksOffAndIsDiscarded(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		var runs []time.Duration
		started := b.clock()
		broken := true
		w := b.workersWith(Options{Attempts: 4})
		InTx(w, "bad", func(ctx context.Context, tx db.Tx, n int) error {
			runs = append(runs, b.clock().Sub(started))
			if err := once(ctx, tx, n); err != nil {
				return err
			}
			if broken {
				return fmt.Errorf("mail to ann@example.org or +7 900 123-45-67: %w", errTest)
			}
			return nil
		})
		b.put("bad", "a", 1)
		for range 60 {
			if err := b.runDue(w); err != nil && !errors.Is(err, errTest) {
				t.Fatal(err)
			}
			b.later(time.Second)
		}
		if fmt.Sprint(runs) != "[0s 2s 6s 14s]" {
			t.Errorf("it ran after %v", runs)
		}
		b.wantEffects(0)
		discarded, err := Discarded(t.Context(), b.db)
		b.must(err)
		want := DiscardedJob{Kind: "bad", Key: "a", FailedAt: started.Add(14 * time.Second), Attempts: 4,
			LastError: "mail to *** or ***: test: refused"}
		if len(discarded) != 1 || discarded[0] != want {
			t.Errorf("discarded: %+v", discarded)
		}
		if log := b.log.String(); !strings.Contains(log, "level=ERROR") || !strings.Contains(log, "result=discarded") ||
			strings.Contains(log, "ann@") {
			t.Errorf("the log says\n%s", log)
		}
		wantMetric(t, w, "bad", "failed", 3)
		wantMetric(t, w, "bad", "discarded", 1)

		broken = false
		b.put("bad", "a", 2)
		b.mustRunDue(w)
		b.wantEffects(1)
		b.wantLeft(0)
	})
}

func TestDelete(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		w := b.workersWith(Options{Attempts: 1})
		InTx(w, "one", func(context.Context, db.Tx, int) error { return errTest })
		remove := func(kind, key string) bool {
			found, err := Delete(t.Context(), b.db, kind, key)
			b.must(err)
			return found
		}
		b.put("one", "a", 1)
		if remove("one", "a") {
			t.Error("a job was deleted before it was discarded")
		}
		if err := b.runDue(w); !errors.Is(err, errTest) {
			t.Fatal(err)
		}
		if remove("one", "b") || remove("other", "a") || !remove("one", "a") || remove("one", "a") {
			t.Error("not just the job that was discarded was deleted, once")
		}
		b.wantLeft(0)
	})
}

func TestRetry(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		broken := true
		w := b.workersWith(Options{Attempts: 1})
		InTx(w, "one", func(ctx context.Context, tx db.Tx, n int) error {
			if broken {
				return errTest
			}
			return once(ctx, tx, n)
		})
		retry := func(kind, key string) bool {
			found, err := Retry(t.Context(), b.db, b.clock(), kind, key)
			b.must(err)
			return found
		}
		b.put("one", "a", 1)
		if retry("one", "a") {
			t.Error("a job was retried before it was discarded")
		}
		for range 2 {
			if err := b.runDue(w); !errors.Is(err, errTest) {
				t.Fatal(err)
			}
			b.mustRunDue(w)
			if retry("one", "b") || retry("other", "a") || !retry("one", "a") || retry("one", "a") {
				t.Error("not just the job that was discarded was retried, once")
			}
		}
		broken = false
		b.mustRunDue(w)
		b.wantEffects(1)
		b.wantLeft(0)
	})
}

func wantMetric(t *testing.T, w *Workers, kind, result string, want uint64) {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(w.Metrics())
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if m.GetLabel()[0].GetValue() == kind && m.GetLabel()[1].GetValue() == result {
				if got := m.GetHistogram().GetSampleCount(); got != want {
					t.Errorf("%s %s: %d, want %d", kind, result, got, want)
				}
				return
			}
		}
	}
	t.Errorf("no metric for %s %s", kind, result)
}

func TestPanicIsAFailure(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		w := b.workers()
		panics := true
		underLease(w, "outside", func(context.Context, int) error {
			if panics {
				panic("of a handler")
			}
			return nil
		})
		InTx(w, "inside", func(ctx context.Context, tx db.Tx, n int) error {
			if panics {
				panic("of a transaction")
			}
			return once(ctx, tx, n)
		})
		b.put("outside", "a", 1)
		b.put("inside", "a", 1)
		if err := b.runDue(w); err == nil || !strings.Contains(err.Error(), "of a handler") ||
			!strings.Contains(err.Error(), "of a transaction") {
			t.Fatalf("got %v", err)
		}
		panics = false
		b.later(time.Minute)
		b.mustRunDue(w)
		b.wantEffects(1)
		b.wantLeft(0)
	})
}

func TestInvalidPayloadIsAFailure(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		w := b.workers()
		InTx(w, "number", once)
		b.put("number", "a", "not a number")
		if err := b.runDue(w); err == nil || !strings.Contains(err.Error(), "payload") {
			t.Errorf("got %v", err)
		}
	})
}

// TestStoppedWorkerRepeatsNoEffect suspends a worker that has taken a job for longer than
// its lease, while another worker runs the job.
func TestStoppedWorkerRepeatsNoEffect(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		stopped, other := b.workers(), b.workers()
		InTx(stopped, "one", once)
		InTx(other, "one", once)
		b.put("one", "a", 1)
		h, found, err := stopped.take(t.Context(), stopped.kinds)
		if err != nil || !found {
			t.Fatal(found, err)
		}
		b.later(29 * time.Second)
		b.mustRunDue(other)
		b.wantEffects(0) // the lease still holds
		b.later(time.Second)
		b.mustRunDue(other)
		b.wantEffects(1)
		if err := stopped.run(t.Context(), &h); !errors.Is(err, ErrLost) {
			t.Errorf("the stopped worker ended with %v", err)
		}
		b.wantEffects(1)
		b.wantLeft(0)
		wantMetric(t, stopped, "one", "lost", 1)
	})
}

// TestCrashingJobIsDiscarded takes a job again and again and never ends it, like a
// process that crashes during the job.
func TestCrashingJobIsDiscarded(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		w := b.workersWith(Options{Attempts: 3})
		InTx(w, "one", once)
		b.put("one", "a", 1)
		for range 3 {
			if _, found, err := w.take(t.Context(), w.kinds); err != nil || !found {
				t.Fatal(found, err)
			}
			b.later(time.Minute)
		}
		if err := b.runDue(w); err == nil {
			t.Error("it was run once more")
		}
		b.wantEffects(0)
		if discarded, err := Discarded(t.Context(), b.db); err != nil || len(discarded) != 1 {
			t.Errorf("discarded: %v, %v", discarded, err)
		}
	})
}

func TestPutAndDeleteWhileItRuns(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		w := b.workers()
		var got []int
		underLease(w, "work", func(_ context.Context, p int) error {
			if got = append(got, p); p == 1 {
				b.put("work", "a", 2)
			}
			return nil
		})
		b.put("work", "a", 1)
		if err := b.runDue(w); !errors.Is(err, ErrLost) || fmt.Sprint(got) != "[1 2]" {
			t.Errorf("ran %v: %v", got, err)
		}
		b.wantLeft(0)

		InTx(w, "one", once)
		b.put("one", "a", 1)
		h, _, err := w.take(t.Context(), w.kinds)
		b.must(err)
		b.deleteJobs()
		if err := w.run(t.Context(), &h); !errors.Is(err, ErrLost) {
			t.Errorf("a deleted job ended with %v", err)
		}
		b.wantEffects(0)
	})
}

func TestManyWorkersShareTheJobs(t *testing.T) {
	const jobs = 200
	each(t, func(t *testing.T, b *fixture) {
		for n := range jobs {
			b.put("one", fmt.Sprint(n), n)
		}
		var all sync.WaitGroup
		for range 6 {
			w := b.workers()
			InTx(w, "one", once)
			all.Go(func() {
				if err := b.runDue(w); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		b.wantEffects(jobs)
		b.wantLeft(0)
	})
}

func TestErrorsAreStoredWithoutPersonalData(t *testing.T) {
	for in, want := range map[string]string{
		"plain: 42 rows":                          "plain: 42 rows",
		"first line\nsecond":                      "first line",
		`address "Ann <ann@example.org>" refused`: `address "Ann *** refused`,
		"call +7 (900) 123-45-67 failed":          "call *** failed",
		"a\x00b":                                  "ab",
		strings.Repeat("é", 300):                  strings.Repeat("é", 250),
	} {
		if got := withoutPersonal(errors.New(in)); got != want {
			t.Errorf("%q becomes %q", in, got)
		}
	}
}

func TestSecondHandlerOfKindPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("the second handler was taken")
		}
	}()
	w := New(Options{DB: &db.DB{}})
	InTx(w, "one", once)
	w.Every(time.Hour, "one", func(context.Context) error { return nil })
}

// TestLeasedJobRunsUntilItSucceeds checks that a job outside of a transaction is retried
// with its payload, ends once, and ends for good.
func TestLeasedJobRunsUntilItSucceeds(t *testing.T) {
	each(t, func(t *testing.T, b *fixture) {
		var got []int
		w := b.workers()
		Leased(w, "send", func(_ context.Context, n int) error {
			if got = append(got, n); len(got) == 1 {
				return errTest
			}
			return nil
		})
		b.put("send", "a", 7)
		if err := b.runDue(w); !errors.Is(err, errTest) {
			t.Errorf("%v", err)
		}
		for range 2 {
			b.later(time.Minute)
			b.mustRunDue(w)
		}
		if len(got) != 2 || got[1] != 7 {
			t.Errorf("it ran with %v", got)
		}
	})
}
