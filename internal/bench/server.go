package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/rpc"
	"net/rpc/jsonrpc"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"

	"moothall/internal/app"
	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/db"
)

// Serve is the other side of a bench, in a process of its own: the service, or
// the floors, as this side asks for it. It ends with the input; the output is for
// this side only.
func Serve(ctx context.Context, in io.Reader, out, log io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &server{ctx: ctx, log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	event.LoadZones() // a minute's work on a busy machine under the race detector
	calls := rpc.NewServer()
	if err := calls.RegisterName("Server", s); err != nil {
		return err
	}
	calls.ServeCodec(jsonrpc.NewServerCodec(pipe{in, out}))
	stop()
	return s.ended()
}

// pipe is the two directions of a connection, which end with their process.
type pipe struct {
	io.Reader
	io.Writer
}

func (pipe) Close() error { return nil }

// server is what can be asked for. Its exported methods are called by remote.
type server struct {
	ctx      context.Context //nolint:containedctx // of the process: calls have none
	log      *slog.Logger
	clock    domain.Clock
	app      *app.App
	recorder recorder
	running  sync.WaitGroup
	failed   error // of the service's end
	profile  *os.File

	floors
}

// Config says what to serve.
type Config struct {
	Database string // URL
	Now      time.Time
}

// Addresses are where to ask.
type Addresses struct {
	Service string
	Taped   string // the same service; its statements are recorded
	Bare    string
}

// settings are those of a service under load: what would refuse is off.
var settings = map[string]string{ //nolint:gosec // throw-away databases on this machine only
	"APP_ENV": app.Development, "LOG_LEVEL": "warn", "RATE_LIMITS": "off", "ACCESS_TOKEN_TTL": "24h",
	"AUTH_DEV_ENABLED": "true", "AUTH_DEV_EXPOSE_CODE": "true", "SECRET_KEY": "the key of a bench, which keeps no secrets",
}

// Open starts the service.
func (s *server) Open(c Config, a *Addresses) error {
	loaded, err := app.LoadSettings(func(name string) (string, bool) {
		value, set := settings[name]
		return value, set
	})
	if err != nil {
		return err
	}
	d, err := db.Open(s.ctx, c.Database, db.Options{OnStatement: s.recorder.note})
	if err != nil {
		return err
	}
	s.clock, s.recorder.engine = clockFrom(c.Now), d.Engine()
	if s.app, err = app.NewOn(s.ctx, loaded, d, s.clock, s.log); err != nil {
		return err
	}
	service, err := listen(&a.Service)
	if err != nil {
		return err
	}
	taped, err := listen(&a.Taped)
	if err != nil {
		return err
	}
	s.running.Go(func() { s.failed = s.app.Serve(s.ctx, service) })
	s.serve(taped, s.recorder.wrap(s.app.Handler()))
	return nil
}

func listen(at *string) (net.Listener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		*at = l.Addr().String()
	}
	return l, err
}

// serve serves beside the service, until the end.
func (s *server) serve(l net.Listener, h http.Handler) {
	beside := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	s.running.Go(func() { _ = beside.Serve(l) }) // ends with Close
	context.AfterFunc(s.ctx, func() { _ = beside.Close() })
}

func (s *server) ended() error {
	s.running.Wait()
	if s.app == nil {
		return nil
	}
	return errors.Join(s.failed, s.app.Close())
}

var busyStmt = db.SQL("bench.busy", `
	SELECT EXISTS (SELECT 1 FROM jobs WHERE failed_at IS NULL AND run_at <= $1) OR EXISTS (SELECT 1 FROM jobs WHERE lease IS NOT NULL)`)

// Busy tells whether jobs are due or run.
func (s *server) Busy(_ struct{}, busy *bool) error {
	return s.app.DB().One(s.ctx, busyStmt, s.clock.Now()).Scan(busy)
}

// StartRecording begins to note the statements behind the address Taped.
func (s *server) StartRecording(struct{}, *struct{}) error {
	s.recorder.begin()
	return nil
}

// Recording is what was recorded.
type Recording struct {
	Tape       []byte
	Statements int // of one request
}

// StopRecording ends that.
func (s *server) StopRecording(_ struct{}, r *Recording) (err error) {
	tape := s.recorder.end()
	if len(tape) == 0 {
		return errors.New("nothing was recorded")
	}
	r.Statements = len(tape[0])
	r.Tape, err = packed(tape)
	return err
}

// Spent is what the process has spent so far.
type Spent struct {
	Processor                   time.Duration
	Allocations, AllocatedBytes uint64
	Statements                  int64
}

// Spend tells it.
func (s *server) Spend(_ struct{}, spent *Spent) error {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	*spent = Spent{ownTime(), memory.Mallocs, memory.TotalAlloc, s.recorder.ran.Load()}
	return nil
}

// StartProfile begins a profile of the processor time.
func (s *server) StartProfile(path string, _ *struct{}) (err error) {
	if s.profile, err = os.Create(path); err != nil { //nolint:gosec // the user names the directory
		return err
	}
	return pprof.StartCPUProfile(s.profile)
}

// StopProfile ends it.
func (s *server) StopProfile(struct{}, *struct{}) error {
	pprof.StopCPUProfile()
	if err := s.profile.Close(); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return nil
}
