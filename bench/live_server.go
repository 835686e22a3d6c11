package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"moothall/bench/load"
	"moothall/internal/domain"
)

// liveServer is a server with chats, of one process or more.
type liveServer struct {
	name      string
	processes []*liveProcess
	path      func(socket int) string // of its handshake
	token     func(socket int) string // access token; empty: none
	publish   func(message int) load.Request
	protocol  liveProtocol
	drop      func() error // removes its database; may be nil
}

// liveProtocol is what sockets say to a server. Members may be nil: then the server needs or has
// no such frame.
type liveProtocol struct {
	subscribe func(socket int, after string) string // to a chat; after is the latest position that the socket has, empty: from now on
	ready     string                                // with which the frame begins that answers subscribe
	watch     func(socket int) string               // subscribes to the presence of others
}

// liveProcess is one process of a server.
type liveProcess struct {
	command *exec.Cmd
	address string
}

// run adds a process that listens at an address to the server, and waits for its first response.
func (b *liveBench) run(ctx context.Context, s *liveServer, address string, env []string, command ...string) error {
	c := exec.CommandContext(ctx, command[0], command[1:]...) //nolint:gosec // the user names the program
	c.Stderr, c.Env = b.log, env
	if err := c.Start(); err != nil {
		return err
	}
	s.processes = append(s.processes, &liveProcess{c, address})
	conn, err := firstResponse(ctx, address, load.Start())
	if err == nil {
		conn.Close()
	}
	return err
}

// stop ends all processes.
func (s *liveServer) stop() (err error) {
	for _, p := range s.processes {
		err = errors.Join(err, p.command.Process.Signal(syscall.SIGTERM), p.command.Wait())
	}
	if s.drop != nil {
		err = errors.Join(err, s.drop())
	}
	return err
}

// addressOf returns where a socket or a request goes: to the processes in turn.
func (s *liveServer) addressOf(i int) string { return s.processes[i%len(s.processes)].address }

// resident returns the memory of all processes in bytes.
func (s *liveServer) resident() (sum int) {
	for _, p := range s.processes {
		sum += residentSize(p.command.Process.Pid)
	}
	return sum
}

// used returns the processor time of all processes.
func (s *liveServer) used() (sum time.Duration) {
	for _, p := range s.processes {
		sum += usedTime(p.command.Process.Pid)
	}
	return sum
}

// startFloor starts a server without users, whose chats are numbers. The command gets its address.
func (b *liveBench) startFloor(ctx context.Context, s *liveServer, command ...string) error {
	address, err := freeAddress()
	if err != nil {
		return err
	}
	chats := b.sockets / socketsOfChat
	s.path = func(socket int) string { return fmt.Sprint("/", socket/socketsOfChat) }
	s.token = func(int) string { return "" }
	s.publish = func(message int) load.Request {
		return load.Request{Method: http.MethodPost, Target: fmt.Sprint("/", message%chats)}
	}
	return b.run(ctx, s, address, nil, append(command, address)...)
}

// startBare starts a server that does nothing but write frames to sockets.
func (b *liveBench) startBare(ctx context.Context, s *liveServer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	s.name = "bare server"
	return b.startFloor(ctx, s, self, floorCommand)
}

// startCentrifuge starts the library centrifuge with its memory broker.
func (b *liveBench) startCentrifuge(ctx context.Context, s *liveServer) error {
	s.name = "centrifuge"
	s.protocol = liveProtocol{subscribe: func(int, string) string { return `{"id":1,"connect":{}}` }, ready: `{"id":1`}
	return b.startFloor(ctx, s, b.centrifuge)
}

// socketsOfUser is how many sockets of a user the service does not close.
const socketsOfUser = 10

// startService starts the service, and creates one chat for every 100 sockets.
func (b *liveBench) startService(ctx context.Context, s *liveServer) error {
	s.name = "moothall, SQLite"
	instances := 1
	var databases store = files{b.scratch}
	if b.postgres != "" {
		s.name, instances = "moothall, 2 instances, PostgreSQL", 2
		databases = postgresStore{b.postgres}
	}
	name := fmt.Sprintf("moothall_bench_live_%d", os.Getpid())
	if err := errors.Join(databases.drop(ctx, name), databases.create(ctx, name)); err != nil {
		return err
	}
	s.drop = func() error { return databases.drop(context.WithoutCancel(ctx), name) }
	for range instances {
		address, err := freeAddress()
		if err != nil {
			return err
		}
		env := []string{"LISTEN_ADDR=" + address, "DATABASE_URL=" + databases.url(name), "MEDIA=" + filepath.Join(b.scratch, "media")}
		for name, value := range serviceSettings {
			env = append(env, name+"="+value)
		}
		if err := b.run(ctx, s, address, env, b.service, "serve"); err != nil {
			return err
		}
	}
	return b.seed(ctx, s)
}

// seed creates the chats and their users, and sets how sockets subscribe to them.
func (b *liveBench) seed(ctx context.Context, s *liveServer) error {
	conn, err := load.Dial(ctx, s.addressOf(0), time.Hour)
	if err != nil {
		return err
	}
	defer conn.Close()
	host, err := signIn(conn, hostEmail)
	if err != nil {
		return err
	}
	tomorrow := domain.SystemClock().Now().AddDate(0, 0, 1).Format(time.RFC3339)
	var chats, tokens []string
	for range b.sockets / socketsOfChat {
		var created struct{ Event struct{ ID string } }
		if err := conn.Post("/events", host.Access, map[string]any{"title": "Chess", "starts_at": tomorrow}, &created); err != nil {
			return err
		}
		chats = append(chats, created.Event.ID)
		if err := conn.Post("/events/"+created.Event.ID+"/publish", host.Access, nil, &struct{}{}); err != nil {
			return err
		}
	}
	chatOf := func(socket int) string { return chats[socket/socketsOfChat] }
	for i := range b.sockets / socketsOfUser {
		guest, err := signIn(conn, fmt.Sprintf("guest%d@bench.example", i))
		if err != nil {
			return err
		}
		tokens = append(tokens, guest.Access)
		if err := conn.Post("/events/"+chatOf(i*socketsOfUser)+"/join", guest.Access, map[string]any{}, &struct{}{}); err != nil {
			return err
		}
	}
	s.path = func(int) string { return "/realtime" }
	s.token = func(socket int) string { return tokens[socket/socketsOfUser] }
	s.publish = func(message int) load.Request {
		author := message%len(chats)*socketsOfChat + message/len(chats)%socketsOfChat
		return load.Request{Method: http.MethodPost, Target: "/events/" + chatOf(author) + "/messages", Token: s.token(author),
			Body: `{"body":"I am five minutes late."}`}
	}
	s.protocol = liveProtocol{ready: `{"op":"caught_up"`,
		subscribe: func(socket int, after string) string {
			if after != "" {
				after = `,"after":"` + after + `"`
			}
			return `{"op":"subscribe","topic":"chat:` + chatOf(socket) + `"` + after + `}`
		},
		watch: func(socket int) string { return `{"op":"subscribe","topic":"event:` + chatOf(socket) + `"}` },
	}
	return nil
}
