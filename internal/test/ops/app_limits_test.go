package ops_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/test/apptest"
)

// limitsOn enables the limits and stops the clock.
var limitsOn = []apptest.Option{
	apptest.Setting("RATE_LIMITS", "on"),
	apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)),
}

// behindProxy trusts the test's own connections as those of a proxy.
var behindProxy = slices.Concat(limitsOn, []apptest.Option{apptest.Setting("TRUSTED_PROXIES", "127.0.0.0/8")})

func startCode(c *apptest.Client, email string) *apptest.Reply {
	return c.Post("/auth/dev/start", map[string]string{"email": email})
}

// nth returns a different e-mail address for each i.
func nth(i int) string { return fmt.Sprintf("somebody%d@example.org", i) }

// rule returns the limit of a name.
func rule(name string) ratelimit.Limit {
	return app.RateLimits[slices.IndexFunc(app.RateLimits, func(r ratelimit.Limit) bool { return r.Name == name })]
}

func TestRateLimitRules(t *testing.T) {
	names := map[string]bool{}
	for _, r := range app.RateLimits {
		if q, err := ratelimit.ParseQuota(r.Default.String()); q != r.Default || err != nil || names[r.Name] {
			t.Errorf("%s: %v, %v", r.Name, r.Default, err)
		}
		names[r.Name] = true
		// Only limits per user and of images let requests through while the store is down.
		if open := strings.Contains(r.Name, "_per_user") || r.Name == "images_per_address"; r.Open != open {
			t.Errorf("%s: open: %t, want %t", r.Name, r.Open, open)
		}
	}
}

// limitedByFeature are operations whose limits depend on the body.
var limitedByFeature = []string{"authorizeChatSocket", "openRealtimeSocket", "openRealtimeStream", "refreshSession", "getPhoneCallStatus",
	"getEmailSignInStatus"}

// TestOperationLimitsMatchContract calls every operation twice under limits of one
// request: the second call is refused if the contract lists 429 for the operation.
func TestOperationLimitsMatchContract(t *testing.T) {
	now := time.Now()
	once := map[string]ratelimit.Quota{}
	for _, r := range app.RateLimits {
		once[r.Name] = ratelimit.Quota{N: 1, Window: time.Hour}
	}
	handler, err := httpapi.New(gen.UnimplementedHandler{}, httpapi.Options{
		Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(), Authenticator: anybody{}, MaxInFlight: 1,
		RequestTimeout: time.Minute,
		Limits: ratelimit.New(ratelimit.Options{Clock: func() time.Time { return now }, Quotas: once,
			Log: slog.New(slog.DiscardHandler)}),
		WriteLimit: app.WritesPerUser, OperationLimits: app.OperationLimits,
	})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := api.Document()
	if err != nil {
		t.Fatal(err)
	}
	call := func(method, path, mediaType string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("Authorization", "Bearer at_good")
		r.Header.Set("Content-Type", mediaType) // of an upload; otherwise there is no body
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}
	parameter := regexp.MustCompile(`\{[a-z_]+\}`)
	for route, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			listed := op.Responses.Value("429") != nil && !slices.Contains(limitedByFeature, op.OperationID)
			path := parameter.ReplaceAllString(route, domain.NewID[struct{}](now).String())
			now = now.Add(2 * time.Hour)
			mediaType := typeOf(op)
			first, second := call(method, path, mediaType), call(method, path, mediaType)
			if first.Code == http.StatusTooManyRequests || (second.Code == http.StatusTooManyRequests) != listed {
				t.Errorf("%s: %d, then %d; the contract lists 429: %t", op.OperationID, first.Code, second.Code, listed)
			}
			if listed && (second.Header().Get("Retry-After") != "3600" || second.Header().Get("RateLimit") == "") {
				t.Errorf("%s: %v", op.OperationID, second.Header())
			}
		}
	}
}

// typeOf returns a media type of the body of an operation.
func typeOf(op *openapi3.Operation) string {
	if op.RequestBody != nil {
		for mediaType := range op.RequestBody.Value.Content {
			return mediaType
		}
	}
	return "application/json"
}

// anybody accepts every token as that of one user.
type anybody struct{}

func (anybody) ByAccessToken(context.Context, string) (domain.Viewer, error) {
	return domain.Viewer{UserID: domain.UserID{15: 1}}, nil
}

