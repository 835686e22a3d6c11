package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"

	"moothall/internal/meetup/place"
	"moothall/internal/platform/db"
	"moothall/internal/platform/geo"
)

const (
	readHeaderTimeout = 5 * time.Second
	idleTimeout       = 90 * time.Second
	maxHeaderBytes    = 32 << 10

	// Limits of connections besides WebSockets. They take at most half of the files that the process may open.
	maxConnections          = 10_000
	maxConnectionsPerClient = 2000
)

// CheckAddresses returns an error if LISTEN_ADDR or METRICS_ADDR cannot be used, for example because another process
// listens there.
func CheckAddresses(s Settings) error {
	listener, err := listen("LISTEN_ADDR", s.ListenAddr)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // it has accepted nothing
	if s.MetricsAddr == "" {
		return nil
	}
	metrics, err := listen("METRICS_ADDR", s.MetricsAddr)
	if err != nil {
		return err
	}
	return metrics.Close()
}

func listen(setting, address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s: another process listens on %s: end it, or set another address", setting, address)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", setting, err)
	}
	return listener, nil
}

// Run serves on the addresses of the settings until ctx ends, then shuts down. It
// returns nil after an orderly shutdown.
func (a *App) Run(ctx context.Context) error {
	go geo.LoadZones() // takes 20 ms, which the first event with a place would wait for otherwise
	go place.Load()    // the same for the first search of places
	listener, err := listen("LISTEN_ADDR", a.settings.ListenAddr)
	if err != nil {
		return err
	}
	if a.settings.MetricsAddr != "" {
		metrics, err := listen("METRICS_ADDR", a.settings.MetricsAddr)
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		server := a.metricsServer()
		defer func() { _ = server.Close() }()
		go func() { _ = server.Serve(metrics) }() // ends with Close
		a.log.Info("metrics", slog.String("address", metrics.Addr().String()))
	}
	return a.Serve(ctx, listener)
}

// Serve answers requests on listener until ctx ends. Then /readyz answers 503, and the
// sockets are closed one after the other; after SHUTDOWN_DELAY the listener closes, and
// requests in flight get SHUTDOWN_TIMEOUT.
func (a *App) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           a.Handler(),
		ReadHeaderTimeout: min(readHeaderTimeout, a.settings.ReadTimeout),
		ReadTimeout:       a.settings.ReadTimeout,
		WriteTimeout:      a.settings.ReadTimeout + a.settings.RequestTimeout + 5*time.Second,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ConnState:         a.connections.Observe,
		ErrorLog:          slog.NewLogLogger(serverLog{a.log.Handler()}, slog.LevelError),
	}
	a.jobs.Start(ctx)
	a.services.deliveries.Start(ctx)
	a.services.hookWorker.Start(ctx)
	defer a.keepClock()()
	defer a.runRealtime()()
	defer a.watchBackups()()
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	if !a.settings.canSignIn() {
		a.log.Warn("nobody can sign in: set SMTP_URL, PHONE_PROVIDER or IDP_PROVIDERS")
	} else if a.settings.SMTP == nil && !a.settings.hasOutbox() {
		a.log.Warn("sign-in by e-mail is disabled: set SMTP_URL")
	}
	a.log.Info("serving", slog.String("address", listener.Addr().String()),
		slog.String("database", a.db.Engine().String()), slog.Any("sign_in", a.settings.signInMethods()), slog.String("version", Version))
	select {
	case err := <-failed:
		a.services.realtime.Stop(0)
		return errors.Join(fmt.Errorf("app: serve: %w", err), a.shutdown(server))
	case <-ctx.Done():
	}
	a.log.Info("stopping", slog.Duration("delay", a.settings.ShutdownDelay))
	a.stopping.Store(true)
	a.services.realtime.Stop(a.settings.ShutdownDelay)
	return a.shutdown(server)
}

// keepClock keeps the service's clock until stop is called.
func (a *App) keepClock() (stop func()) {
	if a.keeper == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { a.keeper.Run(db.Background(ctx)) })
	return func() { cancel(); running.Wait() }
}

// runRealtime keeps the sockets up to date until stop is called.
func (a *App) runRealtime() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { a.services.realtime.Run(ctx) })
	return func() { cancel(); running.Wait() }
}

// watchBackups updates the metrics of backups until stop is called.
func (a *App) watchBackups() (stop func()) {
	if a.services.backups == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { a.services.backups.WatchNewest(ctx) })
	return func() { cancel(); running.Wait() }
}

// serverLog logs the messages of net/http. Most are caused by clients and logged at
// debug level. A failure to accept connections (no file descriptors left) is an error.
type serverLog struct{ slog.Handler }

// Handle lowers the level of all other messages.
func (l serverLog) Handle(ctx context.Context, line slog.Record) error {
	if !strings.HasPrefix(line.Message, "http: Accept error") {
		line.Level = slog.LevelDebug
	}
	if !l.Enabled(ctx, line.Level) {
		return nil
	}
	return l.Handler.Handle(ctx, line)
}

// shutdown waits for requests, then for jobs. After SHUTDOWN_TIMEOUT it aborts them.
func (a *App) shutdown(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), a.settings.ShutdownTimeout)
	defer cancel()
	requests := server.Shutdown(ctx)
	if requests != nil {
		_ = server.Close()
		requests = fmt.Errorf("app: requests were still running after %v", a.settings.ShutdownTimeout)
	}
	err := errors.Join(requests, a.jobs.Stop(ctx), a.services.deliveries.Stop(ctx), a.services.hookWorker.Stop(ctx), a.closeTracer())
	a.log.Info("stopped")
	return err
}
