package app

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// health implements GET /healthz (contract §1).
type health struct {
	db        *db.DB
	clock     domain.Clock
	canSignIn bool
	log       *healthLog
}

// healthLog logs when the database becomes unavailable, and when it is back.
type healthLog struct {
	log    *slog.Logger
	mu     sync.Mutex
	latest string // cause of the outage; empty if there is none
}

func (l *healthLog) record(err error) {
	cause := ""
	if err != nil {
		cause = err.Error()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case cause == l.latest:
	case err != nil:
		l.log.Error("database unavailable", slog.String("error", cause))
	default:
		l.log.Info("database available again")
	}
	l.latest = cause
}

// GetHealth asks whether the database keeps what is written. Without a way to sign in the service is healthy: readers
// need none. The cache is always "disabled", because the response
// cache is in memory and cannot fail.
func (h health) GetHealth(ctx context.Context) (gen.GetHealthRes, error) {
	report := gen.HealthResponse{
		Status:   gen.HealthResponseStatusOk,
		API:      gen.HealthResponseAPIOk,
		Database: gen.HealthResponseDatabaseOk,
		Cache:    gen.HealthResponseCacheDisabled,
		SignIn:   gen.HealthResponseSignInUnavailable,
		Version:  Version,
		Time:     h.clock.Now(),
	}
	if h.canSignIn {
		report.SignIn = gen.HealthResponseSignInOk
	}
	if !h.available(ctx) {
		report.Status, report.Database = gen.HealthResponseStatusUnavailable, gen.HealthResponseDatabaseUnavailable
		unavailable := gen.GetHealthServiceUnavailable(report)
		return &unavailable, nil
	}
	ok := gen.GetHealthOK(report)
	return &ok, nil
}

// available reports whether the database keeps what is written, and logs a change.
func (h health) available(ctx context.Context) bool {
	err := h.db.Health(ctx)
	if ctx.Err() == nil { // otherwise the client is gone
		h.log.record(err)
	}
	return err == nil
}

// live answers GET /livez with 200 while the process runs.
func live(w http.ResponseWriter, _ *http.Request) { writeText(w, http.StatusOK, "ok\n") }

// ready answers GET /readyz: 503 once shutdown has begun. It does not check the
// database: an outage of the database would make every instance unready.
func (a *App) ready(w http.ResponseWriter, _ *http.Request) {
	if a.stopping.Load() {
		writeText(w, http.StatusServiceUnavailable, "stopping\n")
		return
	}
	writeText(w, http.StatusOK, "ok\n")
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // fails only when the client is gone
}
