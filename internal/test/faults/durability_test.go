package faults

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// busy is how many acknowledged writes show that the service is under load.
const busy = 50

// TestAcknowledgedWritesSurviveKills kills the service under load, and every third
// time its PostgreSQL too: each acknowledged write exists exactly once.
func TestAcknowledgedWritesSurviveKills(t *testing.T) {
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
	l.allowBroken, l.allow503, l.pause = true, true, 0 // so that requests run at every moment
	var slowest time.Duration
	kills := testutil.Rounds(3, 20)
	for i := range kills {
		stop := l.start()
		l.awaitWrites(busy)
		time.Sleep(rand.N(200 * time.Millisecond)) // at a random moment
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
	testutil.Fault(t, "kill -9", "%d kills: %v, %d in doubt; the slowest start to the first 200 took %v", kills, v, l.inDoubt.value(), slowest)
	if len(v.missing)+len(v.wrong) > 0 {
		t.Error("acknowledged writes are missing or wrong")
	}
	if l.inDoubt.value() < kills || v.acknowledged < busy*kills {
		t.Error("the service was not busy when it was killed")
	}
}

// TestLedgerFindsLostWrites tests the test above: with synchronous_commit = off the
// same load and the same comparison find lost writes after a kill. No kill can
// show a missing fsync, because the kernel keeps the pages of a killed process.
// That is why the service checks the settings when it starts.
func TestLedgerFindsLostWrites(t *testing.T) {
	testutil.OnlyLong(t)
	t.Parallel()
	cluster := pgtest.Private(t, pgtest.Options{Settings: map[string]string{"wal_writer_delay": "10s"}})
	database := cluster.URL("postgres")
	s := newService(t, database, nil)
	s.start()
	l := newLoad(t, s)
	l.allowBroken, l.allow503, l.pause = true, true, 0
	kill := func() verdict {
		l.seats = nil // their events may be lost
		stop := l.start()
		l.awaitWrites(busy)
		must(t, cluster.Kill())
		stop()
		must(t, cluster.Restart())
		return l.ledger.check(database)
	}
	if v := kill(); len(v.missing)+len(v.wrong) > 0 {
		t.Fatalf("writes were lost with synchronous_commit = on: %v", v)
	}
	set(t, database, "synchronous_commit", "off") // after the service has checked it
	for try := range 10 {
		if v := kill(); len(v.missing) > 0 {
			testutil.Fault(t, "a PostgreSQL that loses writes", "noticed after kill %d: %v", try+1, v)
			return
		}
	}
	t.Error("the ledger found no lost write")
}

// set changes a setting of a running server and waits until it is in effect.
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
