package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

// readers is a pool of read connections.
type readers struct {
	wait   time.Duration
	waits  prometheus.Observer
	free   chan *connection
	closed chan struct{}
}

// with runs fn with a read connection and interrupts it when ctx ends.
func (r *readers) with(ctx context.Context, fn func(*connection) error) error {
	c, err := r.acquire(ctx)
	if err != nil {
		return err
	}
	defer func() { r.free <- c }()
	defer c.watch(ctx)()
	return fn(c)
}

func (r *readers) acquire(ctx context.Context) (*connection, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case c := <-r.free:
		r.waits.Observe(0)
		return c, nil
	default:
	}
	defer driver.ObserveSince(r.waits, observe.Uptime())
	wait := driver.RemainingWait(ctx, r.wait)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case c := <-r.free:
		return c, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-r.closed:
		return nil, driver.ErrClosed
	case <-timer.C:
		return nil, fmt.Errorf("%w: no free connection for %v", driver.ErrUnavailable, wait)
	}
}

var begin = driver.NewStmt("db.begin", "BEGIN")

// read runs fn in a read transaction.
func (r *readers) read(ctx context.Context, fn func(driver.Tx) error) error {
	c, err := r.acquire(ctx)
	if err != nil {
		return classify.Explain(ctx, "db: read", err)
	}
	defer func() { r.free <- c }()
	if err := c.control(begin); err != nil {
		return classify.Explain(ctx, "db: read", err)
	}
	defer func() { _ = c.control(rollback) }() // it only read
	defer c.watch(ctx)()                       // ends before the rollback
	return fn(c)
}

// close waits for a number of readers.
func (r *readers) close(count int) error {
	var errs []error
	for range count {
		errs = append(errs, (<-r.free).close())
	}
	return errors.Join(errs...)
}
