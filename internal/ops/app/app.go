// Package app wires the features into one service: settings, database, operations,
// routes outside the contract, health checks, start and shutdown.
package app

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/api/gen"
	"moothall/internal/core/user"
	"moothall/internal/delivery/webpush"
	"moothall/internal/domain"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/clock"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/platform/files"
	"moothall/internal/platform/httpapi"
	"moothall/internal/platform/job"
	"moothall/internal/platform/observe"
	"moothall/internal/web/basemap"
)

// App is one instance of the service. Several instances may run on one PostgreSQL
// database.
type App struct {
	settings Settings
	clock    domain.Clock
	keeper   *clock.Clock // keeps clock; nil if a test has set it
	log      *slog.Logger
	db       *db.DB
	services services
	cache    *cache.Memory
	server   *httpapi.Server
	calls    *gen.Calls // of the server
	baseMap  *basemap.Map

	connections *httpapi.Connections

	jobs     *job.Workers
	metrics  *prometheus.Registry
	tracer   *observe.Tracer // nil: no traces
	stopping atomic.Bool     // /readyz answers 503

	temporary *files.TempFolder // of uploads that are being received, and of images without IMAGE_CACHE_DIR
}

// New opens the database, migrates it and builds the service. The caller closes the App.
// Tests may replace the service's clock; otherwise now is nil.
func New(ctx context.Context, s Settings, now domain.Clock, log *slog.Logger) (*App, error) {
	if err := s.ensureSecret(log); err != nil {
		return nil, err
	}
	database, err := OpenDB(ctx, s)
	if err != nil {
		return nil, err
	}
	return NewOn(ctx, s, database, now, log)
}

// NewOn is New on an open database, for settings with a SecretKey. If it fails, it
// closes the database; otherwise Close does.
func NewOn(ctx context.Context, s Settings, database *db.DB, now domain.Clock, log *slog.Logger) (*App, error) {
	a := &App{settings: s, clock: now, log: log, db: database, metrics: prometheus.NewRegistry()}
	a.connections = httpapi.NewConnections(httpapi.ConnectionOptions{
		Max: min(maxConnections, files.MaxOpenFiles()/2), PerClient: maxConnectionsPerClient, TrustedProxies: s.TrustedProxies,
	})
	if s.TraceEndpoint != "" {
		a.tracer = observe.NewTracer(observe.TracerOptions{Endpoint: s.TraceEndpoint, Headers: s.TraceHeaders, Ratio: s.TraceRatio,
			Version: Version, Log: log})
	}
	if err := a.build(ctx); err != nil {
		_ = errors.Join(database.Close(), a.closeTracer(), a.temporary.Close()) // the first error is more useful
		return nil, err
	}
	return a, nil
}

// OpenDB opens the database of the settings without migrating it.
func OpenDB(ctx context.Context, s Settings) (*db.DB, error) { return openDB(ctx, s, db.Options{}) }

// OpenExistingDB is OpenDB, but does not create a missing SQLite file.
func OpenExistingDB(ctx context.Context, s Settings) (*db.DB, error) {
	return openDB(ctx, s, db.Options{MustExist: true})
}

func openDB(ctx context.Context, s Settings, o db.Options) (*db.DB, error) {
	o.Connections, o.Wait = s.DatabaseMaxConns, s.AcquireTimeout
	return db.Open(ctx, s.DatabaseURL, o)
}

// MigrationOptions returns how migrations are applied. The log is for what they wait for.
func MigrationOptions(s Settings, log *slog.Logger) migrate.Options {
	return migrate.Options{LockTimeout: s.MigrationLockTimeout, Log: log}
}

// build migrates the database and builds the services, the jobs and the server.
func (a *App) build(ctx context.Context) error {
	if err := migrate.New(a.db, MigrationOptions(a.settings, a.log)).Run(ctx); err != nil {
		return err
	}
	if err := a.openClock(ctx); err != nil {
		return err
	}
	var err error
	if a.settings.pushKeys, err = webpush.LoadKeys(ctx, a.db, a.settings.keyring()); err != nil {
		return err
	}
	a.cache = cache.NewMemory(a.db, a.clock, int64(a.settings.CacheMB)<<20, a.metrics)
	r := newServices(a.db, a.cache, a.clock, a.settings, a.log)
	r.sessions.WriteClock = domain.SystemClock()
	if a.keeper != nil {
		r.sessions.WriteClock = a.clock
	}
	a.db.SetHooks(db.Hooks{
		Begin: func(ctx context.Context, tx db.Tx) { user.LockCaller(ctx, tx, httpapi.Viewer(ctx)) },
		Changed: func(ctx context.Context, tx db.Tx) {
			r.sessions.RecordWrite(ctx, tx, httpapi.Viewer(ctx))
			r.apiKeys.RecordWrite(ctx, tx, httpapi.Viewer(ctx))
		},
		Committed: httpapi.Committed,
	})
	if a.temporary, err = openTemporary(a.settings); err != nil {
		return err
	}
	if r.images, err = newImages(a.clock, a.settings, a.temporary); err != nil {
		return err
	}
	if err := checkBuckets(ctx, a.settings); err != nil {
		return err
	}
	if r.media.Store, err = blob.Open(a.settings.Media, a.clock.Now()); err != nil {
		return fmt.Errorf("MEDIA: %w", err)
	}
	a.baseMap = basemap.NewMap(a.settings.Tiles, a.clock)
	a.jobs = a.newJobs(r)
	r.deliveries.Tracer, r.hookWorker.Tracer = a.tracer, a.tracer
	a.services = r
	a.registerMetrics()
	a.server, err = a.newServer(r)
	return err
}

