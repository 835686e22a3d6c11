package session

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

// RefreshPerSession limits the refreshes of one session (contract §11).
var RefreshPerSession = ratelimit.Rule{
	Name: "refresh_per_session", What: "refreshes of one session", Default: ratelimit.Quota{N: 60, Window: time.Minute},
}

// Refresh exchanges a refresh token for a new pair and invalidates the old pair. The
// reuse of an exchanged token ends its session, except within RaceWindow of the
// exchange. Every refusal is domain.Unauthorized.
func (s *Service) Refresh(ctx context.Context, token string, c Client) (Tokens, error) {
	old, ok := refreshToken.Hash(token)
	if !ok {
		return Tokens{}, domain.Unauthorized
	}
	if err := s.limitRefresh(ctx, old); err != nil {
		return Tokens{}, err
	}
	now := s.Clock.Now()
	t, rotated, err := s.rotate(ctx, old, c, now)
	if err == nil && !rotated {
		err = s.endReused(ctx, old, now)
	}
	if err == nil && !rotated {
		err = domain.Unauthorized
	}
	return t, err
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

// rotate stores a new pair; rotated is false if the token is not the newest one
// of an active session.
func (s *Service) rotate(ctx context.Context, old []byte, c Client, now time.Time) (t Tokens, rotated bool, err error) {
	p := NewPair()
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

// endReused ends the session of a retired token: two parties have it, and one
// of them has stolen it.
func (s *Service) endReused(ctx context.Context, old []byte, now time.Time) error {
	var session domain.SessionID
	var retiredAt time.Time
	found, err := s.DB.One(ctx, retiredStmt, old).Find(&session, &retiredAt)
	if err != nil || !found || s.inRace(retiredAt, now) {
		return err
	}
	_, err = s.DB.Exec(ctx, revokeStmt, session, now)
	return err
}

// inRace reports whether a token was reused so soon after its retirement that
// two tabs of one browser are the likely reason.
func (s *Service) inRace(retiredAt, now time.Time) bool {
	return s.RaceWindow > 0 && now.Sub(retiredAt) < s.RaceWindow
}
