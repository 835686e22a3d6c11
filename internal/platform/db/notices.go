package db

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// Processes on one PostgreSQL send each other their changes as notices (NOTIFY), which
// arrive everywhere in the same order.
//
//   - A process sends a notice at least every beat, even without a change. It has the
//     changes since the previous notice and those of commits that are running.
//   - When its own notice comes back, a process knows all notices before it, and trusts
//     its versions for trustTime after the notice was sent.
//   - If a notice of another process is missing, or late by more than maxSilence, every
//     version advances. After the end of a process that did not say goodbye, they do so
//     for doubtTime, because the server may still run its last commits.
//   - A second line has the shared topics that were published, if there are any.
//   - A process that does not trust its versions, or does not follow changes, sends its changes
//     inside its transactions: such commits wait for each other.
const (
	beat        = 100 * time.Millisecond
	maxSilence  = 300 * time.Millisecond
	noticeDelay = 10 * time.Millisecond  // of a change, to send several with one notice
	topicDelay  = 5 * time.Millisecond   // of a shared topic
	sendTimeout = time.Second            // after which the connection counts as broken
	joinTimeout = 2 * time.Second        // to connect to a host
	reconnect   = 100 * time.Millisecond // pause before reconnecting

	noticeChannel = "moothall_changes_1" // the number of the format, and of the hash of counters
	noticeCells   = 2000                 // in one notice, which PostgreSQL limits to 8,000 bytes
	noticeTopics  = 2500                 // bytes of topics
)

// notices sends and receives the notices of one process.
type notices struct {
	store    *postgresStore
	versions atomic.Pointer[versions] // nil: the process does not follow changes
	received *subscribers
	sender   string
	ctx      context.Context
	cancel   context.CancelFunc
	once     sync.Once
	running  sync.WaitGroup

	mu      sync.Mutex
	waiting map[versionCell]bool // changes to be sent
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
	settled   bool            // doubtTime after its start
	peers     map[string]peer // other processes
}

// peer is another process that sends notices.
type peer struct {
	sent  uint64        // number of its latest notice
	heard time.Duration // before it was sent
}

func newNotices(s *postgresStore) *notices {
	ctx, cancel := context.WithCancel(context.Background())
	return &notices{store: s, sender: rand.Text(), ctx: ctx, cancel: cancel,
		received: newSubscribers(), waiting: map[versionCell]bool{}, wake: func() {}, peers: map[string]peer{}}
}

func (s *postgresStore) follow(v *versions, received *subscribers) {
	s.notices.once.Do(func() {
		s.notices.received = received
		s.notices.versions.Store(v)
		s.notices.running.Go(func() { s.notices.run(v) })
	})
}

func (s *postgresStore) changed(cells []versionCell) {
	if s.notices.versions.Load() != nil {
		s.notices.changed(cells)
	}
}

// notice returns nil if the notices of this process come back to it.
func (s *postgresStore) notice(cells []versionCell) *Queued {
	if v := s.notices.versions.Load(); v != nil && v.trusted() {
		return nil
	}
	set := map[versionCell]bool{}
	for _, cell := range cells {
		set[cell] = true
	}
	return &Queued{stmt: notifyStmt, args: []any{transactionNotice + encodeCells(set)}}
}

// close says goodbye and stops the goroutine.
func (n *notices) close() {
	n.cancel()
	n.running.Wait()
}

// changed sends the changes of a transaction with the next notice.
func (n *notices) changed(cells []versionCell) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.waiting) == 0 {
		n.since = sinceStart()
		n.wake()
	}
	for _, cell := range cells {
		n.waiting[cell] = true
	}
}

// topics are the shared topics that wait to be sent.
type topics struct {
	names map[string]bool
	bytes int
	since time.Duration // of the first one
}

func (t *topics) add(names []string) {
	if len(t.names) == 0 {
		*t = topics{names: map[string]bool{}, since: sinceStart()}
	}
	for _, name := range names {
		if t.names[AnyTopic] || t.names[name] {
			continue
		}
		t.names[name] = true
		if t.bytes += len(name) + 1; t.bytes > noticeTopics {
			t.names = map[string]bool{AnyTopic: true}
		}
	}
}

// line returns the second line of a notice, and empties the topics.
func (t *topics) line() string {
	if len(t.names) == 0 {
		return ""
	}
	names := slices.Collect(maps.Keys(t.names))
	t.names = nil
	return "\n" + strings.Join(names, " ")
}

func (s *postgresStore) publish(names []string) {
	if n := s.notices; n.versions.Load() != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		if len(n.topics.names) == 0 {
			n.wake()
		}
		n.topics.add(names)
	}
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

func (n *notices) run(v *versions) {
	for n.ctx.Err() == nil {
		n.store.leaveStandby(n.follow(v)) // until the connection breaks
		v.trustedUntil.Store(0)
		select {
		case <-n.ctx.Done():
		case <-time.After(reconnect):
		}
	}
}

