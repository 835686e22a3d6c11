package faulttest

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"moothall/internal/pgtest"
)

const (
	kills = 20
	busy  = 50 // acknowledged writes before each kill
)

// TestAcknowledgedMeansDurable kills the service twenty times while it is busy,
// its PostgreSQL too in every third of them, and finds all that was
// acknowledged, once.
func TestAcknowledgedMeansDurable(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		killUnderLoad(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"), nil)
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		cluster := pgtest.Private(t, pgtest.Options{})
		killUnderLoad(t, cluster.URL("postgres"), cluster)
	})
}

func killUnderLoad(t *testing.T, database string, cluster *pgtest.Cluster) {
	s := newService(t, database, nil)
	s.start()
	l := newLoad(t, s)
	l.mayBreak, l.mayBeAway = true, true
	var slowest time.Duration
	for i := range kills {
		stop := l.start()
		l.await(busy)
		time.Sleep(rand.N(200 * time.Millisecond)) // at any moment of its work
		killed := cluster != nil && i%3 == 2
		if killed {
			must(t, cluster.Kill())
		}
		s.kill()
		stop()
		if killed {
			must(t, cluster.Restart())
		}
		slowest = max(slowest, s.start())
	}
	s.kill()
	v := l.ledger.check(database)
	t.Logf("%d kills: %v, %d in doubt; the slowest start to the first 200 took %v", kills, v, l.inDoubt.Load(), slowest)
	if len(v.missing)+len(v.wrong) > 0 {
		t.Error("what was acknowledged is not what is there")
	}
	if l.inDoubt.Load() < kills || v.acknowledged < busy*kills {
		t.Error("the service was not busy when it was killed")
	}
}

// TestTheHarnessNoticesLosses proves the test above: on a PostgreSQL that
// acknowledges before it writes, the same load and the same comparison find
// writes missing after a kill. What no kill shows is a missing flush to the
// disk (fsync = off, or SQLite's synchronous = OFF): the kernel keeps the pages
// of a killed process, only a power cut would lose them. That is why the
// service asks for the settings when it starts.
func TestTheHarnessNoticesLosses(t *testing.T) {
	t.Parallel()
	cluster := pgtest.Private(t, pgtest.Options{Settings: map[string]string{"wal_writer_delay": "10s"}})
	database := cluster.URL("postgres")
	s := newService(t, database, nil)
	s.start()
	l := newLoad(t, s)
	l.mayBreak, l.mayBeAway = true, true
	kill := func() verdict {
		l.seats = nil // their events may be lost
		stop := l.start()
		l.await(busy)
		must(t, cluster.Kill())
		stop()
		must(t, cluster.Restart())
		return l.ledger.check(database)
	}
	if v := kill(); len(v.missing)+len(v.wrong) > 0 {
		t.Fatalf("lost before anything was switched off: %v", v)
	}
	set(t, database, "synchronous_commit", "off") // behind the back of the service, which has looked already
	for try := range 10 {
		if v := kill(); len(v.missing) > 0 {
			t.Logf("kill %d: %v", try+1, v)
			return
		}
	}
	t.Error("no loss was noticed")
}

// TestUnsafePostgresIsRefused expects one clear line of a service that is
// started on a PostgreSQL that could lose what it acknowledges.
func TestUnsafePostgresIsRefused(t *testing.T) {
	t.Parallel()
	cluster := pgtest.Private(t, pgtest.Options{})
	database := cluster.URL("postgres")
	for _, name := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		set(t, database, name, "off")
		s := newService(t, database, nil)
		s.launch()
		state := s.wait()
		want := "moothall: db: open: PostgreSQL runs with " + name + " = off and could lose acknowledged writes"
		if state.ExitCode() != 1 || s.run.complaints() != want {
			t.Errorf("%s = off: code %d, %q", name, state.ExitCode(), s.run.complaints())
		}
		set(t, database, name, "on")
	}
}

// set changes a setting of a running server and waits until new and old
// connections go by it.
func set(t *testing.T, database, name, value string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, database)
	must(t, err)
	defer func() { must(t, conn.Close(ctx)) }()
	for _, sql := range []string{"ALTER SYSTEM SET " + name + " = " + value, "SELECT pg_reload_conf()"} {
		_, err := conn.Exec(ctx, sql)
		must(t, err)
	}
	for now, deadline := "", time.Now().Add(patience); now != value; time.Sleep(10 * time.Millisecond) {
		must(t, conn.QueryRow(ctx, "SHOW "+name).Scan(&now))
		if time.Now().After(deadline) {
			t.Fatalf("%s stays %s", name, now)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
