package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/rpc"
	"os"
	"os/exec"
	"runtime"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"time"

	"moothall/bench/floor"
	"moothall/bench/load"
	"moothall/bench/plain"
	"moothall/bench/report"
	"moothall/internal/delivery/mail"
	"moothall/internal/domain"
	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
	"moothall/internal/platform/geo"
	"moothall/internal/platform/observe"
)

// server runs in a process of its own, as the service or as the floors. The
// generator calls its exported methods by RPC over stdin and stdout.
type server struct {
	ctx        context.Context // of the process: RPC calls have none
	log        *slog.Logger
	clock      domain.Clock
	app        *app.App
	channel    mail.Channel
	statements atomic.Int64 // run so far
	running    sync.WaitGroup
	failed     error // the error with which the service ended
	profile    *os.File

	plain floor.Database
	floor.Floors
}

// runServer runs `bench server`. It ends when the input ends.
func runServer(ctx context.Context, in io.Reader, out, log io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	handler, closeLog, err := newLogHandler(log)
	if err != nil {
		return err
	}
	defer closeLog()
	s := &server{ctx: ctx, log: slog.New(handler)}
	calls := rpc.NewServer()
	if err := calls.RegisterName("Server", s); err != nil {
		return err
	}
	calls.ServeConn(pipe{in, out})
	stop()
	s.running.Wait()
	if s.app == nil {
		return errors.Join(s.Counter.Close(), s.plain.Close())
	}
	return errors.Join(s.failed, s.app.Close())
}

// newLogHandler returns a handler that writes all lines as in production, but to a file that discards them. Warnings also go to out.
func newLogHandler(out io.Writer) (handler slog.Handler, closeLog func(), err error) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, nil, err
	}
	writer := observe.NewLogWriter(null)
	all := writer.Handler(func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) })
	warnings := slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelWarn})
	return slog.NewMultiHandler(all, warnings), func() {
		writer.Close(time.Second)
		_ = null.Close() // nothing was written that is needed
	}, nil
}

// pipe is the two directions of a connection. They end with their process.
type pipe struct {
	io.Reader
	io.Writer
}

func (pipe) Close() error { return nil }

// ServiceConfig configures the measured service.
type ServiceConfig struct {
	Database string // URL
	Now      time.Time
	Mail     string      // address of the mail server; empty: no mails
	Grace    string      // that mails wait
	Push     PushService // zero: no pushes
}

// channel returns the channel of the deliveries that the service sends.
func (c ServiceConfig) channel() mail.Channel {
	if c.Push.Address != "" {
		return mail.Push
	}
	return mail.Email
}

// settings returns the value of a setting.
func (c ServiceConfig) settings(name string) (value string, set bool) {
	switch {
	case c.Mail != "":
		value, set = map[string]string{"NOTIFICATIONS": "mail", "SMTP_URL": "smtp://" + c.Mail, "MAIL_FROM": "no-reply@bench.example",
			"MAIL_GRACE": c.Grace}[name]
	case c.Push.Address != "" && name == "VAPID_SUBJECT":
		return "mailto:bench@bench.example", true
	}
	if !set {
		value, set = serviceSettings[name]
	}
	return value, set
}

// Addresses are the addresses of a server process.
type Addresses struct{ Service, Bare, Plain string }

// serviceSettings are the settings of production, except that development sign-in is on
// and rate limits are off.
var serviceSettings = map[string]string{ //nolint:gosec // throw-away databases on this machine only
	"APP_ENV": app.Development, "RATE_LIMITS": "off", "NOTIFICATIONS": "push", "MAIL_PER_MINUTE": "0",
	"ACCESS_TOKEN_TTL": "24h",
	"AUTH_DEV_ENABLED": "true", "AUTH_DEV_EXPOSE_CODE": "true", "SECRET_KEY": "the key of a bench, which keeps no secrets",
}

// OpenService starts the service.
func (s *server) OpenService(c ServiceConfig, a *Addresses) error {
	geo.LoadZones() // not in the first measured request
	settings, err := app.LoadSettings(c.settings)
	if err != nil {
		return err
	}
	settings.Outbound = c.Push.network()
	d, err := db.Open(s.ctx, c.Database, db.Options{
		OnStatement: func(context.Context, *db.Stmt, []any) { s.statements.Add(1) },
	})
	if err != nil {
		return err
	}
	s.clock, s.channel = clockFrom(c.Now), c.channel()
	if s.app, err = app.NewOn(s.ctx, settings, d, s.clock, s.log); err != nil {
		return err
	}
	service, err := listen(&a.Service)
	if err != nil {
		return err
	}
	s.running.Go(func() { s.failed = s.app.Serve(s.ctx, service) })
	return nil
}

// FloorsConfig configures what the service is compared with.
type FloorsConfig struct {
	Counter string // URL of an empty database
	Plain   string // URL of the database of the plain handlers
	Now     time.Time
}

