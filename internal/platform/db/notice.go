package db

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Notices report the changed slots of one process to the other processes on one
// PostgreSQL. A late or lost notice only delays invalidation, because caches limit the
// age of their entries. A notice is sent after the commits that it covers: NOTIFY
// inside a transaction would make other transactions wait.

const (
	noticeChannel = "moothall_changes"
	noticeDelay   = 20 * time.Millisecond
	noticeTimeout = 2 * time.Second // to send one
	noticePause   = time.Second     // before reconnecting
	noticeSlots   = 2000            // in one notice, which PostgreSQL limits to 8,000 bytes; anySlot replaces more
)

// notices sends the changes of this process and receives those of the others.
type notices struct {
	store     *postgresStore
	versions  *versions
	sender    string // to ignore its own notices
	ctx       context.Context
	cancel    context.CancelFunc
	listening sync.Once
	running   sync.WaitGroup

	mu      sync.Mutex // guards waiting and the start of goroutines
	waiting map[slot]bool
}

func newNotices(s *postgresStore, v *versions) *notices {
	ctx, cancel := context.WithCancel(context.Background())
	n := &notices{store: s, versions: v, sender: rand.Text(), ctx: ctx, cancel: cancel, waiting: map[slot]bool{}}
	v.publish = n.publish
	return n
}

// publish sends the slots after a short delay, with those of the next commits.
func (n *notices) publish(slots []slot) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.waiting) == 0 && n.ctx.Err() == nil {
		n.running.Go(func() {
			select {
			case <-n.ctx.Done(): // send the last one immediately
			case <-time.After(noticeDelay):
			}
			n.send()
		})
	}
	for _, s := range slots {
		n.waiting[s] = true
	}
}

func (n *notices) send() {
	n.mu.Lock()
	slots := n.waiting
	n.waiting = map[slot]bool{}
	n.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(n.ctx), noticeTimeout)
	defer cancel()
	_ = n.store.withConn(ctx, func(c *pgxpool.Conn) error { // a failed notice is lost
		_, err := c.Exec(ctx, "SELECT pg_notify($1, $2)", noticeChannel, n.sender+" "+encodeSlots(slots))
		return err
	})
}

// listen starts to receive the changes of other processes.
func (n *notices) listen() {
	n.listening.Do(func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.ctx.Err() == nil {
			n.running.Go(n.receiveForever)
		}
	})
}

func (n *notices) receiveForever() {
	for n.ctx.Err() == nil {
		_ = n.receive() // until the connection breaks
		select {
		case <-n.ctx.Done():
		case <-time.After(noticePause):
		}
	}
}

// receive listens on a connection of its own. It first bumps anySlot, because it has
// missed earlier notices.
func (n *notices) receive() error {
	conn, err := pgx.ConnectConfig(n.ctx, n.store.pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(n.ctx)) }()
	if _, err := conn.Exec(n.ctx, "LISTEN "+noticeChannel); err != nil {
		return err
	}
	n.versions.bump(anySlot)
	for {
		notice, err := conn.WaitForNotification(n.ctx)
		if err != nil {
			return err
		}
		if sender, slots, _ := strings.Cut(notice.Payload, " "); sender != n.sender {
			n.versions.bump(decodeSlots(slots)...)
		}
	}
}

// close sends the waiting slots and stops.
func (n *notices) close() {
	n.mu.Lock()
	n.cancel()
	n.mu.Unlock()
	n.running.Wait()
}

// encodeSlots encodes each slot in two bytes, in base64.
func encodeSlots(slots map[slot]bool) string {
	if len(slots) > noticeSlots {
		slots = map[slot]bool{anySlot: true}
	}
	var raw []byte
	for s := range slots {
		raw = binary.BigEndian.AppendUint16(raw, uint16(s))
	}
	return base64.RawStdEncoding.EncodeToString(raw)
}

// decodeSlots decodes the text of encodeSlots. It returns anySlot for invalid text.
func decodeSlots(text string) []slot {
	raw, err := base64.RawStdEncoding.DecodeString(text)
	var slots []slot
	for ; len(raw) >= 2; raw = raw[2:] {
		s := slot(binary.BigEndian.Uint16(raw))
		if s >= slotCount {
			err = base64.CorruptInputError(0)
			break
		}
		slots = append(slots, s)
	}
	if err != nil || len(raw) != 0 {
		return []slot{anySlot}
	}
	return slots
}
