package pgtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func mustExec(t *testing.T, conn *pgx.Conn, sql string) {
	t.Helper()
	if _, err := conn.Exec(context.Background(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func TestDatabasesAreFreshAndCopied(t *testing.T) {
	first := Database(t)
	conn := connect(t, first)
	mustExec(t, conn, "CREATE TABLE samples (n INTEGER)")
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	fresh, copied := connect(t, Database(t)), connect(t, Copy(t, first))
	mustExec(t, fresh, "CREATE TABLE samples (n INTEGER)") // the database is empty
	mustExec(t, copied, "INSERT INTO samples VALUES (1)")  // the table was copied
}

func TestTemplateIsFilledOnce(t *testing.T) {
	filled := 0
	fill := func(url string) error {
		filled++
		conn := connect(t, url)
		mustExec(t, conn, "CREATE TABLE samples (n INTEGER)")
		return conn.Close(t.Context())
	}
	name := fmt.Sprintf("template_%d", os.Getpid())
	for range 2 {
		url, err := Template(name, fill)
		if err != nil {
			t.Fatal(err)
		}
		mustExec(t, connect(t, Copy(t, url)), "INSERT INTO samples VALUES (1)")
	}
	if filled != 1 {
		t.Errorf("filled %d times", filled)
	}
}

func TestDurabilityIsOn(t *testing.T) {
	conn := connect(t, Database(t))
	for _, name := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		var value string
		if err := conn.QueryRow(t.Context(), "SHOW "+name).Scan(&value); err != nil || value != "on" {
			t.Errorf("%s = %q, %v", name, value, err)
		}
	}
}

// openDir returns a directory that the server's user can access, unlike t.TempDir.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pgtest-private-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return filepath.Join(dir, "data")
}

func TestKilledClusterKeepsAcknowledgedWrites(t *testing.T) {
	c, err := Start(openDir(t), Options{Settings: map[string]string{"work_mem": "7MB"}})
	if err != nil {
		t.Fatal(err)
	}
	conn := connect(t, c.URL("postgres"))
	mustExec(t, conn, "CREATE TABLE samples (n INTEGER)")
	for round := range 3 {
		mustExec(t, conn, fmt.Sprintf("INSERT INTO samples VALUES (%d)", round))
		if err := c.Kill(); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(t.Context(), "SELECT 1"); err == nil {
			t.Fatal("a killed server answers")
		}
		if err := c.Restart(); err != nil {
			t.Fatal(err)
		}
		conn = connect(t, c.URL("postgres"))
		var count int
		var memory string
		if err := conn.QueryRow(t.Context(), "SELECT count(*), current_setting('work_mem') FROM samples").Scan(&count, &memory); err != nil ||
			count != round+1 || memory != "7MB" {
			t.Fatalf("after round %d: %d rows, work_mem %s, %v", round, count, memory, err)
		}
	}
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
}

// TestNothingOutlivesTheProcess starts this test binary again and kills it: its
// cluster ends, and its directory is removed.
func TestNothingOutlivesTheProcess(t *testing.T) {
	if marker := os.Getenv("PGTEST_CHILD"); marker != "" {
		cluster, _, err := Shared()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(marker, []byte(cluster.dir), 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute) // it is killed before
		return
	}
	marker := filepath.Join(t.TempDir(), "dir")
	child := exec.Command(os.Args[0], "-test.run=^TestNothingOutlivesTheProcess$")
	child.Env = append(os.Environ(), "PGTEST_CHILD="+marker)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var dir string
	await(t, "a cluster of the child", func() bool {
		text, err := os.ReadFile(marker)
		dir = string(text)
		return err == nil && dir != ""
	})
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // killed
	await(t, "the cluster's directory to vanish", func() bool {
		_, err := os.Stat(dir)
		return os.IsNotExist(err)
	})
}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no %s", what)
		}
	}
}
