package faults

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

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/disktest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// awaitStatus waits until a request gets a status, and returns how long that took.
func awaitStatus(t *testing.T, status int, request func() (got int)) time.Duration {
	t.Helper()
	began := time.Now()
	for got := request(); got != status; got = request() {
		if time.Since(began) > patience {
			t.Fatalf("the status stays %d, want %d", got, status)
		}
		time.Sleep(50 * time.Millisecond)
	}
	return time.Since(began)
}

// awaitHealth waits until /healthz has a status.
func (s *service) awaitHealth(c *client, status int) time.Duration {
	s.t.Helper()
	return awaitStatus(s.t, status, func() int {
		a, err := c.call(http.MethodGet, s.url()+"/healthz", "", "")
		must(s.t, err)
		if a.status != http.StatusOK && (a.text("status") != "unavailable" || a.text("database") != "unavailable") {
			s.t.Errorf("health: %d %s", a.status, a.body)
		}
		return a.status
	})
}

// awaitLog waits until the log contains texts.
func (s *service) awaitLog(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		testutil.Until(s.t, "a line of the log: "+text, func() bool { return strings.Contains(s.run.output(), text) })
	}
}

// writeAtOnce creates events concurrently and returns how many were acknowledged. The others got 503.
func (s *service) writeAtOnce(c *client, p person, n int) (acknowledged int) {
	s.t.Helper()
	statuses := make([]int, n)
	apptest.Concurrently(n, func(i int) {
		starts := time.Now().Add(48 * time.Hour).UTC().Format(time.RFC3339)
		a, err := c.call(http.MethodPost, s.url()+"/events", p.token, `{"title":"Chess","starts_at":"`+starts+`","city":"Berlin"}`)
		if statuses[i] = a.status; err != nil || a.status != http.StatusCreated && (a.status != http.StatusServiceUnavailable ||
			a.header.Get("Retry-After") == "") {
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
	testutil.Fault(t, "the SQLite file is deleted or replaced", "no write was acknowledged afterwards; /healthz 503 within %v", slowest)
}

// TestHealthNoticesDamage overwrites the pages of the file: /healthz notices it without any
// other request, and forgets it only when the service starts again. A busy file is healthy.
func TestHealthNoticesDamage(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, db.SQLite)
	path := strings.TrimPrefix(url, "sqlite:")
	s, c := newService(t, url, nil), newClient(t)
	s.start()
	s.expectHealthyWhileBusy(c, path)
	content := overwrite(t, path, bytes.Repeat([]byte{0xa5}, 64<<10), 4096)
	took := s.awaitHealth(c, http.StatusServiceUnavailable)
	s.awaitLog("the database file is damaged", "restore a backup")
	overwrite(t, path, content, 0)
	time.Sleep(1100 * time.Millisecond) // so that /healthz looks again
	s.awaitHealth(c, http.StatusServiceUnavailable)
	s.kill()
	s.start()
	s.awaitHealth(c, http.StatusOK)
	testutil.Fault(t, "the SQLite file is damaged", "/healthz 503 within %v", took)
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
	getHealth := func() int { return health.Get("/healthz").Status }
	awaitStatus(t, http.StatusOK, getHealth)
	disk.ReadOnly.Store(true)
	noticed := awaitStatus(t, http.StatusServiceUnavailable, getHealth)
	if status := write(); status != http.StatusServiceUnavailable {
		t.Errorf("a write got %d", status)
	}
	host.Get("/events").Want(http.StatusOK)
	testutil.Until(t, "advice in the log", func() bool { return strings.Contains(a.Log(), "Is the disk full or read-only?") })
	disk.ReadOnly.Store(false)
	recovered := awaitStatus(t, http.StatusOK, getHealth)
	if status := write(); status != http.StatusCreated {
		t.Errorf("afterwards a write got %d", status)
	}
	testutil.Fault(t, "the file system of SQLite is read-only", "/healthz 503 within %v, 200 within %v of the end", noticed, recovered)
}

// expectHealthyWhileBusy lets this process hold the write lock of a running service.
func (s *service) expectHealthyWhileBusy(c *client, path string) {
	s.t.Helper()
	other, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	must(s.t, err)
	defer func() { _ = other.Close() }()
	if err := sqlitex.ExecuteTransient(other, "PRAGMA journal_mode = DELETE", nil); sqlite.ErrCode(err) != sqlite.ResultBusy {
		s.t.Errorf("another process could switch the log off: %v", err)
	}
	must(s.t, sqlitex.ExecuteTransient(other, "BEGIN IMMEDIATE", nil))
	if a, err := c.call(http.MethodGet, s.url()+"/healthz", "", ""); err != nil || a.status != http.StatusOK {
		s.t.Errorf("busy: %d %s %v", a.status, a.body, err)
	}
	must(s.t, sqlitex.ExecuteTransient(other, "ROLLBACK", nil))
}

// TestUnsafePostgresIsNoticed makes a PostgreSQL unsafe or read-only, in every way that a setting
// can change: a running service reports it, and a start on an unsafe one is refused with one line.
func TestUnsafePostgresIsNoticed(t *testing.T) {
	t.Parallel()
	url := pgtest.Private(t, pgtest.Options{}).URL("postgres")
	a := apptest.New(t, db.PostgreSQL, apptest.Setting("DATABASE_URL", url))
	getHealth := func() int { return a.Anonymous().Allow5xx().Get("/healthz").Status }
	var slowest time.Duration
	for _, fault := range []struct{ where, setting, unsafe, log string }{
		{"SYSTEM", "fsync", "off", "fsync = off"},
		{"SYSTEM", "full_page_writes", "off", "full_page_writes = off"},
		{"SYSTEM", "synchronous_commit", "off", "synchronous_commit = off"},
		{"DATABASE postgres", "synchronous_commit", "off", "synchronous_commit = off"},
		{"ROLE postgres", "synchronous_commit", "off", "synchronous_commit = off"},
		{"SYSTEM", "default_transaction_read_only", "on", "refuses writes"},
	} {
		before := strings.Count(a.Log(), fault.log)
		alter(t, url, fault.where, "SET "+fault.setting+" = "+fault.unsafe)
		slowest = max(slowest, awaitStatus(t, http.StatusServiceUnavailable, getHealth))
		testutil.Until(t, "a line of the log", func() bool { return strings.Count(a.Log(), fault.log) > before })
		if fault.where == "SYSTEM" && fault.unsafe == "off" {
			s := newService(t, url, nil)
			s.launch()
			state := s.wait()
			want := "moothall: db: open: PostgreSQL runs with " + fault.log + " and could lose acknowledged writes. " +
				"Set it to on, also for the service's role and database, and reload the configuration"
			if state.ExitCode() != 1 || s.run.output() != want {
				t.Errorf("%s: code %d, %q", fault.log, state.ExitCode(), s.run.output())
			}
		}
		alter(t, url, fault.where, "RESET "+fault.setting)
		awaitStatus(t, http.StatusOK, getHealth)
	}
	testutil.Fault(t, "PostgreSQL becomes unsafe or read-only", "/healthz 503 within %v", slowest)
	testutil.Fault(t, "a start on an unsafe PostgreSQL", "refused with each of three settings off")
}

// alter changes a setting of a server, a database or a role.
func alter(t *testing.T, url, where, change string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url+"&default_transaction_read_only=off")
	must(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	for _, sql := range []string{"ALTER " + where + " " + change, "SELECT pg_reload_conf()"} {
		_, err := conn.Exec(t.Context(), sql)
		must(t, err)
	}
}