// follow sends and receives notices on a connection of its own.
func (n *notices) follow(v *versions) error {
	config := n.store.pool.Config().ConnConfig // a copy
	config.ConnectTimeout = min(config.ConnectTimeout, joinTimeout)
	conn, err := pgx.ConnectConfig(n.ctx, config)
	if err != nil {
		return err
	}
	defer n.leave(conn, v)
	n.confirmed = sinceStart()
	for sender, p := range n.peers {
		n.peers[sender] = peer{p.sent, n.confirmed}
	}
	ctx, cancel := context.WithTimeout(n.ctx, sendTimeout)
	defer cancel()
	if _, err := conn.Exec(ctx, "LISTEN "+noticeChannel); err != nil {
		return err
	}
	n.started, n.next, n.trusting, n.settled = sinceStart(), 0, false, false
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
func (n *notices) leave(conn *pgx.Conn, v *versions) {
	if n.ctx.Err() != nil && !v.isCommitting() {
		_ = n.send(conn, v, goodbye)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(n.ctx), sendTimeout)
	defer cancel()
	_ = conn.Close(ctx)
}

func (n *notices) sendDue(conn *pgx.Conn, v *versions) error {
	n.mu.Lock()
	now, due := sinceStart(), n.due()
	n.mu.Unlock()
	if now < due {
		return nil
	}
	return n.send(conn, v, now)
}

// send sends a notice with all changes that were committed before it.
func (n *notices) send(conn *pgx.Conn, v *versions, at time.Duration) error {
	cells := map[versionCell]bool{}
	v.addCommitting(cells) // first: a commit that ends now is waiting afterwards
	n.mu.Lock()
	for cell := range n.waiting {
		cells[cell] = true
	}
	n.waiting, n.next = map[versionCell]bool{}, at+beat
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
func (n *notices) receive(conn *pgx.Conn, v *versions) error {
	n.mu.Lock()
	ctx, cancel := context.WithTimeout(n.ctx, max(0, n.due()-sinceStart()))
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
func (n *notices) apply(text string, v *versions) {
	if cells, ok := strings.CutPrefix(text, transactionNotice); ok {
		v.advance(decodeCells(cells)...)
		return
	}
	text, topics, _ := strings.Cut(text, "\n")
	var sender, cells string
	var sent uint64
	var at time.Duration
	if _, err := fmt.Sscan(text, &sender, &sent, &at, &cells); err != nil {
		v.advance(everything)
		return
	}
	if sender == n.sender {
		n.confirm(at, v)
		return
	}
	n.received.receive(strings.Fields(topics))
	p, known := n.peers[sender]
	if !known || sent != p.sent+1 || n.confirmed-p.heard > maxSilence {
		v.advance(everything)
	}
	v.advance(decodeCells(cells)...)
	n.peers[sender] = peer{sent, n.confirmed}
	if at == goodbye {
		delete(n.peers, sender)
	}
}

// confirm handles the return of the notice that this process sent at a time.
func (n *notices) confirm(at time.Duration, v *versions) {
	n.confirmed = at
	for sender, p := range n.peers {
		if at-p.heard > maxSilence {
			v.advance(everything)
		}
		if at-p.heard > doubtTime {
			delete(n.peers, sender)
		}
	}
	switch age := at - n.started; {
	case age <= trustTime: // there may be processes that were not heard yet
		return
	case !n.trusting:
		n.trusting = true
		v.advance(everything)
	case !n.settled && age > doubtTime: // processes may have ended before the start
		n.settled = true
		v.advance(everything)
	}
	v.trustedUntil.Store(int64(at + trustTime))
}

// transactionNotice begins a notice that is sent inside a transaction.
const transactionNotice = "transaction "

var notifyStmt = newStmt("db.notify", `SELECT pg_notify('`+noticeChannel+`', $1)`)

// encodeCells encodes each cell in two bytes, in base64. The text of no cell is "-".
func encodeCells(cells map[versionCell]bool) string {
	if len(cells) == 0 {
		return "-"
	}
	if len(cells) > noticeCells {
		cells = map[versionCell]bool{everything: true}
	}
	var raw []byte
	for cell := range cells {
		raw = binary.BigEndian.AppendUint16(raw, uint16(cell))
	}
	return base64.RawStdEncoding.EncodeToString(raw)
}

// decodeCells decodes the text of encodeCells. It returns everything for invalid text.
func decodeCells(text string) (cells []versionCell) {
	if text == "-" {
		return nil
	}
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || len(raw)%2 != 0 {
		return []versionCell{everything}
	}
	for ; len(raw) > 0; raw = raw[2:] {
		cells = append(cells, versionCell(binary.BigEndian.Uint16(raw)))
	}
	return cells
}
