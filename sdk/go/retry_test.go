package moothall

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

// answers is a service that gives one answer after the other, and repeats the last one. An answer is "lost" or a status, which
// an error code (or "-") and a Retry-After may follow: "503 service_unavailable 2". "cut" is a success whose body ends early.
type answers struct {
	left []string
	keys []string // the Idempotency-Keys of the requests
}

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	a.keys = append(a.keys, r.Header.Get("Idempotency-Key"))
	answer := strings.Fields(a.left[0])
	if len(a.left) > 1 {
		a.left = a.left[1:]
	}
	response := &http.Response{Header: http.Header{}, Request: r, Body: io.NopCloser(strings.NewReader("{}"))}
	switch answer[0] {
	case "lost":
		return nil, io.ErrUnexpectedEOF
	case "cut":
		response.StatusCode, response.Body = http.StatusCreated,
			io.NopCloser(io.MultiReader(strings.NewReader(`{"event":`), iotest.ErrReader(io.ErrUnexpectedEOF)))
		return response, nil
	case "301":
		response.Header.Set("Location", "https://service/events")
	}
	response.StatusCode, _ = strconv.Atoi(answer[0])
	if len(answer) > 1 && answer[1] != "-" {
		response.Body = io.NopCloser(strings.NewReader(`{"error":"` + answer[1] + `"}`))
	}
	if len(answer) > 2 {
		response.Header.Set("Retry-After", answer[2])
	}
	return response, nil
}

func TestRetries(t *testing.T) {
	read := func(ctx context.Context, c *Client) error {
		_, err := c.ListEvents(ctx, ListEventsParams{})
		return err
	}
	create := func(ctx context.Context, c *Client) error {
		_, err := c.CreateEvent(ctx, CreateEventRequest{})
		return err
	}
	publish := func(ctx context.Context, c *Client) error { _, err := c.PublishEvent(ctx, "id"); return err }
	guarded := func(ctx context.Context, c *Client) error {
		_, err := c.UpdateEvent(ctx, "id", UpdateEventParams{IfMatch: `"1"`}, UpdateEventRequest{})
		return err
	}
	signIn := func(ctx context.Context, c *Client) error {
		_, err := c.VerifyDevSignIn(ctx, VerifyDevSignInRequest{})
		return err
	}
	for _, row := range []struct {
		name     string
		call     func(context.Context, *Client) error
		answers  []string
		attempts int
		waits    time.Duration // at least
		fails    bool
	}{
		{"success", read, []string{"200"}, 1, 0, false},
		{"a list, lost", read, []string{"lost", "200"}, 2, 0, false},
		{"a creation, lost", create, []string{"lost", "lost", "200"}, 3, 0, false},
		{"a change that is the same twice, lost", publish, []string{"lost", "200"}, 2, 0, false},
		{"a guarded change, lost", guarded, []string{"lost"}, 1, 0, true},
		{"a sign-in, lost", signIn, []string{"lost"}, 1, 0, true},
		{"always lost", create, []string{"lost"}, 4, 0, true},
		{"a proxy loses a creation", create, []string{"502", "200"}, 2, 0, false},
		{"a proxy loses a sign-in", signIn, []string{"502"}, 1, 0, true},
		{"nothing was done", signIn, []string{"503 service_unavailable 2", "200"}, 2, 2 * time.Second, false},
		{"too many requests", guarded, []string{"429 rate_limited 5", "200"}, 2, 5 * time.Second, false},
		{"a proxy has too many requests", signIn, []string{"429", "200"}, 2, 0, false},
		{"a proxy is down for long", read, []string{"503 - 3600"}, 1, 0, true},
		{"a response that ends early", create, []string{"cut", "200"}, 2, 0, false},
		{"a redirect of a creation", create, []string{"301"}, 1, 0, true},
		{"a redirect of a read", read, []string{"301", "200"}, 2, 0, false},
		{"too many requests for long", read, []string{"429 rate_limited 3600"}, 1, 0, true},
		{"a concurrent change", publish, []string{"409 conflict", "200"}, 2, 0, false},
		{"a name is taken", publish, []string{"409 username_taken"}, 1, 0, true},
		{"a creation may have been done", create, []string{"503 outcome_unknown 1", "200"}, 2, time.Second, false},
		{"a change may have been done", publish, []string{"503 outcome_unknown 1"}, 1, 0, true},
		{"a bug", create, []string{"500 internal_error"}, 1, 0, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &answers{left: row.answers}
				client, began := New(Options{URL: "http://service", APIKey: "mk_1", HTTPClient: &http.Client{Transport: service}}), time.Now()
				if err := row.call(t.Context(), client); (err != nil) != row.fails {
					t.Errorf("got %v, want a failure: %t", err, row.fails)
				}
				if len(service.keys) != row.attempts || time.Since(began) < row.waits {
					t.Errorf("%d attempts in %s, want %d in %s", len(service.keys), time.Since(began), row.attempts, row.waits)
				}
				for _, key := range service.keys {
					if key != service.keys[0] {
						t.Errorf("the keys differ: %q", service.keys)
					}
				}
			})
		})
	}
}

