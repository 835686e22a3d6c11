package session

import (
	"context"
	"errors"
	"fmt"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

// limitRefresh counts a refresh by its session, before anything changes. A
// token of no session counts nowhere: it will be refused like any other.
func (s *Service) limitRefresh(ctx context.Context, hash []byte) error {
	if s.opts.Limits == nil {
		return nil
	}
	var id domain.SessionID
	err := s.db.One(ctx, ofRefreshStmt, hash).Scan(&id)
	if errors.Is(err, db.ErrNoRow) {
		return nil
	}
	if err == nil {
		err = s.opts.Limits.Spend(ctx, ratelimit.RefreshPerSession, id.String())
	}
	if err != nil {
		return fmt.Errorf("session.refresh: %w", err)
	}
	return nil
}
