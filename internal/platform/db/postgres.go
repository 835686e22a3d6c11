package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	defaultConnections = 8                // 32 were slower
	cachedStatements   = 1024             // per connection
	endTimeout         = 10 * time.Second // of a commit or rollback
	endGrace           = 2 * time.Second  // of a commit or rollback after the caller's context has ended
	resetPause         = time.Second      // between two times that the pool is emptied because a server is read-only
	openTimeout        = 10 * time.Second // for the first connection
	connectTimeout     = 3 * time.Second  // of one attempt, which occupies a connection of the pool
	hostTimeout        = 2 * time.Second  // of one attempt, if there is another host to try
	abandonedAfter     = "10s"            // the server ends an idle transaction, because it holds locks
	attempts           = 10               // of one transaction
	firstPause         = 2 * time.Millisecond
	longestPause       = 200 * time.Millisecond
)

// sessionSettings apply to every connection unless the URL sets them. The isolation
// level applies to statements outside of transactions. Parallel workers are off,
// because starting them takes longer than most of our statements. They are set after connecting: connection poolers refuse
// them as startup parameters.
var sessionSettings = map[string]string{
	"default_transaction_isolation":       "read committed",
	"idle_in_transaction_session_timeout": abandonedAfter,
	"max_parallel_workers_per_gather":     "0",
}

// postgresStore is a pool of connections to one PostgreSQL.
type postgresStore struct {
	pool *pgxpool.Pool
	wait time.Duration

	shares  []chan struct{} // see newShares
	notices *notices
	left    atomic.Int64 // when leaveStandby emptied the pool, by sinceStart; 0: never

	allowUnsafe bool                  // see Options
	damage      atomic.Pointer[error] // the first damage that was found; remains until the process ends
	metrics     *metrics
}

func openPostgres(ctx context.Context, url string, opts Options) (*postgresStore, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err // pgx leaves the password out
	}
	switch {
	case opts.Connections > 0:
		config.MaxConns = int32(opts.Connections)
	case !strings.Contains(url, "pool_max_conns"):
		config.MaxConns = defaultConnections
	}
	config.ConnConfig.StatementCacheCapacity = cachedStatements
	preferPrimary(config.ConnConfig, url)
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	prepareSessions(config.ConnConfig)
	s := &postgresStore{
		wait: max(opts.Wait, openTimeout), allowUnsafe: opts.AllowUnsafe, metrics: opts.metrics,
		shares: newShares(int(config.MaxConns)),
	}
	config.ConnConfig.DialFunc = dialer.DialContext
	config.ConnConfig.OnPgError = s.noteErrors(config.ConnConfig.OnPgError)
	config.ShouldPing = noteIdle
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, err
	}
	if err := s.withConn(ctx, func(c *pgxpool.Conn) error {
		return firstError(checkSettings(ctx, c.Conn(), s.allowUnsafe), checkSessions(ctx, c.Conn()))
	}); err != nil {
		s.pool.Close()
		return nil, err
	}
	s.wait = opts.Wait
	s.notices = newNotices(s)
	return s, nil
}

