package app_test

import (
	"compress/gzip"
	"encoding/hex"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

var engines = []db.Engine{db.SQLite, db.PostgreSQL}

// collector receives traces as an OpenTelemetry collector does.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*tracepb.Span
}

func newCollector(t *testing.T) *collector {
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		data := &tracepb.TracesData{}
		body, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		encoded, _ := io.ReadAll(body)
		if err := proto.Unmarshal(encoded, data); err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Api-Key") != "a,b" {
			t.Errorf("%s %v: %v", r.URL.Path, r.Header, err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, resource := range data.GetResourceSpans() {
			for _, scope := range resource.GetScopeSpans() {
				c.spans = append(c.spans, scope.GetSpans()...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// of returns the spans of a trace by name.
func (c *collector) of(trace string) map[string]*tracepb.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := map[string]*tracepb.Span{}
	for _, s := range c.spans {
		if hex.EncodeToString(s.GetTraceId()) == trace {
			found[s.GetName()] = s
		}
	}
	return found
}

func attributes(s *tracepb.Span) map[string]string {
	all := map[string]string{}
	for _, a := range s.GetAttributes() {
		if all[a.GetKey()] = a.GetValue().GetStringValue(); all[a.GetKey()] == "" {
			all[a.GetKey()] = a.GetValue().String()
		}
	}
	return all
}

const (
	traceID = "4bf92f3577b34da6a3ce929d0e0e4736"
	parent  = "00f067aa0ba902b7"
)

// TestTraceReachesJobsAndMails follows one request through its statements to the job that it has queued,
// and to the mail that the job sends.
func TestTraceReachesJobsAndMails(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			c := newCollector(t)
			mails := apptest.NewMailServer(t, nil)
			a := apptest.New(t, engine, apptest.Setting("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL+"/"), apptest.Setting("OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%2Cb"),
				apptest.Setting("OTEL_TRACES_SAMPLER_ARG", "0"), apptest.Setting("TRUSTED_PROXIES", "127.0.0.1"),
				apptest.Setting("SMTP_URL", "smtp://"+mails.Address), apptest.Setting("MAIL_FROM", "no-reply@example.org"))
			client := a.Anonymous().With("Traceparent", "00-"+traceID+"-"+parent+"-01").With("X-Request-Id", "r-17")
			client.Post("/auth/email/start", apptest.Fields{"email": "ann@example.org"}).Want(200)
			a.Anonymous().Get("/events").Want(200) // not recorded
			a.RunJobs()
			a.Stop(0)

			spans := c.of(traceID)
			names := slices.Sorted(maps.Keys(spans))
			for _, name := range []string{"startEmailSignIn", "transaction", "job.put", "job emailsignin.send", "job.finish", "mail"} {
				if spans[name] == nil {
					t.Fatalf("no span %q: %q", name, names)
				}
			}
			request, job := spans["startEmailSignIn"], spans["job emailsignin.send"]
			for child, of := range map[string]*tracepb.Span{"job.put": request, "job emailsignin.send": request, "job.finish": job, "mail": job} {
				if got := spans[child].GetParentSpanId(); !slices.Equal(got, of.GetSpanId()) {
					t.Errorf("%s is not a child of %s", child, of.GetName())
				}
			}
			if hex.EncodeToString(request.GetParentSpanId()) != parent {
				t.Error("the request does not continue the trace of the proxy")
			}
			got := attributes(request)
			if got["request_id"] != "r-17" || got["http.request.method"] != "POST" || got["http.response.status_code"] != "int_value:200" {
				t.Errorf("attributes of the request: %v", got)
			}
			if got := attributes(spans["mail"]); got["provider"] != "smtp" || got["result"] != "ok" {
				t.Errorf("attributes of the mail: %v", got)
			}
			if len(c.spans) != len(c.all(traceID)) {
				t.Error("requests and jobs were recorded that the ratio excludes")
			}
			for _, s := range c.spans {
				if strings.Contains(s.String(), "example.org") || strings.Contains(s.String(), "127.0.0.1") {
					t.Errorf("a span has personal data: %v", s)
				}
			}
		})
	}
}

// all returns the spans of a trace.
func (c *collector) all(trace string) (found []*tracepb.Span) {
	for _, s := range c.spans {
		if hex.EncodeToString(s.GetTraceId()) == trace {
			found = append(found, s)
		}
	}
	return found
}

// TestTraceparentOfClientIsIgnored sends a traceparent header from an address that is no trusted proxy.
func TestTraceparentOfClientIsIgnored(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	a := apptest.New(t, engines[0], apptest.Setting("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL), apptest.Setting("OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%2Cb"),
		apptest.Setting("OTEL_TRACES_SAMPLER_ARG", "1"))
	a.Anonymous().With("Traceparent", "00-"+traceID+"-"+parent+"-01").Get("/events").Want(200)
	a.Stop(0)
	if spans := c.of(traceID); len(spans) != 0 || len(c.spans) == 0 {
		t.Errorf("%d of %d spans are in the trace of the client", len(spans), len(c.spans))
	}
}

// TestDeadCollectorDelaysNothing sends requests while the collector accepts connections and never answers.
// Spans that do not fit into the queue are dropped.
func TestDeadCollectorDelaysNothing(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // connections wait in its queue
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	a := apptest.New(t, engines[0], apptest.Setting("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+silent.Addr().String()), apptest.Setting("OTEL_TRACES_SAMPLER_ARG", "1"))
	client := a.Anonymous()
	for range 1500 { // two spans or more in each round
		client.Get("/readyz").Want(200)
		client.Get("/livez").Want(200)
	}
	metrics := a.Metrics()
	if !regexp.MustCompile(`moothall_trace_spans_total{result="recorded"} [3-9]\d{3}\n`).MatchString(metrics) || !strings.Contains(metrics, `moothall_trace_spans_total{result="sent"} 0`) {
		t.Errorf("spans: %s", regexp.MustCompile(`moothall_trace_.*`).FindAllString(metrics, -1))
	}
	a.Stop(0) // waits a second for the collector, not longer
}