// OpenFloors opens the counter and starts the bare handler and the plain handlers.
func (s *server) OpenFloors(c FloorsConfig, a *Addresses) (err error) {
	var errs [4]error
	s.Counter, errs[0] = floor.Open(c.Counter)
	s.plain, errs[1] = floor.Open(c.Plain)
	errs[2] = s.serve(&s.Floors, &a.Bare)
	errs[3] = s.serve(plain.New(s.plain, c.Plain, clockFrom(c.Now)), &a.Plain)
	return errors.Join(errs[:]...)
}

func (s *server) serve(h http.Handler, at *string) error {
	l, err := listen(at)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	s.running.Go(func() { _ = server.Serve(l) }) // ends with Close
	context.AfterFunc(s.ctx, func() { _ = server.Close() })
	return nil
}

// clockFrom returns a clock that starts at a time.
func clockFrom(now time.Time) domain.Clock {
	running := load.Start()
	return func() time.Time { return now.Add(running.Elapsed()) }
}

func listen(at *string) (net.Listener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		*at = l.Addr().String()
	}
	return l, err
}

var busyStmt = db.SQL("bench.busy", `
	SELECT EXISTS (SELECT 1 FROM jobs WHERE failed_at IS NULL AND run_at <= $1) OR EXISTS (SELECT 1 FROM jobs WHERE lease IS NOT NULL)
		OR EXISTS (SELECT 1 FROM notification_outbox) OR EXISTS (SELECT 1 FROM appointment_outbox)
		OR EXISTS (SELECT 1 FROM deliveries WHERE channel = $2 AND state = 'waiting' AND due_at <= $1)
		OR EXISTS (SELECT 1 FROM deliveries WHERE channel = $2 AND state = 'sending')`)

// Busy reports whether jobs or deliveries are due or running.
func (s *server) Busy(_ struct{}, busy *bool) error {
	return s.app.DB().One(s.ctx, busyStmt, s.clock.Now(), s.channel).Scan(busy)
}

var planningStmt = db.SQL("bench.planning", `
	SELECT EXISTS (SELECT 1 FROM notification_outbox) OR EXISTS (SELECT 1 FROM appointment_outbox)`)

// Planning reports whether deliveries are to be planned.
func (s *server) Planning(_ struct{}, planning *bool) error {
	return s.app.DB().One(s.ctx, planningStmt).Scan(planning)
}

// Usage returns the total usage of the process so far.
func (s *server) Usage(_ struct{}, u *report.Usage) error { //nolint:unparam // net/rpc requires the result
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	*u = report.Usage{Processor: observe.ProcessorTime(), Allocations: memory.Mallocs, AllocatedBytes: memory.TotalAlloc,
		Statements: s.statements.Load()}
	return nil
}

// Live returns the bytes on the heap that are in use.
func (s *server) Live(_ struct{}, bytes *int64) error { //nolint:unparam // net/rpc requires the result
	var memory runtime.MemStats
	runtime.GC()
	runtime.GC() // empties pools
	runtime.ReadMemStats(&memory)
	*bytes = int64(memory.HeapAlloc)
	return nil
}

// StartProfile starts a profile of the processor time.
func (s *server) StartProfile(path string, _ *struct{}) (err error) {
	if s.profile, err = os.Create(path); err != nil { //nolint:gosec // the user names the directory
		return err
	}
	return pprof.StartCPUProfile(s.profile)
}

// StopProfile completes the file.
func (s *server) StopProfile(struct{}, *struct{}) error {
	pprof.StopCPUProfile()
	return s.profile.Close()
}

// remote is a server process, seen from the generator.
type remote struct {
	Addresses
	process *exec.Cmd
	input   io.WriteCloser
	calls   *rpc.Client
}

// start starts a server process on the server's cores and opens the service or
// the floors there. The process ends with stop or with the generator.
func (r *runner) start(ctx context.Context, method string, config any) (*remote, error) {
	command := onCores(r.serverCores, r.Server)
	s := &remote{process: exec.CommandContext(ctx, command[0], command[1:]...)} //nolint:gosec // this program
	s.process.Stderr = r.Progress
	var err error
	if s.input, err = s.process.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := s.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	s.calls = rpc.NewClient(pipe{output, s.input})
	if err := s.call(method, config, &s.Addresses); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

func (r *remote) call(method string, args, reply any) error {
	if reply == nil {
		reply = &struct{}{}
	}
	if err := r.calls.Call("Server."+method, args, reply); err != nil {
		return fmt.Errorf("server process: %s: %w", method, err)
	}
	return nil
}

// stop waits until the process has closed its databases.
func (r *remote) stop() error {
	err := r.input.Close()
	if ended := r.process.Wait(); ended != nil {
		err = fmt.Errorf("server process: %w", ended)
	}
	return err
}

func (r *remote) pid() int { return r.process.Process.Pid }
