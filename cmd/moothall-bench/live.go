package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"text/tabwriter"
	"time"

	"moothall/cmd/moothall-bench/load"
	"moothall/cmd/moothall-bench/report"
	"moothall/internal/domain"
)

// liveCommand is the argument that measures realtime, and floorCommand the one that makes this
// program the server with which it is compared.
const (
	liveCommand  = "live"
	floorCommand = "live-floor"
)

const liveExample = `moothall-bench live --sockets 5000 --moothall ./moothall`

const (
	socketsOfUser = 10  // the service closes the oldest of more
	socketsOfChat = 100 // that get each message
	senders       = 8   // concurrent requests
)

// liveOptions are the flags of liveCommand.
type liveOptions struct {
	sockets, burst, rate int
	duration             time.Duration
	exe                  string
}

func parseLive(args []string, stdout io.Writer) (o liveOptions, err error) {
	flags := flag.NewFlagSet("moothall-bench live", flag.ContinueOnError)
	flags.IntVar(&o.sockets, "sockets", 10_000, "`number` of sockets, 100 in each chat")
	flags.IntVar(&o.burst, "burst", 5000, "`number` of messages that are sent as fast as possible")
	flags.IntVar(&o.rate, "rate", 200, "messages a `second` of the paced part, each to 100 sockets")
	flags.DurationVar(&o.duration, "time", 10*time.Second, "duration of the paced part")
	flags.StringVar(&o.exe, "moothall", "", "measured `program` (default: built from ./cmd/moothall)")
	quick := flags.Bool("quick", false, "only check that everything runs: 200 sockets, few messages")
	flags.SetOutput(io.Discard) // execute prints errors
	flags.Usage = func() {
		_, _ = fmt.Fprint(stdout, "moothall-bench live: measure sockets, and compare them with a bare server\n\n")
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		_, _ = fmt.Fprintf(stdout, "\nExample: %s\n", liveExample)
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, usageError{err}
	}
	if *quick {
		o.sockets, o.burst, o.rate, o.duration = 200, 40, 20, time.Second
	}
	if o.sockets < socketsOfChat || o.sockets%socketsOfChat != 0 {
		return o, usageError{fmt.Errorf("--sockets must be a multiple of %d", socketsOfChat)}
	}
	return o, nil
}

// measureLive measures memory, bursts, a paced load and reconnects, on SQLite.
func measureLive(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseLive(args, stdout)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "moothall-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	if o.exe == "" {
		o.exe = filepath.Join(scratch, "moothall")
		build := exec.CommandContext(ctx, "go", "build", "-o", o.exe, "./cmd/moothall") //nolint:gosec // the path comes from the operator
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("cannot build ./cmd/moothall, name the program with --moothall: %w\n%s", err, out)
		}
	}
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	b := &liveBench{liveOptions: o, out: table, log: stderr}
	err = errors.Join(b.floor(ctx), b.service(ctx, scratch))
	return errors.Join(err, table.Flush())
}

// liveBench is one measurement.
type liveBench struct {
	liveOptions
	out, log io.Writer
	process  *os.Process
	address  string
	chats    []domain.EventID
	host     string   // access token of the author
	guests   []string // access tokens
}

func (b *liveBench) row(what, format string, values ...any) {
	_, _ = fmt.Fprintf(b.out, "%s\t%s\n", what, fmt.Sprintf(format, values...))
}

// start starts a process that serves at address.
func (b *liveBench) start(ctx context.Context, env []string, command ...string) (stop func() error, err error) {
	c := exec.CommandContext(ctx, command[0], command[1:]...) //nolint:gosec // the user names the program
	c.Stderr, c.Env = b.log, env
	if err := c.Start(); err != nil {
		return nil, err
	}
	b.process = c.Process
	conn, err := firstResponse(ctx, b.address, load.Start())
	if err != nil {
		return nil, errors.Join(err, c.Process.Kill())
	}
	conn.Close()
	return func() error { return errors.Join(c.Process.Signal(syscall.SIGTERM), c.Wait()) }, nil
}

