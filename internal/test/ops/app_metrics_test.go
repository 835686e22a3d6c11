package ops_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// insertJobsStmt adds a discarded job, and a due one of a kind that has no handler.
var insertJobsStmt = db.SQL("app_test.insert_jobs", `
	INSERT INTO jobs (kind, key, payload, run_at, attempts, failed_at, last_error, created_at)
	VALUES ('test.broken', '', 'null', $1, 12, $1, 'broken', $1), ('test.late', '', 'null', $1, 0, NULL, NULL, $1)`)

// TestMetricsShowTheState compares the metrics with the requests and jobs before.
func TestMetricsShowTheState(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		ann := a.As("ann")
		ann.Join(event)
		ann.Post("/events/"+event+"/messages", apptest.Fields{"body": "Hello"}).Want(201)
		ann.Post("/events/"+event+"/messages", apptest.Fields{"body": "Hello?"}).Want(429)
		a.Exec(insertJobsStmt, a.Clock.Now().Add(-90*time.Second))
		for _, want := range []string{
			`moothall_build_info{commit="[^"]+",goversion="go1[^"]+",schema="\d{3,4}",version="[^"]+"} 1`,
			`moothall_jobs{kind="test.broken",state="discarded"} 1`,
			`moothall_jobs{kind="test.late",state="due"} 1`,
			`moothall_job_oldest_due_seconds 90`,
			`moothall_ratelimit_refused_total{rule="messages_per_user"} 1`,
			`moothall_database_wait_seconds_count{for="connection"} [1-9]`,
			`moothall_database_connections{state="idle"} [1-9]`,
			`moothall_database_available 1`,
			`moothall_disk_free_ratio{content="media"} \d`,
			`moothall_webhook_attempts_total{result="failed"} 0`,
			`moothall_cache_size_bytes{cache="responses"} \d`,
			`moothall_cache_entries{cache="cards"} \d`,
			`moothall_email_suppressed_last_day 0`,
			`go_goroutines \d`,
			`process_open_fds \d`,
		} {
			line := regexp.MustCompile("(?m)^" + want)
			testutil.Until(t, want, func() bool { return line.MatchString(a.Metrics()) }) // work in the background may occupy all connections
		}
		waited := regexp.MustCompile(`moothall_database_wait_seconds_count{for="write"} [1-9]`).MatchString(a.Metrics())
		if waited != (a.Engine() == db.SQLite) {
			t.Errorf("SQLite has a queue of writers, PostgreSQL has none; %v: %v", a.Engine(), waited)
		}
	}, apptest.StartAt(apptest.Today), apptest.Setting("RATE_LIMITS", "messages_per_user=1/1h"))
}

// TestClientsCreateNoSeries repeats requests with other paths, methods, hosts, headers, providers and names. All values
// of labels are known after the first time: each series occupies memory until the service ends.
func TestClientsCreateNoSeries(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today)) // alone: the metrics of outbound requests are those of the process
	org := a.As("org")
	ask := func(word string) {
		strange := a.Anonymous().With("User-Agent", word).With("Origin", "https://"+word+".example.org").With("X-Request-Id", word).
			With("X-Forwarded-For", word).With("Host", word+".example.org").With("Traceparent", word).Allow5xx()
		strange.Get("/" + word + "?lat=52.5&lng=13.4&token=" + word)
		strange.Do(word, "/events", nil)
		strange.Get("/events?" + word + "=" + word)
		strange.With("Authorization", "Bearer "+word).Get("/events/" + word)
		strange.Post("/auth/idp/mobile", apptest.Fields{"provider": word, "oauth_token": word})
		strange.Post("/mail/events/"+word, apptest.Fields{})
		strange.Post("/auth/phone/callback/"+word, nil)
		strange.Post("/auth/email/start", apptest.Fields{"email": word + "@example.org"})
		strange.Get("/images/proxy?url=https://" + word + ".invalid/a.png")
		org.Post("/me/api-keys", apptest.Fields{"name": word, "scopes": []string{"events:read"}})
		org.Post("/me/webhooks", apptest.Fields{"url": "https://" + word + ".example.org", "kinds": []string{"event.canceled"}})
		a.RunJobs()
	}
	ask("first")
	known := a.Metrics()
	ask("second")
	for line := range strings.Lines(a.Metrics()) {
		if series := line[:strings.LastIndexByte(line, ' ')+1]; !strings.HasPrefix(line, "#") &&
			(!strings.Contains(known, "\n"+series) || strings.Contains(line, "first")) {
			t.Errorf("a new series: %s", line)
		}
	}
}

// TestProfilesAreServedOnDemand serves profiles only with METRICS_PPROF, and never to the public.
func TestProfilesAreServedOnDemand(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]int{"false": http.StatusNotFound, "true": http.StatusOK} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			s := load(t, map[string]string{"DATABASE_URL": "sqlite:" + t.TempDir() + "/m.db", "LISTEN_ADDR": "127.0.0.1:0",
				"METRICS_ADDR": "127.0.0.1:0", "METRICS_PPROF": setting})
			log := make(addresses, 2)
			a, err := app.New(t.Context(), s, nil, slog.New(slog.NewTextHandler(log, nil)))
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- a.Run(ctx) }()
			listening := map[string]string{}
			for range 2 {
				line := <-log
				listening[line[1]] = line[2]
			}
			public, metrics := listening["serving"], listening["metrics"]
			if status, body := get("http://" + metrics + "/metrics"); status != http.StatusOK || !strings.Contains(body, "moothall_build_info") {
				t.Errorf("metrics: %d %s", status, body)
			}
			if status, _ := get("http://" + metrics + "/debug/pprof/goroutine"); status != want {
				t.Errorf("status %d, want %d", status, want)
			}
			if status, _ := get("http://" + public + "/livez"); status != http.StatusOK {
				t.Errorf("the public listener: %d", status)
			}
			for _, path := range []string{"/metrics", "/debug/pprof/goroutine"} {
				if status, _ := get("http://" + public + path); status != http.StatusNotFound {
					t.Errorf("%s on the public listener: %d", path, status)
				}
			}
			stop()
			if err := <-done; err != nil {
				t.Error(err)
			}
			if err := a.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// addresses is a log that receives the name and the address of each listener.
type addresses chan []string

var listenerLine = regexp.MustCompile(`msg=(serving|metrics) (?:.* )?address=(\S+)`)

func (a addresses) Write(line []byte) (int, error) {
	if found := listenerLine.FindStringSubmatch(string(line)); found != nil {
		a <- found
	}
	return len(line), nil
}

// freeAddress returns an address that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// get returns the status and the body of a response; 0 if there is none.
func get(url string) (status int, body string) {
	response, err := http.Get(url) //nolint:noctx // a test
	if err != nil {
		return 0, ""
	}
	defer func() { _ = response.Body.Close() }()
	text, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(text)
}
