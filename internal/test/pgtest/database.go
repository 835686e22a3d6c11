package pgtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// clusterVariable names the directory of the running cluster that all test processes of a run share.
const clusterVariable = "PGTEST_CLUSTER"

// shared returns the cluster of the run, or starts one for this test process at the first call.
var shared = sync.OnceValues(func() (*Cluster, error) {
	if dir := os.Getenv(clusterVariable); dir != "" {
		return &Cluster{dir: dir}, nil
	}
	return startScratch()
})

var databases atomic.Int64

// Database returns the address of a fresh, empty database in the shared cluster. It is
// dropped when the test ends. Without PostgreSQL the test fails and says what to install.
func Database(t testing.TB) string { return createFor(t, "template1") }

// Copy returns the address of a fresh database with the content of another one
// of the cluster, which must have no connections. It is dropped when the test
// ends.
func Copy(t testing.TB, url string) string {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	return createFor(t, config.Database)
}

// Template returns the address of a database with the given name for Copy. If the cluster does not have
// it yet, Template creates it empty and calls fill. Other test processes wait for the first one.
func Template(name string, fill func(url string) error) (url string, err error) {
	cluster, err := shared()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, cluster.URL("postgres"))
	if err != nil {
		return "", fmt.Errorf("pgtest: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }() // releases the lock
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtext($1))", name); err != nil {
		return "", fmt.Errorf("pgtest: lock template %s: %w", name, err)
	}
	url = cluster.URL(name)
	var filled bool
	const find = "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate)"
	if err := conn.QueryRow(ctx, find, name).Scan(&filled); err != nil || filled {
		return url, err
	}
	if err := cluster.run("DROP DATABASE IF EXISTS " + name); err != nil { // of a process that was killed
		return "", err
	}
	if err := cluster.run("CREATE DATABASE " + name); err != nil {
		return "", err
	}
	if err := fill(url); err != nil {
		return "", err
	}
	return url, cluster.run("ALTER DATABASE " + name + " IS_TEMPLATE true")
}

// Private returns a cluster on disk that the test may kill and restart. It is
// removed when the test ends.
func Private(t testing.TB, opts Options) *Cluster {
	t.Helper()
	cluster, err := Start(privateDir(t), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cluster.Stop() }) // the test may have done so
	return cluster
}

// privateDir returns the path of a directory that is removed when the test ends.
func privateDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pgtest-private-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil { // for the server's user
		t.Fatal(err)
	}
	return filepath.Join(dir, "data")
}

func createFor(t testing.TB, template string) string {
	t.Helper()
	url, drop, err := create(template)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := drop(); err != nil {
			t.Error(err)
		}
	})
	return url
}

// create copies a database file by file: the files are in memory, and the other
// strategy, the default since PostgreSQL 15, writes every page to the log.
func create(template string) (url string, drop func() error, err error) {
	cluster, err := shared()
	if err != nil {
		return "", nil, err
	}
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), databases.Add(1))
	strategy := ""
	if cluster.version() >= 15 {
		strategy = "STRATEGY FILE_COPY"
	}
	err = cluster.run(fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s %s", name, template, strategy))
	return cluster.URL(name), func() error {
		return cluster.run(fmt.Sprintf("DROP DATABASE %s WITH (FORCE)", name))
	}, err
}

// run runs one statement as the superuser. All calls share a connection: a new one often costs
// the server more than the statement.
func (c *Cluster) run(sql string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if c.admin == nil || c.admin.IsClosed() {
		conn, err := pgx.Connect(ctx, c.URL("postgres"))
		if err != nil {
			return fmt.Errorf("pgtest: %w", err)
		}
		c.admin = conn
	}
	if _, err := c.admin.Exec(ctx, sql); err != nil {
		return fmt.Errorf("pgtest: %s: %w", sql, err)
	}
	return nil
}
