package db

import (
	"errors"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"moothall/internal/test/pgtest"
)

// TestUrgentWritesGoFirst fills the queue of writers of SQLite and lets more of them wait for it. A
// sign-in that comes last writes first.
func TestUrgentWritesGoFirst(t *testing.T) {
	d, err := Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "test.db"), Options{Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	w := d.store.(*sqliteStore).writer
	begun, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	var order []string // by the goroutine of the writer
	write := func(who string, fn func()) {
		ctx := t.Context()
		if who == "sign-in" {
			ctx = Urgent(ctx)
		}
		all.Go(func() {
			if err := d.InTx(ctx, func(Tx) error { fn(); order = append(order, who); return nil }); err != nil {
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

// TestUrgentWorkHasConnection occupies all connections of a pool that other work may use. A
// sign-in still gets one, also beside work in the background.
func TestUrgentWorkHasConnection(t *testing.T) {
	for _, c := range []struct{ connections, requests, background int }{{1, 1, 1}, {2, 2, 1}, {4, 3, 2}, {8, 7, 6}} {
		shares := newShares(c.connections)
		if cap(shares[0]) != c.background || cap(shares[1]) != c.requests {
			t.Errorf("%d connections: %d for the background, %d for requests", c.connections, cap(shares[0]), cap(shares[1]))
		}
	}
	d, err := Open(t.Context(), pgtest.Database(t), Options{Connections: fewConnections, Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	begun, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	nothing := newStmt("db_test.nothing", "SELECT 1")
	for range fewConnections - 1 {
		all.Go(func() {
			err := d.Read(t.Context(), func(q Querier) error {
				err := q.One(t.Context(), nothing).Scan(new(int))
				begun <- struct{}{}
				<-release
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range fewConnections - 1 {
		<-begun
	}
	if err := d.One(Waited(t.Context(), time.Hour), nothing).Scan(new(int)); !errors.Is(err, ErrUnavailable) {
		t.Errorf("another request: %v", err)
	}
	if err := d.One(Urgent(t.Context()), nothing).Scan(new(int)); err != nil {
		t.Errorf("a sign-in: %v", err)
	}
	close(release)
	all.Wait()
}
