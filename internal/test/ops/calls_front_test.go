package ops_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/prometheus/client_golang/prometheus"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
	"moothall/internal/test/apptest"
)

// callsFront answers requests by calls of Go values: it decodes a request, calls the operation like a page, and encodes the value.
// It passes on what no call can say: requests that are malformed, those of API keys, and those outside of the contract.
type callsFront struct {
	calls  *gen.Calls
	values *gen.Server
	direct http.Handler // to the service

	refreshTokens map[string]string // of people, by their access tokens

	mu     sync.Mutex
	called map[string]bool // operations
}

// newCallsFront starts a front of a service. Its calls have the client of the request, because it is an extra route of a server.
func newCallsFront(t *testing.T, a *apptest.App, refreshTokens map[string]string) (front *callsFront, address string) {
	t.Helper()
	behind, err := url.Parse(a.URL())
	if err != nil {
		t.Fatal(err)
	}
	front = &callsFront{calls: callsOf(a), direct: httputil.NewSingleHostReverseProxy(behind), refreshTokens: refreshTokens,
		called: map[string]bool{}}
	operations := valueOperations{front.callsAsPeople()}
	if front.values, err = gen.NewServer(operations, operations, gen.WithErrorHandler(front.refused)); err != nil {
		t.Fatal(err)
	}
	routes := http.NewServeMux()
	routes.Handle("/", front)
	var all []string
	for _, op := range gen.Operations {
		all = append(all, op.ID)
	}
	server, err := httpapi.New(gen.UnimplementedHandler{}, httpapi.Options{
		Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(), MaxInFlight: 10, RequestTimeout: time.Minute,
		ExtraRoutes: routes, DisabledOperations: all,
	})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(server)
	t.Cleanup(s.Close)
	return front, s.URL
}

// callsOf returns the calls of a running service.
func callsOf(a *apptest.App) *gen.Calls {
	return a.Instance().(interface{ Calls() *gen.Calls }).Calls()
}

// caller is who sends a request.
type caller struct {
	cookies  []string
	language string
	setter   http.Header // of the response
}

type callerKey struct{}

// callsAsPeople returns the calls on behalf of the caller of their context.
func (f *callsFront) callsAsPeople() *gen.Calls {
	return &gen.Calls{Operations: f.calls.Operations, Invoke: func(ctx context.Context, call *gen.Call) (any, error) {
		who := ctx.Value(callerKey{}).(caller)
		call.Cookies, call.Language = who.cookies, who.language
		f.mu.Lock()
		f.called[call.ID] = true
		f.mu.Unlock()
		value, err := f.calls.Invoke(ctx, call)
		for _, cookie := range call.SetCookies {
			who.setter.Add("Set-Cookie", cookie)
		}
		return value, err
	}}
}

// sentKey is the key of a context of a request as it was sent.
type sentKey struct{}

// ServeHTTP implements http.Handler.
func (f *callsFront) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	sent := r.Clone(r.Context())
	r.Body, sent.Body = io.NopCloser(bytes.NewReader(body)), io.NopCloser(bytes.NewReader(body))
	who := caller{cookies: r.Header["Cookie"], language: r.Header.Get("Accept-Language"), setter: w.Header()}
	if bearer, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); isBearer {
		if f.refreshTokens[bearer] == "" {
			f.direct.ServeHTTP(w, sent)
			return
		}
		who.cookies = []string{apptest.RefreshCookie + "=" + f.refreshTokens[bearer]}
	}
	route, isOperation := f.values.FindPath(r.Method, r.URL)
	if !isOperation || isOnlyOverHTTP(r) {
		f.direct.ServeHTTP(w, sent)
		return
	}
	ctx := context.WithValue(r.Context(), callerKey{}, who)
	answer := httptest.NewRecorder()
	f.values.Serve(route.OperationID(), route.Args(), answer, r.WithContext(context.WithValue(ctx, sentKey{}, sent)))
	maps.Copy(w.Header(), answer.Header())
	if w.Header().Get("Etag") == "" { // later requests refer to it
		w.Header().Set("Etag", fmt.Sprintf(`"%016x"`, xxhash.Sum64(answer.Body.Bytes())))
	}
	w.WriteHeader(answer.Code)
	_, _ = answer.Body.WriteTo(w)
}