func (anybody) ByRefreshToken(context.Context, string) (domain.Viewer, error) {
	return domain.Viewer{UserID: domain.UserID{15: 1}}, nil
}

func (anybody) ByTicket(context.Context, string, string) (domain.Viewer, error) {
	return domain.Viewer{}, domain.Unauthorized
}

// wantLimited checks status, code and headers of a refusal.
func wantLimited(t *testing.T, r *apptest.Reply, rule ratelimit.Limit) {
	t.Helper()
	r.WantError(http.StatusTooManyRequests, "rate_limited")
	wait, err := strconv.Atoi(r.Header.Get("Retry-After"))
	if err != nil || wait < 1 || wait > int(rule.Default.Window/time.Second) {
		t.Errorf("Retry-After %q", r.Header.Get("Retry-After"))
	}
	if got, want := r.Header.Values("RateLimit"), fmt.Sprintf("%q;r=0;t=%d", rule.Name, wait); len(got) != 1 || got[0] != want {
		t.Errorf("RateLimit %q, want %q", got, want)
	}
	want := fmt.Sprintf("%q;q=%d;w=%d", rule.Name, rule.Default.N, int(rule.Default.Window/time.Second))
	if got := r.Header.Values("RateLimit-Policy"); len(got) != 1 || got[0] != want {
		t.Errorf("RateLimit-Policy %q, want %q", got, want)
	}
}

func TestForgedForwardedForDoesNotEvadeLimits(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		mail := 0
		for _, r := range rows(t, "headers.txt", 2, 0, 1) {
			if !strings.HasPrefix(r.target, "X-Forwarded-For") {
				continue
			}
			for i := range 31 {
				mail++
				value := r.value
				if i < 25 {
					value = fmt.Sprintf("203.0.113.%d, %s", i, r.value)
				}
				got := startCode(a.Anonymous().Header("X-Forwarded-For", value), nth(mail))
				if i < rule("dev_start_per_address").Default.N {
					got.Want(http.StatusOK)
				} else {
					wantLimited(t, got, rule("dev_start_per_address"))
				}
			}
			a.Clock.Advance(time.Hour)
		}
	}, limitsOn...)
}

// Behind a trusted proxy, limits count the address that the proxy received the request
// from.
func TestLimitsCountClientsBehindProxy(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		mail := 0
		from := func(forwarded string) *apptest.Reply {
			mail++
			return startCode(a.Anonymous().Header("X-Forwarded-For", forwarded), nth(mail))
		}
		n := rule("dev_start_per_address").Default.N
		for name, forwarded := range map[string]func(i int) string{
			"forged hops before its own":       func(i int) string { return fmt.Sprintf("198.51.100.%d, 192.0.2.1", i) },
			"changing ports":                   func(i int) string { return fmt.Sprintf("192.0.2.2:%d", 1000+i) },
			"one IPv6 /64 network":             func(i int) string { return fmt.Sprintf("2001:db8:0:1::%x", i) },
			"IPv4-mapped and plain":            func(i int) string { return []string{"::ffff:192.0.2.3", "192.0.2.3"}[i%2] },
			"invalid text counts as the proxy": func(i int) string { return fmt.Sprintf("nonsense%d", i) },
		} {
			for i := range n {
				if got := from(forwarded(i)); got.Status != http.StatusOK {
					t.Fatalf("%s: %d at %d", name, got.Status, i)
				}
			}
			wantLimited(t, from(forwarded(n)), rule("dev_start_per_address"))
		}
		from("192.0.2.4").Want(http.StatusOK)
		from("2001:db8:0:2::1").Want(http.StatusOK)
	}, behindProxy...)
}

