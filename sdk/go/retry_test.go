package moothall

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// answers is a service that gives one answer after the other, and repeats the last one. An answer is "lost" or a status, which
// an error code and a Retry-After may follow: "503 service_unavailable 2".
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
	if answer[0] == "lost" {
		return nil, io.ErrUnexpectedEOF
	}
	response.StatusCode, _ = strconv.Atoi(answer[0])
	if len(answer) > 1 {
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

// TestRetriesEndWithContext ends the context while the client waits.
func TestRetriesEndWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := New(Options{URL: "http://service", HTTPClient: &http.Client{Transport: &answers{left: []string{"429 rate_limited 20"}}}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		_, err := client.ListEvents(ctx, ListEventsParams{})
		if failure := (*Error)(nil); !errors.As(err, &failure) || failure.RetryAfter != 20*time.Second || time.Since(began) != time.Second {
			t.Errorf("%v after %s, want the response after a second", err, time.Since(began))
		}
	})
}

func TestIdempotencyKeyOfCaller(t *testing.T) {
	service := &answers{left: []string{"200"}}
	client := New(Options{URL: "http://service", HTTPClient: &http.Client{Transport: service}})
	if _, err := client.CreateEvent(WithIdempotencyKey(t.Context(), "mine"), CreateEventRequest{}); err != nil || service.keys[0] != "mine" {
		t.Errorf("keys %q, %v", service.keys, err)
	}
}
