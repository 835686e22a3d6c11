package outbound_test

import (
	"net/http"
	"testing"
	"time"

	"moothall/internal/platform/outbound"
)

func TestParse(t *testing.T) {
	const longest = 5 * time.Minute
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "120": 2 * time.Minute, "-5": 0, "9999999": longest, "99999999999999999999": 0, "soon": 0,
		"Fri, 20 Nov 2026 10:01:00 GMT": time.Minute, "Fri, 20 Nov 2026 09:05:00 GMT": 0, "Sat, 21 Nov 2026 10:00:00 GMT": longest,
	} {
		if got := outbound.RetryAfter(http.Header{"Retry-After": {value}}, now, longest); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}
