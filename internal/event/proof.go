package event

import (
	"context"
	"errors"
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
	ORDER BY p.user_id LIMIT 5`, db.Key{Table: "participants", Param: 1})

const followedGoing = `
	FROM follows f JOIN participants p ON p.event_id = $1 AND p.user_id = f.followed_id
	WHERE f.follower_id = $2 AND p.status = 'going' AND p.visibility = 'public'`

var followedStmt = db.SQL("event.followed_going", `
	SELECT `+profile.Columns("o")+` FROM (SELECT f.followed_id`+followedGoing+` ORDER BY f.followed_id LIMIT 5) AS w
	JOIN profiles o ON o.user_id = w.followed_id ORDER BY o.user_id`)

var followedCountStmt = db.SQL("event.followed_going_count", `SELECT COUNT(*)`+followedGoing)

// Rating is what the reviews of an event come to, hidden ones aside. It is the
// same for every viewer: a number names nobody.
type Rating struct{ Reviews, Stars int64 }

// Average is the stars of a review on average, rounded half up to two decimals,
// nil without reviews.
func (r Rating) Average() *float64 {
	if r.Reviews == 0 {
		return nil
	}
	hundredths := (200*r.Stars + r.Reviews) / (2 * r.Reviews) // whole numbers do not drift
	return new(float64(hundredths) / 100)
}

var ratingStmt = db.SQL("event.rating", `SELECT n, stars FROM review_totals WHERE event_id = $1`, db.Key{Table: "review_totals", Param: 1})

// RatingOf reads the rating of one event, whoever sees it.
func RatingOf(ctx context.Context, q db.Querier, id meet.EventID) (r Rating, err error) {
	err = q.One(ctx, ratingStmt, id).Scan(&r.Reviews, &r.Stars)
	if err != nil && !errors.Is(err, db.ErrNoRow) {
		return r, fmt.Errorf("event.rating %s: %w", id, err)
	}
	return r, nil
}

func (d *Details) readProof(ctx context.Context, q db.Querier, v meet.Viewer) error {
	var err error
	if d.Status == access.Completed { // nothing else is reviewed
		if d.Rating, err = RatingOf(ctx, q, d.ID); err != nil {
			return err
		}
	}
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
