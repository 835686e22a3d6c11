package postgres

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

// A network can fail without a sign: packets disappear, and no connection closes. So every
// wait for the server has a limit, and a dead connection leaves the pool at once.
const idleBeforePing = time.Second

// pool is a pool of connections to one PostgreSQL.
type pool struct {
	*pgxpool.Pool
	wait   time.Duration
	waits  prometheus.Observer
	shares []chan struct{} // see newShares
	left   atomic.Int64    // when leaveStandby emptied the pool, by observe.Uptime; 0: never
}

// fewConnections is the size below which no connection of a pool is for Urgent work alone.
const fewConnections = 4

// newShares returns the parts of a pool: for work in the background, and for all work that is not
// Urgent. Each has an element for each connection that such work uses.
func newShares(connections int) []chan struct{} {
	if connections >= fewConnections {
		connections--
	}
	return []chan struct{}{make(chan struct{}, max(1, connections-1)), make(chan struct{}, connections)}
}

// sharesOf returns the parts of the pool that the work of a context must not exceed.
func (p *pool) sharesOf(ctx context.Context) []chan struct{} {
	switch {
	case driver.IsUrgent(ctx):
		return nil
	case driver.IsBackground(ctx):
		return p.shares
	}
	return p.shares[1:]
}

// withConn runs fn with a connection, for which it waits at most p.wait, or less; see Waited.
func (p *pool) withConn(ctx context.Context, fn func(*pgxpool.Conn) error) error {
	waiting, cancel := context.WithTimeout(ctx, driver.RemainingWait(ctx, p.wait))
	defer cancel()
	began := observe.Uptime()
	leave, err := enter(waiting, p.sharesOf(ctx))
	if err != nil {
		driver.ObserveSince(p.waits, began)
		return fmt.Errorf("%w: no connection: %w", driver.ErrUnavailable, err)
	}
	defer leave()
	c, err := p.acquire(waiting)
	driver.ObserveSince(p.waits, began)
	if err != nil {
		return fmt.Errorf("%w: no connection: %w", driver.ErrUnavailable, err)
	}
	cancel()
	defer release(c)
	return fn(c)
}

// enter waits for a place in every share. leave gives the places back.
func enter(ctx context.Context, shares []chan struct{}) (leave func(), err error) {
	entered := 0
	leave = func() {
		for _, share := range shares[:entered] {
			<-share
		}
	}
	for _, share := range shares {
		select {
		case share <- struct{}{}:
			entered++
		case <-ctx.Done():
			leave()
			return nil, ctx.Err()
		}
	}
	return leave, nil
}

// acquire takes a connection from the pool. It tests one that was idle: if that does not
// answer, no other idle one will.
func (p *pool) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	for {
		c, err := p.Acquire(ctx)
		if err != nil || !wasIdle(c) {
			return c, err
		}
		ping, cancel := context.WithTimeout(ctx, p.wait/2) // leaves time to connect
		err = c.Ping(ping)
		cancel()
		if err == nil {
			return c, nil
		}
		p.Reset()
		release(c)
	}
}

// idleKey is the place of wasIdle in the data of a connection.
const idleKey = "moothall.idle"

// noteIdle notes whether acquire should test the connection. It replaces the test of
// pgxpool, which would occupy the connection's place in the pool for 15 s if the network is
// dead.
func noteIdle(_ context.Context, p pgxpool.ShouldPingParams) bool {
	p.Conn.PgConn().CustomData()[idleKey] = p.IdleDuration > idleBeforePing
	return false
}

func wasIdle(c *pgxpool.Conn) bool {
	idle, _ := c.Conn().PgConn().CustomData()[idleKey].(bool)
	return idle
}

// release gives a connection back. A broken one leaves the pool first: pgx takes up to 15 s
// to close it, because it also asks the server to cancel the statement.
func release(c *pgxpool.Conn) {
	if c.Conn().IsClosed() {
		c.Hijack()
		return
	}
	c.Release()
}
