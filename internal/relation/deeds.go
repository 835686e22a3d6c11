package relation

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/db"
	"moothall/internal/meet"
)

// What somebody did last in the open says whom of very many followed people a
// feed looks at. An incognito attendance is nothing of that kind.

var joinedStmt = db.SQL("relation.joined", `
	INSERT INTO open_deeds (user_id, joined_at, acted_at) VALUES ($1, $2, 0)
	ON CONFLICT (user_id) DO UPDATE SET joined_at = excluded.joined_at`)

// Joined notes that the user has just joined a public event openly.
func Joined(ctx context.Context, tx db.Tx, user meet.UserID, now time.Time) error {
	return deed(ctx, tx, joinedStmt, user, now)
}

var firstJoinedStmt = db.SQL("relation.first_joined", `
	INSERT INTO open_deeds (user_id, joined_at, acted_at)
	SELECT p.user_id, p.joined_at, 0 FROM participants p WHERE p.event_id = $2 AND p.user_id = $1 AND written_now(p)
	ON CONFLICT (user_id) DO UPDATE SET joined_at = excluded.joined_at`)

// JoinedStep is Joined as a step of db.Together that follows the joining.
func JoinedStep(user meet.UserID, event meet.EventID) db.Step {
	return db.Do(firstJoinedStmt, user, event)
}

var actedStmt = db.SQL("relation.acted", `
	INSERT INTO open_deeds (user_id, joined_at, acted_at) VALUES ($1, 0, $2)
	ON CONFLICT (user_id) DO UPDATE SET acted_at = excluded.acted_at`)

// Acted notes that the user has just published a public event, or reposted.
func Acted(ctx context.Context, tx db.Tx, user meet.UserID, now time.Time) error {
	return deed(ctx, tx, actedStmt, user, now)
}

var hidStmt = db.SQL("relation.hid", `
	UPDATE open_deeds SET joined_at = COALESCE((
		SELECT p.joined_at FROM participants p WHERE p.user_id = $1 AND p.status = 'going' AND p.visibility = 'public'
		ORDER BY p.joined_at DESC LIMIT 1), 0)
	WHERE user_id = $1`)

// Hid forgets a join of the user that has ended or gone incognito: what is
// known then is what would be without it.
func Hid(ctx context.Context, tx db.Tx, user meet.UserID) error { return deed(ctx, tx, hidStmt, user) }

func deed(ctx context.Context, tx db.Tx, stmt *db.Stmt, args ...any) error {
	if _, err := tx.Exec(ctx, stmt, args...); err != nil {
		return fmt.Errorf("%s: %w", stmt.Name(), err)
	}
	return nil
}

var importDeedsStmt = db.SQL("relation.import_deeds", `
	INSERT INTO open_deeds (user_id, joined_at, acted_at)
	SELECT u.id, COALESCE((
			SELECT p.joined_at FROM participants p WHERE p.user_id = u.id AND p.status = 'going' AND p.visibility = 'public'
			ORDER BY p.joined_at DESC LIMIT 1), 0), COALESCE(e.published_at, 0)
	FROM users u LEFT JOIN (SELECT organizer_id, MAX(published_at) AS published_at FROM events WHERE listed GROUP BY organizer_id) AS e ON e.organizer_id = u.id
	WHERE TRUE
	ON CONFLICT (user_id) DO UPDATE SET joined_at = excluded.joined_at, acted_at = excluded.acted_at`)

// ImportDeeds notes what everybody did last, after events and attendance were
// imported.
func ImportDeeds(ctx context.Context, d *db.DB) error {
	return d.InTx(ctx, func(tx db.Tx) error { return deed(ctx, tx, importDeedsStmt) })
}
