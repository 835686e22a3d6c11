package faults

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// TestNoGap lets users of three instances write to a chat and read it, while readers hang,
// connections that listen for notices are cut, all notices are lost, and an instance is
// killed. Each reader ends with the list of the table: nothing is missing, repeated or in
// another order. Meanwhile some readers block and unblock a writer, and see no message
// across a block. Half of the readers use the client for Go; the others check the chain of
// positions themselves.
func TestNoGap(t *testing.T) {
	t.Parallel()
	proxy := pgtest.NewProxy(t, dbtest.URL(t, db.PostgreSQL))
	var instances balancer
	for range 3 {
		one := &instance{service: newService(t, proxy.URL, map[string]string{"DATABASE_MAX_CONNS": "4", "ACCESS_TOKEN_TTL": "24h"})}
		one.start()
		one.ready.Store(true)
		instances = append(instances, one)
	}
	c := newChatroom(t, newFront(t, instances), testutil.Rounds(4, 20), testutil.Rounds(6, 60))
	c.startReaders(func(r *reader, i int, ctx context.Context) {
		if i%2 == 0 {
			r.runClient(ctx, c.base)
		} else {
			r.runFrames(ctx, instances)
		}
	})
	began, messages := time.Now(), 0
	rounds := testutil.Rounds(1, 200)
	for n := 0; n < rounds && !t.Failed(); n++ {
		stop := c.converse(testutil.Rounds(1, 4))
		thaw := c.freeze()
		terminateListeners(t, proxy.URL)
		dropNotices(proxy, time.Second)
		one := instances[rand.IntN(len(instances))]
		one.ready.Store(false)
		one.kill()
		one.start()
		one.ready.Store(true)
		thaw()
		stop()
		messages += c.compare(proxy.URL)
	}
	skipped, connections := 0, 0
	for _, r := range c.readers {
		skipped += r.skipped.value()
		connections += len(r.opens)
	}
	testutil.Fault(t, "kill -9, lost notices and hanging readers during chats",
		"%d rounds in %v with %d writers, %d messages in the order of the table at each of %d readers, with %d connections; %d were hidden by blocks",
		rounds, time.Since(began).Round(time.Second), len(c.writers), messages, len(c.readers), connections, skipped)
}

// converse lets all writers write, and some readers block and unblock a writer, until stop
// is called. stop waits for the last message.
func (c *chatroom) converse(blocking int) (stop func()) {
	var stopped atomic.Bool
	var running sync.WaitGroup
	for i := range c.writers {
		if i < blocking {
			running.Go(func() { c.toggleBlock(i, &stopped) })
		} else {
			running.Go(func() { c.write(i, &stopped) })
		}
	}
	stop = func() {
		stopped.Store(true)
		running.Wait()
	}
	c.t.Cleanup(stop) // if the test fails first
	return stop
}

// freeze lets every third reader hang, another third each time.
func (c *chatroom) freeze() (thaw func()) {
	first := rand.IntN(3)
	each := func(do func(r *reader)) {
		for i := first; i < len(c.readers); i += 3 {
			do(c.readers[i])
		}
	}
	each(func(r *reader) { r.frozen.Lock() })
	thaw = sync.OnceFunc(func() { each(func(r *reader) { r.frozen.Unlock() }) })
	c.t.Cleanup(thaw) // if the test fails first
	return thaw
}

// terminateListeners ends the connections of a database that listen for notices.
func terminateListeners(t *testing.T, database string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, database)
	must(t, err)
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ~ '^LISTEN|pg_notify'`)
	must(t, err)
}

// dropNotices loses all notices for a time.
func dropNotices(proxy *pgtest.Proxy, span time.Duration) {
	dropped := map[*pgtest.Connection]bool{}
	for end := time.Now().Add(span); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		for _, l := range proxy.Listeners() {
			l.Drop()
			dropped[l] = true
		}
	}
	for l := range dropped {
		l.Cut()
	}
}
