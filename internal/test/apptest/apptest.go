// Package apptest runs the whole service for tests: on SQLite and PostgreSQL, behind
// a real listener, with named actors. It compares every response with the
// contract.
package apptest

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/platform/outbound"
	"moothall/internal/test/dbtest"
)

// Option changes how the service of a test runs.
type Option func(*config)

type config struct {
	instances int
	settings  map[string]string
	start     time.Time
	outbound  outbound.Network
	machines  []*Machine
	own       bool
	demo      bool
	statement func(context.Context, *db.Stmt)
}

// Instances runs n instances on one database; clients talk to the first one
// unless they say On.
func Instances(n int) Option { return func(c *config) { c.instances = n } }

// Setting sets an environment variable of the service.
func Setting(name, value string) Option {
	return func(c *config) { c.settings[name] = value }
}

// OwnOrigin makes the address of the first instance WEB_ORIGIN and PUBLIC_BASE_URL, as for visitors of its pages.
func OwnOrigin() Option { return func(c *config) { c.own = true } }

// Demo fills the database with the demo before the first instance serves, as moothall serve --demo does: a job would
// remove old pictures that nothing shows yet.
func Demo() Option { return func(c *config) { c.demo = true } }

// Outbound gives the service a network. Without it, the service finds no host.
func Outbound(n outbound.Network) Option { return func(c *config) { c.outbound = n } }

// OnStatement calls a function before each statement of every instance.
func OnStatement(call func(context.Context, *db.Stmt)) Option {
	return func(c *config) { c.statement = call }
}

// noNames finds no host: tests do not call others.
var noNames = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("apptest: no network")
}}

// StartAt stops the clock of the service at a time.
func StartAt(t time.Time) Option { return func(c *config) { c.start = t } }

// App is the running service.
type App struct {
	DB    *db.DB // of the first instance
	Clock *Clock // of all instances

	t      *testing.T
	config config
	urls   []string // of the instances
	apps   []instance
	ends   []func() // of the instances
	log    *logBuffer
	mu     sync.Mutex
	actors map[string]*actor
}

// instance has the methods of app.App that App calls. App does not refer to the type itself: the
// compiler reads all types that a type refers to, for each test package again.
type instance interface {
	CheckClock(ctx context.Context) error
	DB() *db.DB
	FillDemo(ctx context.Context) error
	Metrics() http.Handler
	RunJobs(ctx context.Context) error
}

// Instance returns the *app.App of the first instance; see the type instance.
func (a *App) Instance() any { return a.apps[0] }

// Each runs a test in parallel on every engine: a happy path, or what differs between engines.
func Each(t *testing.T, test func(t *testing.T, a *App), options ...Option) {
	t.Helper()
	run(t, dbtest.Engines, test, options...)
}

// Rules is Each for a test of rules: on SQLite, and in the long form on every engine.
func Rules(t *testing.T, test func(t *testing.T, a *App), options ...Option) {
	t.Helper()
	run(t, dbtest.RuleEngines, test, options...)
}

func run(t *testing.T, engines []db.Engine, test func(t *testing.T, a *App), options ...Option) {
	t.Helper()
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			test(t, New(t, engine, options...))
		})
	}
}

// New runs the service on one engine until the test ends.
func New(t *testing.T, engine db.Engine, options ...Option) *App {
	t.Helper()
	c := config{instances: 1, outbound: outbound.Network{Resolver: noNames}, settings: map[string]string{
		"CACHE_MB":                 "64", // the same on every machine
		"DATABASE_MAX_CONNS":       "4",
		"DATABASE_ACQUIRE_TIMEOUT": "30s",  // a machine full of tests is slow
		"NOTIFICATIONS":            "none", // tests of package mail send them
		"MAIL_PER_MINUTE":          "0",
		"VAPID_SUBJECT":            "mailto:ops@example.org",
		"RATE_LIMITS":              "off",
		"REQUEST_TIMEOUT":          "1m", // for the same reason
		"SECRET_KEY":               SecretKey,
		"MEDIA":                    filepath.Join(t.TempDir(), "media"),
		"WEB_ORIGIN":               WebOrigin,
		"PUBLIC_BASE_URL":          BaseURL,
	}}
	for _, option := range options {
		option(&c)
	}
	if _, set := c.settings["DATABASE_URL"]; !set {
		c.settings["DATABASE_URL"] = dbtest.URL(t, engine)
	}
	a := &App{t: t, config: c, Clock: &Clock{}, log: &logBuffer{}, actors: map[string]*actor{}}
	if !c.start.IsZero() {
		a.Clock.Set(c.start)
	}
	t.Cleanup(func() {
		if t.Failed() {
			log := a.Log()
			t.Logf("end of the service's log:\n%s", log[max(0, len(log)-maxShown):])
		}
	})
	for range c.instances {
		a.start(c)
	}
	a.DB = a.apps[0].DB()
	return a
}

