package sqlite

import (
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/db/driver"
)

// TestUrgentWritesGoFirst fills the queue of writers of SQLite and lets more of them wait for it. A
// sign-in that comes last writes first.
func TestUrgentWritesGoFirst(t *testing.T) {
	unmeasured := prometheus.ObserverFunc(func(float64) {})
	s, err := Open(filepath.Join(t.TempDir(), "test.db"),
		driver.Config{Wait: time.Minute, Waits: driver.Waits{Connection: unmeasured, Write: unmeasured}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	w := s.writer
	begun, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	var order []string // by the goroutine of the writer
	write := func(who string, fn func()) {
		ctx := t.Context()
		if who == "sign-in" {
			ctx = driver.Urgent(ctx)
		}
		all.Go(func() {
			if err := s.InTx(ctx, func(driver.Tx) error { fn(); order = append(order, who); return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	await := func(queue chan *member, n int) {
		for len(queue) < n {
			runtime.Gosched()
		}
	}
	write("first", func() { close(begun); <-release })
	<-begun
	for range groupSize + 10 {
		write("other", func() {})
	}
	await(w.queue, groupSize)
	write("sign-in", func() {})
	await(w.urgent, 1)
	close(release)
	all.Wait()
	if order[0] != "first" || order[1] != "sign-in" || len(order) != groupSize+12 {
		t.Errorf("%d transactions, %v", len(order), order[:5])
	}
}