// preferPrimary connects to the first of several hosts that accepts writes, unless the URL
// asks for another kind of host.
func preferPrimary(config *pgx.ConnConfig, url string) {
	if !severalHosts(config) {
		return
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = hostTimeout
	}
	if config.ValidateConnect == nil && !strings.Contains(url, "target_session_attrs") {
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
}

func severalHosts(config *pgx.ConnConfig) bool {
	return slices.ContainsFunc(config.Fallbacks, func(f *pgconn.FallbackConfig) bool {
		return f.Host != config.Host || f.Port != config.Port // others only differ in TLS
	})
}

// withConnForRead is withConn for reads, and for single statements that write: fn runs a second time if a retry may help and
// mayRetry, called after the failure, returns true.
func (s *postgresStore) withConnForRead(ctx context.Context, mayRetry func() bool, fn func(*pgxpool.Conn) error) error {
	err := s.withConn(ctx, fn)
	s.leaveStandby(err)
	if retryable(err) && mayRetry() && ctx.Err() == nil {
		s.dropBroken(err)
		err = s.withConn(ctx, fn)
	}
	return err
}

// dropBroken empties the pool after a broken connection: if the server has restarted,
// all connections are broken.
func (s *postgresStore) dropBroken(err error) {
	if lost(err) {
		s.pool.Reset()
	}
}

// leaveStandby empties the pool after a refused write: the server is no longer the primary,
// but keeps its connections. At most once in resetPause, so that reads go on while the
// address still leads to this server.
func (s *postgresStore) leaveStandby(err error) {
	if !readOnly(err) {
		return
	}
	last, now := s.left.Load(), int64(sinceStart())
	if (last == 0 || now-last >= int64(resetPause)) && s.left.CompareAndSwap(last, now) {
		s.pool.Reset()
	}
}

func always() bool { return true }

func (s *postgresStore) query(ctx context.Context, st *Stmt, args []any, each func(Row) bool) error {
	untouched := true
	return s.withConnForRead(ctx, func() bool { return untouched }, func(c *pgxpool.Conn) error {
		return postgresConn{c.Conn()}.query(ctx, st, args, func(r Row) bool {
			untouched = false
			return each(r)
		})
	})
}

// exec needs no BEGIN and COMMIT: one statement is a transaction of its own.
func (s *postgresStore) exec(ctx context.Context, st *Stmt, args []any) (n int64, err error) {
	err = s.retry(ctx, func() error {
		return s.withConn(ctx, func(c *pgxpool.Conn) error {
			n, err = postgresConn{c.Conn()}.exec(ctx, st, args)
			if err != nil && c.Conn().IsClosed() && !undone(err) { // without an answer
				err = fmt.Errorf("%w: %w", ErrInDoubt, err)
			}
			return err
		})
	})
	return n, err
}

func (s *postgresStore) script(ctx context.Context, sql string) error {
	return s.inTx(ctx, func(r txRunner) error { return r.script(ctx, sql) })
}

// inTx runs fn in READ COMMITTED.
func (s *postgresStore) inTx(ctx context.Context, fn func(txRunner) error) error {
	return s.retry(ctx, func() error { return s.attempt(ctx, fn) })
}

// retry repeats a transaction after a deadlock, a serialization failure or a connection
// lost before the commit.
func (s *postgresStore) retry(ctx context.Context, transaction func() error) error {
	pause := firstPause
	for attempt := 1; ; attempt++ {
		err := transaction()
		s.leaveStandby(err)
		if !retryable(err) {
			return err
		}
		if attempt == attempts {
			return explain(ctx, fmt.Sprintf("db: after %d attempts", attempts), err)
		}
		s.dropBroken(err)
		select {
		case <-ctx.Done():
			return explain(ctx, "db: retry", err)
		case <-time.After(pause/2 + rand.N(pause)):
		}
		pause = min(2*pause, longestPause)
	}
}

func (s *postgresStore) attempt(ctx context.Context, fn func(txRunner) error) error {
	var failed error // of fn, returned unchanged
	err := s.withConn(ctx, func(c *pgxpool.Conn) error {
		tx := &postgresTx{postgresConn: postgresConn{c.Conn()}, begin: beginWrite}
		defer tx.rollback(ctx) // nothing to do after a commit
		if failed = fn(tx); failed != nil {
			return nil
		}
		return tx.commit(ctx)
	})
	if failed != nil {
		return failed
	}
	return explain(ctx, "db: transaction", err)
}

// ending returns the context of a commit or rollback. It outlives the context of the
// caller by endGrace, so that the outcome becomes known. When it expires, the server
// has not answered: the error is ErrUnavailable.
func ending(ctx context.Context) (context.Context, context.CancelFunc) {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	end, giveUp := context.WithCancelCause(limited)
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(endGrace, func() { giveUp(ErrUnavailable) }) })
	return end, func() { stop(); cancel() }
}

