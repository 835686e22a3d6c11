package db_test

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"moothall/internal/pgtest"
	"moothall/internal/platform/db"
)

// proxyTo puts a proxy in front of the server of url and returns the URL of the proxy.
// serve handles each connection.
func proxyTo(t *testing.T, url string, serve func(front, back net.Conn)) string {
	t.Helper()
	config, err := pgx.ParseConfig(url)
	must(t, err)
	dir := t.TempDir()
	listener, err := net.Listen("unix", filepath.Join(dir, ".s.PGSQL.5432"))
	must(t, err)
	t.Cleanup(func() { must(t, listener.Close()) })
	go func() {
		for {
			front, err := listener.Accept()
			if err != nil {
				return // closed
			}
			back, err := net.Dial("unix", filepath.Join(config.Host, ".s.PGSQL.5432"))
			if err != nil {
				t.Error(err)
				return
			}
			go serve(front, back)
		}
	}()
	return strings.Replace(url, config.Host, dir, 1)
}

// copyAll copies until one end closes, then closes the other.
func copyAll(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_ = to.Close()
}

// each calls pass with the bytes that arrive on a connection, until pass returns false.
func each(from net.Conn, pass func([]byte) bool) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil || !pass(buffer[:n]) {
			return
		}
	}
}

// TestPostgresConnectTimeoutFreesThePool connects to a server that accepts
// connections and never answers: the attempt must leave the pool.
func TestPostgresConnectTimeoutFreesThePool(t *testing.T) {
	url := pgtest.Database(t)
	open(t, url, db.Options{})
	var silent atomic.Bool
	through := proxyTo(t, url, func(front, back net.Conn) {
		if silent.Load() {
			<-t.Context().Done() // and keep it open
		}
		go copyAll(back, front)
		copyAll(front, back)
	})
	d := open(t, through, db.Options{Connections: 2, Wait: 100 * time.Millisecond})
	must(t, d.InTx(t.Context(), func(db.Tx) error { // holds one connection; the others wait for the second
		silent.Store(true)
		mustBe(t, d.Ping(t.Context()), db.ErrUnavailable)
		silent.Store(false)
		for began := time.Now(); d.Ping(t.Context()) != nil; {
			if time.Since(began) > 30*time.Second {
				t.Error("one silent connection holds the pool")
				break
			}
		}
		return nil
	}))
}

// TestPostgresEndsIdleTransactions leaves a transaction idle, as a client behind a
// broken network does: it must lose its locks.
func TestPostgresEndsIdleTransactions(t *testing.T) {
	url := pgtest.Database(t)
	d := open(t, url+"&idle_in_transaction_session_timeout=200ms", db.Options{})
	runs := 0
	must(t, d.InTx(t.Context(), func(tx db.Tx) error {
		runs++
		if err := mark(t.Context(), tx, "a", runs); err != nil {
			return err
		}
		if runs == 1 {
			time.Sleep(time.Second)
		}
		return tx.One(t.Context(), countMarks, "a").Scan(new(int))
	}))
	if n := marks(t, d, "a"); runs != 2 || n != 1 {
		t.Errorf("%d runs, %d rows, want 2 and 1", runs, n)
	}
	var timeout string
	show := db.SQL("test.show_timeout", `SELECT current_setting('idle_in_transaction_session_timeout')`)
	must(t, open(t, url, db.Options{}).One(t.Context(), show).Scan(&timeout))
	if timeout != "10s" {
		t.Errorf("abandoned transactions end after %q", timeout)
	}
}

// TestPostgresCrashInDoubt replaces the answer to a single statement by the last
// message of a crashing server. The outcome is unknown, so the statement must not
// run again.
func TestPostgresCrashInDoubt(t *testing.T) {
	url := pgtest.Database(t)
	open(t, url, db.Options{})
	var crashing atomic.Bool
	lastWord := "SFATAL\x00VFATAL\x00C57P02\x00Mcrash\x00\x00"
	through := proxyTo(t, url, func(front, back net.Conn) {
		go copyAll(back, front)
		each(back, func(piece []byte) bool {
			if crashing.Load() && strings.Contains(string(piece), "INSERT 0 1\x00") {
				_, _ = front.Write(append([]byte{'E', 0, 0, 0, byte(4 + len(lastWord))}, lastWord...))
				return false
			}
			_, err := front.Write(piece)
			return err == nil
		})
		_ = front.Close()
	})
	d := open(t, through, db.Options{})
	crashing.Store(true)
	err := mark(context.Background(), d, "a", 1)
	crashing.Store(false)
	mustBe(t, err, db.ErrUnavailable)
	if n := marks(t, d, "a"); n != 1 || !strings.Contains(err.Error(), "in doubt") {
		t.Errorf("%d rows, %v", n, err)
	}
}

// TestPostgresCommitWithoutAnswerIsInDoubt drops COMMIT: soon after the
// deadline the caller learns that the commit is in doubt.
func TestPostgresCommitWithoutAnswerIsInDoubt(t *testing.T) {
	url := pgtest.Database(t)
	var silent atomic.Bool
	through := proxyTo(t, url, func(front, back net.Conn) {
		go copyAll(front, back)
		each(front, func(piece []byte) bool {
			if silent.Load() && strings.Contains(string(piece), "commit\x00") {
				<-t.Context().Done()
			}
			_, err := back.Write(piece)
			return err == nil
		})
		_ = back.Close()
	})
	open(t, url, db.Options{})
	d := open(t, through, db.Options{})
	silent.Store(true)
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	began := time.Now()
	err := d.InTx(ctx, func(tx db.Tx) error { return mark(ctx, tx, "a", 1) })
	if took := time.Since(began); !errors.Is(err, db.ErrUnavailable) || took > 8*time.Second {
		t.Errorf("after %v: %v", took, err)
	}
}
