package db

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// Watch lets caches trust the versions: it starts to follow the changes of other
// processes, until Close. Without it, Unchanged always returns false.
//
// A process that cannot be sure to know a change of half a second ago trusts nothing.
// So a cached value is at most one second old, whatever happens.
//
//   - On SQLite, the write connection asks five times a second whether another connection
//     has changed the file. If so, every version advances.
//   - On PostgreSQL, each process sends its changes as notices, which arrive everywhere
//     in the same order. It sends one ten times a second, even without a change. It
//     trusts its counters while its own notices come back. A process whose notices are
//     missing, or end, may have changed anything: every version advances.
//   - A process on PostgreSQL whose notices do not come back, or that does not watch,
//     sends its changes inside its transactions. That is slow, because such commits wait
//     for each other.
func (d *DB) Watch() { d.store.watch(d.versions) }

const (
	trustTime   = 500 * time.Millisecond
	fileChecks  = 200 * time.Millisecond // between two checks of SQLite's file
	beat        = 100 * time.Millisecond // between two notices
	noticeDelay = 10 * time.Millisecond  // of a change, to send several with one notice
	reconnect   = 250 * time.Millisecond // pause before reconnecting

	noticeChannel = "moothall_changes_1" // the number of the format, and of the hash of counters
	noticeSlots   = 2000                 // in one notice, which PostgreSQL limits to 8,000 bytes
)

// notices sends and receives the changes of processes on one PostgreSQL.
type notices struct {
	store    *postgresStore
	versions atomic.Pointer[versions] // nil: the process does not watch
	sender   string
	ctx      context.Context
	cancel   context.CancelFunc
	once     sync.Once
	running  sync.WaitGroup

	// Of the goroutine.
	sent    uint64           // number of notices
	peers   map[string]*peer // processes that were heard, this one included
	started time.Duration    // of the connection
	next    time.Duration    // when the next notice is due

	mu      sync.Mutex
	waiting map[slot]bool      // to be sent
	wake    context.CancelFunc // ends the wait for a notice
}

// peer is a process that sends notices.
type peer struct {
	sent  uint64
	heard time.Duration
}

func newNotices(s *postgresStore) *notices {
	ctx, cancel := context.WithCancel(context.Background())
	return &notices{store: s, sender: rand.Text(), ctx: ctx, cancel: cancel, waiting: map[slot]bool{}, wake: func() {}}
}

func (s *postgresStore) watch(v *versions) {
	s.notices.once.Do(func() {
		s.notices.versions.Store(v)
		s.notices.running.Go(func() { s.notices.run(v) })
	})
}

func (s *postgresStore) changed(slots []slot) {
	if s.notices.versions.Load() != nil {
		s.notices.publish(slots)
	}
}

func (s *postgresStore) changedAll(ctx context.Context) error {
	_, err := s.exec(ctx, notifyStmt, []any{transactionNotice + encodeSlots(map[slot]bool{everything: true})})
	return err
}

// notice returns nil if the notices of this process come back to it.
func (s *postgresStore) notice(slots []slot) *Queued {
	if v := s.notices.versions.Load(); v != nil && v.trusted() {
		return nil
	}
	set := map[slot]bool{}
	for _, s := range slots {
		set[s] = true
	}
	return &Queued{stmt: notifyStmt, args: []any{transactionNotice + encodeSlots(set)}}
}

// close stops the goroutine.
func (n *notices) close() {
	n.cancel()
	n.running.Wait()
}

// publish sends the changes of a transaction with the next notice.
func (n *notices) publish(slots []slot) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.waiting) == 0 {
		time.AfterFunc(noticeDelay, func() {
			n.mu.Lock()
			defer n.mu.Unlock()
			n.wake()
		})
	}
	for _, s := range slots {
		n.waiting[s] = true
	}
}

func (n *notices) run(v *versions) {
	for n.ctx.Err() == nil {
		_ = n.follow(v) // until the connection breaks
		v.trustedUntil.Store(0)
		select {
		case <-n.ctx.Done():
		case <-time.After(reconnect):
		}
	}
}

// follow sends and receives notices on a connection of its own.
func (n *notices) follow(v *versions) error {
	connecting, cancel := context.WithTimeout(n.ctx, connectTimeout)
	defer cancel()
	conn, err := pgx.ConnectConfig(connecting, n.store.pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(n.ctx)) }()
	if _, err := conn.Exec(connecting, "LISTEN "+noticeChannel); err != nil {
		return err
	}
	n.peers, n.started, n.next = map[string]*peer{}, sinceStart(), 0
	v.advance(everything)
	for {
		if err := n.send(conn); err != nil {
			return err
		}
		if err := n.receive(conn, v); err != nil {
			return err
		}
		n.dropSilentPeers(v)
	}
}

