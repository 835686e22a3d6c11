package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

const (
	resetPause   = time.Second // between two times that the pool is emptied because a server is read-only
	attempts     = 10          // of one transaction
	firstPause   = 2 * time.Millisecond
	longestPause = 200 * time.Millisecond
)

// withConnForRead is withConn for reads, and for single statements that write: fn runs a second time if a retry may help and
// mayRetry, called after the failure, returns true.
func (p *pool) withConnForRead(ctx context.Context, mayRetry func() bool, fn func(*pgxpool.Conn) error) error {
	err := p.withConn(ctx, fn)
	p.leaveStandby(err)
	if retryable(err) && mayRetry() && ctx.Err() == nil {
		p.dropBroken(err)
		err = p.withConn(ctx, fn)
	}
	return err
}

// dropBroken empties the pool after a broken connection: if the server has restarted,
// all connections are broken.
func (p *pool) dropBroken(err error) {
	if lost(err) {
		p.Reset()
	}
}

// leaveStandby empties the pool after a refused write: the server is no longer the primary,
// but keeps its connections. At most once in resetPause, so that reads go on while the
// address still leads to this server.
func (p *pool) leaveStandby(err error) {
	if !readOnly(err) {
		return
	}
	last, now := p.left.Load(), int64(observe.Uptime())
	if (last == 0 || now-last >= int64(resetPause)) && p.left.CompareAndSwap(last, now) {
		p.Reset()
	}
}

// inTx runs fn in READ COMMITTED.
func (p *pool) inTx(ctx context.Context, fn func(*transaction) error) error {
	return p.retry(ctx, func() error { return p.attempt(ctx, fn) })
}

// retry repeats a transaction after a deadlock, a serialization failure or a connection
// lost before the commit.
func (p *pool) retry(ctx context.Context, transaction func() error) error {
	pause := firstPause
	for attempt := 1; ; attempt++ {
		err := transaction()
		p.leaveStandby(err)
		if !retryable(err) {
			return err
		}
		if attempt == attempts {
			return classify.Explain(ctx, fmt.Sprintf("db: after %d attempts", attempts), err)
		}
		p.dropBroken(err)
		select {
		case <-ctx.Done():
			return classify.Explain(ctx, "db: retry", err)
		case <-time.After(pause/2 + rand.N(pause)):
		}
		pause = min(2*pause, longestPause)
	}
}

func (p *pool) attempt(ctx context.Context, fn func(*transaction) error) error {
	var failed error // of fn, returned unchanged
	err := p.withConn(ctx, func(c *pgxpool.Conn) error {
		tx := &transaction{connection: connection{c.Conn()}, begin: beginWrite}
		defer tx.rollback(ctx) // nothing to do after a commit
		if failed = fn(tx); failed != nil {
			return nil
		}
		return tx.commit(ctx)
	})
	if failed != nil {
		return failed
	}
	return classify.Explain(ctx, "db: transaction", err)
}

// read runs fn a second time if its transaction could not begin.
func (p *pool) read(ctx context.Context, fn func(driver.Tx) error) error {
	var tx *transaction
	var failed error
	err := p.withConnForRead(ctx, func() bool { return tx == nil || !tx.begun }, func(c *pgxpool.Conn) error {
		tx = &transaction{connection: connection{c.Conn()}, begin: beginRead}
		defer tx.rollback(ctx) // it only read
		if failed = fn(tx); tx.begun {
			return nil
		}
		return failed
	})
	if failed != nil {
		return failed
	}
	return classify.Explain(ctx, "db: read", err)
}
