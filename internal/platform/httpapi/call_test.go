package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// counting counts how often viewers are identified by the cookie.
type counting struct {
	authenticator
	n *atomic.Int64
}

func (c counting) ByRefreshToken(ctx context.Context, token string) (domain.Viewer, error) {
	c.n.Add(1)
	return c.authenticator.ByRefreshToken(ctx, token)
}

// pageOf starts a server whose page is written by a function, which gets the calls of a visitor.
func pageOf(t *testing.T, o operations, page func(ctx context.Context, calls *gen.Calls) error,
	change ...func(*httpapi.Options)) *server {
	t.Helper()
	if o.getMe == nil {
		o.getMe = me
	}
	var s *server
	write := func(w http.ResponseWriter, r *http.Request) error {
		err := page(r.Context(), &gen.Calls{Operations: o, Invoke: func(ctx context.Context, c *gen.Call) (any, error) {
			c.Cookies = r.Header["Cookie"]
			return s.api.Call(ctx, c)
		}})
		if err == nil {
			w.WriteHeader(http.StatusOK)
		}
		return err
	}
	routes := http.NewServeMux()
	routes.Handle("POST /do", httpapi.Route(write))
	s = start(t, o, append(change, func(o *httpapi.Options) { o.WebClient, o.ExtraRoutes = site{write}, routes })...)
	return s
}

const (
	asPage    = "Accept: text/html"
	asVisitor = "Cookie: " + httpapi.RefreshCookieName + "=" + goodCookie
)

// TestVisitorIsIdentifiedOncePerPage makes concurrent calls, and one after a call that may have ended the session.
func TestVisitorIsIdentifiedOncePerPage(t *testing.T) {
	var found atomic.Int64
	s := pageOf(t, operations{}, func(ctx context.Context, calls *gen.Calls) error {
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				if user, err := calls.GetMe(ctx); err != nil || domain.UserID(user.User.ID) != ann.UserID {
					t.Errorf("the visitor is %v, %v", user, err)
				}
			})
		}
		all.Wait()
		if n := found.Load(); n != 1 {
			t.Errorf("identified %d times for 5 calls", n)
		}
		if err := calls.RevokeOtherSessions(ctx); err != nil {
			return err
		}
		_, err := calls.GetMe(ctx)
		return err
	}, func(o *httpapi.Options) { o.Authenticator = counting{n: &found} })
	s.call("GET", "/", "", asPage, asVisitor).want(t, "the page", http.StatusOK, "")
	if n := found.Load(); n != 2 {
		t.Errorf("identified %d times", n)
	}
}

// TestCallsCheckTheOrigin sends forms from pages of other sites.
func TestCallsCheckTheOrigin(t *testing.T) {
	for _, row := range []struct {
		name, header string
		want         domain.Reason
	}{
		{"own page", "Origin: " + webOrigin, ""},
		{"foreign page", "Origin: https://evil.test", domain.ForeignOrigin},
		{"foreign page by metadata", "Sec-Fetch-Site: cross-site", domain.ForeignOrigin},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := pageOf(t, operations{}, func(ctx context.Context, calls *gen.Calls) error {
				err := calls.RevokeOtherSessions(ctx)
				refusal, _ := errors.AsType[*gen.Refusal](err)
				if row.want == "" && err != nil || row.want != "" && (refusal == nil || refusal.Reason != string(row.want)) {
					t.Errorf("got %v", err)
				}
				return nil
			})
			s.call("POST", "/do", "", asVisitor, row.header).want(t, "the form", http.StatusOK, "")
		})
	}
}

// TestTimesOfCallsAreUTC passes a time of a page, which is in the zone of the visitor.
func TestTimesOfCallsAreUTC(t *testing.T) {
	at := time.Date(2026, 6, 1, 12, 0, 0, 0, time.FixedZone("Berlin", 7200))
	var events operations
	events.events = func(_ context.Context, p gen.ListEventsParams) (*gen.EventListResponse, error) {
		if p.StartsFrom.Value != at.UTC() {
			t.Errorf("the operation gets %v", p.StartsFrom.Value)
		}
		return &gen.EventListResponse{}, nil
	}
	s := pageOf(t, events, func(ctx context.Context, calls *gen.Calls) error {
		_, err := calls.ListEvents(ctx, gen.ListEventsParams{StartsFrom: gen.NewOptDateTime(at)})
		return err
	})
	s.call("GET", "/", "", asPage).want(t, "the page", http.StatusOK, "")
}

// TestPageErrors opens pages that fail. Each is answered and logged once.
func TestPageErrors(t *testing.T) {
	broken := operations{event: func() (*gen.EventDetailsHeaders, error) { panic("broken") }}
	for _, row := range []struct {
		name   string
		page   func(ctx context.Context, calls *gen.Calls) error
		status int
		logged string
	}{
		{"a page with an error", func(context.Context, *gen.Calls) error { return errors.New("unexpected") },
			http.StatusInternalServerError, "unexpected"},
		{"a page that is refused", func(context.Context, *gen.Calls) error { return domain.NotFound }, http.StatusNotFound, ""},
		{"a call that panics", func(ctx context.Context, calls *gen.Calls) error {
			_, err := calls.GetEvent(ctx, gen.GetEventParams{})
			if refusal, _ := errors.AsType[*gen.Refusal](err); refusal == nil || refusal.Status != http.StatusInternalServerError {
				t.Errorf("got %v", err)
			}
			return nil
		}, http.StatusOK, "panic: broken"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := pageOf(t, broken, row.page)
			s.call("GET", "/", "", asPage).want(t, "the page", row.status, "")
			if n := strings.Count(s.log.String(), `"error":"`+row.logged); n != 1 && row.logged != "" || n > 0 && row.logged == "" {
				t.Errorf("logged %d times: %s", n, s.log)
			}
		})
	}
}

// TestPageWithoutResponse opens a page that writes nothing.
func TestPageWithoutResponse(t *testing.T) {
	nothing := func(http.ResponseWriter, *http.Request) error { return nil }
	s := start(t, operations{}, func(o *httpapi.Options) { o.WebClient = site{nothing} })
	s.call("GET", "/", "", asPage).want(t, "the page", http.StatusInternalServerError, "")
}

// TestAbandonedPageEndsQuietly hangs up on a page during a call. Others get the page, which is not in the cache.
func TestAbandonedPageEndsQuietly(t *testing.T) {
	gone, hangUp := context.WithCancel(t.Context())
	var events operations
	events.events = func(ctx context.Context, _ gen.ListEventsParams) (*gen.EventListResponse, error) {
		hangUp()
		return &gen.EventListResponse{}, ctx.Err()
	}
	s := pageOf(t, events, func(ctx context.Context, calls *gen.Calls) error {
		_, err := calls.ListEvents(ctx, gen.ListEventsParams{})
		return err
	}, caching(t))
	r := httptest.NewRequestWithContext(gone, http.MethodGet, "/", http.NoBody)
	r.Header.Set("Accept", "text/html")
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	if w.Body.Len() > 0 {
		t.Errorf("the page of nobody has a response: %s", w.Body)
	}
	if log := s.log.String(); strings.Contains(log, "ERROR") || strings.Count(log, `"status":499`) != 2 { // of the page and of its call
		t.Errorf("logged: %s", log)
	}
	s.call("GET", "/", "", asPage).want(t, "the page", http.StatusOK, "")
}