// isOnlyOverHTTP reports whether a request says something that calls have no value for.
func isOnlyOverHTTP(r *http.Request) bool {
	return r.Header.Get("If-None-Match") != "" || r.Header.Get("Webhook-Signature") != "" || r.Method == http.MethodHead ||
		r.Header.Get("Upgrade") != "" || strings.HasSuffix(r.URL.Path, "/stream")
}

// refused writes the response to the refusal of a call.
func (f *callsFront) refused(ctx context.Context, w http.ResponseWriter, r *http.Request, err error) {
	refusal, isRefusal := errors.AsType[*gen.Refusal](err)
	if !isRefusal {
		f.direct.ServeHTTP(w, ctx.Value(sentKey{}).(*http.Request))
		return
	}
	var body any = map[string]string{"error": refusal.Code}
	if strings.Contains(r.Header.Get("Accept"), "problem+json") {
		body = problemOf(refusal)
	}
	w.WriteHeader(refusal.Status)
	text, _ := json.Marshal(body) // strings and numbers always marshal
	_, _ = w.Write(text)
}

// problem is a problem of the contract.
type problem struct {
	Type     string             `json:"type"`
	Title    string             `json:"title"`
	Status   int                `json:"status"`
	Detail   string             `json:"detail"`
	Instance string             `json:"instance"`
	Error    string             `json:"error"`
	Reason   string             `json:"reason,omitempty"`
	Errors   []gen.RefusedField `json:"errors,omitempty"`
}

func problemOf(r *gen.Refusal) problem {
	return problem{"about:blank", http.StatusText(r.Status), r.Status, r.Detail, "urn:request:x", r.Code, r.Reason, r.Fields}
}

// valueOperations are operations whose responses are the values of calls.
type valueOperations struct{ *gen.Calls }

func writeValue(w http.ResponseWriter, value gen.Body, err error) error {
	if err == nil {
		_, err = w.Write(gen.Marshal(value))
	}
	return err
}

// DownloadAnswers implements gen.RawHandler.
func (o valueOperations) DownloadAnswers(ctx context.Context, p gen.DownloadAnswersParams, w http.ResponseWriter) error {
	value, err := o.Calls.DownloadAnswers(ctx, p)
	return writeCSV(w, value, err)
}

// DownloadParticipants implements gen.RawHandler.
func (o valueOperations) DownloadParticipants(ctx context.Context, p gen.DownloadParticipantsParams, w http.ResponseWriter) error {
	value, err := o.Calls.DownloadParticipants(ctx, p)
	return writeCSV(w, value, err)
}

func writeCSV(w http.ResponseWriter, value []byte, err error) error {
	if err == nil {
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		_, err = w.Write(value)
	}
	return err
}

// ListEventPosts implements gen.RawHandler.
func (o valueOperations) ListEventPosts(ctx context.Context, p gen.ListEventPostsParams, w http.ResponseWriter) error {
	value, err := o.Calls.ListEventPosts(ctx, p)
	return writeValue(w, value, err)
}

// ListMyReposts implements gen.RawHandler.
func (o valueOperations) ListMyReposts(ctx context.Context, p gen.ListMyRepostsParams, w http.ResponseWriter) error {
	value, err := o.Calls.ListMyReposts(ctx, p)
	return writeValue(w, value, err)
}

// ListPostComments implements gen.RawHandler.
func (o valueOperations) ListPostComments(ctx context.Context, p gen.ListPostCommentsParams, w http.ResponseWriter) error {
	value, err := o.Calls.ListPostComments(ctx, p)
	return writeValue(w, value, err)
}

// ListPostThreads implements gen.RawHandler.
func (o valueOperations) ListPostThreads(ctx context.Context, p gen.ListPostThreadsParams, w http.ResponseWriter) error {
	value, err := o.Calls.ListPostThreads(ctx, p)
	return writeValue(w, value, err)
}
