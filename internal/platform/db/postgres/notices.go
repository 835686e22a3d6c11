package postgres

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"moothall/internal/platform/db/change"
	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

// Processes on one PostgreSQL send each other their changes as notices (NOTIFY), which arrive everywhere in the same
// order. A notice has a number, the time at which it was sent, the changes since the notice before and those of commits
// that are running. A second line has the shared topics that were published, if there are any.
//
// A change of a transaction, in the process that commits it:
//
//	state    | event                                   | next state | who
//	named    | COMMIT is next                          | running    | DB.InTx: no cached value is valid, each notice has it
//	named    | this process is not trusting            | running    | DB.InTx: also NOTIFY inside the transaction
//	running  | the outcome is known                    | waiting    | DB.InTx: its versions advance here
//	running  | the outcome is in doubt                 | running    | DB.InTx: the outcome counts as known after DoubtTime
//	waiting  | noticeDelay, or beat after a notice     | sent       | notices.send
//	sent     | the connection breaks first             | lost       | the next notice has an unexpected number
//
// The trust of a process in its versions. A process that is not trusting uses no cached value:
//
//	state     | event                                  | next state | who
//	alone     | LISTEN succeeds                        | listening  | notices.follow
//	listening | own notice, TrustTime after LISTEN     | trusting   | notices.confirm: every version advances
//	trusting  | own notice, DoubtTime after LISTEN     | settled    | notices.confirm: every version advances
//	trusting, | own notice that was sent at time a     | the same   | notices.confirm: trust until a + TrustTime
//	settled   |                                        |            |
//	any       | the connection breaks                  | alone      | notices.run: the trust ends
//
// What a process knows of another one. "Late" means that the latest own notice was sent more than maxSilence after the
// one that was the latest when the other process was heard before:
//
//	state     | event                                  | next state | who
//	unknown   | notice                                 | heard      | notices.apply: every version advances
//	heard     | the next notice, not late              | heard      | notices.apply: the versions in it advance
//	heard     | another number, or late                | heard      | notices.apply: every version advances
//	heard,    | own notice, and that is late           | silent     | notices.confirm: every version advances, each time
//	silent    |                                        |            |
//	heard,    | this process has connected again       | heard      | notices.follow: as if it was heard now
//	silent    |                                        |            |
//	silent    | notice                                 | heard      | notices.apply: every version advances
//	silent    | DoubtTime without a notice             | unknown    | notices.confirm
//	heard     | goodbye                                | unknown    | notices.apply: the versions in it advance
//
// A cached value is at most one second old. All times are those of R's monotonic clock.
//
//  1. Notice k of sender S has every change that S committed before it began to send k: those that have ended since
//     k-1, and those whose commit is running. So a slow response to a commit delays nothing.
//  2. For each notice, R remembers the latest own notice before it in the order. S sent k after R had sent that one.
//  3. If that time is more than maxSilence (0.3 s) before a, or if those of k-1 and k are more than maxSilence apart,
//     every version of R advances. It also does if a number is missing, and for a sender that R does not know.
//  4. Let c be a change that R does not know while it trusts its versions, and k the latest notice from S. Then S
//     committed c after it began to send k, which is after the server had k-1. By 3, and because R trusts its versions
//     for TrustTime, this is less than 0.4 + 0.3 + 0.3 s ago.
//
// Why the states are needed:
//
//   - alone: a process whose notices do not come back, and a command that does not listen, send notices inside their
//     transactions. Such commits wait for each other.
//   - listening: a process that has just connected does not know the others.
//   - trusting, before it is settled: a process may have crashed before the connection. Until then, a value can be up to
//     DoubtTime old.
//   - silent: after a crash, the server may still run commits of the process. An orderly shutdown says goodbye instead.
//   - Time in which the whole machine is suspended does not count.
const (
	beat        = 100 * time.Millisecond
	maxSilence  = 300 * time.Millisecond
	noticeDelay = 10 * time.Millisecond  // of a change, to send several with one notice
	topicDelay  = 5 * time.Millisecond   // of a shared topic
	sendTimeout = time.Second            // after which the connection counts as broken
	joinTimeout = 2 * time.Second        // to connect to a host
	reconnect   = 100 * time.Millisecond // pause before reconnecting
)

