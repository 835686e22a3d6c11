package httpapi_test

import (
	"context"
	"net/http"
	"testing"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// site is a web client whose only page is the start page.
type site struct {
	page func(w http.ResponseWriter, r *http.Request) error
}

func (s site) Fragments() []string { return nil }

func (s site) ServePage(w http.ResponseWriter, r *http.Request) error { return s.page(w, r) }

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
		return &gen.EventListResponse{}, nil
	}}
	page := func(w http.ResponseWriter, r *http.Request) error {
		s.call("GET", "/events", "").want(t, "beside the page", http.StatusServiceUnavailable, refusal("service_unavailable"))
		calls := gen.Calls{Operations: events, Invoke: s.api.Call}
		_, err := calls.ListEvents(r.Context(), gen.ListEventsParams{})
		w.WriteHeader(http.StatusOK)
		return err
	}
	s = start(t, events, func(o *httpapi.Options) { o.MaxInFlight, o.WebClient = 1, site{page} })
	s.call("GET", "/", "", "Accept: text/html").want(t, "the page", http.StatusOK, "")
	s.call("GET", "/events", "").want(t, "after the page", http.StatusOK, "")
}
