package web_test

import (
	"io"
	"net/http"
	"testing"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

// TestServerTimeOfPages compares anonymous pages, cached and fresh, with the operation of which they show the result,
// and with the smallest response. It prints the times and their ratios. Only LONG_TESTS runs it.
func TestServerTimeOfPages(t *testing.T) {
	if apptest.Rounds(0, 1) == 0 {
		t.Skip("long: set LONG_TESTS")
	}
	a := apptest.New(t, db.SQLite, settings...)
	var event string
	for range 20 {
		event = a.As("org").Publish(apptest.Fields{"starts_at": a.Clock.Now().AddDate(0, 0, 3), "city": "Berlin"})
	}
	cached, fresh := a.URL(), a.StartUncached()
	floor := timeOf(t, cached+"/healthz", "*/*")
	t.Logf("the smallest response: %.0f us", floor)
	for page, operation := range map[string]string{"/": "/api/events?limit=20", "/events/" + event: "/api/events/" + event} {
		hit, miss, answer := timeOf(t, cached+page, "text/html"), timeOf(t, fresh+page, "text/html"), timeOf(t, fresh+operation, "*/*")
		t.Logf("%s: cached %.0f us (%.1f of the smallest response), fresh %.0f us (%.1f of its operation)", page, hit, hit/floor, miss, miss/answer)
	}
}

// timeOf returns the microseconds that a response takes.
func timeOf(t *testing.T, address, accept string) float64 {
	t.Helper()
	result := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, address, http.NoBody)
			if err != nil {
				b.Fatal(err)
			}
			r.Header.Set("Accept", accept)
			r.Header.Set("Accept-Encoding", "identity")
			response, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
			if response.StatusCode != http.StatusOK {
				b.Fatalf("%s: %d", address, response.StatusCode)
			}
		}
	})
	return float64(result.NsPerOp()) / 1e3
}
