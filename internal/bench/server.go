package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/rpc"
	"net/rpc/jsonrpc"
	"os"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"time"

	"moothall/internal/app"
	"moothall/internal/db"
	"moothall/internal/event"
	"moothall/internal/meet"
)

// Serve is the server's side of a bench, in a process of its own: the service,
// the bare handler and the floors of the engine, each when the other side asks
// for it. It ends with the input; the output is for the other side only.
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
	config   Config
	clock    meet.Clock
	app      *app.App
	recorder recorder
	tape     []call // what was recorded last
	bare     atomic.Pointer[Answer]
	running  sync.WaitGroup
	failed   error // of the service's end
	profile  *os.File
}

// Config says what to serve.
type Config struct {
	Database string // URL
	Twin     string // URL of a copy of it for the floors that write; may be empty
	Now      time.Time
}

// Addresses are where to ask.
type Addresses struct {
	Service string
	Taped   string // the same service; its statements are recorded
	Bare    string
}

// Answer is what the bare handler writes.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
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
	s.config, s.clock = c, clockFrom(c.Now)
	if s.app, err = app.NewOn(s.ctx, loaded, d, s.clock, s.log); err != nil {
		return err
	}
	return s.listen(a)
}

func (s *server) listen(a *Addresses) error {
	var listeners [3]net.Listener
	for i, address := range []*string{&a.Service, &a.Taped, &a.Bare} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		listeners[i], *address = l, l.Addr().String()
	}
	s.running.Go(func() { s.failed = s.app.Serve(s.ctx, listeners[0]) })
	s.serve(listeners[1], s.recorder.wrap(s.app.Handler()))
	s.serve(listeners[2], http.HandlerFunc(s.answer))
	return nil
}

// serve serves beside the service, until the end.
func (s *server) serve(l net.Listener, h http.Handler) {
	beside := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	s.running.Go(func() { _ = beside.Serve(l) }) // ends with Close
	context.AfterFunc(s.ctx, func() { _ = beside.Close() })
}

func (s *server) answer(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // a client that is gone needs no answer
	answer := s.bare.Load()
	maps.Copy(w.Header(), answer.Header)
	w.WriteHeader(answer.Status)
	_, _ = w.Write(answer.Body)
}

func (s *server) ended() error {
	s.running.Wait()
	if s.app == nil {
		return nil
	}
	return errors.Join(s.failed, s.app.Close())
}

// SetBare says what the bare handler answers from now on.
func (s *server) SetBare(a Answer, _ *struct{}) error {
	s.bare.Store(&a)
	return nil
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

// StopRecording ends that and gives the number of statements of one request.
func (s *server) StopRecording(_ struct{}, statements *int) error {
	s.tape = s.recorder.end()
	if len(s.tape) == 0 {
		return errors.New("nothing was recorded")
	}
	*statements = len(s.tape[0])
	return nil
}

// FloorOf says how a floor is to be measured.
type FloorOf struct {
	Callers int
	Time    time.Duration // reads only
}

// FloorDone is how a floor did.
type FloorDone struct {
	Calls int
	Took  time.Duration
}

// Floor runs on the bare driver what was recorded last.
func (s *server) Floor(of FloorOf, done *FloorDone) (err error) {
	url := s.config.Database
	if s.tape[0].writes() {
		url = s.config.Twin
	}
	done.Calls, done.Took, err = runFloor(s.ctx, url, s.tape, of.Callers, of.Time)
	return err
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
