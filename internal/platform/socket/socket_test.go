package socket

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/gobwas/ws"
)

// recorder is a handler that reports its calls to the test.
type recorder struct {
	refills chan struct{}
	closed  chan Code
}

func (r recorder) Receive([]byte)     {}
func (r recorder) Invalid(Code) Frame { return NewFrame([]byte(`{}`), "") }
func (r recorder) Refill()            { r.refills <- struct{}{} }
func (r recorder) Closed(code Code)   { r.closed <- code }

// start serves a connection without any buffer between the two ends.
func start(t testing.TB, stream bool) (c *Conn, client net.Conn, r recorder) {
	c, client, r = newPipe(t, stream)
	c.Start()
	return c, client, r
}

// newPipe returns a connection that is not served yet.
func newPipe(t testing.TB, stream bool) (c *Conn, client net.Conn, r recorder) {
	server, client := net.Pipe()
	t.Cleanup(func() { _ = client.Close() })
	r = recorder{make(chan struct{}, 10), make(chan Code, 1)}
	return &Conn{conn: server, stream: stream, handler: r}, client, r
}

// TestQueueIsBounded sends frames that the client does not read, then lets it read them.
func TestQueueIsBounded(t *testing.T) {
	for _, row := range []struct {
		name string
		size int
		fits int
	}{
		{"small frames", 10, maxQueued},
		{"large frames", 100 << 10, 2},
		{"one frame above the limit", 300 << 10, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, client, r := start(t, false)
			frame := NewFrame(bytes.Repeat([]byte("x"), row.size), "")
			for n := range row.fits {
				if !c.Send(frame) {
					t.Fatalf("frame %d is refused", n)
				}
			}
			if c.Send(frame) {
				t.Fatal("one frame too many is queued")
			}
			for range row.fits {
				if f, err := readFrame(client); err != nil || len(f.Payload) != row.size {
					t.Fatal(err)
				}
			}
			<-r.refills
			if !c.Send(frame) {
				t.Error("no frame is queued after the refill")
			}
		})
	}
}

// TestEarlyBytes takes over a TCP connection on which the client has sent something already: it is
// read first, and each half can still be closed on its own.
func TestEarlyBytes(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	server, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	_, _ = client.Write([]byte("early "))
	buffered := bufio.NewReader(server)
	if _, err := buffered.Peek(1); err != nil {
		t.Fatal(err)
	}
	conn := unread(server, buffered)
	if err := conn.(halfCloser).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if n, err := client.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the client reads %d bytes, %v, want the end", n, err)
	}
	_, _ = client.Write([]byte("late"))
	_ = client.Close()
	if text, err := io.ReadAll(conn); err != nil || string(text) != "early late" {
		t.Errorf("read %q, %v", text, err)
	}
}

func TestStreamOfEvents(t *testing.T) {
	c, client, r := start(t, true)
	c.Send(NewFrame([]byte(`{"n":1}`), "17"))
	c.Ping()
	want := "id: 17\ndata: {\"n\":1}\n\n:\n\n"
	got := make([]byte, len(want))
	for read := 0; read < len(got); {
		n, err := client.Read(got[read:])
		if err != nil {
			t.Fatal(err)
		}
		read += n
	}
	if string(got) != want {
		t.Errorf("%q", got)
	}
	_ = client.Close()
	if code := <-r.closed; code != ws.StatusAbnormalClosure {
		t.Errorf("closed with %d", code)
	}
}

// TestDeliver queues frames that must not be dropped, although the client reads nothing: they
// come after those that wait, or the connection ends.
func TestDeliver(t *testing.T) {
	c, client, _ := start(t, false)
	for c.Send(NewFrame([]byte("sent"), "")) {
	}
	c.Deliver(NewFrame([]byte("delivered"), ""))
	for range maxQueued {
		if f, err := readFrame(client); err != nil || string(f.Payload) != "sent" {
			t.Fatal(string(f.Payload), err)
		}
	}
	if f, err := readFrame(client); err != nil || string(f.Payload) != "delivered" {
		t.Error(string(f.Payload), err)
	}

	c, client, r := start(t, false)
	large := NewFrame(make([]byte, 10<<10), "")
	for range maxUnsentBytes / (10 << 10) {
		c.Deliver(large)
	}
	_ = client.Close()
	if code := <-r.closed; code != CodeTooSlow {
		t.Errorf("closed with %d, want %d", code, CodeTooSlow)
	}
}

// FuzzReceive sends any bytes. The connection ends, whatever they are.
func FuzzReceive(f *testing.F) {
	f.Add(ws.MustCompileFrame(ws.MaskFrame(ws.NewTextFrame([]byte(`{"op":"subscribe"}`)))))
	f.Add(ws.MustCompileFrame(ws.MaskFrame(ws.NewFrame(ws.OpText, false, []byte("a")))))
	f.Add(ws.MustCompileFrame(ws.MaskFrame(ws.NewPingFrame([]byte("a")))))
	f.Add(ws.MustCompileFrame(ws.MaskFrame(ws.NewCloseFrame(nil))))
	f.Add([]byte(strings.Repeat("\xff", 20)))
	f.Fuzz(func(t *testing.T, sent []byte) {
		_, client, r := start(t, false)
		go func() {
			_, _ = client.Write(sent)
			_ = client.Close()
		}()
		go func() {
			buffer := make([]byte, 1024)
			for {
				if _, err := client.Read(buffer); err != nil {
					return
				}
			}
		}()
		<-r.closed
	})
}

func readFrame(from io.Reader) (ws.Frame, error) {
	return ws.ReadFrame(from) //nolint:staticcheck // deprecated, because frames may be long; those of the tests are short
}
