package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"moothall/internal/test/testutil"
	"moothall/sdk/go/realtime"
)

// newFront returns the address of a proxy that sends each request to one of the instances
// that are ready.
func newFront(t *testing.T, instances balancer) (base string) {
	t.Helper()
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			base, _ := instances.pick()
			target, _ := url.Parse(base) // a failure becomes 502
			r.SetURL(target)
		},
		ErrorLog: log.New(io.Discard, "", 0),
	})
	t.Cleanup(server.Close)
	return server.URL
}

// chatroom is the chat of one event on several instances.
type chatroom struct {
	t        *testing.T
	client   *client
	base     string // of a proxy in front of the instances
	event    string
	writers  []person
	readers  []*reader
	failed   counter // requests
	compared int     // messages of earlier rounds
}

// newChatroom creates an event whose guests write to its chat or read it.
func newChatroom(t *testing.T, base string, writers, readers int) *chatroom {
	t.Helper()
	c := &chatroom{t: t, client: newClient(t), base: base}
	people := c.client.signIn(t, base, writers+readers)
	c.event = c.client.mustCall(t, http.MethodPost, base+"/events", people[0].token,
		fmt.Sprintf(`{"title":"Chess","starts_at":%q}`, time.Now().Add(48*time.Hour).UTC().Format(time.RFC3339))).text("event.id")
	c.client.mustCall(t, http.MethodPost, base+"/events/"+c.event+"/publish", people[0].token, "")
	for _, p := range people[1:] {
		c.client.mustCall(t, http.MethodPost, base+"/events/"+c.event+"/join", p.token, "")
	}
	c.writers = slices.Concat(people[1:writers], people[:1]) // the organizer is the last one
	for _, p := range people[writers:] {
		c.readers = append(c.readers, &reader{t: t, person: p, event: c.event})
	}
	return c
}

// startReaders starts the readers: they end with the test.
func (c *chatroom) startReaders(read func(r *reader, i int, ctx context.Context)) {
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for i, r := range c.readers {
		running.Go(func() { read(r, i, ctx) })
	}
	c.t.Cleanup(func() {
		stop()
		running.Wait()
	})
}

// call repeats a request until it succeeds.
func (c *chatroom) call(p person, method, path, body string) {
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		a, err := c.client.call(method, c.base+path, p.token, body)
		if err == nil && a.status < 300 {
			return
		}
		c.failed.increase()
		if err == nil && a.status < 500 || c.t.Failed() || time.Now().After(deadline) {
			c.t.Errorf("%s %s: %d %s %v", method, path, a.status, a.body, err)
			return
		}
	}
}

// padding makes messages long, so that they fill the buffers of readers that hang.
var padding = "|" + strings.Repeat("-", 1900)

// say sends a message until it is acknowledged, with the same client_message_id each time.
func (c *chatroom) say(author person, text string) {
	c.call(author, http.MethodPost, "/events/"+c.event+"/messages",
		fmt.Sprintf(`{"body":%q,"client_message_id":%q}`, text+padding, uuid.New()))
}

// maxPause is the longest pause of a writer after a message.
var maxPause = time.Duration(testutil.Rounds(1000, 400)) * time.Millisecond

// write lets a writer send messages until stopped.
func (c *chatroom) write(writer int, stopped *atomic.Bool) {
	for n := 0; !stopped.Load(); n++ {
		c.say(c.writers[writer], fmt.Sprintf("%d says %d", writer, n))
		time.Sleep(rand.N(maxPause))
	}
}

// toggleBlock lets reader i block and unblock writer i, until stopped is set and a block has
// hidden a message. Writer i must not be the organizer.
func (c *chatroom) toggleBlock(i int, stopped *atomic.Bool) {
	author, viewer := c.writers[i], c.readers[i]
	path := "/users/" + author.id + "/block"
	for n := 0; !stopped.Load() || viewer.skipped.value() == 0 && !c.t.Failed(); n++ {
		c.call(viewer.person, http.MethodPost, path, "")
		text := fmt.Sprintf("%d hides %d", i, n)
		viewer.hidden.Store(&text)
		skip := viewer.skipped.more(1)
		c.say(author, text)
		select {
		case <-skip:
		case <-time.After(time.Second): // the viewer may have no connection
		}
		viewer.hidden.Store(nil)
		c.call(viewer.person, http.MethodDelete, path, "")
		c.say(author, fmt.Sprintf("%d shows %d", i, n))
		time.Sleep(rand.N(maxPause))
	}
}

