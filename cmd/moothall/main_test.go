package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/test/testutil"
)

// invoke runs the program with a database of its own.
func invoke(t *testing.T, ctx context.Context, environment map[string]string, stderr io.Writer, args ...string) (int, string) {
	t.Helper()
	return invokeWith(t, ctx, environment, "", stderr, args...)
}

// invokeWith is invoke with a standard input.
func invokeWith(t *testing.T, ctx context.Context, environment map[string]string, stdin string, stderr io.Writer,
	args ...string) (int, string) {
	t.Helper()
	if environment["DATABASE_URL"] == "" {
		environment["DATABASE_URL"] = "sqlite:" + t.TempDir() + "/moothall.db"
	}
	var environ []string
	for name, value := range environment {
		environ = append(environ, name+"="+value)
	}
	var stdout bytes.Buffer
	code := run(ctx, args, strings.NewReader(stdin), &stdout, stderr, environ)
	return code, stdout.String()
}

func emptyFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "empty.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		env  map[string]string
		code int
		out  string // in stdout
		err  string // in stderr
	}{
		{[]string{}, nil, 2, "", "no command given"},
		{[]string{"help"}, nil, 0, "docs/settings.md", ""},
		{[]string{"--help"}, nil, 0, "serve", ""},
		{[]string{"sevre"}, nil, 2, "", `moothall: unknown command "sevre" (did you mean "serve"?); the commands are backup, `},
		{[]string{"serv"}, nil, 2, "", `unknown command "serv" (did you mean "serve"?)`},
		{[]string{"serv", "--demo"}, nil, 2, "", `unknown command "serv" (did you mean "serve"?)`},
		{[]string{"--demo"}, nil, 2, "", `unknown flag: --demo`},
		{[]string{"user", "lst"}, nil, 2, "", `unknown command "lst" (did you mean "list"?)`},
		{[]string{"jobs", "rety"}, nil, 2, "", `unexpected argument "rety" (did you mean "retry"?)`},
		{[]string{"migrate", "stat"}, nil, 2, "", `unexpected argument "stat" (did you mean "status"?)`},
		{[]string{"serve", "--help"}, nil, 0, "moothall serve --demo", ""},
		{[]string{"serve", "--dmeo"}, nil, 2, "", `"moothall serve --help" describes its arguments`},
		{[]string{"serve", "now"}, nil, 2, "", `unexpected argument "now"`},
		{[]string{"serve"}, map[string]string{"RATE_LIMITS": "maybe"}, 2, "", `RATE_LIMITS="maybe" has the entry "maybe", which must be rule=n/period like writes_per_user=240/1m; alone, it may be on or off`},
		{[]string{"migrate", "--help"}, nil, 0, "moothall migrate\n", ""},
		{[]string{"migrate"}, nil, 0, "up to date", ""},
		{[]string{"migrate"}, map[string]string{"DATABASE_URL": "postgres://127.0.0.1:1/none"}, 1, "", "moothall: "},
		{[]string{"migrate", "state"}, nil, 2, "", `unexpected argument "state"`},
		{[]string{"migrate", "status"}, nil, 1, "", "no such file"},
		{[]string{"jobs"}, map[string]string{"DATABASE_URL": "sqlite:" + emptyFile(t)}, 1, "", "the database has no tables: correct DATABASE_URL or --config"},
		{[]string{"restore", "none.backup"}, nil, 1, "", "open none.backup: no such file"},
		{[]string{"config", "--config", "none.env"}, nil, 2, "", "--config: open none.env: no such file"},
		{[]string{"completion", "tcsh"}, nil, 2, "", `unknown command "tcsh"`},
		{[]string{"doctor", "now"}, nil, 2, "", `unexpected argument "now"`},
		{[]string{"doctor"}, map[string]string{"LOG_LEVEL": "loud"}, 1, "failed   settings    LOG_LEVEL", "doctor: 1 failed: see what to do above"},
		{[]string{"healthcheck", "--help"}, nil, 0, "--url address", ""},
		{[]string{"healthcheck"}, map[string]string{"LISTEN_ADDR": "127.0.0.1:1"}, 1, "", "http://127.0.0.1:1/healthz: "},
		{[]string{"healthcheck"}, map[string]string{"LISTEN_ADDR": "here"}, 1, "", "LISTEN_ADDR"},
		{[]string{"clock", "--help"}, nil, 0, "trust ", ""},
		{[]string{"clock", "doubt"}, nil, 2, "", `unexpected argument "doubt"`},
		{[]string{"jobs", "--help"}, nil, 0, "retry ", ""},
		{[]string{"jobs", "retry"}, nil, 2, "", `moothall jobs retry: needs KIND KEY; "moothall jobs retry --help" describes its arguments`},
		{[]string{"jobs", "-x"}, nil, 2, "", "describes its arguments"},
		{[]string{"deliveries", "retry", "--help"}, nil, 0, "moothall deliveries retry all", ""},
		{[]string{"deliveries", "retry"}, nil, 2, "", `needs an ID, or "all"`},
		{[]string{"mail", "--help"}, nil, 0, "moothall mail test anna@example.com", ""},
		{[]string{"mail"}, nil, 2, "", `no command given; the commands are receive, test; "moothall mail --help" describes them`},
		{[]string{"mail", "test"}, nil, 2, "", `needs ADDRESS`},
		{[]string{"mail", "send", "anna@example.com"}, nil, 2, "", `unknown command "send"`},
		{[]string{"mail", "test", "anna"}, nil, 2, "", "ADDRESS must be an e-mail address"},
		{[]string{"mail", "test", "anna@example.com"}, nil, 2, "", "SMTP_URL is not set"},
		{[]string{"version"}, nil, 0, "\ncontract  0.1.0\n", ""},
		{[]string{"--version"}, nil, 0, "moothall ", ""},
		{[]string{"help", "jobs", "retry"}, nil, 0, "moothall jobs retry account.erase ", ""},
		{[]string{"serve", "--help"}, map[string]string{"LISTEN_ADRR": ":0"}, 0, "", ""},
		{[]string{"serve"}, map[string]string{"LISTEN_ADRR": ":0", "DATABASE_URL": "sqlite:/dev/null/moothall.db"}, 1, "", "LISTEN_ADRR is not a setting; did you mean LISTEN_ADDR?"},
		{[]string{"migrate"}, map[string]string{"DATABASE_URL": "sqlite:main.go"}, 1, "", "main.go: PRAGMA journal_mode = WAL: sqlite: prepare: file is not a database"},
		{[]string{"migrate"}, map[string]string{"DATABASE_URL": "sqlite:/dev/null/moothall.db"}, 1, "", "/dev/null"},
		{[]string{"user", "export", "--email", "a@b.example"}, map[string]string{"DATABASE_URL": "sqlite:none.db"}, 1, "", "none.db: no such file"},
		{[]string{"version", "-x"}, nil, 2, "", "describes its arguments"},
	} {
		if c.env == nil {
			c.env = map[string]string{}
		}
		var stderr bytes.Buffer
		code, out := invoke(t, t.Context(), c.env, &stderr, c.args...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(stderr.String(), c.err) {
			t.Errorf("%v: code %d, %q, %q", c.args, code, out, stderr.String())
		}
		if c.err == "" && stderr.Len() > 0 {
			t.Errorf("%v: unexpected stderr %q", c.args, stderr.String())
		}
	}
}

