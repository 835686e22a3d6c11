package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
	"moothall/internal/platform/ratelimit"
)

func TestAuthentication(t *testing.T) {
	s := start(t, operations{})
	cookie := "Cookie: service_refresh_token=" + goodCookie
	for _, c := range []struct {
		name    string
		headers []string
		me      int // on an operation that needs a session
		events  int // on one that takes anonymous callers
	}{
		{"anonymous", nil, 401, 200},
		{"bearer", []string{bearer}, 200, 200},
		{"scheme in lower case", []string{"Authorization: bearer " + goodToken}, 200, 200},
		{"unknown token", []string{"Authorization: Bearer at_bad"}, 401, 401},
		{"no scheme", []string{"Authorization: " + goodToken}, 401, 401},
		{"other scheme", []string{"Authorization: Basic " + goodToken}, 401, 401},
		{"two spaces", []string{"Authorization: Bearer  " + goodToken}, 401, 401},
		{"two tokens", []string{bearer + " " + goodToken}, 401, 401},
		{"two headers", []string{bearer, bearer}, 401, 401},
		{"quoted", []string{`Authorization: Bearer "` + goodToken + `"`}, 401, 401},
		{"longer than any token", []string{"Authorization: Bearer " + strings.Repeat("a", 600)}, 401, 401},
		{"cookie", []string{cookie}, 200, 200},
		{"stale cookie", []string{"Cookie: service_refresh_token=rt_old"}, 401, 401},
		{"other cookies only", []string{"Cookie: theme=dark"}, 401, 200},
		{"cookie twice, the same", []string{cookie + "; service_refresh_token=" + goodCookie}, 200, 200},
		{"cookie twice, different", []string{cookie + "; service_refresh_token=rt_old"}, 401, 401},
		{"bad bearer does not fall back to the cookie", []string{"Authorization: Bearer at_bad", cookie}, 401, 401},
		{"malformed bearer does not either", []string{"Authorization: Bearer", cookie}, 401, 401},
		{"good bearer, stale cookie", []string{bearer, "Cookie: service_refresh_token=rt_old"}, 200, 200},
	} {
		got := s.call("GET", "/me", "", c.headers...)
		got.want(t, c.name+" /me", c.me, "")
		s.call("GET", "/events", "", c.headers...).want(t, c.name+" /events", c.events, "")
		if c.me != 401 {
			continue
		}
		got.want(t, c.name, 401, refusal("unauthorized"))
		if got.Header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: no WWW-Authenticate", c.name)
		}
	}
	s.call("GET", "/me?access_token="+goodToken, "").want(t, "token in the query", 401, "")
}

