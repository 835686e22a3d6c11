package db

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Group commit: waiting transactions share one commit, and so one fsync. Each runs in
// a SAVEPOINT of its own, so that its failure undoes only itself. Every caller gets
// its answer after the commit.
const (
	groupSize = 256                   // maximum number of transactions that share a commit
	groupTime = 20 * time.Millisecond // after which no further transaction joins the group
)

var (
	groupBegin    = newStmt("db.group.begin", "BEGIN IMMEDIATE")
	groupCommit   = newStmt("db.group.commit", "COMMIT")
	memberBegin   = newStmt("db.member.begin", "SAVEPOINT member")
	memberRelease = newStmt("db.member.release", "RELEASE member")
	memberUndo    = newStmt("db.member.undo", "ROLLBACK TO member")
)

// writer owns the write connection. Only its goroutine uses the connection.
type writer struct {
	conn    *sqliteConn
	wait    time.Duration
	queue   chan *member
	closing chan struct{}
	stopped chan struct{}

	watching    sync.Once
	checks      chan func() // of the file, for other processes
	dataVersion int64       // of the file at the latest check
}

// member is one transaction of a group.
type member struct {
	fn     func(txRunner) error
	taken  atomic.Bool // by the writer to run it, or by the caller to give up
	err    error
	answer chan error
}

func startWriter(conn *sqliteConn, wait time.Duration) *writer {
	w := &writer{
		conn:    conn,
		wait:    wait,
		queue:   make(chan *member, groupSize),
		closing: make(chan struct{}),
		stopped: make(chan struct{}),
		checks:  make(chan func()),
	}
	go w.loop()
	return w
}

// stop waits for the running group and closes the connection.
func (w *writer) stop() error {
	close(w.closing)
	<-w.stopped
	return w.conn.close()
}

// do queues a transaction and waits for its outcome. The caller can give up until the
// transaction starts; then do returns the outcome of its commit.
func (w *writer) do(ctx context.Context, fn func(txRunner) error) error {
	if ctx.Err() != nil {
		return explain(ctx, "db: write", ctx.Err())
	}
	m := &member{fn: fn, answer: make(chan error, 1)}
	timer := time.NewTimer(w.wait)
	defer timer.Stop()
	queue := w.queue
	for {
		var gaveUp error
		select {
		case queue <- m:
			queue = nil // and wait for the answer
			continue
		case err := <-m.answer:
			return err
		case <-ctx.Done():
			gaveUp = ctx.Err()
		case <-timer.C:
			gaveUp = fmt.Errorf("%w: waited %v in the queue of writers", ErrUnavailable, w.wait)
		case <-w.stopped:
			gaveUp = errClosed
		}
		if m.taken.CompareAndSwap(false, true) {
			return explain(ctx, "db: write", gaveUp)
		}
		return <-m.answer
	}
}

// loop runs groups until the writer is closed. A transaction that calls
// runtime.Goexit, as a failing test does, ends this goroutine; another replaces it.
func (w *writer) loop() {
	done := false
	defer func() {
		if done {
			close(w.stopped)
			return
		}
		go w.loop()
	}()
	for {
		select {
		case m := <-w.queue:
			w.serve(m)
		case check := <-w.checks:
			check()
		case <-w.closing:
			done = true
			return
		}
	}
}

// serve runs one group, starting with its first member, and answers its members.
func (w *writer) serve(first *member) {
	if err := w.conn.control(groupBegin); err != nil {
		if first.taken.CompareAndSwap(false, true) {
			first.answer <- explain(context.Background(), "db: begin", err)
		}
		return
	}
	var group []*member
	err := errAborted
	defer func() { // also after runtime.Goexit
		if !w.conn.conn.AutocommitEnabled() {
			_ = w.conn.control(sqliteRollback)
		}
		answer(group, err)
	}()
	until := time.Now().Add(groupTime)
	for m := first; m != nil; m = w.next(len(group), until) {
		if !m.taken.CompareAndSwap(false, true) {
			continue
		}
		group = append(group, m)
		m.err = errAborted // in case of runtime.Goexit
		m.err = w.run(m)
		if w.conn.conn.AutocommitEnabled() {
			return // SQLite rolled the whole transaction back (disk full)
		}
	}
	err = w.conn.control(groupCommit)
}

// errAborted is the outcome of a group that never reached its commit.
var errAborted = fmt.Errorf("%w: the group's transaction was rolled back", ErrUnavailable)

// answer sends every member its own error or, without one, the error of the commit.
func answer(group []*member, commit error) {
	for _, m := range group {
		if m.err == nil {
			m.err = explain(context.Background(), "db: commit", commit)
		}
		m.answer <- m.err
	}
}

// next returns a waiting member, or nil when the group should commit. If the queue is
// empty, it first yields to runnable goroutines. Goroutines that are about to write
// then share the commit, and one caller cannot write again and again before them.
func (w *writer) next(size int, until time.Time) *member {
	if size >= groupSize || time.Now().After(until) {
		return nil
	}
	if len(w.queue) == 0 {
		runtime.Gosched()
	}
	select {
	case m := <-w.queue:
		return m
	default:
		return nil
	}
}

// run runs one member in its savepoint and returns the error of fn unchanged. If the
// savepoint itself fails, run rolls the whole group back.
func (w *writer) run(m *member) error {
	if err := w.conn.control(memberBegin); err != nil {
		return w.abort(err)
	}
	failed := m.fn(w.conn)
	if w.conn.conn.AutocommitEnabled() {
		return failed // already rolled back
	}
	if failed != nil {
		if err := w.conn.control(memberUndo); err != nil {
			return w.abort(err)
		}
	}
	if err := w.conn.control(memberRelease); err != nil {
		return w.abort(err)
	}
	return failed
}

func (w *writer) abort(cause error) error {
	return explain(context.Background(), "db: savepoint", errors.Join(cause, w.conn.control(sqliteRollback)))
}
