package moothall

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Tokens are the tokens of a session. They are secret.
type Tokens struct {
	AccessToken          string    `json:"access_token"`
	AccessTokenExpiresAt time.Time `json:"access_token_expires_at"`
	RefreshToken         string    `json:"refresh_token"`
	// RefreshKey is the Idempotency-Key of every refresh of the session; Session.Start makes one if it is empty. By it the
	// service recognizes a refresh that is repeated, or that another process with the same Store has begun at the same moment.
	RefreshKey string `json:"refresh_key,omitzero"`
}

// Tokens returns the tokens of a sign-in.
func (s *AuthSession) Tokens() Tokens {
	return Tokens{AccessToken: s.AccessToken, AccessTokenExpiresAt: s.AccessTokenExpiresAt, RefreshToken: s.RefreshToken}
}

// Store stores the tokens of one session, with all their fields. Several processes may share a store. Save must replace the tokens
// as a whole: with a file, write another file and rename it.
type Store interface {
	// Load returns the tokens, or nil if there is no session.
	Load(ctx context.Context) (*Tokens, error)
	// Save replaces the tokens; nil deletes them.
	Save(ctx context.Context, tokens *Tokens) error
}

// Session holds the tokens of a signed-in user. It refreshes them once for all goroutines. All processes that share the store
// refresh with the same key, because the service ends a session whose refresh token it gets twice with different keys.
type Session struct {
	client *Client
	store  Store

	mu         sync.Mutex
	loaded     bool
	tokens     *Tokens // nil: signed out
	skewed     bool    // the clock of this machine is wrong: new tokens seemed to have expired
	refreshing *refreshing
}

// refreshing is a refresh in progress.
type refreshing struct {
	done chan struct{}
	err  error
}

const (
	refreshBefore  = 30 * time.Second // time before its expiry at which an access token is replaced
	refreshTimeout = time.Minute
)

// Start begins a session with the tokens of a sign-in.
func (s *Session) Start(ctx context.Context, tokens Tokens) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.replace(ctx, tokens)
}

// End ends the session, here and at the service. Without a session, it does nothing.
func (s *Session) End(ctx context.Context) error {
	tokens, err := s.load(ctx)
	if err != nil || tokens == nil {
		return err
	}
	if err := s.client.Logout(ctx, RefreshTokenRequest{RefreshToken: &tokens.RefreshToken}); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.save(ctx, nil)
}

// Token returns a valid access token, or "" without a session. refused is an access token that the service has refused, or "":
// the session replaces it.
func (s *Session) Token(ctx context.Context, refused string) (string, error) {
	tokens, err := s.load(ctx)
	switch {
	case err != nil || tokens == nil:
		return "", err
	case refused == tokens.AccessToken || s.expiresSoon(tokens):
		return s.refresh(ctx, tokens.AccessToken)
	}
	return tokens.AccessToken, nil
}

// expiresSoon reports whether an access token expires soon. If the clock is wrong, it reports false: then 401 leads to a refresh.
func (s *Session) expiresSoon(tokens *Tokens) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.skewed && time.Until(tokens.AccessTokenExpiresAt) < refreshBefore
}

// refresh replaces an access token, and returns the new one, or "" if the session has ended. If ctx ends first, the refresh
// continues, because its response must not be lost.
func (s *Session) refresh(ctx context.Context, stale string) (string, error) {
	s.mu.Lock()
	if s.tokens == nil || s.tokens.AccessToken != stale { // another goroutine has replaced it
		defer s.mu.Unlock()
		return s.access(), nil
	}
	r := s.refreshing
	if r == nil {
		r = &refreshing{done: make(chan struct{})}
		s.refreshing = r
		go func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refreshTimeout)
			defer cancel()
			r.err = s.rotate(ctx, stale)
			close(r.done)
		}()
	}
	s.mu.Unlock()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case <-r.done:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.access(), r.err
}

// rotate exchanges the refresh token for new tokens. All attempts of all processes have the same key. 401 ends the session.
func (s *Session) rotate(ctx context.Context, stale string) error {
	s.mu.Lock()
	err := s.reload(ctx)
	if err != nil || s.access() != stale { // Start, End or another process has replaced the session
		s.refreshing = nil
		s.mu.Unlock()
		return err
	}
	old := *s.tokens
	if old.RefreshKey == "" { // a program has stored the tokens itself
		old.RefreshKey = rand.Text()
		err = s.save(ctx, &old)
	}
	s.mu.Unlock()
	var next *RefreshSession
	if err == nil {
		ctx = WithHeader(WithIdempotencyKey(ctx, old.RefreshKey), &http.Header{}) // not the header of the caller
		next, err = s.client.RefreshSession(ctx, RefreshTokenRequest{RefreshToken: &old.RefreshToken})
	}
	failure := (*Error)(nil)
	refused := errors.As(err, &failure) && failure.Status == http.StatusUnauthorized
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refreshing = nil
	_ = s.reload(ctx)
	switch {
	case s.access() != old.AccessToken:
		return nil // Start, End or another process has replaced the session
	case err == nil:
		return s.replace(ctx, Tokens{AccessToken: next.AccessToken, AccessTokenExpiresAt: next.AccessTokenExpiresAt,
			RefreshToken: next.RefreshToken, RefreshKey: old.RefreshKey})
	case refused:
		return s.save(ctx, nil)
	}
	return fmt.Errorf("moothall: refresh: %w", err)
}

// access returns the access token, or "" without a session. The caller must hold the lock.
func (s *Session) access() string {
	if s.tokens == nil {
		return ""
	}
	return s.tokens.AccessToken
}

// load returns the tokens. It reads the store once.
func (s *Session) load(ctx context.Context) (*Tokens, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.loaded && s.store != nil {
		tokens, err := s.store.Load(ctx)
		if err != nil {
			return nil, fmt.Errorf("moothall: load the session: %w", err)
		}
		s.tokens = tokens
	}
	s.loaded = true
	return s.tokens, nil
}

// reload takes the tokens of the store, unless they are older: another process may have replaced them, or may be about to. The
// caller must hold the lock.
func (s *Session) reload(ctx context.Context) error {
	if s.store == nil || s.tokens == nil {
		return nil
	}
	stored, err := s.store.Load(ctx)
	if err != nil {
		return fmt.Errorf("moothall: load the session: %w", err)
	}
	if stored != nil && !stored.AccessTokenExpiresAt.Before(s.tokens.AccessTokenExpiresAt) {
		s.tokens = stored
	}
	return nil
}

// replace stores new tokens. The caller must hold the lock.
func (s *Session) replace(ctx context.Context, tokens Tokens) error {
	if tokens.RefreshKey == "" {
		tokens.RefreshKey = rand.Text()
	}
	s.skewed = time.Until(tokens.AccessTokenExpiresAt) < refreshBefore
	return s.save(ctx, &tokens)
}

// save stores tokens; nil deletes them. The caller must hold the lock.
func (s *Session) save(ctx context.Context, tokens *Tokens) error {
	s.loaded, s.tokens = true, tokens
	if s.store == nil {
		return nil
	}
	if err := s.store.Save(ctx, tokens); err != nil {
		return fmt.Errorf("moothall: store the session: %w", err)
	}
	return nil
}