func TestOrderOfErrors(t *testing.T) {
	s := start(t, operations{})
	open, secret := "/events/"+visible.String(), "/events/"+hidden.String()
	for _, c := range []struct {
		name, method, path, body string
		headers                  []string
		status                   int
		code                     string
	}{
		{"401 before 404", "PATCH", secret, `{`, nil, 401, "unauthorized"},
		{"404 before 400: syntax", "PATCH", secret, `{`, []string{bearer}, 404, "not_found"},
		{"404 before 400: type", "PATCH", secret, `{"title":1}`, []string{bearer}, 404, "not_found"},
		{"404 before 400: duplicate key", "PATCH", secret, `{"a":1,"a":1}`, []string{bearer}, 404, "not_found"},
		{"400 where it can be seen", "PATCH", open, `{`, []string{bearer}, 400, "invalid_request"},
		{"malformed id where 400 is listed", "PATCH", "/events/1", `{}`, []string{bearer}, 400, "invalid_request"},
		{"malformed id where it is not", "GET", "/events/1", "", nil, 404, "not_found"},
		{"undashed id", "GET", "/events/" + strings.ReplaceAll(visible.String(), "-", ""), "", nil, 404, "not_found"},
		{"id in braces", "PATCH", "/events/%7B" + visible.String() + "%7D", `{}`, []string{bearer}, 400, "invalid_request"},
		{"unknown path", "GET", "/nothing", "", nil, 404, "not_found"},
		{"slash at the end", "GET", "/events/", "", nil, 404, "not_found"},
		{"double slash", "GET", "//events", "", nil, 404, "not_found"},
		{"wrong method", "PUT", "/events", "{}", nil, 405, "method_not_allowed"},
		{"invented method", "PROPFIND", "/events", "", nil, 405, "method_not_allowed"},
		{"not built", "GET", "/notifications", "", []string{bearer}, 500, "internal_error"},
		{"not built, but 401 first", "GET", "/notifications", "", nil, 401, "unauthorized"},
		{"handler's own refusal", "POST", "/events", `{"title":"Go","starts_at":"2027-01-01T10:00:00Z"}`, []string{bearer}, 409, "conflict"},
	} {
		got := s.call(c.method, c.path, c.body, c.headers...)
		got.want(t, c.name, c.status, refusal(c.code))
		if c.status == 405 && got.Header.Get("Allow") != "GET, HEAD, POST, OPTIONS" {
			t.Errorf("%s: Allow %q", c.name, got.Header.Get("Allow"))
		}
	}
	options := s.call("OPTIONS", "/events", "")
	options.want(t, "OPTIONS", 204, "")
	if options.Header.Get("Allow") != "GET, HEAD, POST, OPTIONS" {
		t.Errorf("OPTIONS: Allow %q", options.Header.Get("Allow"))
	}
}

func TestInternalErrorsAreNotShown(t *testing.T) {
	var answerWith error
	var committed bool
	s := start(t, operations{getMe: func(ctx context.Context) (*gen.CurrentUser, error) {
		if answerWith == nil {
			panic("secret of the panic")
		}
		if errors.Is(answerWith, context.DeadlineExceeded) {
			<-ctx.Done()
			return nil, fmt.Errorf("user.me: %w", ctx.Err())
		}
		if committed {
			httpapi.Committed(ctx)
		}
		return nil, answerWith
	}}, func(o *httpapi.Options) { o.RequestTimeout = 50 * time.Millisecond })
	for _, c := range []struct {
		name   string
		err    error
		status int
		code   string
	}{
		{"panic", nil, 500, "internal_error"},
		{"unknown error", fmt.Errorf("SELECT * FROM users"), 500, "internal_error"},
		{"database down", fmt.Errorf("user.me: %w", db.ErrUnavailable), 503, "service_unavailable"},
		{"commit in doubt", fmt.Errorf("event.create: %w", db.ErrInDoubt), 503, "outcome_unknown"},
		{"deadline", context.DeadlineExceeded, 503, "service_unavailable"},
		{"unknown code", &domain.Error{Code: "invented"}, 500, "internal_error"},
		{"username", fmt.Errorf("user.update: %w", domain.UsernameTaken), 409, "username_taken"},
		{"rate", domain.RateLimited, 429, "rate_limited"},
		{"database down after a commit", fmt.Errorf("user.me: %w", db.ErrUnavailable), 503, "outcome_unknown"},
		{"provider down after a commit", domain.ServiceUnavailable, 503, "service_unavailable"},
	} {
		answerWith, committed = c.err, strings.HasSuffix(c.name, "after a commit")
		got := s.call("GET", "/me", "", bearer)
		got.want(t, c.name, c.status, refusal(c.code))
		if c.status == 503 && got.Header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", c.name)
		}
	}
	for _, want := range []string{"secret of the panic", "SELECT * FROM users", `"stack":`} {
		if !strings.Contains(s.log.String(), want) {
			t.Errorf("the log lacks %q", want)
		}
	}
}

func TestPanicInMidResponseClosesConnection(t *testing.T) {
	pages := http.NewServeMux()
	pages.HandleFunc("GET /half", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("half"))
		_ = http.NewResponseController(w).Flush()
		panic("then nothing")
	})
	s := start(t, operations{}, func(o *httpapi.Options) { o.ExtraRoutes = pages })
	response, err := http.Get(s.URL + "/half")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if _, err := io.ReadAll(response.Body); err == nil {
		t.Error("half a response looked complete")
	}
	s.call("GET", "/events", "").want(t, "afterwards", 200, "")
}

