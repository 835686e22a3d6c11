package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// site is a web client whose only page is the start page.
type site struct{ http.HandlerFunc }

func (site) Page(path string) string {
	if path == "/" {
		return path
	}
	return ""
}

func (site) Variant(*http.Request) string { return "" }

func (site) WriteError(w http.ResponseWriter, _ *http.Request, status int) { w.WriteHeader(status) }

// TestPageRunsItsOperationsUnderOnePermit loads a page that holds the only permit: it can call operations, and others wait.
func TestPageRunsItsOperationsUnderOnePermit(t *testing.T) {
	var s *server
	events := operations{events: func(context.Context, gen.ListEventsParams) (*gen.EventListResponse, error) {
		return &gen.EventListResponse{Items: []byte(`[]`)}, nil
	}}
	page := func(w http.ResponseWriter, r *http.Request) {
		s.call("GET", "/events", "").want(t, "beside the page", http.StatusServiceUnavailable, refusal("service_unavailable"))
		own := httptest.NewRecorder()
		s.Config.Handler.ServeHTTP(own, httptest.NewRequestWithContext(r.Context(), http.MethodGet, "/events", http.NoBody))
		w.WriteHeader(own.Code)
	}
	s = start(t, events, func(o *httpapi.Options) { o.MaxInFlight, o.WebClient = 1, site{page} })
	s.call("GET", "/", "", "Accept: text/html").want(t, "the page", http.StatusOK, "")
	s.call("GET", "/events", "").want(t, "after the page", http.StatusOK, "")
}
