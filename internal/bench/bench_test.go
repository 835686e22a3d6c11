package bench_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"moothall/internal/app"
	"moothall/internal/bench"
	"moothall/internal/domain"
	"moothall/internal/pgtest"
	"moothall/internal/platform/db"
)

// With these arguments this program is the server of a bench, or the service.
const (
	server  = "server"
	service = "service"
)

func TestMain(m *testing.M) {
	var err error
	switch {
	case len(os.Args) == 2 && os.Args[1] == server:
		err = bench.Serve(context.Background(), os.Stdin, os.Stdout, os.Stderr)
	case len(os.Args) == 2 && os.Args[1] == service:
		err = serve()
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	settings, err := app.LoadSettings(os.LookupEnv)
	if err != nil {
		return err
	}
	a, err := app.New(ctx, settings, domain.SystemClock(), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return errors.Join(a.Run(ctx), a.Close())
}

// TestEveryOperationRuns measures a tiny world on both engines: whatever is
// asked of the service is answered well, and every floor can be measured.
func TestEveryOperationRuns(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var progress strings.Builder
	dir := t.TempDir()
	report, err := bench.Run(t.Context(), bench.Options{
		Engines: []db.Engine{db.SQLite, db.PostgreSQL}, Events: []int{200}, Callers: []int{4}, People: 16, Followers: 500, Posts: 2,
		Time: 10 * time.Millisecond, Samples: 5,
		Dir: dir, Postgres: pgtest.Database(t), Server: []string{program, server}, Service: []string{program, service}, Progress: &progress,
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	for _, w := range report.Worlds {
		if len(w.Rows) != len(bench.Names()) {
			t.Errorf("%s: %d rows for %d operations", w.Engine, len(w.Rows), len(bench.Names()))
		}
		if w.Attendances == 0 || w.Start <= 0 {
			t.Errorf("%s: %d attendances, start %v", w.Engine, w.Attendances, w.Start)
		}
		for _, row := range w.Rows {
			if row.Served.Requests == 0 || row.Bare.Requests == 0 || row.Statement.Requests == 0 || row.Served.Allocations == 0 {
				t.Errorf("%s: not all was measured: %+v", w.Engine, row)
			}
			if row.Served.P50 <= 0 || row.Served.P99 < row.Served.P50 {
				t.Errorf("%s %s: p50 %v, p99 %v", w.Engine, row.Operation, row.Served.P50, row.Served.P99)
			}
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.db*"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != "moothall_bench_200.db" {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestChosenOperations measures what is asked for and what that needs, with a
// profile of each.
func TestChosenOperations(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var progress strings.Builder
	dir := t.TempDir()
	report, err := bench.Run(t.Context(), bench.Options{
		Engines: []db.Engine{db.SQLite}, Events: []int{200}, Callers: []int{1, 2}, People: 8, Followers: 10, Posts: 1,
		Time: 30 * time.Millisecond, Samples: 10, Only: []string{"publish"},
		Dir: dir, Profiles: dir, Server: []string{program, server}, Progress: &progress,
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	var got []string
	for _, row := range report.Worlds[0].Rows {
		got = append(got, fmt.Sprint(row.Operation, " ", row.Callers))
	}
	if want := "create 1, create 2, publish 1, publish 2"; strings.Join(got, ", ") != want {
		t.Errorf("%q, not %s", got, want)
	}
	for _, name := range []string{"create", "publish"} {
		if profile, err := os.Stat(filepath.Join(dir, "sqlite-200-"+name+".prof")); err != nil || profile.Size() == 0 {
			t.Errorf("no profile: %v", err)
		}
	}
}
