package httpapi_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-faster/jx"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

const (
	goodToken  = "at_good"
	goodCookie = "rt_good"
	webOrigin  = "https://moothall.test"
)

var (
	visible = domain.NewID[struct{}](time.Now())
	hidden  = domain.NewID[struct{}](time.Now())
)

// operations implements the few operations that the tests call.
type operations struct {
	gen.UnimplementedHandler
	getMe  func(ctx context.Context) (*gen.CurrentUser, error)
	events func(ctx context.Context, params gen.ListEventsParams) (*gen.EventListResponse, error)
	posts  func() httpapi.Body
	event  func() (*gen.EventDetailsHeaders, error)
	update func(gen.UpdateEventParams)
}

func (o operations) GetEvent(context.Context, gen.GetEventParams) (*gen.EventDetailsHeaders, error) {
	return o.event()
}

func (o operations) ListEventPosts(ctx context.Context, _ gen.ListEventPostsParams, w http.ResponseWriter) error {
	return httpapi.WriteBody(ctx, w, o.posts())
}

func (o operations) GetMe(ctx context.Context) (*gen.CurrentUser, error) { return o.getMe(ctx) }

// cards are a list of one card with a title of some bytes.
func cards(bytes int) gen.List[gen.EventCard] {
	return gen.NewList[gen.EventCard](1, func(e *jx.Encoder, _ int) {
		e.FieldStart("title")
		e.Str(strings.Repeat("x", bytes))
	}, nil)
}

func (o operations) ListEvents(ctx context.Context, params gen.ListEventsParams) (*gen.EventListResponse, error) {
	if o.events != nil {
		return o.events(ctx, params)
	}
	return &gen.EventListResponse{}, nil
}

func (operations) CreateEvent(context.Context, *gen.CreateEventRequest, gen.CreateEventParams) (*gen.EventDetailsHeaders, error) {
	return nil, domain.Conflict // shows that the request reached the operation
}

func (o operations) UpdateEvent(_ context.Context, _ *gen.UpdateEventRequest,
	params gen.UpdateEventParams) (*gen.EventDetailsHeaders, error) {
	if o.update != nil {
		o.update(params)
	}
	return nil, domain.Conflict
}

func (operations) JoinEvent(context.Context, gen.OptJoinEventRequest, gen.JoinEventParams) (*gen.EventParticipant, error) {
	return nil, domain.Conflict
}

func (operations) RevokeOtherSessions(ctx context.Context) error {
	httpapi.SetCookie(ctx, &http.Cookie{Name: "a", Value: "1"})
	httpapi.SetCookie(ctx, &http.Cookie{Name: "b", Value: "2"})
	return nil
}

func me(ctx context.Context) (*gen.CurrentUser, error) {
	v := httpapi.Viewer(ctx)
	user := &gen.CurrentUser{}
	user.User.ID, user.User.CreatedAt = uuid.UUID(v.UserID), time.Now()
	user.Profile.UserID, user.Profile.DisplayName, user.Profile.Username = uuid.UUID(v.UserID), "Ann", "ann"
	user.Profile.Interests = []string{}
	return user, nil
}

// authenticator accepts one token of each kind.
type authenticator struct{}

var ann = domain.Viewer{UserID: domain.UserID{15: 1}}

func (authenticator) ByAccessToken(_ context.Context, token string) (domain.Viewer, error) {
	return known(token, goodToken)
}

func (authenticator) ByRefreshToken(_ context.Context, token string) (domain.Viewer, error) {
	return known(token, goodCookie)
}

func (authenticator) ByTicket(context.Context, string, string) (domain.Viewer, error) {
	return domain.Viewer{}, domain.Unauthorized
}

func known(token, good string) (domain.Viewer, error) {
	if token != good {
		return domain.Viewer{}, domain.Unauthorized
	}
	return ann, nil
}

// server is a Server with operations on a real listener.
type server struct {
	*httptest.Server
	t       *testing.T
	log     *safeBuffer
	metrics *prometheus.Registry
	api     *httpapi.Server
}

func start(t *testing.T, o operations, change ...func(*httpapi.Options)) *server {
	t.Helper()
	if o.getMe == nil {
		o.getMe = me
	}
	s := &server{t: t, log: &safeBuffer{}, metrics: prometheus.NewRegistry()}
	options := httpapi.Options{
		Log:            slog.New(slog.NewJSONHandler(s.log, nil)),
		Metrics:        s.metrics,
		Authenticator:  authenticator{},
		AllowedOrigins: []string{webOrigin, "https://other.test"},
		TrustedProxies: []netip.Prefix{},
		MaxInFlight:    100,
		RequestTimeout: 5 * time.Second,
		BeforeInvalid: func(_ context.Context, _ string, path map[string]string) error {
			if path["event_id"] == hidden.String() {
				return domain.NotFound
			}
			return nil
		},
	}
	for _, c := range change {
		c(&options)
	}
	var err error
	if s.api, err = httpapi.New(o, options); err != nil {
		t.Fatal(err)
	}
	s.Server = httptest.NewUnstartedServer(s.api)
	s.Config.MaxHeaderBytes = 32 << 10
	s.Start()
	t.Cleanup(s.Close)
	return s
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

type answer struct {
	*http.Response
	body string
}

// call sends a request; headers are "Name: value" lines.
func (s *server) call(method, path, body string, headers ...string) answer {
	s.t.Helper()
	var payload io.Reader
	if body != "" {
		payload = strings.NewReader(body)
	}
	r, err := http.NewRequest(method, s.URL+path, payload)
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		if name == "Host" {
			r.Host = value
			continue
		}
		if name == "Content-Type" {
			r.Header.Del(name)
		}
		if value != "" {
			r.Header.Add(name, value)
		}
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	_ = response.Body.Close()
	return answer{response, string(text)}
}

func (a answer) want(t *testing.T, what string, status int, body string) {
	t.Helper()
	if a.StatusCode != status || body != "" && a.body != body {
		t.Errorf("%s: %d %s, want %d %s", what, a.StatusCode, a.body, status, body)
	}
}

const bearer = "Authorization: Bearer " + goodToken

func refusal(code string) string { return `{"error":"` + code + `"}` }
