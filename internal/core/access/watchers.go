package access

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var watchersStmt = db.SQL("access.watchers", `
	SELECT l.value, `+ReadFactsSQL("e", "l.value", "$3")+` FROM ids($2) AS l CROSS JOIN events e WHERE e.id = $1`)

// Watchers loads the facts of one event for many viewers. The map is empty if the event
// does not exist.
func Watchers(ctx context.Context, q db.Querier, id domain.EventID, viewers []domain.UserID,
	now time.Time) (map[domain.UserID]EventFacts, error) {
	all := make(map[domain.UserID]EventFacts, len(viewers))
	for row, err := range q.Query(ctx, watchersStmt, id, viewers, now) {
		if err != nil {
			return nil, err
		}
		var viewer domain.UserID
		var f EventFacts
		if err := row.Scan(append([]any{&viewer}, f.columns()...)...); err != nil {
			return nil, err
		}
		all[viewer] = f
	}
	return all, nil
}

var blocksStmt = db.SQL("access.blocks", `
	SELECT b.blocker_id, b.blocked_id FROM ids($1) AS l JOIN blocks b ON b.blocker_id = l.value
	UNION SELECT b.blocked_id, b.blocker_id FROM ids($1) AS l JOIN blocks b ON b.blocked_id = l.value`)

// Pair is two users with a block between them.
type Pair struct{ A, B domain.UserID }

// Blocks returns the blocks of some users, in either direction. The user is A.
func Blocks(ctx context.Context, q db.Querier, users []domain.UserID) (map[Pair]bool, error) {
	all := map[Pair]bool{}
	for row, err := range q.Query(ctx, blocksStmt, users) {
		if err != nil {
			return nil, err
		}
		var p Pair
		if err := row.Scan(&p.A, &p.B); err != nil {
			return nil, err
		}
		all[p] = true
	}
	return all, nil
}
