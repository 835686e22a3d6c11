package ops_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// running is a service that the test stops.
type running struct {
	url  string
	stop context.CancelFunc
	done chan error
}

func serve(t *testing.T, settings map[string]string) running {
	t.Helper()
	s := load(t, settings)
	a, err := app.New(t.Context(), s, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		err := a.Serve(ctx, listener)
		if closed := a.Close(); err == nil {
			err = closed
		}
		done <- err
	}()
	return running{"http://" + listener.Addr().String(), stop, done}
}

func load(t testing.TB, settings map[string]string) app.Settings {
	t.Helper()
	s, err := app.LoadSettings(func(name string) (string, bool) {
		value, ok := settings[name]
		return value, ok
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestStartRemovesTemporaryFilesOfKilledProcess starts the service beside the files of a killed process, and, on
// PostgreSQL, beside an instance that is running.
func TestStartRemovesTemporaryFilesOfKilledProcess(t *testing.T) { //nolint:paralleltest // it sets TMPDIR
	t.Setenv("TMPDIR", t.TempDir())
	for _, engine := range dbtest.Engines {
		url := dbtest.URL(t, engine)
		file, isFile := strings.CutPrefix(url, "sqlite:")
		parent := filepath.Join(filepath.Dir(file), "tmp")
		if !isFile {
			parent = filepath.Join(os.TempDir(), fmt.Sprintf("moothall-%d", os.Getuid())) //nolint:usetesting // as the service
		}
		a := apptest.New(t, engine, apptest.Setting("DATABASE_URL", url))
		folders := func() []string {
			found, err := filepath.Glob(filepath.Join(parent, "*", "images"))
			if err != nil {
				t.Fatal(err)
			}
			return found
		}
		running := folders()
		if len(running) != 1 {
			t.Fatalf("%q", running)
		}
		killed := filepath.Join(parent, "KILLED", "images")
		if err := os.MkdirAll(killed, 0o700); err != nil {
			t.Fatal(err)
		}
		a.Start()
		if found := folders(); len(found) != 2 || !slices.Contains(found, running[0]) || slices.Contains(found, killed) {
			t.Errorf("%v: %q", engine, found)
		}
	}
}

// TestShutdownLosesNothing stops the service under load. The client polls /readyz and
// sends no more requests when it fails, as a load balancer does.
func TestShutdownLosesNothing(t *testing.T) {
	t.Parallel()
	r := serve(t, map[string]string{
		"DATABASE_URL": "sqlite:" + t.TempDir() + "/m.db", "SHUTDOWN_DELAY": "10s", "RATE_LIMITS": "off",
		"DATABASE_ACQUIRE_TIMEOUT": "1m", // no 503 on a busy machine
	})
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}
	var sent, answered, lost atomic.Int64
	var ready atomic.Bool
	ready.Store(true)
	var load sync.WaitGroup
	for range 16 {
		load.Go(func() {
			for ready.Load() {
				sent.Add(1)
				response, err := client.Get(r.url + "/events")
				if err != nil {
					lost.Add(1)
					t.Errorf("lost: %v", err)
					return
				}
				_, _ = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
				if response.StatusCode == http.StatusOK {
					answered.Add(1)
				}
			}
		})
	}
	testutil.Until(t, "50 responses", func() bool { return answered.Load() >= 50 })
	r.stop()
	for ready.Load() {
		response, err := http.Get(r.url + "/readyz")
		if err != nil {
			t.Fatalf("the listener closed before /readyz answered 503: %v", err)
		}
		_ = response.Body.Close()
		ready.Store(response.StatusCode == http.StatusOK)
	}
	load.Wait()
	if err := <-r.done; err != nil {
		t.Errorf("shutdown: %v", err)
	}
	if lost.Load() != 0 || sent.Load() != answered.Load() {
		t.Errorf("%d sent, %d answered, %d lost", sent.Load(), answered.Load(), lost.Load())
	}
	if _, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://")); err == nil {
		t.Error("still listening")
	}
}

func TestSlowClientsAreDisconnected(t *testing.T) {
	t.Parallel()
	r := serve(t, map[string]string{
		"DATABASE_URL": "sqlite:" + t.TempDir() + "/m.db", "READ_TIMEOUT": "1s", "MAX_IN_FLIGHT": "4",
	})
	const each = 50
	starts := []string{
		// headers that never end
		"GET /events HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
		"POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"a\":", // a body that stalls
		// a body that never comes
		"POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n",
	}
	var closed sync.WaitGroup
	for _, start := range starts {
		for range each {
			connection, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			closed.Go(func() {
				defer func() { _ = connection.Close() }()
				_, _ = io.WriteString(connection, start)
				_ = connection.SetReadDeadline(time.Now().Add(time.Minute))
				answer, err := io.ReadAll(connection)
				if err != nil || bytes.Contains(answer, []byte("internal_error")) {
					t.Errorf("not closed, or for a wrong reason: %v %s", err, answer)
				}
			})
		}
	}
	for range 20 { // slow clients do not count against MAX_IN_FLIGHT
		response, err := http.Get(r.url + "/events")
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("status %d during slow requests", response.StatusCode)
		}
	}
	closed.Wait()
	r.stop()
	if err := <-r.done; err != nil {
		t.Error(err)
	}
}

