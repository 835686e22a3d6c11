package db

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// A network can fail without a sign: packets disappear, and no connection closes. So every
// wait for the server has a limit, and a dead connection leaves the pool at once.
const (
	idleBeforePing   = time.Second
	statementTimeout = 30 * time.Second // of a statement whose context has no deadline: in jobs and commands

	// The system closes a connection whose other end is gone.
	keepAliveIdle     = 10 * time.Second
	keepAliveInterval = 5 * time.Second
	keepAliveCount    = 3
)

// dialer opens connections that notice that the other end is gone.
var dialer = &net.Dialer{
	KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: keepAliveIdle, Interval: keepAliveInterval, Count: keepAliveCount},
}

// limited gives a statement a deadline if ctx has none.
func limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, statementTimeout, fmt.Errorf("%w: no answer for %v", ErrUnavailable, statementTimeout))
}

// timedOut makes the error of a statement whose limit has passed an ErrUnavailable.
func timedOut(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, ErrUnavailable) {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}

type backgroundKey struct{}

// Background returns a context for work that no client waits for. On PostgreSQL, it never
// takes the last connection of the requests.
func Background(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, true)
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
func (s *postgresStore) sharesOf(ctx context.Context) []chan struct{} {
	switch {
	case isUrgent(ctx):
		return nil
	case ctx.Value(backgroundKey{}) != nil:
		return s.shares
	}
	return s.shares[1:]
}

// withConn runs fn with a connection, for which it waits at most s.wait, or less; see Waited.
func (s *postgresStore) withConn(ctx context.Context, fn func(*pgxpool.Conn) error) error {
	waiting, cancel := context.WithTimeout(ctx, remainingWait(ctx, s.wait))
	defer cancel()
	began := sinceStart()
	leave, err := enter(waiting, s.sharesOf(ctx))
	if err != nil {
		observeSince(s.metrics.connection, began)
		return fmt.Errorf("%w: no connection: %w", ErrUnavailable, err)
	}
	defer leave()
	c, err := s.acquire(waiting)
	observeSince(s.metrics.connection, began)
	if err != nil {
		return fmt.Errorf("%w: no connection: %w", ErrUnavailable, err)
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
func (s *postgresStore) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	for {
		c, err := s.pool.Acquire(ctx)
		if err != nil || !wasIdle(c) {
			return c, err
		}
		ping, cancel := context.WithTimeout(ctx, s.wait/2) // leaves time to connect
		err = c.Ping(ping)
		cancel()
		if err == nil {
			return c, nil
		}
		s.pool.Reset()
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