// bucketTimeout limits how long a start waits for the server of a bucket.
const bucketTimeout = 3 * time.Second

// checkBuckets returns an error if the bucket of MEDIA or BACKUP does not exist.
func checkBuckets(ctx context.Context, s Settings) error {
	ctx, cancel := context.WithTimeout(ctx, bucketTimeout)
	defer cancel()
	if err := blob.Check(ctx, s.Media); err != nil {
		return fmt.Errorf("MEDIA: %w", err)
	}
	if err := blob.Check(ctx, s.Backup); err != nil {
		return fmt.Errorf("BACKUP: %w", err)
	}
	return nil
}

// openClock opens the service's clock, unless a test has set one.
func (a *App) openClock(ctx context.Context) (err error) {
	if a.clock != nil {
		return nil
	}
	if a.keeper, err = clock.Open(ctx, a.db, a.settings.machine(), a.log); err != nil {
		return err
	}
	a.clock = a.keeper.Now
	a.metrics.MustRegister(a.keeper.Metrics()...)
	return nil
}

// trusted reports whether the clock may be trusted.
func (a *App) trusted() bool { return a.keeper == nil || a.keeper.Trusted() }

// Handler serves every request. During shutdown it closes each connection after the
// response, so that no client reuses a connection that is about to close.
func (a *App) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.stopping.Load() {
			w.Header().Set("Connection", "close")
		}
		a.server.ServeHTTP(w, r)
	})
}

// Calls calls the operations on behalf of pages, and for tests.
func (a *App) Calls() *gen.Calls { return a.calls }

// DB returns the open database.
func (a *App) DB() *db.DB { return a.db }

// RunJobs runs the jobs and sends the deliveries that are due now, for tests and tools.
// Serve does so in the background.
func (a *App) RunJobs(ctx context.Context) error {
	return errors.Join(a.jobs.RunDue(ctx), a.services.deliveries.RunDue(ctx), a.services.hookWorker.RunDue(ctx))
}

// CheckClock compares the service's clock with the machine's or the database's, for tests.
// Serve does so every second.
func (a *App) CheckClock(ctx context.Context) error { return a.keeper.Check(ctx) }

// Close closes the database, the image cache, the store of pictures and the tracer, and removes temporary files. Call it after
// Serve has returned.
func (a *App) Close() error {
	return errors.Join(a.db.Close(), a.services.images.Close(), a.services.media.Store.Close(), a.temporary.Close(), a.closeTracer())
}

// openTemporary opens the folder for temporary files: in the folder "tmp" beside the SQLite file, or below TMPDIR if
// the database is PostgreSQL.
func openTemporary(s Settings) (*files.TempFolder, error) {
	if s.dataFolder() != "" {
		return files.OpenTemp(filepath.Join(s.dataFolder(), "tmp"))
	}
	parent, err := files.SystemTempParent()
	if err != nil {
		return nil, err
	}
	return files.OpenTemp(parent)
}

// lastTraces limits how long the end waits for the collector.
const lastTraces = time.Second

// closeTracer returns no error if the collector does not answer: then the last traces are lost.
func (a *App) closeTracer() error {
	ctx, cancel := context.WithTimeout(context.Background(), lastTraces)
	defer cancel()
	if err := a.tracer.Close(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// ensureSecret generates a key if none is set. With SQLite it stores the key next to
// the database file, so that codes stay valid after a restart.
func (s *Settings) ensureSecret(log *slog.Logger) (err error) {
	if len(s.SecretKey) > 0 {
		return nil
	}
	file, ok := strings.CutPrefix(s.DatabaseURL, "sqlite:")
	if !ok {
		log.Warn("SECRET_KEY is not set: sign-in codes are valid on this instance only, until it restarts")
		s.SecretKey = newSecret()
		return nil
	}
	if s.SecretKey, err = storedSecret(filepath.Dir(file)); err != nil {
		return fmt.Errorf("SECRET_KEY is not set, and the key next to the database cannot be used: %w", err)
	}
	return nil
}

func newSecret() []byte {
	random := make([]byte, 32)
	_, _ = rand.Read(random) // never fails
	return []byte(hex.EncodeToString(random))
}

// storedSecret returns the key that is stored in a folder. It creates a missing one.
func storedSecret(dir string) ([]byte, error) {
	if err := files.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, secretKeyName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := files.Create(path, newSecret()); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	key, err := os.ReadFile(path)
	if err == nil && !longEnough(string(key)) {
		err = fmt.Errorf("%s is empty or too short, perhaps after a power cut: restore it from a backup, or delete it to get a new key, "+
			"which makes sign-in codes, calendar addresses and push subscriptions invalid", path)
	}
	return key, err
}