// read runs fn a second time if its transaction could not begin.
func (s *postgresStore) read(ctx context.Context, fn func(txRunner) error) error {
	var tx *postgresTx
	var failed error
	err := s.withConnForRead(ctx, func() bool { return tx == nil || !tx.begun }, func(c *pgxpool.Conn) error {
		tx = &postgresTx{postgresConn: postgresConn{c.Conn()}, begin: beginRead}
		defer tx.rollback(ctx) // it only read
		if failed = fn(tx); tx.begun {
			return nil
		}
		return failed
	})
	if failed != nil {
		return failed
	}
	return explain(ctx, "db: read", err)
}

func (s *postgresStore) prepare(ctx context.Context, st *Stmt) error {
	return s.withConn(ctx, func(c *pgxpool.Conn) error {
		_, err := c.Conn().Prepare(ctx, "", st.sql.PostgreSQL)
		return err
	})
}

func (s *postgresStore) truncateLog(context.Context) error { return nil }

// serverTime does not count the wait for a connection.
func (s *postgresStore) serverTime(ctx context.Context) (now time.Time, uncertainty time.Duration, err error) {
	err = s.withConnForRead(ctx, always, func(c *pgxpool.Conn) error {
		before := sinceStart()
		if err := c.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&now); err != nil {
			return err
		}
		uncertainty = (sinceStart() - before) / 2
		now = now.Add(uncertainty)
		return nil
	})
	return now, uncertainty, err
}

func (s *postgresStore) await(ctx context.Context) {
	_ = s.withConn(ctx, func(*pgxpool.Conn) error { return nil }) // measured, not used
}

func (s *postgresStore) usage() usage {
	pool := s.pool.Stat()
	return usage{used: int(pool.AcquiredConns()), idle: int(pool.IdleConns())}
}

func (s *postgresStore) close() error {
	s.pool.Close() // waits for the transactions
	s.notices.close()
	return nil
}

// retryable reports whether the whole transaction should run again: after a deadlock,
// a serialization failure, a migration that changed the columns of a prepared
// statement, or a connection lost before the commit was sent.
func retryable(err error) bool {
	if err == nil || errors.Is(err, ErrInDoubt) {
		return false
	}
	switch code := postgresCode(err); code {
	case "40001", "40P01":
		return true
	case "0A000":
		return strings.Contains(err.Error(), "cached plan")
	}
	return lost(err)
}

// lost reports whether an established connection broke.
func lost(err error) bool {
	var connecting *pgconn.ConnectError
	if err == nil || errors.As(err, &connecting) {
		return false
	}
	switch code := postgresCode(err); {
	case code == "57P01", code == "57P02", code == "57P05", code == "25P03", strings.HasPrefix(code, "08"), panicked(err):
		return true
	case code != "":
		return false
	}
	var broken *net.OpError
	return errors.As(err, &broken) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) ||
		pgconn.SafeToRetry(err)
}

// panicked reports whether the server crashed, for example because it could not flush its
// log.
func panicked(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.SeverityUnlocalized == "PANIC"
}

// undone reports whether a statement whose connection was lost certainly had no effect:
// it was not sent, or the server ended the session between statements.
func undone(err error) bool {
	switch postgresCode(err) {
	case "57P01", "57P05":
		return true
	}
	return pgconn.SafeToRetry(err)
}

// readOnly reports whether a server has refused a write because it is a standby, or because
// its transactions are read-only.
func readOnly(err error) bool { return postgresCode(err) == "25006" }

func postgresCode(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

func postgresUnique(err error) bool { return postgresCode(err) == "23505" }

// postgresUnavailable reports errors that a retry did not resolve.
func postgresUnavailable(err error) bool {
	var connecting *pgconn.ConnectError
	code := postgresCode(err)
	return errors.As(err, &connecting) || lost(err) || readOnly(err) || code == "40001" || code == "40P01" ||
		code == "57P03" || code == "57014" || code == "55P03" || strings.HasPrefix(code, "53")
}