// floor measures a server that does nothing but write frames to sockets.
func (b *liveBench) floor(ctx context.Context) (err error) {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := b.reserve(); err != nil {
		return err
	}
	stop, err := b.start(ctx, nil, self, floorCommand, b.address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	before := residentSize(b.process.Pid)
	all, err := b.open(ctx, b.sockets, "/", nil)
	if err != nil {
		return err
	}
	defer closeAll(all)
	b.row("bare server, memory of an idle socket", "%.2f KB", float64(residentSize(b.process.Pid)-before)/1000/float64(b.sockets))
	conn, err := load.Dial(ctx, b.address, load.Grace)
	if err != nil {
		return err
	}
	defer conn.Close()
	used := usedTime(b.process.Pid)
	if _, err := conn.Ask(load.Request{Method: http.MethodPost, Target: fmt.Sprint("/", b.burst*socketsOfChat/b.sockets+1)}); err != nil {
		return err
	}
	used = usedTime(b.process.Pid) - used
	b.row("bare server, deliveries of a core", "%.0f/s", float64((b.burst*socketsOfChat/b.sockets+1)*b.sockets)/used.Seconds())
	return nil
}

// service measures the service.
func (b *liveBench) service(ctx context.Context, scratch string) (err error) {
	if err := b.reserve(); err != nil {
		return err
	}
	env := []string{"DATABASE_URL=sqlite:" + filepath.Join(scratch, "live.db"), "MEDIA=" + filepath.Join(scratch, "media"), "LISTEN_ADDR=" + b.address}
	for name, value := range serviceSettings {
		env = append(env, name+"="+value)
	}
	stop, err := b.start(ctx, env, b.exe, "serve")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	if err := b.seed(ctx); err != nil {
		return err
	}
	before := residentSize(b.process.Pid)
	all, err := b.open(ctx, b.sockets, "/realtime", b.guests)
	defer func() { closeAll(all) }()
	if err != nil {
		return err
	}
	b.row("memory of an idle socket", "%.2f KB", float64(residentSize(b.process.Pid)-before)/1000/float64(b.sockets))
	if err := b.subscribe(ctx, all, ""); err != nil {
		return err
	}
	b.row("memory of a socket with a chat", "%.2f KB", float64(residentSize(b.process.Pid)-before)/1000/float64(b.sockets))
	if err := b.send(ctx, "burst", all, load.Load{Most: b.burst}); err != nil {
		return err
	}
	if err := b.send(ctx, "paced", all, load.Load{Most: int(b.duration.Seconds() * float64(b.rate)), PerSecond: b.rate}); err != nil {
		return err
	}
	closeAll(all)
	if all, err = b.open(ctx, b.sockets, "/realtime", b.guests); err != nil {
		return err
	}
	watch := load.Start()
	if err := b.subscribe(ctx, all, "0"); err != nil {
		return err
	}
	missed := 0
	for _, s := range all {
		missed += s.messages()
	}
	b.row("sockets catch up with the whole chat", "%d in %.1f s, %d messages", len(all), watch.Elapsed().Seconds(), missed)
	return nil
}

// send sends messages to the chats in turn, and waits until all sockets have them.
func (b *liveBench) send(ctx context.Context, name string, all []*liveSocket, l load.Load) error {
	for _, s := range all {
		s.reset(l.Most / len(b.chats))
	}
	next := make(chan int, l.Most)
	for i := range l.Most / len(b.chats) * len(b.chats) {
		next <- i
	}
	close(next)
	l.Address, l.Callers, l.Time = b.address, senders, time.Hour
	l.Next = func(int) (load.Request, bool) {
		i, more := <-next
		return load.Request{Method: http.MethodPost, Target: "/events/" + b.chats[i%len(b.chats)].String() + "/messages", Token: b.host, Body: `{"body":"I am five minutes late."}`}, more
	}
	used, watch := usedTime(b.process.Pid), load.Start()
	if _, _, err := l.Run(ctx); err != nil {
		return err
	}
	var took []time.Duration
	for _, s := range all {
		delays, err := s.await(ctx)
		if err != nil {
			return err
		}
		took = append(took, delays...)
	}
	elapsed := watch.Elapsed()
	used = usedTime(b.process.Pid) - used
	slices.Sort(took)
	b.row(name+", messages", "%.0f/s from the database, each to %d sockets", float64(len(took)/socketsOfChat)/elapsed.Seconds(), socketsOfChat)
	b.row(name+", deliveries", "%.0f/s; %.0f/s of a core, which also stores the messages", float64(len(took))/elapsed.Seconds(), float64(len(took))/used.Seconds())
	b.row(name+", from created_at to the client", "p50 %s, p99 %s", report.Percentile(took, 50).Round(100*time.Microsecond), report.Percentile(took, 99).Round(100*time.Microsecond))
	return nil
}

// reserve chooses the address of the next process.
func (b *liveBench) reserve() (err error) {
	b.address, err = freeAddress()
	return err
}

// seed creates one chat for every 100 sockets, and the users in it.
func (b *liveBench) seed(ctx context.Context) error {
	conn, err := load.Dial(ctx, b.address, time.Hour)
	if err != nil {
		return err
	}
	defer conn.Close()
	host, err := signIn(conn, hostEmail)
	if err != nil {
		return err
	}
	b.host = host.Access
	tomorrow := domain.SystemClock().Now().AddDate(0, 0, 1).Format(time.RFC3339)
	for range b.sockets / socketsOfChat {
		var created struct {
			Event struct{ ID domain.EventID }
		}
		if err := conn.Post("/events", b.host, map[string]any{"title": "Chess", "starts_at": tomorrow}, &created); err != nil {
			return err
		}
		b.chats = append(b.chats, created.Event.ID)
		if err := conn.Post("/events/"+created.Event.ID.String()+"/publish", b.host, nil, &struct{}{}); err != nil {
			return err
		}
	}
	for i := range b.sockets / socketsOfUser {
		guest, err := signIn(conn, fmt.Sprintf("guest%d@bench.example", i))
		if err != nil {
			return err
		}
		b.guests = append(b.guests, guest.Access)
		if err := conn.Post("/events/"+b.chatOf(i*socketsOfUser).String()+"/join", guest.Access, map[string]any{}, &struct{}{}); err != nil {
			return err
		}
	}
	return nil
}

// chatOf returns the chat of a socket.
func (b *liveBench) chatOf(socket int) domain.EventID { return b.chats[socket/socketsOfChat] }
