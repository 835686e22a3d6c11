package sqlite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"

	"github.com/prometheus/client_golang/prometheus"
	"zombiezen.com/go/sqlite"
)

// Group commit: waiting transactions share one commit, and so one fsync. Every caller
// gets its answer after the commit. If a transaction fails after it has written, the
// group is rolled back and the others run again, with a SAVEPOINT around each, so that
// the next failure undoes only itself. Savepoints cost a tenth of a write: SQLite copies each
// page that is written inside one.
//
// A transaction, which is a member of a group:
//
//	state   | event                                       | next state | who, and what the caller gets
//	queued  | its context ends, or it has waited too long | ended      | do: why
//	queued  | the writer takes it                         | running    | serve
//	queued  | BEGIN fails, and it is the first            | ended      | serve: the error
//	running | fn returns nil                              | done       | run
//	running | fn fails and has written nothing            | failed     | run
//	running | fn fails in a savepoint                     | failed     | run: ROLLBACK TO
//	running | fn fails after a write, without savepoint   | failed     | runAgain: ROLLBACK; the members before it run again
//	running | fn calls runtime.Goexit                     | failed     | serve: ROLLBACK; another goroutine serves on
//	done    | the group commits                           | ended      | answer: nil
//	done    | COMMIT fails                                | ended      | answer: the error; ErrInDoubt if the log may have it
//	done    | the group is rolled back                    | ended      | answer: ErrUnavailable
//	failed  | the group ends                              | ended      | answer: its own error
//
// The group:
//
//	state      | event                                    | next state | who
//	idle       | a transaction waits                      | open       | begin: BEGIN IMMEDIATE
//	idle       | a check waits: the file, its log, health | idle       | loop
//	open       | another waits, and there is time for it  | open       | next: the urgent ones first
//	open       | SQLite has rolled back (disk full)       | idle       | serve: every member fails
//	open       | nobody waits, groupSize, or groupTime    | committed  | commit
//	committed  | the files are in their places            | idle       | commit
//	committed  | a file was deleted or replaced           | displaced  | commit: ErrInDoubt
//	displaced  | the files are back                       | idle       | begin
//	displaced  | they are not                             | displaced  | begin: ErrUnavailable, nothing runs
const (
	groupSize = 256                   // maximum number of transactions that share a commit
	groupTime = 20 * time.Millisecond // after which no further transaction joins the group
)

var (
	groupBegin    = driver.NewStmt("db.group.begin", "BEGIN IMMEDIATE")
	groupCommit   = driver.NewStmt("db.group.commit", "COMMIT")
	memberBegin   = driver.NewStmt("db.member.begin", "SAVEPOINT member")
	memberRelease = driver.NewStmt("db.member.release", "RELEASE member")
	memberUndo    = driver.NewStmt("db.member.undo", "ROLLBACK TO member")
	rollback      = driver.NewStmt("db.rollback", "ROLLBACK")
)

// writer owns the write connection. Only its goroutine uses the connection.
type writer struct {
	conn    *connection
	files   fileSet
	wait    time.Duration
	waits   prometheus.Observer
	queue   chan *member
	urgent  chan *member // goes first; see Urgent
	closing chan struct{}
	stopped chan struct{}

	following   sync.Once
	checks      chan func() // run between two groups
	dataVersion int64       // of the file at the latest check

	savepoints bool // around each member: since a failure in this or the previous group
	displaced  bool // the files, at the latest commit

	committed atomic.Int64 // when the latest group was, by observe.Uptime
	commits   commitTimes
}

// member is one transaction of a group.
type member struct {
	fn     func(driver.Tx) error
	began  time.Duration // of the wait, by observe.Uptime
	taken  atomic.Bool   // by the writer to run it, or by the caller to give up
	err    error
	answer chan error
}

