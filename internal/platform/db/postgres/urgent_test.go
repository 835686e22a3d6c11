package postgres

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/db/driver"
	"moothall/internal/test/pgtest"
)

// TestUrgentWorkHasConnection occupies all connections of a pool that other work may use. A
// sign-in still gets one, also beside work in the background.
func TestUrgentWorkHasConnection(t *testing.T) {
	for _, c := range []struct{ connections, requests, background int }{{1, 1, 1}, {2, 2, 1}, {4, 3, 2}, {8, 7, 6}} {
		shares := newShares(c.connections)
		if cap(shares[0]) != c.background || cap(shares[1]) != c.requests {
			t.Errorf("%d connections: %d for the background, %d for requests", c.connections, cap(shares[0]), cap(shares[1]))
		}
	}
	unmeasured := prometheus.ObserverFunc(func(float64) {})
	s, err := Open(t.Context(), pgtest.Database(t),
		driver.Config{Connections: fewConnections, Wait: time.Minute, Waits: driver.Waits{Connection: unmeasured}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	begun, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	nothing := driver.NewStmt("db_test.nothing", "SELECT 1")
	for range fewConnections - 1 {
		all.Go(func() {
			err := s.Read(t.Context(), func(tx driver.Tx) error {
				_, err := tx.Exec(t.Context(), nothing, nil)
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
	if _, err := s.Exec(driver.Waited(t.Context(), time.Hour), nothing, nil); !errors.Is(err, driver.ErrUnavailable) {
		t.Errorf("another request: %v", err)
	}
	if _, err := s.Exec(driver.Urgent(t.Context()), nothing, nil); err != nil {
		t.Errorf("a sign-in: %v", err)
	}
	close(release)
	all.Wait()
}
