package faulttest

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"moothall/internal/apptest"
	"moothall/internal/dbtest"
	"moothall/internal/disktest"
	"moothall/internal/pgtest"
	"moothall/internal/platform/db"
)

// awaitHealth waits until /healthz has a status and returns how long that took.
func (s *service) awaitHealth(c *client, status int) time.Duration {
	s.t.Helper()
	began := time.Now()
	apptest.Eventually(s.t, "a new health", func() bool {
		a, err := c.call(http.MethodGet, s.url()+"/healthz", "", "")
		if err == nil && a.status != http.StatusOK && (a.text("status") != "unavailable" || a.text("database") != "unavailable") {
			s.t.Errorf("health: %d %s", a.status, a.body)
		}
		return err == nil && a.status == status
	})
	return time.Since(began)
}

// awaitLog waits until the log contains texts.
func (s *service) awaitLog(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		apptest.Eventually(s.t, "a line of the log: "+text, func() bool { return strings.Contains(s.run.output(), text) })
	}
}

// writeAtOnce creates events concurrently and returns how many were acknowledged. The others got 503.
func (s *service) writeAtOnce(c *client, p person, n int) (acknowledged int) {
	s.t.Helper()
	statuses := make([]int, n)
	apptest.Concurrently(n, func(i int) {
		starts := time.Now().Add(48 * time.Hour).UTC().Format(time.RFC3339)
		a, err := c.call(http.MethodPost, s.url()+"/events", p.token, `{"title":"Chess","starts_at":"`+starts+`","city":"Berlin"}`)
		if statuses[i] = a.status; err != nil || a.status != http.StatusCreated && (a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "") {
			s.t.Errorf("create an event: %d %s %v", a.status, a.body, err)
		}
	})
	for _, status := range statuses {
		if status == http.StatusCreated {
			acknowledged++
		}
	}
	return acknowledged
}

// TestDeletedFileEndsWrites moves, replaces and deletes files under a running service: from
// then on no write is acknowledged, until the files are back.
func TestDeletedFileEndsWrites(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, db.SQLite)
	path := strings.TrimPrefix(url, "sqlite:")
	s, c := newService(t, url, nil), newClient(t)
	s.start()
	host := c.signIn(t, s.url(), 1)[0]
	move := func(from, to string) func() { return func() { must(t, os.Rename(from, to)) } }
	const writers = 10
	var slowest time.Duration
	for _, fault := range []struct {
		name        string
		cause, undo func()
	}{
		{"file moved", move(path, path+".moved"), move(path+".moved", path)},
		{"file replaced", func() {
			must(t, os.Rename(path, path+".moved"))
			must(t, os.WriteFile(path, []byte("not a database"), 0o600))
		}, move(path+".moved", path)},
		{"log moved", move(path+"-wal", path+".moved"), move(path+".moved", path+"-wal")},
		{"index of the log moved", move(path+"-shm", path+".moved"), move(path+".moved", path+"-shm")},
		{"file deleted", func() { must(t, os.Remove(path)) }, nil},
	} {
		if n := s.writeAtOnce(c, host, writers); n != writers {
			t.Errorf("before %s: %d of %d writes", fault.name, n, writers)
		}
		fault.cause()
		if n := s.writeAtOnce(c, host, writers); n != 0 {
			t.Errorf("%s: %d writes were acknowledged", fault.name, n)
		}
		slowest = max(slowest, s.awaitHealth(c, http.StatusServiceUnavailable))
		s.awaitLog("database unavailable", "Put the same file back")
		if fault.undo != nil {
			fault.undo()
			s.awaitHealth(c, http.StatusOK)
		}
	}
	apptest.Report(t, "the SQLite file is deleted or replaced", "no write was acknowledged afterwards; /healthz 503 within %v", slowest)
}

// TestHealthNoticesDamage overwrites the pages of the file: /healthz notices it without any
// other request, and forgets it only when the service starts again.
func TestHealthNoticesDamage(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, db.SQLite)
	s, c := newService(t, url, nil), newClient(t)
	s.start()
	s.awaitHealth(c, http.StatusOK)
	content := overwrite(t, strings.TrimPrefix(url, "sqlite:"), bytes.Repeat([]byte{0xa5}, 64<<10), 4096)
	took := s.awaitHealth(c, http.StatusServiceUnavailable)
	s.awaitLog("the database file is damaged", "restore a backup")
	overwrite(t, strings.TrimPrefix(url, "sqlite:"), content, 0)
	time.Sleep(1100 * time.Millisecond) // so that /healthz looks again
	s.awaitHealth(c, http.StatusServiceUnavailable)
	s.kill()
	s.start()
	s.awaitHealth(c, http.StatusOK)
	apptest.Report(t, "the SQLite file is damaged", "/healthz 503 within %v", took)
}

// overwrite writes into a file and returns its old content.
func overwrite(t *testing.T, path string, data []byte, offset int64) (old []byte) {
	t.Helper()
	old, err := os.ReadFile(path)
	must(t, err)
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	must(t, err)
	_, err = file.WriteAt(data, offset)
	must(t, err)
	must(t, file.Close())
	return old
}