func startWriter(conn *connection, files fileSet, wait time.Duration, waits prometheus.Observer) *writer {
	w := &writer{
		conn:    conn,
		files:   files,
		wait:    wait,
		waits:   waits,
		queue:   make(chan *member, groupSize),
		urgent:  make(chan *member, groupSize),
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
// transaction starts; then do returns the outcome of its commit. A transaction in the queue is
// one of the next group, and waits longer while the disk is slow: see commitTimes.
func (w *writer) do(ctx context.Context, fn func(driver.Tx) error) error {
	if ctx.Err() != nil {
		return classify.Explain(ctx, "db: write", ctx.Err())
	}
	m := &member{fn: fn, began: observe.Uptime(), answer: make(chan error, 1)}
	timer := time.NewTimer(driver.RemainingWait(ctx, w.wait))
	defer timer.Stop()
	queue := w.queue
	if driver.IsUrgent(ctx) {
		queue = w.urgent
	}
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
			waited := observe.Uptime() - m.began
			if more := driver.RemainingWait(ctx, w.commits.wait(w.wait)) - waited; queue == nil && more > 0 {
				timer.Reset(more)
				continue
			}
			gaveUp = fmt.Errorf("%w: waited %v in the queue of writers", driver.ErrUnavailable, waited.Round(time.Millisecond))
		case <-w.stopped:
			gaveUp = driver.ErrClosed
		}
		if m.taken.CompareAndSwap(false, true) {
			driver.ObserveSince(w.waits, m.began)
			return classify.Explain(ctx, "db: write", gaveUp)
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
		if m := waitingIn(w.urgent); m != nil {
			w.serve(m)
			continue
		}
		select {
		case m := <-w.urgent:
			w.serve(m)
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
	if first.taken.Load() {
		return // the caller has given up: do not wait for another process
	}
	if err := w.begin(); err != nil {
		if first.taken.CompareAndSwap(false, true) {
			first.answer <- classify.Explain(context.Background(), "db: begin", err)
		}
		return
	}
	var group []*member
	err := errAborted
	defer func() { // also after runtime.Goexit
		if !w.conn.conn.AutocommitEnabled() {
			_ = w.conn.control(rollback)
		}
		answer(group, err)
	}()
	failed, wrote := false, false // a member failed in its savepoint; a member wrote
	until := time.Now().Add(groupTime)
	for m := first; m != nil; m = w.next(len(group), until) {
		if !m.taken.CompareAndSwap(false, true) {
			continue
		}
		driver.ObserveSince(w.waits, m.began)
		group = append(group, m)
		w.run(m)
		wrote = wrote || w.conn.wrote
		if m.err != nil && w.conn.wrote {
			failed = true
			if !w.savepoints && !w.runAgain(group[:len(group)-1]) {
				return
			}
		}
		if w.conn.conn.AutocommitEnabled() {
			return // SQLite rolled the whole transaction back (disk full)
		}
	}
	began := observe.Uptime()
	err = w.commit()
	if wrote {
		w.commits.add(observe.Uptime() - began)
	}
	w.savepoints = failed
}

// begin begins a group. Once files are displaced, no group begins until they are back.
func (w *writer) begin() error {
	if w.displaced {
		if err := w.files.check(); err != nil {
			return fmt.Errorf("%w: %w", driver.ErrUnavailable, err)
		}
		w.displaced = false
	}
	return w.conn.control(groupBegin)
}

// commit commits a group. It looks at the files afterwards, so that no write to a deleted
// file is acknowledged.
func (w *writer) commit() error {
	err := w.conn.control(groupCommit)
	if sqlite.ErrCode(err).ToPrimary() == sqlite.ResultIOErr {
		return fmt.Errorf("%w: %w", driver.ErrInDoubt, err) // the log has the commit if only its fsync failed
	}
	if err != nil {
		return err
	}
	if err := w.files.check(); err != nil {
		w.displaced = true
		return fmt.Errorf("%w: %w", driver.ErrInDoubt, err)
	}
	w.committed.Store(int64(observe.Uptime()))
	return nil
}

// runAgain rolls the group back and runs the members before the failed one again, now in
// savepoints. It reports whether the transaction is open.
func (w *writer) runAgain(before []*member) bool {
	w.savepoints = true
	if !w.conn.conn.AutocommitEnabled() {
		if err := w.conn.control(rollback); err != nil {
			return false
		}
	}
	if err := w.conn.control(groupBegin); err != nil {
		return false
	}
	for _, m := range before {
		if w.run(m); w.conn.conn.AutocommitEnabled() {
			return false
		}
	}
	return true
}

// errAborted is the outcome of a group that never reached its commit.
var errAborted = fmt.Errorf("%w: the group's transaction was rolled back", driver.ErrUnavailable)

// answer sends every member its own error or, without one, the error of the commit.
func answer(group []*member, commit error) {
	for _, m := range group {
		if m.err == nil {
			m.err = classify.Explain(context.Background(), "db: commit", commit)
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
	if len(w.queue) == 0 && len(w.urgent) == 0 {
		runtime.Gosched()
	}
	if m := waitingIn(w.urgent); m != nil {
		return m
	}
	return waitingIn(w.queue)
}

// waitingIn takes a member out of a queue. It returns nil if the queue is empty.
func waitingIn(queue chan *member) *member {
	select {
	case m := <-queue:
		return m
	default:
		return nil
	}
}

// run runs one member and keeps the error of fn unchanged. If a savepoint itself fails,
// run rolls the whole group back.
func (w *writer) run(m *member) {
	m.err = errAborted // in case of runtime.Goexit
	w.conn.wrote = false
	if !w.savepoints {
		m.err = m.fn(w.conn)
		return
	}
	if err := w.conn.control(memberBegin); err != nil {
		m.err = w.abort(err)
		return
	}
	m.err = m.fn(w.conn)
	if w.conn.conn.AutocommitEnabled() {
		return // already rolled back
	}
	var err error
	if m.err != nil {
		err = w.conn.control(memberUndo)
	}
	if err == nil {
		err = w.conn.control(memberRelease)
	}
	if err != nil {
		m.err = w.abort(err)
	}
}

func (w *writer) abort(cause error) error {
	return classify.Explain(context.Background(), "db: savepoint", errors.Join(cause, w.conn.control(rollback)))
}
