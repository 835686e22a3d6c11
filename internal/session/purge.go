package session

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/platform/db"
)

// keepEnded is how long a session is kept after its last refresh token ran out.
const keepEnded = 30 * 24 * time.Hour

// Purge deletes expired codes, challenges, states, nonces, rotated tokens, and sessions that
// ended long ago, and gives their number. It is for a periodic job; several at
// once do no harm.
func (s *Service) Purge(ctx context.Context) (deleted int64, err error) {
	now := s.clock.Now()
	for _, p := range []struct {
		stmt *db.Stmt
		args []any
	}{
		{purgePhoneStmt, []any{now.Add(-expiredFor), now.Add(-repeatFor)}},
		{purgeCodesStmt, []any{now}},
		{purgeRetiredStmt, []any{now}},
		{purgeStatesStmt, []any{now}},
		{purgeNoncesStmt, []any{now}},
		{purgeSessionsStmt, []any{now.Add(-keepEnded)}},
	} {
		for more := true; more; {
			n, err := s.db.Exec(ctx, p.stmt, p.args...)
			if err != nil {
				return deleted, fmt.Errorf("session.purge: %w", err)
			}
			deleted += n
			more = n > 0
		}
	}
	return deleted, nil
}
