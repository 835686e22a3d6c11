package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"moothall/internal/domain"
)

const (
	corsMethods = "GET, HEAD, POST, PATCH, DELETE"
	corsHeaders = "Authorization, Content-Type, Accept-Language, Idempotency-Key, If-Match, If-None-Match, X-Request-Id"
	corsExposed = "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"
)

// origins are the web origins that browsers may call from (specification
// §5.9): an exact list, without patterns, where "null" can never stand.
type origins struct {
	allowed    []string
	protection *http.CrossOriginProtection
}

func newOrigins(allowed []string) (*origins, error) {
	o := &origins{allowed: allowed, protection: http.NewCrossOriginProtection()}
	for _, origin := range allowed {
		if err := o.protection.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// share tells the browser whether the calling page may read the answer.
func (o *origins) share(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if !slices.Contains(o.allowed, origin) {
		return
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Credentials", "true")
	if isPreflight(r) {
		h.Set("Access-Control-Allow-Methods", corsMethods)
		h.Set("Access-Control-Allow-Headers", corsHeaders)
		h.Set("Access-Control-Max-Age", "7200")
	} else {
		h.Set("Access-Control-Expose-Headers", corsExposed)
	}
}

func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// check refuses a change that a foreign page makes with the visitor's cookie.
// A request that brings its own Authorization header cannot be forged that way.
func (o *origins) check(ex *exchange, r *http.Request) error {
	if !ex.login.byCookie() || o.protection.Check(r) == nil {
		return nil
	}
	return domain.Forbidden
}

// addVary notes request headers that the answer depends on.
func addVary(h http.Header, names ...string) { h.Add("Vary", strings.Join(names, ", ")) }