func TestLimitsRefill(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		client := 0
		ask := func(email string) *apptest.Reply {
			client++ // each request has another address
			return startCode(a.Anonymous().Header("X-Forwarded-For", fmt.Sprintf("192.0.%d.%d", client/250, client%250)), email)
		}
		for _, email := range []string{"known@example.org", "UNKNOWN@example.org", "unknown@Example.ORG", "known@example.org"} {
			ask(email).Want(http.StatusOK)
		}
		for range 3 {
			ask("known@example.org").Want(http.StatusOK)
			ask("unknown@example.org").Want(http.StatusOK)
		}
		wantLimited(t, ask("Known@example.org"), rule("dev_start_per_email"))
		wantLimited(t, ask("unknown@example.org"), rule("dev_start_per_email"))
		ask("another@example.org").Want(http.StatusOK)
		a.Clock.Advance(2*time.Minute - time.Second)
		wantLimited(t, ask("known@example.org"), rule("dev_start_per_email"))
		a.Clock.Advance(time.Second)
		ask("known@example.org").Want(http.StatusOK)
		wantLimited(t, ask("known@example.org"), rule("dev_start_per_email"))
		a.Clock.Advance(-time.Hour) // a clock that goes back neither refills quotas nor extends the wait
		wantLimited(t, ask("known@example.org"), rule("dev_start_per_email"))
		a.Clock.Advance(2*time.Minute + time.Second)
		ask("known@example.org").Want(http.StatusOK)
		problem := ask("known@example.org")
		if problem.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%v", problem.Header)
		}
	}, behindProxy...)
}

func TestRateLimitedAsProblemDetail(t *testing.T) {
	a := apptest.New(t, db.SQLite, append(limitsOn, apptest.Setting("RATE_LIMITS", "dev_verify_per_address=1/1h"))...)
	c := a.Anonymous().With("Accept", "application/problem+json")
	body := map[string]string{"email": "ann@example.org", "code": "000000"}
	c.Post("/auth/dev/verify", body).Want(http.StatusUnauthorized)
	got := c.Post("/auth/dev/verify", body).Want(http.StatusTooManyRequests)
	if got.Header.Get("Content-Type") != "application/problem+json" || got.Text("error") != "rate_limited" || got.Number("status") != 429 ||
		got.Header.Get("Retry-After") != "3600" || got.Header.Get("RateLimit") != `"dev_verify_per_address";r=0;t=3600` {
		t.Errorf("%v %s", got.Header, got.Body)
	}
}

// A refused refresh does not rotate the token, so it stays valid.
func TestRefreshLimit(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.SignIn("ann@example.org"), a.SignIn("bob@example.org")
		token := ann.RefreshToken
		refresh := func(token string) *apptest.Reply {
			return a.Anonymous().Post("/auth/refresh", map[string]string{"refresh_token": token})
		}
		for range 60 {
			token = refresh(token).Want(http.StatusOK).Text("refresh_token")
		}
		wantLimited(t, refresh(token), rule("refresh_per_session"))
		wantLimited(t, refresh(ann.RefreshToken), rule("refresh_per_session"))
		refresh(bob.RefreshToken).Want(http.StatusOK)
		a.Clock.Advance(time.Second)
		refresh(token).Want(http.StatusOK)
	}, limitsOn...)
}

func TestWriteLimit(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := published(a, "org")
		ann, bob := a.As("ann"), a.As("bob")
		for i := range 120 {
			var got *apptest.Reply
			switch i % 3 {
			case 0:
				got = ann.Post("/events/"+event+"/join", nil)
			case 1:
				got = ann.Delete("/events/" + event + "/join")
			default:
				got = ann.Patch("/me/profile", "{}")
			}
			want := fmt.Sprintf(`"writes_per_user";r=%d;t=1`, 119-i)
			if got.Want(http.StatusOK).Header.Get("RateLimit") != want || got.Header.Get("RateLimit-Policy") != `"writes_per_user";q=120;w=60` {
				t.Fatalf("%d: %q", i, got.Header.Get("RateLimit"))
			}
		}
		wantLimited(t, ann.Patch("/me/profile", "{}"), rule("writes_per_user"))
		wantLimited(t, a.SignIn("ann@example.org").Patch("/me/profile", "{}"), rule("writes_per_user")) // the user, not the session
		if read := ann.Get("/me").Want(http.StatusOK); read.Header.Get("RateLimit") != "" {
			t.Errorf("a read is limited: %q", read.Header.Get("RateLimit"))
		}
		bob.Patch("/me/profile", "{}").Want(http.StatusOK)
		a.Clock.Advance(500 * time.Millisecond)
		ann.Patch("/me/profile", "{}").Want(http.StatusOK)
		wantLimited(t, ann.Patch("/me/profile", "{}"), rule("writes_per_user"))
	}, limitsOn...)
}