// TestHealthOnReadOnlyFileSystem refuses the writes of SQLite, as a file system does that
// the kernel has mounted again read-only after an error. No test can remount a real one:
// the kernel refuses that while files are open for writing.
func TestHealthOnReadOnlyFileSystem(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, db.SQLite)
	disk := disktest.New(t, filepath.Dir(strings.TrimPrefix(url, "sqlite:")))
	a := apptest.New(t, db.SQLite, apptest.Setting("DATABASE_URL", url))
	host, health := a.As("ann").Allow5xx(), a.Anonymous().Allow5xx()
	write := func() int {
		return host.Post("/events", map[string]string{"title": "Chess", "starts_at": "2030-01-01T10:00:00Z", "city": "Berlin"}).Status
	}
	event := func(status int) bool { return health.Get("/healthz").Status == status }
	disk.ReadOnly.Store(true)
	began := time.Now()
	apptest.Eventually(t, "503", func() bool { return event(http.StatusServiceUnavailable) })
	noticed := time.Since(began)
	if status := write(); status != http.StatusServiceUnavailable {
		t.Errorf("a write got %d", status)
	}
	host.Get("/events").Want(http.StatusOK)
	apptest.Eventually(t, "advice in the log", func() bool { return strings.Contains(a.Log(), "Is the disk full or read-only?") })
	disk.ReadOnly.Store(false)
	began = time.Now()
	apptest.Eventually(t, "200", func() bool { return event(http.StatusOK) })
	if status := write(); status != http.StatusCreated {
		t.Errorf("afterwards a write got %d", status)
	}
	apptest.Report(t, "the file system of SQLite is read-only", "/healthz 503 within %v, 200 within %v of the end", noticed, time.Since(began))
}

// TestBusyFileIsHealthy lets another process hold the write lock.
func TestBusyFileIsHealthy(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, db.SQLite)
	s, c := newService(t, url, nil), newClient(t)
	s.start()
	other, err := sqlite.OpenConn(strings.TrimPrefix(url, "sqlite:"), sqlite.OpenReadWrite)
	must(t, err)
	defer func() { _ = other.Close() }()
	if err := sqlitex.ExecuteTransient(other, "PRAGMA journal_mode = DELETE", nil); sqlite.ErrCode(err) != sqlite.ResultBusy {
		t.Errorf("another process could switch the log off: %v", err)
	}
	must(t, sqlitex.ExecuteTransient(other, "BEGIN IMMEDIATE", nil))
	if a, err := c.call(http.MethodGet, s.url()+"/healthz", "", ""); err != nil || a.status != http.StatusOK {
		t.Errorf("busy: %d %s %v", a.status, a.body, err)
	}
	must(t, sqlitex.ExecuteTransient(other, "ROLLBACK", nil))
}

// TestHealthNoticesUnsafePostgres makes a PostgreSQL unsafe or read-only after the start of
// the service, in every way that a setting can change.
func TestHealthNoticesUnsafePostgres(t *testing.T) {
	t.Parallel()
	cluster := pgtest.Private(t, pgtest.Options{})
	url := cluster.URL("postgres")
	a := apptest.New(t, db.PostgreSQL, apptest.Setting("DATABASE_URL", url))
	health := a.Anonymous().Allow5xx()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	var slowest time.Duration
	for _, fault := range []struct{ cause, undo, log string }{
		{"ALTER SYSTEM SET fsync = off", "ALTER SYSTEM RESET fsync", "fsync = off"},
		{"ALTER SYSTEM SET full_page_writes = off", "ALTER SYSTEM RESET full_page_writes", "full_page_writes = off"},
		{"ALTER SYSTEM SET synchronous_commit = off", "ALTER SYSTEM RESET synchronous_commit", "synchronous_commit = off"},
		{"ALTER DATABASE postgres SET synchronous_commit = off", "ALTER DATABASE postgres RESET synchronous_commit", "synchronous_commit = off"},
		{"ALTER ROLE postgres SET synchronous_commit = off", "ALTER ROLE postgres RESET synchronous_commit", "synchronous_commit = off"},
		{"ALTER SYSTEM SET default_transaction_read_only = on", "ALTER SYSTEM RESET default_transaction_read_only", "refuses writes"},
	} {
		change := func(sql string, status int) time.Duration {
			for _, sql := range []string{"SET default_transaction_read_only = off", sql, "SELECT pg_reload_conf()"} {
				_, err := conn.Exec(t.Context(), sql)
				must(t, err)
			}
			began := time.Now()
			apptest.Eventually(t, sql, func() bool { return health.Get("/healthz").Status == status })
			return time.Since(began)
		}
		before := strings.Count(a.Log(), fault.log)
		slowest = max(slowest, change(fault.cause, http.StatusServiceUnavailable))
		apptest.Eventually(t, "a line of the log", func() bool { return strings.Count(a.Log(), fault.log) > before })
		change(fault.undo, http.StatusOK)
	}
	apptest.Report(t, "PostgreSQL becomes unsafe or read-only", "/healthz 503 within %v", slowest)
}