// send sends a notice if one is due, or if changes are waiting.
func (n *notices) send(conn *pgx.Conn) error {
	n.mu.Lock()
	slots := n.waiting
	due := len(slots) > 0 || sinceStart() >= n.next
	if due {
		n.waiting = map[slot]bool{}
	}
	n.mu.Unlock()
	if !due {
		return nil
	}
	n.next = sinceStart() + beat
	n.sent++
	ctx, cancel := context.WithTimeout(n.ctx, connectTimeout)
	defer cancel()
	text := fmt.Sprintf("%s %d %d %s", n.sender, n.sent, sinceStart(), encodeSlots(slots))
	_, err := conn.Exec(ctx, "SELECT pg_notify($1, $2)", noticeChannel, text)
	return err
}

// receive waits for one notice until it is time to send the next one.
func (n *notices) receive(conn *pgx.Conn, v *versions) error {
	ctx, cancel := context.WithTimeout(n.ctx, max(0, n.next-sinceStart()))
	defer cancel()
	n.mu.Lock()
	n.wake = cancel
	n.mu.Unlock()
	notice, err := conn.WaitForNotification(ctx)
	switch {
	case err == nil:
		n.apply(notice.Payload, v)
	case ctx.Err() == nil || n.ctx.Err() != nil:
		return err
	}
	return nil
}

// apply advances the counters of a notice. A notice from an unknown process, or not the
// next one of its sender, means that others were missed.
func (n *notices) apply(text string, v *versions) {
	var sender, encoded string
	var sent uint64
	var at time.Duration
	if slots, inTransaction := strings.CutPrefix(text, transactionNotice); inTransaction {
		v.advance(decodeSlots(slots)...)
		return
	}
	if _, err := fmt.Sscan(text, &sender, &sent, &at, &encoded); err != nil {
		v.advance(everything)
		return
	}
	p := n.peers[sender]
	if p == nil || p.sent+1 != sent {
		v.advance(everything)
		p = &peer{}
		n.peers[sender] = p
	}
	p.sent, p.heard = sent, sinceStart()
	if sender == n.sender {
		n.trust(at, v)
		return
	}
	v.advance(decodeSlots(encoded)...)
}

// trust is called when this process's notice of a time has come back: all notices up to
// that time have arrived. In its first moments, a process does not know all others.
func (n *notices) trust(at time.Duration, v *versions) {
	if at-n.started > trustTime {
		v.trustedUntil.Store(int64(at + trustTime))
	}
}

// dropSilentPeers handles processes that were killed before they sent their last changes.
func (n *notices) dropSilentPeers(v *versions) {
	for sender, p := range n.peers {
		if sinceStart()-p.heard > trustTime {
			delete(n.peers, sender)
			v.advance(everything)
		}
	}
}

// transactionNotice begins a notice that is sent inside a transaction.
const transactionNotice = "transaction "

var notifyStmt = newStmt("db.notify", `SELECT pg_notify('`+noticeChannel+`', $1)`)

// encodeSlots encodes each slot in two bytes, in base64. The text of no slot is "-".
func encodeSlots(slots map[slot]bool) string {
	if len(slots) == 0 {
		return "-"
	}
	if len(slots) > noticeSlots {
		slots = map[slot]bool{everything: true}
	}
	var raw []byte
	for s := range slots {
		raw = binary.BigEndian.AppendUint16(raw, uint16(s))
	}
	return base64.RawStdEncoding.EncodeToString(raw)
}

// decodeSlots decodes the text of encodeSlots. It returns everything for invalid text.
func decodeSlots(text string) (slots []slot) {
	if text == "-" {
		return nil
	}
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || len(raw)%2 != 0 {
		return []slot{everything}
	}
	for ; len(raw) > 0; raw = raw[2:] {
		slots = append(slots, slot(binary.BigEndian.Uint16(raw)))
	}
	return slots
}

func (s *sqliteStore) watch(v *versions) { s.writer.watch(v) }

func (s *sqliteStore) notice([]slot) *Queued { return nil }

func (s *sqliteStore) changed([]slot) {}

func (s *sqliteStore) changedAll(context.Context) error { return nil }

// watch checks the file until the writer stops.
func (w *writer) watch(v *versions) {
	w.watching.Do(func() {
		go func() {
			ticker := time.NewTicker(fileChecks)
			defer ticker.Stop()
			for {
				began := sinceStart()
				select {
				case w.checks <- func() { w.check(v, began) }:
				case <-w.stopped:
					return
				}
				select {
				case <-ticker.C:
				case <-w.stopped:
					return
				}
			}
		}()
	})
}

var dataVersion = newStmt("db.data_version", "PRAGMA data_version")

// check advances every version if another connection has changed the file. The write
// connection does not see its own commits that way.
func (w *writer) check(v *versions, began time.Duration) {
	var seen int64
	err := w.conn.query(context.Background(), dataVersion, nil, func(r Row) bool { return r.Scan(&seen) == nil })
	if err != nil || seen == 0 {
		return
	}
	if seen != w.dataVersion {
		w.dataVersion = seen
		v.advance(everything)
	}
	v.trustedUntil.Store(int64(began + trustTime))
}
