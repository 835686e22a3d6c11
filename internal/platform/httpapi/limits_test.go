package httpapi_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
	"moothall/internal/platform/ratelimit"
)

// limitedInRooms are counted by what their body names.
var limitedInRooms = []string{"refreshSession", "getPhoneCallStatus"}

// TestLimitedOperations asks for every operation twice, where once is allowed:
// the ones that are refused are those whose 429 the contract lists.
func TestLimitedOperations(t *testing.T) {
	now := time.Now()
	once := map[string]ratelimit.Quota{}
	for _, r := range ratelimit.Rules {
		once[r.Name] = ratelimit.Quota{N: 1, Window: time.Hour}
	}
	s := start(t, operations{}, func(o *httpapi.Options) {
		o.Limits = ratelimit.New(ratelimit.Options{Clock: func() time.Time { return now }, Quotas: once, Log: slog.New(slog.DiscardHandler)})
	})
	doc, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		t.Fatal(err)
	}
	parameter := regexp.MustCompile(`\{[a-z_]+\}`)
	for route, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			listed := op.Responses.Value("429") != nil && !slices.Contains(limitedInRooms, op.OperationID)
			path := parameter.ReplaceAllString(route, visible.String())
			now = now.Add(2 * time.Hour)
			first, second := s.call(method, path, "", bearer), s.call(method, path, "", bearer)
			if first.StatusCode == http.StatusTooManyRequests || (second.StatusCode == http.StatusTooManyRequests) != listed {
				t.Errorf("%s: %d, then %d; 429 is listed: %t", op.OperationID, first.StatusCode, second.StatusCode, listed)
			}
			if listed && (second.Header.Get("Retry-After") != "3600" || second.Header.Get("RateLimit") == "") {
				t.Errorf("%s: %v", op.OperationID, second.Header)
			}
		}
	}
}

// A refusal that is no rule's still says when to come back.
func TestRetryAfter(t *testing.T) {
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