// maxShown is how many bytes of the log a failed test shows.
const maxShown = 4000

// SecretKey is the SECRET_KEY of tests.
const SecretKey = "a key that only tests ever use, 0123456789"

// WebOrigin is the origin of the web client in tests, and BaseURL the address of the API.
const (
	WebOrigin = "https://moothall.test"
	BaseURL   = WebOrigin + "/api"
)

// settings returns the settings of an instance and its log.
func (a *App) settings(c config) (app.Settings, *slog.Logger) {
	a.t.Helper()
	settings, err := app.LoadSettings(func(name string) (string, bool) {
		value, ok := c.settings[name]
		return value, ok
	})
	if err != nil {
		a.t.Fatalf("settings: %v", err)
	}
	settings.Outbound = c.outbound
	return settings, slog.New(slog.NewJSONHandler(a.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// StartUncached starts an instance that caches nothing and runs no jobs, on the database
// connections of the first instance, and returns its address.
func (a *App) StartUncached() string {
	a.t.Helper()
	settings, log := a.settings(a.config)
	settings.CacheMB, settings.ImageCacheDir = 0, a.t.TempDir()
	instance, err := app.NewOn(a.t.Context(), settings, a.DB, a.Clock.Now, log)
	if err != nil {
		a.t.Fatalf("start: %v", err)
	}
	server := httptest.NewServer(instance.Handler())
	a.t.Cleanup(server.Close)
	return server.URL
}

// Start runs one more instance.
func (a *App) Start() { a.start(a.config) }

// StartOn is Start on a machine of its own.
func (a *App) StartOn(m *Machine) {
	c := a.config
	c.machines = []*Machine{m}
	a.start(c)
}

// start runs one instance behind its own listener.
func (a *App) start(c config) {
	a.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		a.t.Fatalf("listen: %v", err)
	}
	address := "http://" + listener.Addr().String()
	if c.own && len(a.urls) == 0 {
		c.settings["WEB_ORIGIN"], c.settings["PUBLIC_BASE_URL"] = address, address
	}
	settings, log := a.settings(c)
	now := domain.Clock(a.Clock.Now)
	if len(c.machines) > 0 {
		now, settings.Machine = nil, c.machines[len(a.apps)%len(c.machines)].clocks()
	}
	instance, err := newApp(a.t.Context(), c, settings, now, log)
	if err != nil {
		a.t.Fatalf("start: %v", err)
	}
	if c.demo && len(a.apps) == 0 {
		if err := instance.FillDemo(a.t.Context()); err != nil {
			a.t.Fatal(err)
		}
	}
	if err := instance.RunJobs(a.t.Context()); err != nil { // schedules the periodic jobs before the test moves the clock
		a.t.Fatalf("jobs: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- instance.Serve(ctx, listener) }()
	end := sync.OnceFunc(func() {
		transport.CloseIdleConnections() // net/http waits 5 s for connections that were opened but never used
		stop()
		if err := <-ended; err != nil {
			a.t.Errorf("the service ended with %v", err)
		}
	})
	a.t.Cleanup(func() {
		end()
		if err := instance.Close(); err != nil {
			a.t.Errorf("close: %v", err)
		}
	})
	a.ends = append(a.ends, end)
	a.urls = append(a.urls, address)
	a.apps = append(a.apps, instance)
}

// Stop shuts an instance down and waits for its end. Its database stays open.
func (a *App) Stop(instance int) { a.ends[instance]() }

func newApp(ctx context.Context, c config, s app.Settings, clock domain.Clock, log *slog.Logger) (*app.App, error) {
	if c.statement == nil {
		return app.New(ctx, s, clock, log)
	}
	d, err := db.Open(ctx, s.DatabaseURL, db.Options{Connections: s.DatabaseMaxConns, Wait: s.AcquireTimeout,
		OnStatement: func(ctx context.Context, s *db.Stmt, _ []any) { c.statement(ctx, s) }})
	if err != nil {
		return nil, err
	}
	return app.NewOn(ctx, s, d, clock, log)
}

// unfinishedStmt counts what is due or being done. A webhook that waits for a limit is not: a worker has
// released it, but until later than now. The clock of the worker may be a few milliseconds ahead.
var unfinishedStmt = db.SQL("apptest.unfinished", `
	SELECT (SELECT COUNT(*) FROM jobs WHERE failed_at IS NULL AND (lease IS NOT NULL OR run_at <= $1))
		+ (SELECT COUNT(*) FROM webhook_messages m JOIN webhooks w ON w.id = m.webhook_id WHERE w.status = 'active' AND m.due_at <= $1
			AND (m.kind = 'challenge' OR NOT w.pending) AND (w.lease IS NOT NULL OR w.leased_until <= $1 + 50000))
		+ (SELECT COUNT(*) FROM deliveries WHERE state = 'sending' OR state = 'waiting' AND due_at <= $1)
		+ (SELECT COUNT(*) FROM unread_checks WHERE due_at <= $1)
		+ (SELECT COUNT(*) FROM outreach_senders WHERE next_at <= $1 AND CAST($2 AS INTEGER) = 1)
		+ (SELECT COUNT(*) FROM notification_outbox WHERE CAST($2 AS INTEGER) = 1)
		+ (SELECT COUNT(*) FROM appointment_outbox WHERE CAST($2 AS INTEGER) = 1)`)

// FillDemo fills the database with the demo if it is empty. See also Demo.
func (a *App) FillDemo() {
	a.t.Helper()
	if err := a.apps[0].FillDemo(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
}

// RunJobs runs the jobs and sends the deliveries that are due, and waits for those that a worker of the
// service is running.
func (a *App) RunJobs() { a.t.Helper(); a.RunJobsOf(0) }

// RunJobsOf is RunJobs by the clock of another instance.
func (a *App) RunJobsOf(instance int) {
	a.t.Helper()
	for range 6000 {
		// A worker in the background may have taken a job before the test moved the clock past its lease.
		if err := a.apps[instance].RunJobs(a.t.Context()); err != nil && !errors.Is(err, job.ErrLost) {
			a.t.Errorf("jobs: %v", err)
		}
		var unfinished, delivers int // nobody empties the outbox of a service that delivers nothing
		if a.config.settings["NOTIFICATIONS"] != "none" {
			delivers = 1
		}
		if err := a.DB.One(a.t.Context(), unfinishedStmt, a.Clock.Now(), delivers).Scan(&unfinished); err != nil {
			a.t.Fatalf("jobs: %v", err)
		}
		if unfinished == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	a.t.Fatal("the jobs do not end")
}

// URL returns the address of the first instance.
func (a *App) URL() string { return a.urls[0] }

// URLs returns the addresses of all instances.
func (a *App) URLs() []string { return a.urls }

// MediaDir returns the directory of uploaded pictures.
func (a *App) MediaDir() string { return a.config.settings["MEDIA"] }

// Log returns the log of all instances.
func (a *App) Log() string { return a.log.String() }

// Metrics returns the metrics of the first instance in the Prometheus format.
func (a *App) Metrics() string {
	answer := httptest.NewRecorder()
	a.apps[0].Metrics().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return answer.Body.String()
}

// Engine returns the engine of the database.
func (a *App) Engine() db.Engine { return a.DB.Engine() }

// Clock is the clock of the service. It shows the machine's time until Set stops it.
type Clock struct {
	mu    sync.Mutex
	fixed time.Time
	ahead time.Duration
}

// Now returns the current time of the service.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.fixed.IsZero() {
		return c.fixed
	}
	return time.Now().Add(c.ahead)
}

// Set stops the clock at a time.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fixed = t
}

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.fixed.IsZero() {
		c.fixed = c.fixed.Add(d)
		return
	}
	c.ahead += d
}

// logBuffer collects the log of all instances.
type logBuffer struct {
	mu   sync.Mutex
	text []byte
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = append(b.text, p...)
	return len(p), nil
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.text)
}