func TestEventLimit(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		for range 30 {
			got := ann.Post("/events", draft).Want(http.StatusCreated)
			if len(got.Header.Values("RateLimit")) != 2 {
				t.Fatalf("%q", got.Header.Values("RateLimit"))
			}
		}
		ann.Post("/events", `{"title":"Go"`).WantError(http.StatusBadRequest, "invalid_request") // does not count
		wantLimited(t, ann.Post("/events", draft), rule("events_per_user_day"))
		a.Clock.Advance(48 * time.Minute)
		a.SignIn("ann@example.org").Post("/events", draft).Want(http.StatusCreated)
	}, limitsOn...)
}

func TestPostLimit(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		posts := "/events/" + published(a, "org") + "/posts"
		org := a.As("org")
		for range 30 {
			org.Post(posts, `{"body":"Hello"}`).Want(http.StatusCreated)
		}
		wantLimited(t, org.Post(posts, `{"body":"Hello"}`), rule("posts_per_user_hour"))
		a.Clock.Advance(2 * time.Minute)
		org.Post(posts, `{"body":"Hello"}`).Want(http.StatusCreated)
		wantLimited(t, org.Post(posts, `{"body":"Hello"}`), rule("posts_per_user_hour"))
	}, limitsOn...)
}

// image has a refused URL, so nothing is fetched.
const image = "/images/proxy?url=https%3A%2F%2Flocalhost%2F1.png"

func TestImageLimit(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		from := func(address string) *apptest.Client { return a.Anonymous().Header("X-Forwarded-For", address) }
		for range 240 {
			from("192.0.2.1").Get(image).WantError(http.StatusBadRequest, "invalid_request")
		}
		wantLimited(t, from("192.0.2.1").Get(image), rule("images_per_address"))
		// counts by address, not by user
		wantLimited(t, a.As("ann").Header("X-Forwarded-For", "192.0.2.1").Get(image), rule("images_per_address"))
		from("192.0.2.2").Get(image).WantError(http.StatusBadRequest, "invalid_request")
		a.Clock.Advance(250 * time.Millisecond)
		from("192.0.2.1").Get(image).WantError(http.StatusBadRequest, "invalid_request")
	}, behindProxy...)
}

func TestInstancesShareLimits(t *testing.T) {
	a := apptest.New(t, db.PostgreSQL, append(limitsOn, apptest.Instances(3))...)
	ann := a.As("ann")
	count := func(n int, call func(i int) *apptest.Reply) (allowed int) {
		var mu sync.Mutex
		var all sync.WaitGroup
		for worker := range 6 {
			all.Go(func() {
				for i := worker; i < n; i += 6 {
					if got := call(i); got.Status != http.StatusTooManyRequests {
						mu.Lock()
						allowed++
						mu.Unlock()
					}
				}
			})
		}
		all.Wait()
		return allowed
	}
	if n := count(60, func(i int) *apptest.Reply {
		return a.Anonymous().On(i%3).Post("/auth/dev/verify", map[string]string{"email": nth(i), "code": "000000"})
	}); n != 29 { // the sign-in of ann has used one
		t.Errorf("%d codes were tried", n)
	}
	if n := count(180, func(i int) *apptest.Reply { return ann.On(i%3).Patch("/me/profile", "{}") }); n != 120 {
		t.Errorf("%d changes were made", n)
	}
}

func TestSignInIsRefusedWhileLimitsAreDown(t *testing.T) {
	a := apptest.New(t, db.PostgreSQL, limitsOn...)
	ann := a.As("ann")
	if _, err := a.DB.Exec(t.Context(), db.SQL("app_test.no_limits", `ALTER TABLE rate_limits RENAME TO away`)); err != nil {
		t.Fatal(err)
	}
	anonymous := a.Anonymous().Allow5xx()
	for path, body := range map[string]map[string]string{
		"/auth/dev/start":  {"email": "bob@example.org"},
		"/auth/dev/verify": {"email": "bob@example.org", "code": "000000"},
		"/auth/refresh":    {"refresh_token": ann.RefreshToken},
	} {
		got := anonymous.Post(path, body)
		got.WantError(http.StatusServiceUnavailable, "service_unavailable")
		if got.Header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", path)
		}
	}
	anonymous.Get("/events").Want(http.StatusOK)
	anonymous.Get(image).WantError(http.StatusBadRequest, "invalid_request")
	ann.Get("/me").Want(http.StatusOK)
	ann.Patch("/me/profile", "{}").Want(http.StatusOK)
	anonymous.Post("/auth/logout", map[string]string{"refresh_token": ann.RefreshToken}).Want(http.StatusNoContent)
}
