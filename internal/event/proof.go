package event

import (
	"context"
	"fmt"

	"moothall/internal/access"
	"moothall/internal/db"
	"moothall/internal/meet"
	"moothall/internal/profile"
)

// Social proof names only people who go openly and whom no block parts from
// the viewer (policy "Incognito", "Block"). It is read in the order of the
// ids, so that it needs no sorting however many go.

var participantsStmt = db.SQL("event.participants", `
	SELECT `+profile.Columns("o")+` FROM participants p JOIN profiles o ON o.user_id = p.user_id
	WHERE p.event_id = $1 AND p.status = 'going' AND p.visibility = 'public' AND `+access.NotBlocked("p.user_id", "$2")+`
	ORDER BY p.user_id LIMIT 5`)

const followedGoing = `
	FROM follows f JOIN participants p ON p.event_id = $1 AND p.user_id = f.followed_id
	WHERE f.follower_id = $2 AND p.status = 'going' AND p.visibility = 'public'`

var followedStmt = db.SQL("event.followed_going", `
	SELECT `+profile.Columns("o")+` FROM (SELECT f.followed_id`+followedGoing+` ORDER BY f.followed_id LIMIT 5) AS w
	JOIN profiles o ON o.user_id = w.followed_id ORDER BY o.user_id`)

var followedCountStmt = db.SQL("event.followed_going_count", `SELECT COUNT(*)`+followedGoing)

func (d *Details) readProof(ctx context.Context, q db.Querier, v meet.Viewer) error {
	var err error
	if d.Participants, err = db.All(ctx, q, profile.Scan, participantsStmt, d.ID, v.UserID); err != nil {
		return fmt.Errorf("event.proof %s: %w", d.ID, err)
	}
	if !v.SignedIn() {
		return nil
	}
	if d.FollowedGoing, err = db.All(ctx, q, profile.Scan, followedStmt, d.ID, v.UserID); err != nil {
		return fmt.Errorf("event.proof %s: %w", d.ID, err)
	}
	if err = q.One(ctx, followedCountStmt, d.ID, v.UserID).Scan(&d.FollowedGoingCount); err != nil {
		return fmt.Errorf("event.proof %s: %w", d.ID, err)
	}
	return nil
}