// exhausted is a listener that has no file descriptor left for its first connection.
type exhausted struct {
	net.Listener
	failed bool
}

func (l *exhausted) Accept() (net.Conn, error) {
	if !l.failed {
		l.failed = true
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: syscall.EMFILE}
	}
	return l.Listener.Accept()
}

func TestAcceptErrorsAreLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer // read when the service has ended
	s := load(t, map[string]string{"DATABASE_URL": "sqlite:" + t.TempDir() + "/m.db"})
	a, err := app.New(t.Context(), s, nil, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- a.Serve(ctx, &exhausted{Listener: listener}) }()
	response, err := http.Get("http://" + listener.Addr().String() + "/livez")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	stop()
	if err := errors.Join(<-done, a.Close()); err != nil {
		t.Error(err)
	}
	if want := `level=ERROR msg="http: Accept error: accept tcp: too many open files`; !strings.Contains(log.String(), want) {
		t.Errorf("no %s in\n%s", want, log.String())
	}
}

func TestHealthWithoutDatabase(t *testing.T) {
	t.Parallel()
	cluster, err := pgtest.Start(pgDir(t), pgtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cluster.Stop() })
	a := apptest.New(t, db.PostgreSQL, apptest.Setting("DATABASE_URL", cluster.URL("postgres")))
	client := a.Anonymous().Allow5xx()
	client.Get("/healthz").Want(http.StatusOK)
	if err := cluster.Kill(); err != nil {
		t.Fatal(err)
	}
	var down *apptest.Reply
	testutil.Until(t, "health without the database", func() bool {
		down = client.Get("/healthz")
		return down.Status == http.StatusServiceUnavailable
	})
	if down.Text("status") != "unavailable" || down.Text("database") != "unavailable" || down.Text("api") != "ok" {
		t.Errorf("%s", down.Body)
	}
	client.Get("/readyz").Want(http.StatusOK) // other instances have no database either
	busy := client.Get("/events")
	busy.WantError(http.StatusServiceUnavailable, "service_unavailable")
	if busy.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	if err := cluster.Restart(); err != nil {
		t.Fatal(err)
	}
	testutil.Until(t, "health after the database came back", func() bool { return client.Get("/healthz").Status == http.StatusOK })
	client.Get("/events").Want(http.StatusOK)
}

func TestExtraRoutes(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		c := a.Anonymous()
		contract := c.Get("/api/openapi.yaml").Want(http.StatusOK)
		if string(contract.Body) != string(canonical(t)) {
			t.Error("the published contract is not the canonical file")
		}
		c.With("If-None-Match", contract.Header.Get("ETag")).Get("/api/openapi.yaml").Want(http.StatusNotModified)
		for path, want := range map[string]string{"/": "<main", "/docs": "<html", "/livez": "ok", "/readyz": "ok"} {
			page := c.Get(path).Want(http.StatusOK)
			if !strings.Contains(string(page.Body), want) {
				t.Errorf("%s does not show %q", path, want)
			}
			for _, foreign := range []string{"src=\"http", "href=\"http", "url(http"} {
				if strings.Contains(string(page.Body), foreign) {
					t.Errorf("%s loads something from another host: %s", path, foreign)
				}
			}
		}
	})
}

func TestGeneratedSecretIsStored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	settings := map[string]string{"DATABASE_URL": "sqlite:" + dir + "/m.db"}
	code := func() string {
		r := serve(t, settings)
		defer func() { r.stop(); <-r.done }()
		response, err := http.Post(r.url+"/auth/dev/start", "application/json", strings.NewReader(`{"email":"ann@example.org"}`))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(response.StatusCode, string(body))
	}
	first := code()
	if second := code(); !strings.HasPrefix(first, "200") || codeOf(first) != codeOf(second) {
		t.Errorf("the code of the same challenge changed after a restart: %s, then %s", first, second)
	}
}

func codeOf(body string) string {
	_, after, _ := strings.Cut(body, `"dev_code":"`)
	return after[:min(6, len(after))]
}

// pgDir returns a temporary directory that the user of the PostgreSQL server may enter.
func pgDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "moothall-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir + "/cluster"
}

func canonical(t *testing.T) []byte {
	t.Helper()
	contract, err := os.ReadFile("../../../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return contract
}