// notices sends and receives the notices of one process.
type notices struct {
	pool     *pool
	versions atomic.Pointer[change.Versions] // nil: the process does not follow changes
	received *change.Subscribers
	sender   string
	ctx      context.Context
	cancel   context.CancelFunc
	once     sync.Once
	running  sync.WaitGroup

	mu      sync.Mutex
	waiting map[change.Cell]bool // changes to be sent
	since   time.Duration        // of the first of them
	topics  topics               // to be sent
	next    time.Duration        // when the next notice is due without a change
	wake    context.CancelFunc   // ends the wait for a notice

	// Of the goroutine. Times are those when this process sent a notice: a notice that
	// comes back after it was sent later than it.
	sent      uint64          // number of notices
	confirmed time.Duration   // this process's latest notice that has come back
	started   time.Duration   // of the connection
	trusting  bool            // on this connection
	settled   bool            // change.DoubtTime after its start
	peers     map[string]peer // other processes
}

// peer is another process that sends notices.
type peer struct {
	sent  uint64        // number of its latest notice
	heard time.Duration // before it was sent
}

func newNotices(p *pool) *notices {
	ctx, cancel := context.WithCancel(context.Background())
	return &notices{pool: p, sender: rand.Text(), ctx: ctx, cancel: cancel,
		received: change.NewSubscribers(), waiting: map[change.Cell]bool{}, wake: func() {}, peers: map[string]peer{}}
}

// start follows the changes and topics of other processes until close.
func (n *notices) start(v *change.Versions, received *change.Subscribers) {
	n.once.Do(func() {
		n.received = received
		n.versions.Store(v)
		n.running.Go(func() { n.run(v) })
	})
}

// inTransaction returns the statement that sends changes with their transaction. It returns nil if the notices of this
// process come back to it.
func (n *notices) inTransaction(cells []change.Cell) *driver.Queued {
	if v := n.versions.Load(); v != nil && v.Trusted() {
		return nil
	}
	set := map[change.Cell]bool{}
	for _, cell := range cells {
		set[cell] = true
	}
	return &driver.Queued{Stmt: notifyStmt, Args: []any{transactionNotice + encodeCells(set)}}
}

// close says goodbye and stops the goroutine.
func (n *notices) close() {
	n.cancel()
	n.running.Wait()
}

// changed sends the changes of a transaction with the next notice.
func (n *notices) changed(cells []change.Cell) {
	if n.versions.Load() == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.waiting) == 0 {
		n.since = observe.Uptime()
		n.wake()
	}
	for _, cell := range cells {
		n.waiting[cell] = true
	}
}

// publish sends shared topics with the next notice.
func (n *notices) publish(names []string) {
	if n.versions.Load() == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.topics.names) == 0 {
		n.wake()
	}
	n.topics.add(names)
}

// due returns when the next notice must be sent. The caller must hold the lock.
func (n *notices) due() time.Duration {
	due := n.next
	if len(n.waiting) > 0 {
		due = min(due, n.since+noticeDelay)
	}
	if len(n.topics.names) > 0 {
		due = min(due, n.topics.since+topicDelay)
	}
	return due
}

func (n *notices) run(v *change.Versions) {
	for n.ctx.Err() == nil {
		n.pool.leaveStandby(n.follow(v)) // until the connection breaks
		v.Trust(0)
		select {
		case <-n.ctx.Done():
		case <-time.After(reconnect):
		}
	}
}

// follow sends and receives notices on a connection of its own.
func (n *notices) follow(v *change.Versions) error {
	config := n.pool.Config().ConnConfig // a copy
	config.ConnectTimeout = min(config.ConnectTimeout, joinTimeout)
	conn, err := pgx.ConnectConfig(n.ctx, config)
	if err != nil {
		return err
	}
	defer n.leave(conn, v)
	n.confirmed = observe.Uptime()
	for sender, p := range n.peers {
		n.peers[sender] = peer{p.sent, n.confirmed}
	}
	ctx, cancel := context.WithTimeout(n.ctx, sendTimeout)
	defer cancel()
	if _, err := conn.Exec(ctx, "LISTEN "+noticeChannel); err != nil {
		return err
	}
	n.started, n.next, n.trusting, n.settled = observe.Uptime(), 0, false, false
	for {
		if err := n.sendDue(conn, v); err != nil {
			return err
		}
		if err := n.receive(conn, v); err != nil {
			return err
		}
	}
}

