package db

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

// Waiting transactions share one commit: each runs in its own SAVEPOINT, so
// one fsync serves the whole group and one's failure undoes only itself.
// Nobody is answered before the commit.
const (
	groupSize = 256                   // members that share a commit
	groupTime = 20 * time.Millisecond // after which no further member is let in
)

var (
	groupBegin    = newStmt("db.group.begin", "BEGIN IMMEDIATE")
	groupCommit   = newStmt("db.group.commit", "COMMIT")
	memberBegin   = newStmt("db.member.begin", "SAVEPOINT member")
	memberRelease = newStmt("db.member.release", "RELEASE member")
	memberUndo    = newStmt("db.member.undo", "ROLLBACK TO member")
)

// writer owns the writing connection; its goroutine is the only one to use it.
type writer struct {
	conn    *sqliteConn
	wait    time.Duration
	queue   chan *member
	closing chan struct{}
	stopped chan struct{}
}

// member is one transaction on its way through a group.
type member struct {
	fn     func(txRunner) error
	taken  atomic.Bool // by the writer, or by the caller who gives up
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
	}
	go w.loop()
	return w
}

// stop lets the running group end and closes the connection.
func (w *writer) stop() error {
	close(w.closing)
	<-w.stopped
	return w.conn.close()
}

// do queues a transaction and waits for its answer. Until its turn it can be
// given up; from then on only the truth about the commit will do.
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
			gaveUp = fmt.Errorf("%w: no turn to write for %v", ErrUnavailable, w.wait)
		case <-w.stopped:
			gaveUp = errClosed
		}
		if m.taken.CompareAndSwap(false, true) {
			return explain(ctx, "db: write", gaveUp)
		}
		return <-m.answer
	}
}

// loop serves groups until the writer is closed. A member that ends its
// goroutine (runtime.Goexit, as a failing test does) ends this one, and
// another takes over.
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
		case <-w.closing:
			done = true
			return
		}
	}
}

// serve runs one group, beginning with its first member, and answers it.
func (w *writer) serve(first *member) {
	if err := w.conn.control(groupBegin); err != nil {
		if first.taken.CompareAndSwap(false, true) {
			first.answer <- explain(context.Background(), "db: begin", err)
		}
		return
	}
	var group []*member
	err := errLost
	defer func() { // also when a member ended the goroutine
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
		m.err = errLost // should it end the goroutine
		m.err = w.run(m)
		if w.conn.conn.AutocommitEnabled() {
			return // the engine gave the whole transaction up (disk full)
		}
	}
	err = w.conn.control(groupCommit)
}

// errLost stands until a group is committed.
var errLost = fmt.Errorf("%w: the group's transaction was given up", ErrUnavailable)

// answer tells every member its own failure or, without one, how the commit went.
func answer(group []*member, commit error) {
	for _, m := range group {
		if m.err == nil {
			m.err = explain(context.Background(), "db: commit", commit)
		}
		m.answer <- m.err
	}
}

// next gives a member that is waiting, or nil when the group should commit. When
// nobody waits, everybody who could run gets a turn first: who is about to come
// then shares the commit, and nobody is served again before those who wait for
// a processor.
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

// run runs one member in its savepoint and gives fn's error as it is. When the
// savepoint itself fails, the whole group is given up.
func (w *writer) run(m *member) error {
	if err := w.conn.control(memberBegin); err != nil {
		return w.giveUp(err)
	}
	failed := m.fn(w.conn)
	if w.conn.conn.AutocommitEnabled() {
		return failed // nothing is left to undo
	}
	if failed != nil {
		if err := w.conn.control(memberUndo); err != nil {
			return w.giveUp(err)
		}
	}
	if err := w.conn.control(memberRelease); err != nil {
		return w.giveUp(err)
	}
	return failed
}

func (w *writer) giveUp(cause error) error {
	return explain(context.Background(), "db: savepoint", errors.Join(cause, w.conn.control(sqliteRollback)))
}
