// Package sdk tests the SDK for Go with a running service. The SDK is a separate module.
package sdk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	moothall "moothall/sdk/go"
)

// signIn returns a client with the session of the actor with that name.
func signIn(t *testing.T, a *apptest.App, name string, transport http.RoundTripper) *moothall.Client {
	t.Helper()
	client := moothall.New(moothall.Options{URL: a.URL(), HTTPClient: &http.Client{Transport: transport}})
	code, err := client.StartDevSignIn(t.Context(), moothall.StartDevSignInRequest{Email: apptest.Email(name)})
	if err != nil {
		t.Fatal(err)
	}
	session, err := client.VerifyDevSignIn(t.Context(), moothall.VerifyDevSignInRequest{Email: apptest.Email(name), Code: *code.DevCode})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Session.Start(t.Context(), session.Tokens()); err != nil {
		t.Fatal(err)
	}
	return client
}

// counter counts the requests for a path.
type counter struct {
	path string
	n    atomic.Int32
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path == c.path {
		c.n.Add(1)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// lossy loses the first response to each request that is not a GET.
type lossy struct{ seen sync.Map }

func (l *lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	response, err := http.DefaultTransport.RoundTrip(r)
	if _, seen := l.seen.LoadOrStore(r.Method+r.URL.Path+string(body), true); seen || err != nil || r.Method == http.MethodGet {
		return response, err
	}
	_ = response.Body.Close()
	return nil, io.ErrUnexpectedEOF
}

func TestPages(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		var want, got []string
		for range 12 {
			want = append(want, org.Publish(nil))
		}
		client := moothall.New(moothall.Options{URL: a.URL()})
		for card, err := range client.ListEventsAll(t.Context(), moothall.ListEventsParams{OrganizerID: org.UserID, Limit: 5}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, card.Event.ID)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("all pages have %q, want %q", got, want)
		}
		var failures []error
		for _, err := range client.ListMyChatsAll(t.Context(), moothall.ListMyChatsParams{}) {
			failures = append(failures, err)
		}
		if failure := (*moothall.Error)(nil); len(failures) != 1 || !errors.As(failures[0], &failure) || failure.Status != 401 {
			t.Errorf("a list for signed-in users: %v, want 401", failures)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestRefreshOnce lets many goroutines find that the access token has expired.
func TestRefreshOnce(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		refreshes := &counter{path: "/auth/refresh"}
		client := signIn(t, a, "ann", refreshes)
		for round := range int32(3) {
			a.Clock.Advance(16 * time.Minute)
			apptest.Concurrently(20, func(int) {
				if _, err := client.GetMe(t.Context()); err != nil {
					t.Error(err)
				}
			})
			if n := refreshes.n.Load(); n != round+1 {
				t.Errorf("%d refreshes, want %d", n, round+1)
			}
		}
		if err := client.Session.End(t.Context()); err != nil {
			t.Error(err)
		}
		if token, err := client.Session.Token(t.Context(), ""); token != "" || err != nil {
			t.Errorf("after the end: token %q, %v", token, err)
		}
	})
}

// sharedStore is a Store that two clients use, as two processes do with a file.
type sharedStore struct {
	mu     sync.Mutex
	tokens *moothall.Tokens
}

func (s *sharedStore) Load(context.Context) (*moothall.Tokens, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tokens, nil
}

func (s *sharedStore) Save(_ context.Context, tokens *moothall.Tokens) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens = tokens
	return nil
}

