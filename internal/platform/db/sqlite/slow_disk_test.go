package sqlite_test

import (
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/disktest"
	"moothall/internal/test/testutil"
)

// TestWritersWaitForSlowDisk lets the disk flush slowly: transactions of the next group wait for it, longer than
// Options.Wait. Transactions beyond that group are refused after Options.Wait.
func TestWritersWaitForSlowDisk(t *testing.T) {
	t.Parallel()
	const nextGroup, crowd = 256, 10
	path := filepath.Join(t.TempDir(), "test.db")
	disk := disktest.New(t, filepath.Dir(path))
	d := open(t, "sqlite:"+path, db.Options{Wait: 20 * time.Millisecond})
	slow := func() { time.Sleep(750 * time.Millisecond) }
	disk.OnFlush.Store(&slow)
	for n := range 2 {
		must(t, mark(t.Context(), d, "before", n))
	}

	flushing, done := make(chan struct{}, 10), make(chan struct{})
	stalled := func() { flushing <- struct{}{}; <-done }
	disk.OnFlush.Store(&stalled)
	var all sync.WaitGroup
	all.Go(func() {
		if err := mark(t.Context(), d, "first", 0); err != nil {
			t.Error(err)
		}
	})
	<-flushing
	var refused, failed atomic.Int64
	for n := range nextGroup + crowd {
		all.Go(func() {
			switch err := mark(t.Context(), d, "next", n); {
			case errors.Is(err, db.ErrUnavailable):
				refused.Add(1)
			case err != nil:
				failed.Add(1)
			}
		})
	}
	testutil.Until(t, "refusals beyond the next group", func() bool { return refused.Load() >= crowd })
	disk.OnFlush.Store(nil)
	close(done)
	all.Wait()
	testutil.Fault(t, "commits of SQLite take 0.4 to 3 s, because the disk stalls", "%d of %d writes of the next group were refused",
		refused.Load()-crowd, nextGroup)
	if n := marks(t, d, "next"); n != nextGroup || refused.Load() != crowd || failed.Load() != 0 {
		t.Errorf("%d writes, %d refused, %d failed", n, refused.Load(), failed.Load())
	}
}