// TestOverloadIsRefusedInItsLane takes the permits of the main lane.
func TestOverloadIsRefusedInItsLane(t *testing.T) {
	entered, release := make(chan bool), make(chan bool)
	s := start(t, operations{events: func(context.Context, gen.ListEventsParams) (*gen.EventListResponse, error) {
		entered <- true
		<-release
		return &gen.EventListResponse{}, nil
	}}, func(o *httpapi.Options) { o.MaxInFlight = 2 })
	var busy sync.WaitGroup
	for range 2 {
		busy.Go(func() { s.call("GET", "/events", "").want(t, "admitted", 200, "") })
		<-entered
	}
	for range 2 {
		got := s.call("GET", "/events", "")
		got.want(t, "one too many", 503, refusal("service_unavailable"))
		if got.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}
	if log := s.log.String(); strings.Count(log, "overloaded") != 1 || strings.Contains(log, `"status":503`) {
		t.Errorf("want one line about all refusals:\n%s", log)
	}
	// The stubs of this test have neither health nor sign-in: 500 shows that they were called.
	s.call("GET", "/healthz", "").want(t, "health under overload", 500, "")
	s.call("POST", "/auth/refresh", `{"refresh_token":"rt_a"}`).want(t, "sign-in under overload", 500, "")
	close(release)
	busy.Wait()
}

func TestHeadersOfEveryResponse(t *testing.T) {
	s := start(t, operations{})
	for _, path := range []string{"/events", "/me", "/nothing", "/healthz"} {
		h := s.call("GET", path, "").Header
		for name, want := range map[string]string{
			"X-Content-Type-Options":  "nosniff",
			"Referrer-Policy":         "no-referrer",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",

			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
		} {
			if h.Get(name) != want {
				t.Errorf("%s: %s %q", path, name, h.Get(name))
			}
		}
		if h.Get("Strict-Transport-Security") != "" {
			t.Errorf("%s: HSTS without https", path)
		}
		if h.Get("Server") != "" || h.Get("X-Powered-By") != "" {
			t.Errorf("%s names its software", path)
		}
	}
	for _, c := range []struct {
		name, path string
		headers    []string
		want       string
	}{
		{"anonymous list", "/events", nil, "no-cache"},
		{"signed-in list", "/events", []string{bearer}, "private, no-store"},
		{"own data", "/me", []string{bearer}, "private, no-store"},
		{"refusal", "/events?limit=x", nil, "private, no-store"},
	} {
		h := s.call("GET", c.path, "", c.headers...).Header
		if h.Get("Cache-Control") != c.want {
			t.Errorf("%s: Cache-Control %q", c.name, h.Get("Cache-Control"))
		}
	}
	vary := strings.Join(s.call("GET", "/events", "").Header["Vary"], ", ")
	for _, name := range []string{"Authorization", "Cookie", "Origin"} {
		if !strings.Contains(vary, name) {
			t.Errorf("Vary lacks %s: %q", name, vary)
		}
	}
	cookies := s.call("POST", "/auth/sessions/revoke-others", "", bearer).Cookies()
	if len(cookies) != 2 {
		t.Errorf("%d cookies, want both", len(cookies))
	}
}

func TestHSTSWithHTTPSOnly(t *testing.T) {
	s := start(t, operations{}, func(o *httpapi.Options) { o.HTTPS = true })
	for _, path := range []string{"/events", "/me", "/nothing"} {
		if got := s.call("GET", path, "").Header.Get("Strict-Transport-Security"); got != "max-age=31536000" {
			t.Errorf("%s: Strict-Transport-Security %q", path, got)
		}
	}
}