// TestSharedStore lets two clients refresh the tokens of one store, one after the other. Both stay signed in.
func TestSharedStore(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		store := &sharedStore{}
		tokens := a.SignIn(apptest.Email("ann"))
		if err := store.Save(t.Context(), &moothall.Tokens{AccessToken: tokens.AccessToken, RefreshToken: tokens.RefreshToken}); err != nil {
			t.Fatal(err)
		}
		clients := [2]*moothall.Client{}
		for i := range clients {
			clients[i] = moothall.New(moothall.Options{URL: a.URL(), Store: store})
		}
		for range 3 {
			a.Clock.Advance(16 * time.Minute)
			for _, client := range clients {
				if _, err := client.GetMe(t.Context()); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// slowStore is a sharedStore that lets as many loads overlap as may be left.
type slowStore struct {
	sharedStore
	left    atomic.Int32
	loading sync.WaitGroup
}

func (s *slowStore) Load(ctx context.Context) (*moothall.Tokens, error) {
	defer func() {
		if s.left.Add(-1) >= 0 {
			s.loading.Done()
			s.loading.Wait()
		}
	}()
	return s.sharedStore.Load(ctx)
}

// TestSharedStoreAtOnce lets two clients refresh the same tokens: each has read the store before the other one writes to it. Both stay
// signed in.
func TestSharedStoreAtOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		store, refreshes := &slowStore{}, &counter{path: "/auth/refresh"}
		clients := [2]*moothall.Client{}
		for i := range clients {
			clients[i] = moothall.New(moothall.Options{URL: a.URL(), Store: store, HTTPClient: &http.Client{Transport: refreshes}})
		}
		tokens := a.SignIn(apptest.Email("ann"))
		if err := clients[0].Session.Start(t.Context(), moothall.Tokens{
			AccessToken: tokens.AccessToken, AccessTokenExpiresAt: a.Clock.Now().Add(15 * time.Minute), RefreshToken: tokens.RefreshToken,
		}); err != nil {
			t.Fatal(err)
		}
		for round := range int32(3) {
			for _, client := range clients {
				if _, err := client.GetMe(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			a.Clock.Advance(16 * time.Minute)
			store.loading.Add(len(clients))
			store.left.Store(int32(len(clients)))
			apptest.Concurrently(len(clients), func(i int) {
				if _, err := clients[i].GetMe(t.Context()); err != nil {
					t.Error(err)
				}
			})
			if n := refreshes.n.Load(); n != 2*(round+1) {
				t.Fatalf("%d refreshes, want two in each round", n)
			}
		}
		// only a 401 leads to a refresh
	}, apptest.Setting("REFRESH_RACE_WINDOW", "0s"), apptest.StartAt(time.Date(2099, 11, 20, 10, 0, 0, 0, time.UTC)))
}

// TestSessionEndsWhenRevoked lets another client end the session.
func TestSessionEndsWhenRevoked(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		client, other := signIn(t, a, "ann", http.DefaultTransport), signIn(t, a, "ann", http.DefaultTransport)
		if err := other.RevokeOtherSessions(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, err := client.GetMe(t.Context())
		if failure := (*moothall.Error)(nil); !errors.As(err, &failure) || failure.Status != 401 {
			t.Errorf("%v, want 401", err)
		}
		if token, _ := client.Session.Token(t.Context(), ""); token != "" {
			t.Error("the session still has tokens")
		}
		if _, err := other.GetMe(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestLostResponses loses the first response of each change, also of a refresh. No change takes effect twice.
func TestLostResponses(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		tokens := a.SignIn(apptest.Email("org"))
		client := moothall.New(moothall.Options{URL: a.URL(), HTTPClient: &http.Client{Transport: &lossy{}}})
		session := moothall.Tokens{AccessToken: "expired", RefreshToken: tokens.RefreshToken}
		if err := client.Session.Start(t.Context(), session); err != nil {
			t.Fatal(err)
		}
		created, err := client.CreateEvent(t.Context(), moothall.CreateEventRequest{
			Title: new("Chess"), StartsAt: a.Clock.Now().AddDate(0, 0, 1),
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.PublishEvent(t.Context(), created.Event.ID); err != nil {
			t.Fatal(err)
		}
		for n := range 3 {
			if _, err := client.SendChatMessage(t.Context(), created.Event.ID,
				moothall.SendEventChatMessageRequest{Body: fmt.Sprint(n)}); err != nil {
				t.Fatal(err)
			}
		}
		events, messages := 0, []string{}
		for _, err := range client.ListEventsAll(t.Context(), moothall.ListEventsParams{OrganizerID: tokens.UserID}) {
			if err != nil {
				t.Fatal(err)
			}
			events++
		}
		for message, err := range client.ListChatMessagesAll(t.Context(), created.Event.ID, moothall.ListChatMessagesParams{Limit: 2}) {
			if err != nil {
				t.Fatal(err)
			}
			messages = append(messages, message.Body)
		}
		slices.Sort(messages)
		if events != 1 || !slices.Equal(messages, []string{"0", "1", "2"}) {
			t.Errorf("%d events, messages %q, want 1 and each message once", events, messages)
		}
	})
}

func TestErrors(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event, ann := a.As("ann").Publish(nil), signIn(t, a, "ann", http.DefaultTransport)
		const unknown = "018f3b0a-5c1d-7000-8000-0000000000e1"
		for _, row := range []struct {
			name string
			call func() error
			want moothall.Error
		}{
			{"an unknown event", func() error { _, err := ann.GetEvent(t.Context(), unknown); return err }, moothall.Error{Status: 404, Code: moothall.ErrorCodeNotFound}},
			{
				"a review of an own event", func() error {
					_, err := ann.ReviewEvent(t.Context(), event, moothall.UpsertEventReviewRequest{Rating: 5})
					return err
				},
				moothall.Error{Status: 403, Code: moothall.ErrorCodeForbidden, Reason: moothall.ForbiddenReasonOwnEvent},
			},
			{
				"a wrong field", func() error {
					_, err := ann.CreateEvent(t.Context(), moothall.CreateEventRequest{StartsAt: a.Clock.Now()})
					return err
				},
				moothall.Error{Status: 400, Code: moothall.ErrorCodeInvalidRequest, Fields: []moothall.ProblemField{{Pointer: "/title"}}},
			},
		} {
			t.Run(row.name, func(t *testing.T) {
				err, got := row.call(), (*moothall.Error)(nil)
				if !errors.As(err, &got) {
					t.Fatal(err)
				}
				if got.Status != row.want.Status || got.Code != row.want.Code || got.Reason != row.want.Reason || got.RequestID == "" {
					t.Errorf("got %v, want %v", got, &row.want)
				}
				if len(row.want.Fields) > 0 && (len(got.Fields) != 1 || got.Fields[0].Pointer != row.want.Fields[0].Pointer) {
					t.Errorf("fields %v, want %v", got.Fields, row.want.Fields)
				}
			})
		}
	}, apptest.StartAt(apptest.Today))
}

// TestPatchDistinguishesNull updates an event: an absent field stays, null clears one. The ETag of a response guards a change.
func TestPatchDistinguishesNull(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := signIn(t, a, "org", http.DefaultTransport)
		event := a.As("org").Draft(apptest.Fields{"description": "Long", "city": "Berlin"})
		var header http.Header
		changed, err := org.UpdateEvent(moothall.WithHeader(t.Context(), &header), event, moothall.UpdateEventParams{},
			moothall.UpdateEventRequest{Description: moothall.Null[string](), Capacity: moothall.Set(8)})
		if err != nil {
			t.Fatal(err)
		}
		if e, city := changed.Event, changed.Location.City; e.Description != nil || city == nil || *city != "Berlin" || e.Capacity == nil ||
			*e.Capacity != 8 {
			t.Errorf("%+v, city %v", e, city)
		}
		guarded := moothall.UpdateEventParams{IfMatch: header.Get("ETag")}
		if _, err := org.UpdateEvent(t.Context(), event, guarded, moothall.UpdateEventRequest{Title: new("Chess")}); err != nil {
			t.Error(err)
		}
		_, err = org.UpdateEvent(t.Context(), event, guarded, moothall.UpdateEventRequest{Title: new("Tea")})
		if failure := (*moothall.Error)(nil); !errors.As(err, &failure) || failure.Code != moothall.ErrorCodePreconditionFailed {
			t.Errorf("a change of an older version: %v", err)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestOtherBodies uploads a picture, downloads a calendar, and calls with an API key.
func TestOtherBodies(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := signIn(t, a, "org", http.DefaultTransport)
		var picture bytes.Buffer
		if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 600, 600))); err != nil {
			t.Fatal(err)
		}
		if avatar, err := org.SetAvatar(t.Context(), picture.Bytes()); err != nil || avatar.UserID == "" {
			t.Errorf("%v, %v", avatar, err)
		}
		file, err := org.DownloadEventCalendar(t.Context(), a.As("org").Publish(nil), moothall.DownloadEventCalendarParams{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(file)
		if err := errors.Join(err, file.Close()); err != nil || !bytes.HasPrefix(text, []byte("BEGIN:VCALENDAR")) {
			t.Errorf("%q, %v", text, err)
		}
		key, err := org.CreateAPIKey(t.Context(),
			moothall.CreateAPIKeyRequest{Name: "Test", Scopes: []moothall.APIKeyScope{moothall.APIKeyScopeProfileRead}})
		if err != nil {
			t.Fatal(err)
		}
		program := moothall.New(moothall.Options{URL: a.URL(), APIKey: key.Key})
		if me, err := program.GetMe(t.Context()); err != nil || *me.User.Email != apptest.Email("org") {
			t.Errorf("with a key: %v, %v", me, err)
		}
	})
}
