package httpapi_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/httpapi"
)

// handlerOf returns a server without a listener.
func handlerOf(f *testing.F) http.Handler {
	f.Helper()
	handler, err := httpapi.New(operations{}, httpapi.Options{
		Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(), Authenticator: authenticator{},
		AllowedOrigins: []string{webOrigin}, MaxInFlight: 100, RequestTimeout: time.Minute,
	})
	if err != nil {
		f.Fatal(err)
	}
	return handler
}

func statusOf(handler http.Handler, r *http.Request) int {
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, r)
	return recorder.Code
}

// FuzzQuery checks that any query gets 200 or 400.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{"cursor=2099-01-01T10:00:00.123456789Z", "cursor=", "cursor=%zz", "cursor=2026-02-30T00:00:00Z", "limit=0x10",
		"lat=1&lng=2&radius_km=3", "q=%00", "q=a&q=b", "price=", "starts_from=9999-12-31T23:59:59%2B23:59"} {
		f.Add(s)
	}
	handler := handlerOf(f)
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest(http.MethodGet, "/events", nil)
		r.URL.RawQuery = query
		if status := statusOf(handler, r); status != http.StatusOK && status != http.StatusBadRequest {
			t.Errorf("%q: %d", query, status)
		}
	})
}

// FuzzBody checks that any body reaches the operation, or gets 400 or 413.
func FuzzBody(f *testing.F) {
	for _, s := range []string{`{"title":"Go","starts_at":"2027-01-01T10:00:00Z"}`, `{"title":"Go","title":"Go"}`, `{"title":"\ud800"}`, "{",
		"", "null", `{"capacity":1e999}`, strings.Repeat("[", 100)} {
		f.Add(s)
	}
	handler := handlerOf(f)
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest(http.MethodPost, "/events", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+goodToken)
		switch status := statusOf(handler, r); status {
		case http.StatusConflict, http.StatusBadRequest, http.StatusRequestEntityTooLarge: // 409: reached the operation
		default:
			t.Errorf("%q: %d", body, status)
		}
	})
}
