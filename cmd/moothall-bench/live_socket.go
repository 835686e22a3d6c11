package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gobwas/ws"

	"moothall/cmd/moothall-bench/load"
	"moothall/internal/domain"
)

// liveSocket is one socket of the generator. It reads all frames and decodes little of them.
type liveSocket struct {
	conn net.Conn
	in   *bufio.Reader

	mu       sync.Mutex
	wanted   int             // messages that close full
	delays   []time.Duration // of the messages since reset
	full     chan struct{}
	caughtUp chan struct{} // receives a value for each caught_up
	failed   error         // with which the socket ended
	ended    chan struct{}
}

// socketsOfAddress is how many sockets the service accepts from one address.
const socketsOfAddress = 200

// open opens sockets from several addresses of this machine, with the tokens of users in turn.
func (b *liveBench) open(ctx context.Context, n int, path string, tokens []string) ([]*liveSocket, error) {
	all := make([]*liveSocket, n)
	errs := make(chan error, senders)
	for worker := range senders {
		go func() {
			var err error
			for i := worker; i < n && err == nil; i += senders {
				token := ""
				if tokens != nil {
					token = tokens[i/socketsOfUser]
				}
				all[i], err = dialSocket(ctx, "ws://"+b.address+path, token, net.IPv4(127, 0, byte(1+i/socketsOfAddress/200), byte(1+i/socketsOfAddress%200)))
			}
			errs <- err
		}()
	}
	var failed error
	for range senders {
		if err := <-errs; err != nil {
			failed = err
		}
	}
	if failed != nil {
		return nil, fmt.Errorf("opening sockets: %w", failed)
	}
	return all, nil
}

func dialSocket(ctx context.Context, url, token string, from net.IP) (*liveSocket, error) {
	dialer := ws.Dialer{
		Timeout: load.Grace,
		NetDial: func(ctx context.Context, network, address string) (net.Conn, error) {
			d := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}
			return d.DialContext(ctx, network, address)
		},
	}
	if token != "" {
		dialer.Header = ws.HandshakeHeaderHTTP{"Authorization": {"Bearer " + token}}
	}
	conn, buffered, _, err := dialer.Dial(ctx, url)
	if err != nil {
		return nil, err
	}
	s := &liveSocket{conn: conn, caughtUp: make(chan struct{}, 16), ended: make(chan struct{})}
	s.reset(0)
	if s.in = bufio.NewReaderSize(conn, 1024); buffered != nil {
		s.in = buffered
	}
	go s.read()
	return s, nil
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
		case bytes.HasPrefix(payload, []byte(`{"op":"message"`)):
			s.message(payload)
		case bytes.HasPrefix(payload, []byte(`{"op":"error"`)):
			s.failed = fmt.Errorf("refused: %s", payload)
			return
		case bytes.HasPrefix(payload, []byte(`{"op":"caught_up"`)):
			s.caughtUp <- struct{}{}
		}
	}
}

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
	if s.delays = append(s.delays, age); len(s.delays) == s.wanted {
		close(s.full)
	}
}

func (s *liveSocket) messages() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.delays)
}

// reset forgets all messages. await waits for n others.
func (s *liveSocket) reset(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted, s.delays, s.full = n, nil, make(chan struct{})
}

// await returns the ages of the messages.
func (s *liveSocket) await(ctx context.Context) ([]time.Duration, error) {
	if err := s.wait(ctx, s.full); err != nil {
		return nil, fmt.Errorf("%d of %d messages: %w", s.messages(), s.wanted, err)
	}
	return s.delays, nil
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

// subscribe subscribes each socket to its chat and waits until it has caught up, 100 sockets
// at a time.
func (b *liveBench) subscribe(ctx context.Context, all []*liveSocket, after string) error {
	for i := 0; i < len(all); i += socketsOfChat {
		if err := b.subscribeChat(ctx, all[i:i+socketsOfChat], b.chatOf(i), after); err != nil {
			return err
		}
	}
	return nil
}

func (b *liveBench) subscribeChat(ctx context.Context, all []*liveSocket, chat domain.EventID, after string) error {
	text, err := json.Marshal(struct {
		Op    string `json:"op"`
		Topic string `json:"topic"`
		After string `json:"after,omitempty"`
	}{"subscribe", "chat:" + chat.String(), after})
	if err != nil {
		return err
	}
	for _, s := range all {
		s.write(ws.NewTextFrame(bytes.Clone(text)))
	}
	for _, s := range all {
		if err := s.wait(ctx, s.caughtUp); err != nil {
			return fmt.Errorf("a subscription: %w", err)
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
