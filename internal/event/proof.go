package event

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// Social proof names only people who go openly and whom no block parts from
// the viewer (policy "Incognito", "Block"): the first in the order of the ids,
// so that few rows are sorted however many go.

// participants are the first who go to the event $1.
func participants(viewer string) string {
	open := `p.event_id = $1 AND p.status = 'going' AND p.visibility = 'public'`
	if viewer != access.Anonymous {
		open += ` AND ` + access.NotBlocked("p.user_id", viewer)
	}
	return `SELECT ` + user.Columns("o") + `, 0 AS n FROM participants p JOIN profiles o ON o.user_id = p.user_id
		WHERE ` + open + ` ORDER BY p.user_id LIMIT 5`
}

// followedGoing are the first of those whom the viewer follows who go to the
// event $1, and how many they are. The viewer's follows are walked, which are few
// even where the guests are many.
func followedGoing(viewer string) string {
	if viewer == access.Anonymous {
		return ""
	}
	return `SELECT ` + user.Columns("o") + `, f.n FROM (
		SELECT f.followed_id AS id, COUNT(*) OVER () AS n FROM follows f CROSS JOIN participants p
		WHERE f.follower_id = ` + viewer + ` AND p.event_id = $1 AND p.user_id = f.followed_id AND p.status = 'going' AND p.visibility = 'public' ORDER BY f.followed_id LIMIT 5) AS f
	JOIN profiles o ON o.user_id = f.id`
}

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
func RatingOf(ctx context.Context, q db.Querier, id domain.EventID) (r Rating, err error) {
	err = q.One(ctx, ratingStmt, id).Scan(&r.Reviews, &r.Stars)
	if err != nil && !errors.Is(err, db.ErrNoRow) {
		return r, fmt.Errorf("event.rating %s: %w", id, err)
	}
	return r, nil
}

// sortPeople sorts people as they are found: a UNION promises no order.
func sortPeople(people []user.Public) {
	slices.SortFunc(people, func(a, b user.Public) int { return bytes.Compare(a.UserID[:], b.UserID[:]) })
}