// compare waits until each reader has what the table has got since the last comparison, and
// compares. Returns the number of these messages.
func (c *chatroom) compare(database string) int {
	c.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, database)
	must(c.t, err)
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, "SELECT split_part(body, '|', 1) FROM messages WHERE event_id = $1 ORDER BY created_at OFFSET $2", c.event,
		c.compared)
	must(c.t, err)
	want, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(c.t, err)
	c.compared += len(want)
	for i, r := range c.readers {
		testutil.Until(c.t, fmt.Sprintf("reader %d", i), func() bool { return c.t.Failed() || r.count() >= len(want) })
		got := r.reset()
		for n := range max(len(got), len(want)) {
			switch {
			case n >= len(got) || n >= len(want):
				c.t.Errorf("reader %d has %d messages, the table has %d", i, len(got), len(want))
				return 0
			case got[n] == "" && strings.HasPrefix(want[n], fmt.Sprint(i, " ")): // from the author whom the reader blocks
			case got[n] != want[n]:
				c.t.Errorf("reader %d has %q, the table has %q", i, got[n], want[n])
				return 0
			}
		}
	}
	return len(want)
}

// reader reads a chat and connects again whenever its connection is lost.
type reader struct {
	person
	t       *testing.T
	event   string
	frozen  sync.Mutex             // held: the reader hangs
	hidden  atomic.Pointer[string] // a message that a block hides now
	taken   counter                // messages
	skipped counter                // of them

	mu    sync.Mutex
	last  realtime.Position
	got   []string    // messages since the last comparison; empty: hidden
	opens []time.Time // of connections
}

// take checks that a message follows the one before it, and that no block hides it.
func (r *reader) take(f realtime.Frame) {
	r.frozen.Lock()
	defer r.frozen.Unlock()
	switch f.Op {
	case "revoked", "error":
		r.t.Errorf("reader got %s", f.Raw)
		return
	case "message", "skip":
	default:
		return
	}
	var m struct{ Body string }
	if f.Op == "skip" {
		r.skipped.increase()
	} else if err := json.Unmarshal(f.Message, &m); err != nil {
		r.t.Error(err)
	}
	text, _, _ := strings.Cut(m.Body, "|")
	if hidden := r.hidden.Load(); hidden != nil && *hidden == text {
		r.t.Errorf("%q is shown across a block", text)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.Prev != r.last || f.Position <= f.Prev {
		r.t.Errorf("after %d comes %s", r.last, f.Raw)
	}
	r.last = f.Position
	r.got = append(r.got, text)
	r.taken.increase()
}

func (r *reader) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.got)
}

// reset returns the messages since the last call.
func (r *reader) reset() (got []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	got, r.got = r.got, nil
	return got
}

func (r *reader) opened() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opens = append(r.opens, time.Now())
}

// runClient reads with the client for Go.
func (r *reader) runClient(ctx context.Context, base string) {
	c := realtime.New(realtime.Options{
		URL:   base,
		Token: func(context.Context, string) (string, error) { return r.token, nil },
		Frame: func(f realtime.Frame) {
			if f.Op == "welcome" {
				r.opened()
			}
			r.take(f)
		},
	})
	c.Subscribe(realtime.ChatTopic(r.event), 0)
	if err := c.Run(ctx); ctx.Err() == nil {
		r.t.Error(err)
	}
}

// runFrames reads what the instances send, without a client that repairs gaps.
func (r *reader) runFrames(ctx context.Context, instances balancer) {
	for ctx.Err() == nil {
		if base, ok := instances.pick(); ok {
			r.connect(ctx, base)
		}
		time.Sleep(rand.N(100 * time.Millisecond))
	}
}

// connect reads from one instance until the connection is lost.
func (r *reader) connect(ctx context.Context, base string) {
	conn, source, err := openSocket(ctx, base, fmt.Sprintf("/events/%s/ws?after=%d", r.event, r.last), r.token, nil)
	if err != nil {
		return
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	defer func() { _ = conn.Close() }()
	r.opened()
	stream := struct {
		io.Reader
		io.Writer
	}{source, conn}
	for {
		text, err := wsutil.ReadServerText(stream)
		if err != nil {
			return
		}
		f := realtime.Frame{Raw: text}
		if err := json.Unmarshal(text, &f); err != nil {
			r.t.Error(err)
		}
		r.take(f)
	}
}

// openSocket opens a WebSocket. source has what the instance sends. dial may be nil.
func openSocket(ctx context.Context, base, path, token string, dial dialer) (conn net.Conn, source io.Reader, err error) {
	d := ws.Dialer{Timeout: patience, Header: ws.HandshakeHeaderHTTP{"Authorization": {"Bearer " + token}}, NetDial: dial}
	conn, early, _, err := d.Dial(ctx, "ws"+strings.TrimPrefix(base, "http")+path)
	if early != nil {
		return conn, early, err
	}
	return conn, conn, err
}

// dialer connects to an address.
type dialer = func(ctx context.Context, network, address string) (net.Conn, error)

// dialFrom connects from an address of this machine, with a small receive buffer.
func dialFrom(from net.IP) dialer {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}).DialContext(ctx, network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
		}
		return conn, err
	}
}
