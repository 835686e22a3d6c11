package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"moothall/internal/platform/ratelimit"
)

// takeQuota counts the request under the limits of its operation, by user if the
// viewer is signed in, else by client address. It reports the remaining quota in headers.
func (s *Server) takeQuota(ctx context.Context, st *requestState) error {
	if len(st.op.limits) == 0 {
		return nil
	}
	key := ratelimit.Address(st.client.Address)
	if st.viewer.SignedIn() {
		key = st.viewer.UserID.String()
	}
	for _, rule := range st.op.limits {
		left, err := s.limits.Take(ctx, rule, key)
		if err != nil {
			return err
		}
		if left.Rule != "" {
			st.responseHeader.Add("RateLimit", left.RateLimit())
			st.responseHeader.Add("RateLimit-Policy", left.Policy())
		}
	}
	return nil
}

// writeLimit writes the headers of a 429: the rule and the time to wait.
func writeLimit(h http.Header, err error) {
	var refused *ratelimit.Refused
	if !errors.As(err, &refused) {
		setDefault(h, "Retry-After", strconv.Itoa(retryAfter))
		return
	}
	h.Set("Retry-After", strconv.Itoa(refused.Seconds()))
	h.Del("RateLimit")
	h.Del("RateLimit-Policy")
	if refused.Rule != "" {
		h.Set("RateLimit", refused.RateLimit())
		h.Set("RateLimit-Policy", refused.Policy())
	}
}

func setDefault(h http.Header, name, value string) {
	if h.Get(name) == "" {
		h.Set(name, value)
	}
}
