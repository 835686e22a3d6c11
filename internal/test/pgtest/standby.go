package pgtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Replicated are the settings of a private cluster for Standby. A commit waits until the
// standby has it, too.
var Replicated = Options{Settings: map[string]string{
	"wal_level": "replica", "max_wal_senders": "4", "hot_standby": "on", "synchronous_standby_names": "*",
}}

// Standby returns a standby of the cluster, which answers reads. It is removed when the test
// ends.
func (c *Cluster) Standby(t testing.TB) *Cluster {
	t.Helper()
	s := &Cluster{dir: privateDir(t), binaries: c.binaries, account: c.account}
	if err := s.copyFrom(c); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() }) // the test may have done so
	return s
}

func (c *Cluster) copyFrom(primary *Cluster) error {
	if err := c.makeDir(); err != nil {
		return err
	}
	server, err := filepath.EvalSymlinks(filepath.Join(c.binaries, "postgres")) // PATH may have links to few programs
	if err != nil {
		return err
	}
	backup := c.command(filepath.Join(filepath.Dir(server), "pg_basebackup"), "--pgdata", c.dir, "--host", primary.dir,
		"--username=postgres", "--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf", "--no-sync")
	if out, err := backup.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_basebackup: %w\n%s", err, out)
	}
	if err := os.Remove(filepath.Join(c.dir, ".s.PGSQL.5432.lock")); err != nil { // of the primary's socket
		return err
	}
	return appendTo(filepath.Join(c.dir, "postgresql.conf"), "unix_socket_directories = '"+c.dir+"'\nsynchronous_standby_names = ''\n")
}

// Promote makes a standby the primary and waits until it accepts writes.
func (c *Cluster) Promote() error { return c.run("SELECT pg_promote()") }

// AwaitReplay waits until the standby has replayed what the primary has written so far.
func (c *Cluster) AwaitReplay(primary *Cluster) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var end string
	if err := primary.ask(ctx, &end, "SELECT pg_current_wal_lsn()::text"); err != nil {
		return err
	}
	for replayed := false; !replayed; time.Sleep(10 * time.Millisecond) {
		if err := c.ask(ctx, &replayed, "SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn", end); err != nil {
			return err
		}
	}
	return nil
}

// ask reads the only value of a query.
func (c *Cluster) ask(ctx context.Context, value any, sql string, args ...any) error {
	conn, err := pgx.Connect(ctx, c.URL("postgres"))
	if err != nil {
		return fmt.Errorf("pgtest: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }() // it only read
	return conn.QueryRow(ctx, sql, args...).Scan(value)
}
