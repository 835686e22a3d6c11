package bench_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall/internal/bench"
	"moothall/internal/db"
	"moothall/internal/pgtest"
)

// server is the argument with which this program is the server of a bench.
const server = "server"

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == server {
		if err := bench.Serve(context.Background(), os.Stdin, os.Stdout, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
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
		Time: 30 * time.Millisecond, Samples: 50,
		Dir: dir, Postgres: pgtest.Database(t), Profiles: dir, Server: []string{program, server}, Progress: &progress,
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	for _, w := range report.Worlds {
		if len(w.Rows) != len(bench.Names()) {
			t.Errorf("%s: %d rows for %d operations", w.Engine, len(w.Rows), len(bench.Names()))
		}
		for _, row := range w.Rows {
			if row.Served.Requests == 0 || row.Bare.Requests == 0 || row.Statement.Requests == 0 || row.Statements == 0 || row.Bytes == 0 {
				t.Errorf("%s: not all was measured: %+v", w.Engine, row)
			}
			if row.Served.P50 <= 0 || row.Served.P99 < row.Served.P50 {
				t.Errorf("%s %s: p50 %v, p99 %v", w.Engine, row.Operation, row.Served.P50, row.Served.P99)
			}
		}
		if profile, err := os.Stat(filepath.Join(dir, w.Engine+"-200-join.prof")); err != nil || profile.Size() == 0 {
			t.Errorf("%s: no profile: %v", w.Engine, err)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.db*"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != "moothall_bench_200.db" {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
