package session

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/db"
)

// keepEnded is how long a session is kept after its last refresh token ran out.
const keepEnded = 30 * 24 * time.Hour

// Purge deletes expired codes, rotated tokens that expired and sessions that
// ended long ago, and gives their number. It is for a periodic job; several at
// once do no harm.
func (s *Service) Purge(ctx context.Context) (deleted int64, err error) {
	now := s.clock.Now()
	for _, p := range []struct {
		stmt   *db.Stmt
		before time.Time
	}{
		{purgeCodesStmt, now},
		{purgeRetiredStmt, now},
		{purgeSessionsStmt, now.Add(-keepEnded)},
	} {
		for more := true; more; {
			n, err := s.db.Exec(ctx, p.stmt, p.before)
			if err != nil {
				return deleted, fmt.Errorf("session.purge: %w", err)
			}
			deleted += n
			more = n > 0
		}
	}
	return deleted, nil
}
