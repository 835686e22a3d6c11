package ops_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/go-faster/yaml"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"moothall/internal/platform/db"
	"moothall/internal/platform/observe"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// The files for operators, and their page.
const (
	dashboardFile  = "../../../deploy/observability/dashboard.json"
	alertsFile     = "../../../deploy/observability/alerts.yaml"
	alertTests     = "../../../deploy/observability/alerts_test.yaml"
	operationsFile = "../../../docs/operations.md"
)

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// alert is a rule of alertsFile.
type alert struct {
	Alert, Expr string
	Annotations struct{ Summary string }
}

func alerts(t *testing.T) (all []alert) {
	t.Helper()
	var file struct{ Groups []struct{ Rules []alert } }
	if err := yaml.Unmarshal([]byte(readText(t, alertsFile)), &file); err != nil {
		t.Fatal(err)
	}
	for _, g := range file.Groups {
		all = append(all, g.Rules...)
	}
	if len(all) < 10 {
		t.Fatalf("%d alerts", len(all))
	}
	return all
}

// dashboardQueries returns the queries of the dashboard by the title of their panel.
func dashboardQueries(t *testing.T) map[string][]string {
	t.Helper()
	var file struct {
		Panels []struct {
			Type, Title, Description string
			FieldConfig              struct{ Defaults struct{ Unit string } }
			Targets                  []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(readText(t, dashboardFile)), &file); err != nil {
		t.Fatal(err)
	}
	queries := map[string][]string{}
	for _, p := range file.Panels {
		if described := p.Title != "" && p.Description != "" && p.FieldConfig.Defaults.Unit != ""; !described && p.Type != "row" &&
			p.Type != "text" {
			t.Errorf("%s: panel %q has no title, description or unit", dashboardFile, p.Title)
		}
		for _, target := range p.Targets {
			queries[p.Title] = append(queries[p.Title], target.Expr)
		}
	}
	if len(queries) < 20 {
		t.Fatalf("%d panels", len(queries))
	}
	return queries
}

// share matches a query that divides counts, or computes a quantile; minimum matches a number of cases.
var (
	share   = regexp.MustCompile(`histogram_quantile\(|\n? ?/ sum`)
	minimum = regexp.MustCompile(`and sum.*\( ?increase\([^)]*\)\) > \d+`)
)

// TestAlertsAboutSharesNeedManyCases finds alerts that one of two failures at night would cause.
func TestAlertsAboutSharesNeedManyCases(t *testing.T) {
	found := 0
	for _, a := range alerts(t) {
		if !share.MatchString(a.Expr) {
			continue
		}
		found++
		if !minimum.MatchString(a.Expr) {
			t.Errorf("%s needs a minimum number of cases: %s", a.Alert, a.Expr)
		}
		if tests := readText(t, alertTests); !strings.Contains(tests, "name: "+a.Alert+" does not fire for") {
			t.Errorf("%s has no test of %s with few cases", alertTests, a.Alert)
		}
	}
	if found < 6 {
		t.Errorf("only %d alerts about shares", found)
	}
}

var (
	usedMetric = regexp.MustCompile(`\bmoothall_[a-z_]+`)
	histogram  = regexp.MustCompile(`_(bucket|sum|count)$`)
	metricRow  = regexp.MustCompile("(?m)^\\| `(moothall_[a-z_]+)` \\|")
)

// TestQueriesUseMetricsOfService checks that each metric in the dashboard and in the alerts is in the table
// of docs/operations.md, which another test compares with the service.
func TestQueriesUseMetricsOfService(t *testing.T) {
	service := map[string]bool{}
	for _, m := range metricRow.FindAllStringSubmatch(readText(t, operationsFile), -1) {
		service[m[1]] = true
	}
	check := func(where, query string) {
		for _, name := range usedMetric.FindAllString(query, -1) {
			if !service[name] && !service[histogram.ReplaceAllString(name, "")] {
				t.Errorf("%s: there is no metric %s", where, name)
			}
		}
	}
	for _, a := range alerts(t) {
		check(a.Alert, a.Expr)
	}
	for panel, queries := range dashboardQueries(t) {
		check(panel, strings.Join(queries, "\n"))
	}
}

// TestAlertsAreTested checks that each alert has a summary, a test in which it fires and one in which it does not.
func TestAlertsAreTested(t *testing.T) {
	tested := readText(t, alertTests)
	for _, a := range alerts(t) {
		if a.Annotations.Summary == "" {
			t.Errorf("%s has no summary", a.Alert)
		}
		for _, name := range []string{" fires\n", " does not fire\n"} {
			if !strings.Contains(tested, "- name: "+a.Alert+name) {
				t.Errorf("%s has no case: %s%s", alertTests, a.Alert, name)
			}
		}
	}
}

// comparison matches the comparisons of an alert. With the modifier bool, the alert has a result even if it does not fire.
var comparison = regexp.MustCompile(` (==|<|>) `)

// TestQueriesHaveResults lets a Prometheus scrape a service, and sends it all queries of the dashboard and
// of the alerts. TEST_PROMETHEUS is the program; scripts/observability.sh sets it.
func TestQueriesHaveResults(t *testing.T) {
	program := os.Getenv("TEST_PROMETHEUS")
	if program == "" {
		t.Skip("TEST_PROMETHEUS is not set: make test needs no Prometheus; scripts/observability.sh, in make check, runs this")
	}
	mails, hooks := apptest.NewMailServer(t, nil), httptest.NewServer(http.NotFoundHandler())
	defer hooks.Close()
	a := apptest.New(t, db.SQLite, apptest.Machines(&apptest.Machine{}), apptest.Setting("NOTIFICATIONS", "mail"),
		apptest.Setting("MAIL_GRACE", "0s"),
		apptest.Setting("SMTP_URL", "smtp://"+mails.Address), apptest.Setting("MAIL_FROM", "no-reply@example.org"),
		apptest.Setting("WEBHOOKS_ALLOW_LOOPBACK", "true"), apptest.Setting("BACKUP", t.TempDir()),
		apptest.Setting("RATE_LIMITS", "email_starts_per_day=4/24h"), apptest.Setting("TRUSTED_PROXIES", "127.0.0.0/8"))
	a.As("org").Post("/me/webhooks", apptest.Fields{"url": hooks.URL, "kinds": []string{"event.canceled"}}).Want(http.StatusCreated)
	load := func(round string) {
		for name, refusal := range map[string]error{"kept": nil, "refused": &smtp.SMTPError{Code: 550, Message: "no"},
			"later": &smtp.SMTPError{Code: 451, Message: "later"}} {
			mails.Refuse(nil) // the code of the sign-in
			a.As(round + name)
			mails.Refuse(refusal) // before a worker sends anything
			useService(a, round+name)
			a.RunJobs()
		}
		mails.Refuse(nil)
		for n := range 4 { // networks with few starts, which use up the budget for them
			network := a.Anonymous().With("X-Forwarded-For", fmt.Sprintf("198.51.%d.1", 100+n))
			network.Post("/auth/email/start", apptest.Fields{"email": fmt.Sprint(round, n, "@example.org")})
		}
		a.RunJobs()
	}
	// creates the counters, which do not exist before their first event
	load("first")
	ofLog, log := prometheus.NewRegistry(), observe.NewLogWriter(io.Discard) // the command registers the metrics of the log
	defer log.Close(time.Second)
	ofLog.MustRegister(log.Dropped())
	metrics := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, a.Metrics())
		promhttp.HandlerFor(ofLog, promhttp.HandlerOpts{DisableCompression: true}).ServeHTTP(w, r)
	}))
	defer metrics.Close()
	server := startPrometheus(t, program, strings.TrimPrefix(metrics.URL, "http://"))
	server.await(t, `count_over_time(up{job="moothall"}[1m]) > 1`)
	load("second")
	a.Exec(insertJobsStmt, time.Now())
	server.await(t, `moothall_jobs{kind="test.broken"}`)
	checkMetrics(t, a.Metrics())

	queries := dashboardQueries(t)
	for _, one := range alerts(t) {
		queries[one.Alert] = []string{comparison.ReplaceAllString(one.Expr, " $1 bool ")}
	}
	for where, all := range queries {
		for _, query := range all {
			if server.results(t, query) == 0 {
				t.Errorf("%s: no result of %s", where, query)
			}
		}
	}
}

