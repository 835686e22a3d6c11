package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gobwas/ws"

	"moothall/bench/load"
	"moothall/internal/domain"
)

// liveSocket is one socket of the generator. It reads all frames and decodes little of them.
type liveSocket struct {
	conn   net.Conn
	in     *bufio.Reader
	answer []byte // with which a frame begins that makes the socket ready

	mu     sync.Mutex
	wanted int             // messages that close full
	ages   []time.Duration // of the messages since reset, when they arrived
	last   string          // position of the latest message
	full   chan struct{}
	ready  chan struct{} // receives a value for each answer
	failed error         // with which the socket ended
	ended  chan struct{}
}

// socketsOfAddress is how many sockets the service accepts from one address.
const socketsOfAddress = 200

// open opens sockets from several addresses of this machine. With after, each socket subscribes at
// once, from the position that after has for it.
func (b *liveBench) open(ctx context.Context, s *liveServer, n int, after []string) ([]*liveSocket, error) {
	all := make([]*liveSocket, n)
	var opening sync.WaitGroup
	errs := make([]error, senders)
	for worker := range senders {
		opening.Go(func() {
			for i := worker; i < n && errs[worker] == nil; i += senders {
				from := net.IPv4(127, 0, byte(1+i/socketsOfAddress/200), byte(1+i/socketsOfAddress%200))
				all[i], errs[worker] = s.dial(ctx, i, from)
				if errs[worker] == nil && after != nil {
					all[i].send(s.protocol.subscribe(i, after[i]))
				}
			}
		})
	}
	opening.Wait()
	if err := errors.Join(errs...); err != nil {
		return all, fmt.Errorf("opening sockets: %w", err)
	}
	return all, nil
}

// dial opens one socket, from an address.
func (s *liveServer) dial(ctx context.Context, i int, from net.IP) (*liveSocket, error) {
	dialer := ws.Dialer{
		Timeout: load.Grace,
		NetDial: func(ctx context.Context, network, address string) (net.Conn, error) {
			d := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}
			return d.DialContext(ctx, network, address)
		},
	}
	if token := s.token(i); token != "" {
		dialer.Header = ws.HandshakeHeaderHTTP{"Authorization": {"Bearer " + token}}
	}
	conn, buffered, _, err := dialer.Dial(ctx, "ws://"+s.addressOf(i)+s.path(i))
	if err != nil {
		return nil, err
	}
	socket := &liveSocket{conn: conn, answer: []byte(s.protocol.ready), ready: make(chan struct{}, 16), ended: make(chan struct{})}
	socket.reset(0)
	if socket.in = bufio.NewReaderSize(conn, 1024); buffered != nil {
		socket.in = buffered
	}
	go socket.read()
	return socket, nil
}

func closeAll(all []*liveSocket) {
	for _, s := range all {
		if s != nil {
			_ = s.conn.Close()
			<-s.ended
		}
	}
}

// read reads frames until the socket ends.
func (s *liveSocket) read() {
	defer close(s.ended)
	var payload []byte
	for {
		header, err := ws.ReadHeader(s.in)
		if err != nil {
			s.failed = err
			return
		}
		if int64(cap(payload)) < header.Length {
			payload = make([]byte, header.Length)
		}
		payload = payload[:header.Length]
		if _, err := io.ReadFull(s.in, payload); err != nil {
			s.failed = err
			return
		}
		switch {
		case header.OpCode == ws.OpPing:
			s.write(ws.NewPongFrame(bytes.Clone(payload)))
		case header.OpCode == ws.OpClose:
			s.failed = fmt.Errorf("closed: %q", payload)
			return
		case bytes.HasPrefix(payload, []byte(`{"op":"error"`)):
			s.failed = fmt.Errorf("refused: %s", payload)
			return
		case bytes.HasPrefix(payload, s.answer) && len(s.answer) > 0:
			s.ready <- struct{}{}
		default:
			for line := range bytes.Lines(payload) { // centrifuge sends several messages in a frame
				switch {
				case bytes.Contains(line, []byte(`{"op":"message"`)):
					s.message(line)
				case string(bytes.TrimSpace(line)) == "{}": // a ping of centrifuge
					s.send("{}")
				}
			}
		}
	}
}

// send sends a text.
func (s *liveSocket) send(text string) { s.write(ws.NewTextFrame([]byte(text))) }

func (s *liveSocket) write(f ws.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = s.conn.Write(ws.MustCompileFrame(ws.MaskFrameInPlace(f))) // read reports the end of the socket
}

// message records how old a message is.
func (s *liveSocket) message(payload []byte) {
	_, rest, _ := bytes.Cut(payload, []byte(`"position":"`))
	digits, _, _ := bytes.Cut(rest, []byte(`"`))
	created, _ := strconv.ParseInt(string(digits), 10, 64)
	age := domain.SystemClock().Now().Sub(time.UnixMicro(created))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = string(digits)
	if s.ages = append(s.ages, age); len(s.ages) == s.wanted {
		close(s.full)
	}
}

func (s *liveSocket) messages() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.ages)
}

// reset forgets all messages. await waits for n others.
func (s *liveSocket) reset(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted, s.ages, s.full = n, nil, make(chan struct{})
}

// await returns the ages of the messages.
func (s *liveSocket) await(ctx context.Context) ([]time.Duration, error) {
	if err := s.wait(ctx, s.full); err != nil {
		return nil, fmt.Errorf("%d of %d messages: %w", s.messages(), s.wanted, err)
	}
	return s.ages, nil
}

// waitTime is how long a socket may wait.
const waitTime = 2 * time.Minute

func (s *liveSocket) wait(ctx context.Context, done <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, waitTime)
	defer cancel()
	select {
	case <-done:
		return nil
	case <-s.ended:
		return s.failed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// subscribe subscribes each socket to its chat and waits for the answers, one chat after the other:
// what many at once need for a moment is not the memory of a socket.
func (s *liveServer) subscribe(ctx context.Context, all []*liveSocket) error {
	if s.protocol.subscribe == nil {
		return nil
	}
	for first := 0; first < len(all); first += socketsOfChat {
		chat := all[first : first+socketsOfChat]
		for i, socket := range chat {
			socket.send(s.protocol.subscribe(first+i, ""))
		}
		for _, socket := range chat {
			if err := socket.wait(ctx, socket.ready); err != nil {
				return fmt.Errorf("a subscription: %w", err)
			}
		}
	}
	return nil
}

// residentSize returns the memory of a process in bytes.
func residentSize(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kb, _ := strconv.Atoi(fields[0])
	return kb * 1024
}

// usedTime returns the processor time of a process.
func usedTime(pid int) time.Duration {
	_, fields := processStat(pid)
	if fields == nil {
		return 0
	}
	return sumTicks(fields[11], fields[12])
}
