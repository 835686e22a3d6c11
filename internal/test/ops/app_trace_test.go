package ops_test

import (
	"compress/gzip"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
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
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/outboundtest"
	"moothall/internal/test/testutil"
)

var engines = dbtest.Engines

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
	traceID      = "4bf92f3577b34da6a3ce929d0e0e4736"
	otherTraceID = "0af7651916cd43dd8448eb211c80319c"
	parent       = "00f067aa0ba902b7"
)

// TestTraceReachesWhatFollows follows one request through its statements to the job that it has queued and to the
// mail of the job, and another one to the webhook message and the notifications by mail and push that it has caused.
func TestTraceReachesWhatFollows(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			c, mails, hook := newCollector(t), apptest.NewMailServer(t, nil), newHook(t)
			pushes := outboundtest.New(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) })
			a := apptest.New(t, engine, append(collected(c, "0"), apptest.Setting("TRUSTED_PROXIES", "127.0.0.1"),
				apptest.Setting("TRACES_FROM_PROXIES", "true"),
				apptest.Setting("SMTP_URL", "smtp://"+mails.Address), apptest.Setting("MAIL_FROM", "no-reply@example.org"),
				apptest.Setting("NOTIFICATIONS", "mail,push"), apptest.Setting("MAIL_GRACE", "0s"), apptest.Setting("WEBHOOKS_ALLOW_LOOPBACK", "true"),
				apptest.Outbound(pushes.Outbound()))...)
			org, guest := a.As("org"), a.As("guest")
			org.Post("/me/webhooks", apptest.Fields{"url": hook.URL, "kinds": []string{"event.canceled"}}).Want(201)
			event := org.Publish(apptest.Fields{"starts_at": time.Now().Add(48 * time.Hour).UTC().Format(time.RFC3339)})
			guest.Join(event)
			guest.Post("/me/push-subscriptions", apptest.Fields{"endpoint": "https://example.com/push/secret-path",
				"keys": browserKeys(t)}).Want(201)
			a.RunJobs() // not recorded
			a.Anonymous().With("Traceparent", "00-"+traceID+"-"+parent+"-01").With("X-Request-Id", "r-17").
				Post("/auth/email/start", apptest.Fields{"email": "ann@example.org"}).Want(200)
			org.With("Traceparent", "00-"+otherTraceID+"-"+parent+"-01").Post("/events/"+event+"/cancel", nil).Want(200)
			a.RunJobs()
			testutil.Until(t, "all spans", func() bool {
				found := spansOf.FindStringSubmatch(a.Metrics())
				return len(found) > 0 && found[1] == found[2]
			})
			a.Stop(0)

			signIn := c.of(traceID)
			request, job := signIn["startEmailSignIn"], signIn["job emailsignin.send"]
			checkParents(t, signIn, map[string]string{"job.put": "startEmailSignIn", "job emailsignin.send": "startEmailSignIn",
				"job.finish": "job emailsignin.send", "mail": "job emailsignin.send"})
			if request == nil || job == nil || hex.EncodeToString(request.GetParentSpanId()) != parent {
				t.Fatal("the request does not continue the trace of the proxy")
			}
			got := attributes(request)
			if got["request_id"] != "r-17" || got["http.request.method"] != "POST" || got["http.response.status_code"] != "int_value:200" {
				t.Errorf("attributes of the request: %v", got)
			}
			if got := attributes(signIn["mail"]); got["provider"] != "smtp" || got["result"] != "ok" {
				t.Errorf("attributes of the mail: %v", got)
			}
			cancel := c.of(otherTraceID)
			checkParents(t, cancel, map[string]string{"webhook message": "cancelEvent", "webhook": "webhook message",
				"delivery email": "cancelEvent", "mail": "delivery email",
				"delivery push": "cancelEvent", "push": "delivery push"})
			if got := attributes(cancel["push"]); got["result"] != "ok" || len(pushes.Requests()) != 1 ||
				pushes.Requests()[0].Header.Get("Traceparent") != "" {
				t.Errorf("attributes of the push message: %v, requests %v", got, pushes.Requests())
			}
			if want := "00-" + otherTraceID + "-" + hex.EncodeToString(cancel["webhook message"].GetSpanId()) + "-01"; hook.traceparent() != want {
				t.Errorf("traceparent of the webhook: %q, want %q", hook.traceparent(), want)
			}
			for _, s := range c.spans {
				if trace := hex.EncodeToString(s.GetTraceId()); trace != traceID && trace != otherTraceID {
					t.Errorf("recorded although the ratio excludes it: %s", s.GetName())
				}
				if strings.Contains(s.String(), "example.org") || strings.Contains(s.String(), "127.0.0.1") ||
					strings.Contains(s.String(), "secret-path") || strings.Contains(s.String(), event) {
					t.Errorf("a span has personal data: %v", s)
				}
			}
		})
	}
}

