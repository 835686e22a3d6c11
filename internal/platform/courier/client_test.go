package courier

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// post returns a message to an address.
func post(address string) Message {
	return Message{Request: func(time.Time) (*http.Request, error) {
		return http.NewRequest(http.MethodPost, address, strings.NewReader("hello"))
	}}
}

func respond(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// TestResultSaysHowAttemptEnded sends a message to servers that answer in different ways.
func TestResultSaysHowAttemptEnded(t *testing.T) {
	c := newClient(Options{Name: "test", Clock: time.Now, Loopback: true})
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer other.Close()
	hang := make(chan struct{})
	defer close(hang)
	for name, test := range map[string]struct {
		answer  http.HandlerFunc
		status  int
		failure string
		excerpt string
		checked bool
	}{
		"no content":   {respond(http.StatusNoContent, ""), 204, "", "", false},
		"long text":    {respond(http.StatusOK, strings.Repeat("é\x00", maxExcerpt)), 200, "", strings.Repeat("é", 171), false},
		"redirect":     {http.RedirectHandler(other.URL, http.StatusTemporaryRedirect).ServeHTTP, 307, "redirects are not followed", "", false},
		"gone":         {respond(http.StatusGone, ""), 410, "status 410", "", false},
		"broken":       {respond(http.StatusInternalServerError, "no"), 500, "status 500", "no", false},
		"wrong answer": {respond(http.StatusOK, "no"), 200, "not yes", "no", true},
		"right answer": {respond(http.StatusOK, "yes"), 200, "", "yes", true},
		"hangs":        {func(http.ResponseWriter, *http.Request) { <-hang }, 0, "no response within 10 seconds", "", false},
		"hangs in the middle": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "a")
			_ = http.NewResponseController(w).Flush()
			<-hang
		}, 200, "no complete response within 10 seconds", "a", false},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(test.answer)
			t.Cleanup(server.CloseClientConnections)
			ctx := t.Context()
			if strings.HasPrefix(name, "hangs") {
				limited, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
				defer cancel()
				ctx = limited
			}
			m := post(server.URL)
			if test.checked {
				m.Check = func(response []byte) string {
					if string(response) != "yes" {
						return "not yes"
					}
					return ""
				}
			}
			r := c.send(ctx, m, time.Now())
			if r.Status != test.status || r.Failure != test.failure || r.Excerpt != test.excerpt {
				t.Errorf("status %d, failure %q, excerpt %q", r.Status, r.Failure, r.Excerpt)
			}
		})
	}
}

// TestFailureNamesNoAddress sends to a port on which nobody listens, and to a loopback address while that is not allowed.
func TestFailureNamesNoAddress(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + l.Addr().String()
	_ = l.Close()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the request arrived") }))
	defer server.Close()
	for address, loopback := range map[string]bool{closed: true, server.URL: false} {
		c := newClient(Options{Name: "test", Clock: time.Now, Loopback: loopback})
		r := c.send(t.Context(), post(address), time.Now())
		if r.Failure != "cannot connect" || r.Status != 0 {
			t.Errorf("%s: status %d, failure %q", address, r.Status, r.Failure)
		}
	}
}
