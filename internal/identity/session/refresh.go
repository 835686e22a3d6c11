package session

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

// RefreshPerSession limits the refreshes of one session (contract §11).
var RefreshPerSession = ratelimit.Limit{
	Name: "refresh_per_session", What: "refreshes of one session", Default: ratelimit.Quota{N: 60, Window: time.Minute},
}

// repeatWindow is how long a repeated refresh returns the same pair (contract §11).
const repeatWindow = time.Minute

// Refresh exchanges a refresh token for a new pair and invalidates the old pair. The same
// token with the same key, unless it is empty, returns the same pair within repeatWindow:
// a response can be lost. Any other reuse of an exchanged token ends its session, except
// within RaceWindow of the exchange. Every refusal is domain.Unauthorized.
func (s *Service) Refresh(ctx context.Context, token, key string, c Client) (Tokens, error) {
	old, ok := refreshToken.Hash(token)
	if !ok {
		return Tokens{}, domain.Unauthorized
	}
	if err := s.limitRefresh(ctx, old); err != nil {
		return Tokens{}, err
	}
	now := s.Clock.Now()
	p := s.nextPair(token, key)
	t, ok, err := s.rotate(ctx, old, p, c, now)
	if err == nil && !ok && key != "" {
		t, ok, err = s.rotatedBefore(ctx, old, p, now)
	}
	if err == nil && !ok {
		err = s.endReused(ctx, old, now)
	}
	if err == nil && !ok {
		err = domain.Unauthorized
	}
	return t, err
}

// nextPair returns the pair that replaces a refresh token. With a key it depends only on
// the token and the key, so that a repeated refresh finds the pair although only its
// hashes are stored.
func (s *Service) nextPair(token, key string) Pair {
	if key == "" {
		return NewPair()
	}
	derive := func(purpose string) []byte {
		mac := hmac.New(sha256.New, s.Key)
		mac.Write([]byte(purpose + "\x00" + token + "\x00" + key))
		return mac.Sum(nil)
	}
	return PairOf(derive("refreshed access token"), derive("refreshed refresh token"))
}

// rotatedBefore returns the session whose token was replaced by a pair within
// repeatWindow; found is false if the pair has been rotated or revoked since.
func (s *Service) rotatedBefore(ctx context.Context, old []byte, p Pair, now time.Time) (t Tokens, found bool, err error) {
	t = Tokens{Access: p.access, Refresh: p.refresh}
	_, refresh := p.hashes()
	found, err = s.DB.One(ctx, rotatedBeforeStmt, old, refresh, now, now.Add(-repeatWindow)).
		Find(&t.SessionID, &t.AccessExpiresAt, &t.RefreshExpiresAt)
	return t, found, err
}

// limitRefresh spends the quota of the token's session. It does nothing for a token
// without a session, because Refresh refuses it anyway.
func (s *Service) limitRefresh(ctx context.Context, hash []byte) error {
	if s.Limits == nil {
		return nil
	}
	var id domain.SessionID
	found, err := s.DB.One(ctx, byAnyRefreshStmt, hash).Find(&id)
	if err != nil || !found {
		return err
	}
	return s.Limits.Spend(ctx, RefreshPerSession, id.String())
}

// rotate stores a pair; rotated is false if the old token is not the newest one of an
// active session.
func (s *Service) rotate(ctx context.Context, old []byte, p Pair, c Client, now time.Time) (t Tokens, rotated bool, err error) {
	t = Tokens{Access: p.access, Refresh: p.refresh}
	access, refresh := p.hashes()
	var update *db.Queued
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		update = tx.Queue(ctx, rotateStmt, old, access, now.Add(s.AccessTTL), refresh, now.Add(s.RefreshTTL), now, c.Network).
			Into(&t.SessionID, &t.AccessExpiresAt, &t.RefreshExpiresAt)
		tx.Queue(ctx, retireStmt, old, refresh, now)
		return nil
	})
	return t, err == nil && update.Rows() == 1, err
}

// reuseError is the domain.Unauthorized of a reused token, which ended a session.
type reuseError struct{ of domain.Viewer }

func (e *reuseError) Error() string { return "session: a rotated token was used again" }
func (e *reuseError) Unwrap() error { return domain.Unauthorized }

// endReused ends the session of a retired token, and returns a reuseError: two parties
// have the token, and one of them has stolen it.
func (s *Service) endReused(ctx context.Context, old []byte, now time.Time) error {
	var of domain.Viewer
	var retiredAt time.Time
	found, err := s.DB.One(ctx, retiredStmt, old).Find(&of.SessionID, &of.UserID, &retiredAt)
	if err != nil || !found || s.inRace(retiredAt, now) {
		return err
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		tx.Changed(access.Rights.Of(of.UserID))
		tx.Queue(ctx, revokeStmt, of.SessionID, now)
		return nil
	})
	if err != nil {
		return err
	}
	return &reuseError{of}
}

// inRace reports whether a token was reused so soon after its retirement that
// two tabs of one browser are the likely reason.
func (s *Service) inRace(retiredAt, now time.Time) bool {
	return s.RaceWindow > 0 && now.Sub(retiredAt) < s.RaceWindow
}