func TestRequestID(t *testing.T) {
	s := start(t, operations{})
	for sent, accepted := range map[string]bool{
		"trace-1.2_3": true, "": false, "a b": false, `"}{"`: false, strings.Repeat("a", 65): false,
	} {
		got := s.call("GET", "/events", "", "X-Request-Id: "+sent).Header.Get("X-Request-Id")
		if accepted && got != sent || !accepted && (got == sent || len(got) != 32) {
			t.Errorf("%q got %q", sent, got)
		}
	}
}

func TestExtraRoutes(t *testing.T) {
	pages := http.NewServeMux()
	pages.HandleFunc("GET /{$}", func(http.ResponseWriter, *http.Request) {})
	pages.HandleFunc("POST /form", func(http.ResponseWriter, *http.Request) {})
	pages.HandleFunc("GET /form", func(http.ResponseWriter, *http.Request) {})
	s := start(t, operations{}, func(o *httpapi.Options) { o.ExtraRoutes = pages })
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/", 200, ""},
		{"HEAD", "/", 200, ""},
		{"OPTIONS", "/", 204, "GET, HEAD, OPTIONS"},
		{"POST", "/", 405, "GET, HEAD, OPTIONS"},
		{"PROPFIND", "/", 405, "GET, HEAD, OPTIONS"},
		{"POST", "/form", 200, ""},
		{"DELETE", "/form", 405, "GET, HEAD, POST, OPTIONS"},
		{"DELETE", "/other", 404, ""},
		{"PUT", "/events", 405, "GET, HEAD, POST, OPTIONS"},
	} {
		got := s.call(c.method, c.path, "")
		got.want(t, c.method+" "+c.path, c.status, map[int]string{405: refusal("method_not_allowed"), 404: refusal("not_found")}[c.status])
		if got.Header.Get("Allow") != c.allow {
			t.Errorf("%s %s: Allow %q", c.method, c.path, got.Header.Get("Allow"))
		}
	}
}

func TestDisabledOperations(t *testing.T) {
	s := start(t, operations{}, func(o *httpapi.Options) { o.DisabledOperations = []string{"createEvent", "logout"} })
	for _, c := range []struct{ method, path, body, contentType string }{
		{"POST", "/auth/logout", "", ""},
		{"POST", "/auth/logout", "{}", "application/json"},
		{"POST", "/auth/logout", "{", "application/json"},
		{"POST", "/auth/logout", "a=b", "application/x-www-form-urlencoded"},
		{"POST", "/auth/logout", strings.Repeat(" ", 65<<10), "text/plain"},
		{"POST", "/auth/logout?x=%ff", "", ""},
		{"GET", "/auth/logout", "", ""},
		{"OPTIONS", "/auth/logout", "", ""},
	} {
		s.call(c.method, c.path, c.body, "Content-Type: "+c.contentType).want(t, c.method+" "+c.path+" "+c.contentType, 404, refusal("not_found"))
	}
	other := s.call("POST", "/events", "{}")
	other.want(t, "next to another operation", 405, refusal("method_not_allowed"))
	if other.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("Allow %q", other.Header.Get("Allow"))
	}
	start(t, operations{}).call("POST", "/auth/logout", "").want(t, "on another server", 500, "")
	_, err := httpapi.New(operations{}, httpapi.Options{DisabledOperations: []string{"createEvnet"}, Metrics: prometheus.NewRegistry()})
	if err == nil {
		t.Error("an unknown operation was disabled")
	}
}

