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

// Notices carry changes from one process to the others on one PostgreSQL. They
// are hints: one that is late or lost costs nothing but the time until whoever
// keeps answers asks again. They go out after the commits that they tell of,
// many in one, because NOTIFY within a transaction holds up the others.

const (
	noticeChannel = "moothall_changes"
	noticeDelay   = 20 * time.Millisecond
	noticeTimeout = 2 * time.Second // of sending one
	noticePause   = time.Second     // before listening again
	noticePlaces  = 2000            // in one notice, which holds 8,000 bytes; of more it says: anything
)

// notices sends what this process changes and hears what others do.
type notices struct {
	store   *postgresStore
	changes *changes
	sender  string // tells its own from those of others
	ctx     context.Context
	cancel  context.CancelFunc
	hearing sync.Once
	running sync.WaitGroup

	mu      sync.Mutex // also of what begins to run
	waiting map[place]bool
}

func newNotices(s *postgresStore, c *changes) *notices {
	ctx, cancel := context.WithCancel(context.Background())
	n := &notices{store: s, changes: c, sender: rand.Text(), ctx: ctx, cancel: cancel, waiting: map[place]bool{}}
	c.tell = n.tell
	return n
}

// tell sends the places soon, along with those of the next commits.
func (n *notices) tell(at []place) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.waiting) == 0 && n.ctx.Err() == nil {
		n.running.Go(func() {
			select {
			case <-n.ctx.Done(): // the last one goes at once
			case <-time.After(noticeDelay):
			}
			n.send()
		})
	}
	for _, p := range at {
		n.waiting[p] = true
	}
}

func (n *notices) send() {
	n.mu.Lock()
	at := n.waiting
	n.waiting = map[place]bool{}
	n.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(n.ctx), noticeTimeout)
	defer cancel()
	_ = n.store.withConn(ctx, func(c *pgxpool.Conn) error { // lost when it fails
		_, err := c.Exec(ctx, "SELECT pg_notify($1, $2)", noticeChannel, n.sender+" "+encodePlaces(at))
		return err
	})
}

// follow begins to hear what others change.
func (n *notices) follow() {
	n.hearing.Do(func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.ctx.Err() == nil {
			n.running.Go(n.hearOn)
		}
	})
}

func (n *notices) hearOn() {
	for n.ctx.Err() == nil {
		_ = n.hear() // until the connection breaks
		select {
		case <-n.ctx.Done():
		case <-time.After(noticePause):
		}
	}
}

// hear listens on a connection of its own. What was told before is missed.
func (n *notices) hear() error {
	conn, err := pgx.ConnectConfig(n.ctx, n.store.pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(n.ctx)) }()
	if _, err := conn.Exec(n.ctx, "LISTEN "+noticeChannel); err != nil {
		return err
	}
	n.changes.date(anything)
	for {
		notice, err := conn.WaitForNotification(n.ctx)
		if err != nil {
			return err
		}
		if sender, at, _ := strings.Cut(notice.Payload, " "); sender != n.sender {
			n.changes.date(decodePlaces(at)...)
		}
	}
}

// close sends what waits and hears no more.
func (n *notices) close() {
	n.mu.Lock()
	n.cancel()
	n.mu.Unlock()
	n.running.Wait()
}

// encodePlaces writes two bytes for a place, in base64.
func encodePlaces(at map[place]bool) string {
	if len(at) > noticePlaces {
		at = map[place]bool{anything: true}
	}
	var plain []byte
	for p := range at {
		plain = binary.BigEndian.AppendUint16(plain, uint16(p))
	}
	return base64.RawStdEncoding.EncodeToString(plain)
}

// decodePlaces reads what encodePlaces wrote; what it cannot read means anything.
func decodePlaces(text string) []place {
	plain, err := base64.RawStdEncoding.DecodeString(text)
	var at []place
	for ; len(plain) >= 2; plain = plain[2:] {
		p := place(binary.BigEndian.Uint16(plain))
		if p >= places {
			err = base64.CorruptInputError(0)
			break
		}
		at = append(at, p)
	}
	if err != nil || len(plain) != 0 {
		return []place{anything}
	}
	return at
}
