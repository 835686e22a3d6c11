package httpapi

import (
	"errors"
	"net/http"
	"strconv"

	"moothall/internal/platform/ratelimit"
)

// takeQuota counts the request under the limits of its operation and reports the
// caller's remaining quota in headers. What networks have left would reveal the requests
// of others. A request that a limit refuses does not count.
func (s *Server) takeQuota(x *exchange) error {
	st := x.st
	if len(st.op.limits) == 0 {
		return nil
	}
	counts := make([]ratelimit.Count, len(st.op.limits))
	for i, limit := range st.op.limits {
		counts[i] = ratelimit.Count{Limit: limit, Key: st.limitKey(limit.Per)}
	}
	all, err := s.limits.TakeAll(x.r.Context(), counts...)
	if err != nil {
		return err
	}
	for i, left := range all {
		if left.Limit != "" && st.op.limits[i].Per == ratelimit.PerCaller {
			st.responseHeader.Add("RateLimit", left.RateLimit())
			st.responseHeader.Add("RateLimit-Policy", left.Policy())
		}
	}
	return nil
}

// limitKey is what a limit of the operation counts by.
func (st *requestState) limitKey(per ratelimit.Scope) string {
	switch {
	case per == ratelimit.PerNetwork:
		return ratelimit.Network(st.client.Address)
	case per == ratelimit.PerWideNetwork:
		return ratelimit.WideNetwork(st.client.Address)
	case st.viewer.SignedIn():
		return st.viewer.UserID.String()
	}
	return ratelimit.Address(st.client.Address)
}

// writeLimit writes the headers of a 429: the limit and the time to wait.
func writeLimit(h http.Header, err error) {
	var refused *ratelimit.Refused
	if !errors.As(err, &refused) {
		setDefault(h, "Retry-After", strconv.Itoa(retryAfter))
		return
	}
	h.Set("Retry-After", strconv.Itoa(refused.Seconds()))
	h.Del("RateLimit")
	h.Del("RateLimit-Policy")
	if refused.Limit != "" {
		h.Set("RateLimit", refused.RateLimit())
		h.Set("RateLimit-Policy", refused.Policy())
	}
}

func setDefault(h http.Header, name, value string) {
	if h.Get(name) == "" {
		h.Set(name, value)
	}
}