// checkMetrics lets promtool check the format, the names and the help of metrics.
func checkMetrics(t *testing.T, metrics string) {
	t.Helper()
	check := exec.CommandContext(t.Context(), "promtool", "check", "metrics")
	check.Stdin = strings.NewReader(metrics)
	if found, err := check.CombinedOutput(); err != nil || len(found) > 0 {
		t.Errorf("promtool check metrics: %v\n%s", err, found)
	}
}

// useService causes requests of several statuses, a chat message on a socket, and, when the jobs run, a mail
// and a webhook message.
func useService(a *apptest.App, guestName string) {
	org, guest := a.As("org"), a.As(guestName)
	event := org.Publish(apptest.Fields{"starts_at": time.Now().Add(48 * time.Hour).UTC().Format(time.RFC3339)})
	guest.Join(event)
	chat := org.Socket("/events/" + event + "/ws")
	guest.Post("/events/"+event+"/messages", apptest.Fields{"body": "Hello"}).Want(http.StatusCreated)
	chat.Close()
	org.Post("/events/"+event+"/cancel", nil).Want(http.StatusOK)
	a.Anonymous().Get("/events").Want(http.StatusOK)
	a.Anonymous().Allow5xx().Post("/auth/idp/mobile",
		apptest.Fields{"provider": "google", "oauth_token": "x"}).Want(http.StatusServiceUnavailable)
}

// prometheusServer is a running Prometheus.
type prometheusServer struct{ url string }

// startPrometheus lets a Prometheus scrape an address each half second until the test ends.
func startPrometheus(t *testing.T, program, target string) prometheusServer {
	dir, address := t.TempDir(), freeAddress(t)
	config := fmt.Sprintf("global: {scrape_interval: 500ms}\nscrape_configs:\n  - job_name: moothall\n    static_configs: [{targets: [%q]}]\n",
		target)
	if err := os.WriteFile(filepath.Join(dir, "prometheus.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program, "--config.file="+dir+"/prometheus.yaml", "--storage.tsdb.path="+dir+"/data",
		"--web.listen-address="+address)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	p := prometheusServer{"http://" + address}
	testutil.Until(t, "Prometheus", func() bool {
		status, _ := get(p.url + "/-/ready")
		return status == http.StatusOK
	})
	return p
}

// await waits until a query has results.
func (p prometheusServer) await(t *testing.T, query string) {
	t.Helper()
	testutil.Until(t, query, func() bool { return p.results(t, query) > 0 })
}

// results returns how many series a query has now.
func (p prometheusServer) results(t *testing.T, query string) int {
	t.Helper()
	status, body := get(p.url + "/api/v1/query?query=" + url.QueryEscape(strings.ReplaceAll(query, "$__rate_interval", "1m")))
	var answer struct{ Data struct{ Result []any } }
	if err := json.Unmarshal([]byte(body), &answer); err != nil || status != http.StatusOK {
		t.Fatalf("%s: status %d %s", query, status, body)
	}
	return len(answer.Data.Result)
}