// spansOf finds how many spans were recorded and how many of them were sent.
var spansOf = regexp.MustCompile(`moothall_trace_spans_total\{result="recorded"\} (\d+)\nmoothall_trace_spans_total\{result="sent"\} (\d+)\n`)

// browserKeys returns the keys of a push subscription.
func browserKeys(t *testing.T) apptest.Fields {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	return apptest.Fields{"p256dh": encode(key.PublicKey().Bytes()), "auth": encode(make([]byte, 16))}
}

// checkParents compares the parents of spans, by name.
func checkParents(t *testing.T, spans map[string]*tracepb.Span, want map[string]string) {
	t.Helper()
	for child, of := range want {
		if spans[child] == nil || spans[of] == nil {
			t.Fatalf("no span %q or %q: %q", child, of, slices.Sorted(maps.Keys(spans)))
		}
		if !slices.Equal(spans[child].GetParentSpanId(), spans[of].GetSpanId()) {
			t.Errorf("%s is not a child of %s", child, of)
		}
	}
}

// hook receives webhook messages.
type hook struct {
	*httptest.Server
	got chan string // traceparent headers
}

func newHook(t *testing.T) hook {
	h := hook{got: make(chan string, 1)}
	h.Server = httptest.NewServer(apptest.AnswersChallenges(func(_ http.ResponseWriter,
		r *http.Request) {
		h.got <- r.Header.Get("Traceparent")
	}))
	t.Cleanup(h.Close)
	return h
}

// traceparent returns the header of the only message.
func (h hook) traceparent() string { return <-h.got }

// TestTraceparentOfStrangersIsIgnored sends headers that must neither continue a trace nor have a request recorded.
func TestTraceparentOfStrangersIsIgnored(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	for name, settings := range map[string][]apptest.Option{
		"no proxy":                       {apptest.Setting("TRACES_FROM_PROXIES", "true")},
		"a proxy that passes headers on": {apptest.Setting("TRUSTED_PROXIES", "127.0.0.1")},
	} {
		a := apptest.New(t, engines[0], append(settings, collected(c, "0")...)...)
		a.Anonymous().With("Traceparent", "00-"+traceID+"-"+parent+"-01").Get("/events").Want(200)
		a.Stop(0)
		if len(c.spans) != 0 {
			t.Errorf("%s: %d spans", name, len(c.spans))
		}
	}
}

// collected are the settings that send a share of the traces to a collector.
func collected(c *collector, ratio string) []apptest.Option {
	return []apptest.Option{
		apptest.Setting("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL+"/"), apptest.Setting("OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%2Cb"),
		apptest.Setting("OTEL_TRACES_SAMPLER_ARG", ratio),
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
	a := apptest.New(t, engines[0], apptest.Setting("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+silent.Addr().String()),
		apptest.Setting("OTEL_TRACES_SAMPLER_ARG", "1"))
	ann := a.As("ann")
	var slowest time.Duration
	for range 90 { // 40 statements each
		began := time.Now()
		ann.Get("/me/export").Want(200)
		slowest = max(slowest, time.Since(began))
	}
	metrics := a.Metrics()
	recorded := regexp.MustCompile(`moothall_trace_spans_total{result="recorded"} ([3-9]\d{3})\n`).FindStringSubmatch(metrics)
	if recorded == nil || !strings.Contains(metrics, `moothall_trace_spans_total{result="sent"} 0`) {
		t.Fatalf("spans: %s", regexp.MustCompile(`moothall_trace_.*`).FindAllString(metrics, -1))
	}
	began := time.Now()
	a.Stop(0) // waits a second for the collector, not longer
	testutil.Fault(t, "a collector of traces that never answers", "%s spans recorded, the slowest request took %v, the stop %v",
		recorded[1], slowest.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
}
