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

// TestRefreshSurvivesEnd ends the program before the response of a refresh: the next one sends the same key.
func TestRefreshSurvivesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, service := &memory{&Tokens{AccessToken: "old", RefreshToken: "refresh"}}, &answers{left: []string{"lost"}}
		for range 2 {
			client := New(Options{URL: "http://service", Store: store, HTTPClient: &http.Client{Transport: service}})
			if _, err := client.Session.Token(t.Context()); err == nil {
				t.Error("a refresh without a response succeeded")
			}
		}
		if len(service.keys) != 8 || service.keys[0] == "" || service.keys[0] != service.keys[7] {
			t.Errorf("keys %q, want the same eight times", service.keys)
		}
		service.left = []string{"200"}
		client := New(Options{URL: "http://service", Store: store, HTTPClient: &http.Client{Transport: service}})
		if _, err := client.Session.Token(t.Context()); err != nil || store.tokens.RefreshKey != "" {
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
		if _, err := client.Session.Token(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if _, err := client.Session.Token(t.Context()); err != nil || len(service.keys) != 2 {
			t.Errorf("%v after %d requests, want 2", err, len(service.keys))
		}
	})
}

// TestWrongClock has a clock by which new tokens have ended already: they are used until the service refuses them.
func TestWrongClock(t *testing.T) {
	client := New(Options{URL: "http://service", HTTPClient: &http.Client{Transport: &answers{left: []string{"500"}}}})
	if err := client.Session.Start(t.Context(), Tokens{AccessToken: "new", AccessTokenExpiresAt: time.Now().Add(-time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if token, err := client.Session.Token(t.Context()); token != "new" || err != nil {
		t.Errorf("%q, %v", token, err)
	}
}