// TestHangUpIsLogged checks that a caller who hangs up changes the logged status only if
// the request was not answered yet.
func TestHangUpIsLogged(t *testing.T) {
	for answered, logged := range map[int]int{201: 201, 204: 204, 409: 409, 500: 499, 503: 499, 0: 499} {
		entered := make(chan bool)
		pages := http.NewServeMux()
		pages.HandleFunc("POST /page", func(w http.ResponseWriter, r *http.Request) {
			close(entered)
			<-r.Context().Done()
			if answered > 0 {
				w.WriteHeader(answered)
			}
		})
		s := start(t, operations{}, func(o *httpapi.Options) { o.ExtraRoutes = pages })
		ctx, hangUp := context.WithCancel(t.Context())
		go func() { <-entered; hangUp() }()
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/page", nil)
		if err != nil {
			t.Fatal(err)
		}
		if response, err := http.DefaultTransport.RoundTrip(r); err == nil {
			_ = response.Body.Close()
			t.Error("the request was answered")
		}
		s.Close() // waits for the request
		if want := fmt.Sprintf(`"status":%d,`, logged); !strings.Contains(s.log.String(), want) {
			t.Errorf("%d: no %s in %s", answered, want, s.log.String())
		}
	}
}

func TestHead(t *testing.T) {
	s := start(t, operations{})
	get, head := s.call("GET", "/events", ""), s.call("HEAD", "/events", "")
	head.want(t, "HEAD", 200, "")
	if head.body != "" || head.Header.Get("Content-Type") != get.Header.Get("Content-Type") {
		t.Errorf("HEAD differs from GET: %v %q", head.Header, head.body)
	}
	s.call("HEAD", "/auth/logout", "").want(t, "HEAD of a POST", 405, "")
	s.call("HEAD", "/me", "").want(t, "HEAD without a session", 401, "")
}

func TestOneLogLineWithoutSecrets(t *testing.T) {
	s := start(t, operations{})
	s.call("GET", "/events?q=canaryquery&city=canarycity", "", bearer, "User-Agent: canaryagent",
		"X-Forwarded-For: 203.0.113.77", "Cookie: service_refresh_token=canarycookie", "X-Request-Id: line-1")
	s.call("GET", "/events/"+visible.String(), "", "Authorization: Bearer canarytoken")
	s.call("GET", "/canarypath", "")
	log := s.log.String()
	for _, secret := range []string{"canary", goodToken, visible.String(), "203.0.113.77", "127.0.0.1"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log contains %q:\n%s", secret, log)
		}
	}
	first, _, _ := strings.Cut(log, "\n")
	var line struct {
		ID        string  `json:"request_id"`
		Operation string  `json:"operation"`
		Status    int     `json:"status"`
		MS        float64 `json:"ms"`
		Bytes     int64   `json:"bytes"`
	}
	if err := json.Unmarshal([]byte(first), &line); err != nil {
		t.Fatal(err)
	}
	if line.ID != "line-1" || line.Operation != "listEvents" || line.Status != 200 || line.MS <= 0 || line.Bytes == 0 {
		t.Errorf("%+v", line)
	}
	if lines := strings.Count(log, "\n"); lines != 3 {
		t.Errorf("%d lines for 3 requests:\n%s", lines, log)
	}
}

func TestMetrics(t *testing.T) {
	s := start(t, operations{})
	s.call("GET", "/events", "")
	s.call("GET", "/me", "")
	families, err := s.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, f := range families {
		for _, m := range f.GetMetric() {
			fmt.Fprintln(&text, f.GetName(), m.GetLabel())
		}
	}
	for _, want := range []string{"listEvents", "getMe", "401", "moothall_http_request_duration_seconds", "in_flight"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %s in\n%s", want, text.String())
		}
	}
}

func TestRetryAfterWithoutRule(t *testing.T) {
	var answerWith error
	s := start(t, operations{getMe: func(context.Context) (*gen.CurrentUser, error) { return nil, answerWith }})
	for want, err := range map[string]error{
		"2":  domain.RateLimited,
		"90": fmt.Errorf("session.start_phone: %w", ratelimit.RetryIn(89500*time.Millisecond)),
	} {
		answerWith = err
		got := s.call("GET", "/me", "", bearer)
		got.want(t, "refused", http.StatusTooManyRequests, refusal("rate_limited"))
		if got.Header.Get("Retry-After") != want || got.Header.Get("RateLimit") != "" {
			t.Errorf("%v: %v", err, got.Header)
		}
	}
}
