package moothall

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// memory is a Store.
type memory struct{ tokens *Tokens }

func (m *memory) Load(context.Context) (*Tokens, error)        { return m.tokens, nil }
func (m *memory) Save(_ context.Context, tokens *Tokens) error { m.tokens = tokens; return nil }

// TestRefreshSurvivesEnd ends the program before the response of a refresh. After the restart, the refresh has the same key.
func TestRefreshSurvivesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, service := &memory{&Tokens{AccessToken: "old", RefreshToken: "refresh"}}, &answers{left: []string{"lost"}}
		for range 2 {
			client := New(Options{URL: "http://service", Store: store, HTTPClient: &http.Client{Transport: service}})
			if _, err := client.Session.Token(t.Context(), ""); err == nil {
				t.Error("a refresh without a response succeeded")
			}
		}
		if len(service.keys) != 8 || service.keys[0] == "" || service.keys[0] != service.keys[7] {
			t.Errorf("keys %q, want the same eight times", service.keys)
		}
		service.left = []string{"200"}
		client := New(Options{URL: "http://service", Store: store, HTTPClient: &http.Client{Transport: service}})
		if _, err := client.Session.Token(t.Context(), ""); err != nil || store.tokens.RefreshKey != service.keys[0] {
			t.Errorf("%v, stored %+v", err, store.tokens)
		}
	})
}

// TestRefreshOutlivesCaller ends the context of the goroutine that began a refresh.
func TestRefreshOutlivesCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &answers{left: []string{"503 service_unavailable 10", "200"}}
		client := New(Options{URL: "http://service", HTTPClient: &http.Client{Transport: service}, Store: &memory{&Tokens{AccessToken: "old"}}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := client.Session.Token(ctx, ""); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if _, err := client.Session.Token(t.Context(), ""); err != nil || len(service.keys) != 2 {
			t.Errorf("%v after %d requests, want 2", err, len(service.keys))
		}
	})
}

// TestWrongClock starts a session whose tokens have expired by the clock of this machine. The client uses them until the service
// refuses them.
func TestWrongClock(t *testing.T) {
	client := New(Options{URL: "http://service", HTTPClient: &http.Client{Transport: &answers{left: []string{"500"}}}})
	if err := client.Session.Start(t.Context(), Tokens{AccessToken: "new", AccessTokenExpiresAt: time.Now().Add(-time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if token, err := client.Session.Token(t.Context(), ""); token != "new" || err != nil {
		t.Errorf("%q, %v", token, err)
	}
}

// TestRefreshAfterEnd ends the session after a goroutine has decided to refresh it.
func TestRefreshAfterEnd(t *testing.T) {
	service := &answers{left: []string{"200"}}
	client := New(Options{URL: "http://service", HTTPClient: &http.Client{Transport: service}})
	if err := client.Session.rotate(t.Context(), "ended"); err != nil || len(service.keys) != 0 {
		t.Errorf("%v after %d requests, want none", err, len(service.keys))
	}
}

func TestRefreshKeepsHeaderOfCaller(t *testing.T) {
	service, store := &answers{left: []string{"200"}}, &memory{&Tokens{AccessToken: "old"}}
	client := New(Options{URL: "http://service", Store: store, HTTPClient: &http.Client{Transport: service}})
	header := http.Header{"Etag": {"1"}}
	if _, err := client.Session.Token(WithHeader(t.Context(), &header), ""); err != nil || header.Get("ETag") != "1" ||
		len(service.keys) != 1 {
		t.Errorf("%v after %d requests, header %v", err, len(service.keys), header)
	}
}