// TestRetriesEndWithContext ends the context while the client waits, or before the wait would end: then it does not begin.
func TestRetriesEndWithContext(t *testing.T) {
	for _, row := range []struct {
		name  string
		end   func(context.Context) (context.Context, context.CancelFunc)
		waits time.Duration
		want  error
	}{
		{"a deadline", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 10*time.Second)
		}, 0, context.DeadlineExceeded},
		{"a cancellation", func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Second, cancel)
			return ctx, cancel
		}, time.Second, context.Canceled},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := New(Options{URL: "http://service", HTTPClient: &http.Client{Transport: &answers{left: []string{"429 rate_limited 20"}}}})
				ctx, cancel := row.end(t.Context())
				defer cancel()
				began := time.Now()
				_, err := client.ListEvents(ctx, ListEventsParams{})
				if failure := (*Error)(nil); !errors.Is(err, row.want) || !errors.As(err, &failure) || failure.RetryAfter != 20*time.Second ||
					time.Since(began) != row.waits {
					t.Errorf("%v after %s, want %v and the response after %s", err, time.Since(began), row.want, row.waits)
				}
			})
		})
	}
}

func TestRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for value, want := range map[string]time.Duration{
			"": 0, "5": 5 * time.Second, "-5": 0, "99999999999999999999": 0, "soon": 0,
			time.Now().UTC().Add(7 * time.Second).Format(http.TimeFormat): 7 * time.Second,
			time.Now().UTC().Add(-time.Hour).Format(http.TimeFormat):      0,
		} {
			if got := retryAfter(value); got != want {
				t.Errorf("%q is %s, want %s", value, got, want)
			}
		}
	})
}

func TestErrorTexts(t *testing.T) {
	for _, row := range []struct {
		err  Error
		want string
	}{
		{Error{Status: 502}, "moothall: 502 Bad Gateway"},
		{Error{Status: 301, Detail: "redirected to https://service"}, "moothall: 301 Moved Permanently: redirected to https://service"},
		{Error{Status: 403, Code: ErrorCodeForbidden, Reason: ForbiddenReasonOwnEvent, RequestID: "r1"}, "moothall: 403 forbidden (own_event), request r1"},
		{Error{Status: 400, Code: ErrorCodeInvalidRequest, Fields: []ProblemField{{Pointer: "/title", Detail: "is required"}}}, "moothall: 400 invalid_request; /title is required"},
	} {
		if got := row.err.Error(); got != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}

// TestPagesStartAgain uses one sequence twice. Each use begins with the first page.
func TestPagesStartAgain(t *testing.T) {
	var cursors []string
	next := "2"
	pages := all("1", func(cursor string) ([]int, *string, error) {
		if cursors = append(cursors, cursor); cursor == "1" {
			return []int{1}, &next, nil
		}
		return []int{2}, nil, nil
	})
	for range 2 {
		for range pages {
		}
	}
	if want := []string{"1", "2", "1", "2"}; !slices.Equal(cursors, want) {
		t.Errorf("cursors %q, want %q", cursors, want)
	}
}

func TestIdempotencyKeyOfCaller(t *testing.T) {
	service := &answers{left: []string{"200"}}
	client := New(Options{URL: "http://service", HTTPClient: &http.Client{Transport: service}})
	if _, err := client.CreateEvent(WithIdempotencyKey(t.Context(), "mine"), CreateEventRequest{}); err != nil || service.keys[0] != "mine" {
		t.Errorf("keys %q, %v", service.keys, err)
	}
}