func TestJobsListsRetriesAndDeletesDiscarded(t *testing.T) {
	environment := map[string]string{"DATABASE_URL": "sqlite:" + t.TempDir() + "/moothall.db"}
	call := func(code int, out, complaint string, args ...string) {
		t.Helper()
		var stderr bytes.Buffer
		got, stdout := invoke(t, t.Context(), environment, &stderr, args...)
		if got != code || stdout != out || stderr.String() != complaint {
			t.Errorf("%v: code %d, %q, %q", args, got, stdout, stderr.String())
		}
	}
	call(0, "The database is up to date.\n", "", "migrate")
	call(0, "No discarded jobs.\n", "", "jobs")
	discardJob(t, environment["DATABASE_URL"], "mail", "7")
	call(0, "KIND  KEY  DISCARDED AT          ATTEMPTS  LAST ERROR\nmail  7    2026-05-01T12:00:00Z  1         no route\n", "", "jobs")
	call(1, "", "moothall: no discarded job mail 8; \"moothall jobs\" lists them\n", "jobs", "retry", "mail", "8")
	call(0, "mail 7 is due again.\n", "", "jobs", "retry", "mail", "7")
	call(0, "No discarded jobs.\n", "", "jobs")
	call(1, "", "moothall: no discarded job mail 7; \"moothall jobs\" lists them\n", "jobs", "delete", "mail", "7")
	discardJob(t, environment["DATABASE_URL"], "mail", "7")
	call(0, "mail 7 is deleted.\n", "", "jobs", "delete", "mail", "7")
	call(0, "No discarded jobs.\n", "", "jobs")
}