// leave closes the connection. If the process ends without a running commit, it says
// goodbye first: otherwise the others notice its silence.
func (n *notices) leave(conn *pgx.Conn, v *change.Versions) {
	if n.ctx.Err() != nil && !v.IsCommitting() {
		_ = n.send(conn, v, goodbye)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(n.ctx), sendTimeout)
	defer cancel()
	_ = conn.Close(ctx)
}

func (n *notices) sendDue(conn *pgx.Conn, v *change.Versions) error {
	n.mu.Lock()
	now, due := observe.Uptime(), n.due()
	n.mu.Unlock()
	if now < due {
		return nil
	}
	return n.send(conn, v, now)
}

// send sends a notice with all changes that were committed before it.
func (n *notices) send(conn *pgx.Conn, v *change.Versions, at time.Duration) error {
	cells := map[change.Cell]bool{}
	v.AddCommitting(cells) // first: a commit that ends now is waiting afterwards
	n.mu.Lock()
	for cell := range n.waiting {
		cells[cell] = true
	}
	n.waiting, n.next = map[change.Cell]bool{}, at+beat
	topics := n.topics.line()
	n.mu.Unlock()
	n.sent++
	text := fmt.Sprintf("%s %d %d %s%s", n.sender, n.sent, at, encodeCells(cells), topics)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(n.ctx), sendTimeout) // a canceled one would break the connection
	defer cancel()
	_, err := conn.Exec(ctx, "SELECT pg_notify($1, $2)", noticeChannel, text)
	return err
}

// goodbye is the time of the last notice of a process.
const goodbye time.Duration = -1

// receive applies notices until it is time to send the next one.
func (n *notices) receive(conn *pgx.Conn, v *change.Versions) error {
	n.mu.Lock()
	ctx, cancel := context.WithTimeout(n.ctx, max(0, n.due()-observe.Uptime()))
	n.wake = cancel
	n.mu.Unlock()
	defer cancel()
	for {
		notice, err := conn.WaitForNotification(ctx)
		switch {
		case err == nil:
			n.apply(notice.Payload, v)
		case ctx.Err() != nil && n.ctx.Err() == nil:
			return nil
		default:
			return err
		}
	}
}

// apply advances the counters of a notice.
func (n *notices) apply(text string, v *change.Versions) {
	if cells, ok := strings.CutPrefix(text, transactionNotice); ok {
		v.Advance(decodeCells(cells)...)
		return
	}
	text, topics, _ := strings.Cut(text, "\n")
	var sender, cells string
	var sent uint64
	var at time.Duration
	if _, err := fmt.Sscan(text, &sender, &sent, &at, &cells); err != nil {
		v.Advance(change.AllCells)
		return
	}
	if sender == n.sender {
		n.confirm(at, v)
		return
	}
	n.received.Receive(strings.Fields(topics))
	p, known := n.peers[sender]
	if !known || sent != p.sent+1 || n.confirmed-p.heard > maxSilence {
		v.Advance(change.AllCells)
	}
	v.Advance(decodeCells(cells)...)
	n.peers[sender] = peer{sent, n.confirmed}
	if at == goodbye {
		delete(n.peers, sender)
	}
}

// confirm handles the return of the notice that this process sent at a time.
func (n *notices) confirm(at time.Duration, v *change.Versions) {
	n.confirmed = at
	for sender, p := range n.peers {
		if at-p.heard > maxSilence {
			v.Advance(change.AllCells)
		}
		if at-p.heard > change.DoubtTime {
			delete(n.peers, sender)
		}
	}
	switch age := at - n.started; {
	case age <= change.TrustTime: // there may be processes that were not heard yet
		return
	case !n.trusting:
		n.trusting = true
		v.Advance(change.AllCells)
	case !n.settled && age > change.DoubtTime: // processes may have ended before the start
		n.settled = true
		v.Advance(change.AllCells)
	}
	v.Trust(at + change.TrustTime)
}
