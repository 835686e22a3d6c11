package observe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"moothall/internal/platform/outbound"
)

// collector sends spans by OTLP over HTTP. It implements otlptrace.Client. docs/adr/0022-traces-without-grpc.md
// says why OpenTelemetry's own client is not used.
type collector struct {
	url     string
	headers map[string]string
	http    *http.Client
	log     *slog.Logger
	results results
	failing bool      // the latest request has failed
	resume  time.Time // no request is sent before
}

// maxPause limits the Retry-After of a collector.
const maxPause = 5 * time.Minute

// maxResponse is how many bytes of a response are read.
const maxResponse = 64 << 10

func newCollector(o TracerOptions, spans results) *collector {
	return &collector{
		url: strings.TrimRight(o.Endpoint, "/") + "/v1/traces", headers: o.Headers, log: o.Log, results: spans,
		http: &http.Client{
			Transport: http.DefaultTransport.(*http.Transport).Clone(), Timeout: sendTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // the headers are secret
		},
	}
}

// StartSpan implements otlptrace.Client.
func (c *collector) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (c *collector) Stop(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// errPaused is the error of spans that end while the collector wants no requests.
var errPaused = errors.New("tracing: the collector asked to wait")

// UploadTraces implements otlptrace.Client. It logs the first of several failures, and drops the spans.
// It is never called concurrently.
func (c *collector) UploadTraces(ctx context.Context, all []*tracepb.ResourceSpans) error {
	err := errPaused
	if !time.Now().Before(c.resume) {
		err = c.send(ctx, all)
	}
	result := "sent"
	if err != nil {
		result = "failed"
	}
	c.results.WithLabelValues(result).Add(float64(count(all)))
	switch failed := err != nil; {
	case failed && !c.failing:
		c.log.WarnContext(ctx, "cannot send traces", slog.String("error", err.Error()))
	case !failed && c.failing:
		c.log.InfoContext(ctx, "traces are sent again")
	}
	c.failing = err != nil
	return nil //nolint:nilerr // it is logged
}

func count(all []*tracepb.ResourceSpans) (n int) {
	for _, resource := range all {
		for _, scope := range resource.GetScopeSpans() {
			n += len(scope.GetSpans())
		}
	}
	return n
}

// send sends one request. TracesData has the same encoding as the request of OTLP, which is in a package
// with gRPC.
func (c *collector) send(ctx context.Context, all []*tracepb.ResourceSpans) error {
	encoded, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: all})
	if err != nil {
		return err
	}
	var body bytes.Buffer
	zipped := gzip.NewWriter(&body)
	_, _ = zipped.Write(encoded) // never fails
	_ = zipped.Close()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, &body)
	if err != nil {
		return err
	}
	for name, value := range c.headers {
		request.Header.Set(name, value)
	}
	request.Header.Set("Content-Type", "application/x-protobuf")
	request.Header.Set("Content-Encoding", "gzip")
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()                           // was read
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxResponse)) // so that the connection can be used again
	if status := response.StatusCode; status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		now := time.Now()
		c.resume = now.Add(outbound.RetryAfter(response.Header, now, maxPause))
	}
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("the collector responded %d", response.StatusCode)
	}
	return nil
}