// discardJob leaves a discarded job in the database.
func discardJob(t *testing.T, url, kind, key string) {
	t.Helper()
	d, err := db.Open(t.Context(), url, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	workers := job.New(job.Options{DB: d, Clock: func() time.Time { return now }, Logger: slog.New(slog.DiscardHandler), Attempts: 1})
	refused := errors.New("no route")
	job.InTx(workers, kind, func(context.Context, db.Tx, int) error { return refused })
	if err := d.InTx(t.Context(), func(tx db.Tx) error { return job.Put(t.Context(), tx, now, job.Job{Kind: kind, Key: key}) }); err != nil {
		t.Fatal(err)
	}
	if err := workers.RunDue(t.Context()); !errors.Is(err, refused) {
		t.Fatal(err)
	}
}

// TestServeShowsDemoAndMetrics runs until the context ends.
func TestServeShowsDemoAndMetrics(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	log := newTestLog()
	var code int
	var ended sync.WaitGroup
	environment := copyDemo(t)
	environment["METRICS_ADDR"] = "127.0.0.1:0"
	ended.Go(func() { code, _ = invoke(t, ctx, environment, log, "serve", "--demo") })
	api, metrics := log.address(t, "serving"), log.address(t, "metrics")
	if page := get(t, "http://"+api+"/"); !strings.Contains(page, "Board games") {
		t.Errorf("the start page shows no demo: %s", page)
	}
	testutil.Until(t, "the page to be counted", func() bool { // after it was sent
		text := get(t, "http://"+metrics+"/metrics")
		return strings.Contains(text, `moothall_http_requests_total{operation="page /",status="200"} 1`) &&
			strings.Contains(text, `moothall_log_dropped_total{log="security"} 0`)
	})
	stop()
	ended.Wait()
	if code != 0 {
		t.Errorf("code %d", code)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// TestStartOnUsedPortLeavesNoFiles starts the service twice on one port.
func TestStartOnUsedPortLeavesNoFiles(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	for _, setting := range []string{"LISTEN_ADDR", "METRICS_ADDR"} {
		dir := t.TempDir()
		environment := map[string]string{"DATABASE_URL": "sqlite:" + dir + "/data/moothall.db", "LISTEN_ADDR": "127.0.0.1:0"}
		environment[setting] = listener.Addr().String()
		var stderr bytes.Buffer
		code, _ := invoke(t, t.Context(), environment, &stderr, "serve", "--demo")
		if want := setting + ": another process listens on " + listener.Addr().String() +
			": end it, or set another address"; code != exitFailed || !strings.Contains(stderr.String(), want) {
			t.Errorf("code %d, %q", code, stderr.String())
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: left %v, %v", setting, left, err)
		}
	}
}

// testLog is a log in JSON in which tests can await a message.
type testLog struct {
	mu      sync.Mutex
	text    bytes.Buffer
	written chan struct{} // receives after a write
}

func newTestLog() *testLog { return &testLog{written: make(chan struct{}, 1)} }

func (l *testLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.written <- struct{}{}:
	default:
	}
	return l.text.Write(p)
}

// String returns the log so far.
func (l *testLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// address awaits a message and returns its address.
func (l *testLog) address(t *testing.T, message string) string {
	t.Helper()
	timeout := time.After(time.Minute)
	for {
		_, line, found := strings.Cut(l.String(), `"msg":"`+message+`"`)
		if _, rest, ok := strings.Cut(line, `"address":"`); found && ok {
			address, _, _ := strings.Cut(rest, `"`)
			return address
		}
		select {
		case <-l.written:
		case <-timeout:
			t.Fatalf("no %q in the log: %s", message, l)
		}
	}
}

func TestDeliveriesListsAndRetriesFailed(t *testing.T) {
	environment := map[string]string{"DATABASE_URL": "sqlite:" + t.TempDir() + "/moothall.db"}
	call := func(code int, out, complaint string, args ...string) {
		t.Helper()
		var stderr bytes.Buffer
		got, stdout := invoke(t, t.Context(), environment, &stderr, args...)
		if got != code || stdout != out || stderr.String() != complaint {
			t.Errorf("%v: code %d, %q, %q", args, got, stdout, stderr.String())
		}
	}
	call(0, "The database is up to date.\n", "", "migrate")
	call(0, "No failed deliveries.\n", "", "deliveries")
	failDelivery(t, environment["DATABASE_URL"])
	const id, user = "ID", "USER"
	var stderr bytes.Buffer
	_, listed := invoke(t, t.Context(), environment, &stderr, "deliveries")
	if !strings.Contains(listed, "email    event_canceled  2026-05-01T12:00:00Z  3         code 550") || !strings.HasPrefix(listed, id) ||
		!strings.Contains(listed, user) {
		t.Fatalf("%q %s", listed, stderr.String())
	}
	call(1, "", "moothall: no failed delivery 0; \"moothall deliveries\" lists them\n", "deliveries", "retry", "0")
	call(0, "Due again: 1.\n", "", "deliveries", "retry", strings.Fields(strings.Split(listed, "\n")[1])[0])
	call(0, "No failed deliveries.\n", "", "deliveries")
	call(0, "Due again: 0.\n", "", "deliveries", "retry", "all")
}

var failDeliveryStmt = db.SQL("main_test.fail_delivery", `
	INSERT INTO deliveries (user_id, notification_id, about_at, channel, target, kind, state, due_at, expires_at, attempts, reason, ended_at)
	VALUES ($1, $1, $2, 'email', $1, 'event_canceled', 'failed', $2, $2, 3, 'code 550', $2)`)

// failDelivery leaves a failed delivery in the database.
func failDelivery(t *testing.T, url string) {
	t.Helper()
	d, err := db.Open(t.Context(), url, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Exec(t.Context(), failDeliveryStmt, domain.RandomID[domain.UserKind](),
		time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}
