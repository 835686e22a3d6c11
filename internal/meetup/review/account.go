package review

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// exported is a review in an account export.
type exported struct {
	EventID   domain.EventID `json:"event_id"`
	Rating    int            `json:"rating"`
	Body      *string        `json:"body"`
	CreatedAt time.Time      `json:"created_at"`
	UpdatedAt time.Time      `json:"updated_at"`
}

var exportStmt = db.SQL("review.export", `
	SELECT event_id, rating, body, created_at, updated_at FROM reviews WHERE author_id = $1 ORDER BY created_at, id`)

// Export returns the reviews that a user has written.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	reviews, err := db.All(ctx, q, func(row db.Row, e *exported) error {
		return row.Scan(&e.EventID, &e.Rating, &e.Body, &e.CreatedAt, &e.UpdatedAt)
	}, exportStmt, user)
	return append([]exported{}, reviews...), err
}

var (
	eraseStmt = db.SQL("review.erase", `DELETE FROM reviews WHERE author_id = $1 RETURNING event_id, rating, hidden_at IS NULL`)

	subtractStmt = db.SQL("review.subtract", `
		UPDATE review_totals SET n = n - 1, stars = stars - (
			SELECT s.value FROM ids($1) AS e JOIN ints($2) AS s ON s.ord = e.ord WHERE e.value = review_totals.event_id)
		WHERE event_id IN (SELECT value FROM ids($1) AS l)`)
)

// Erase deletes the reviews of a user and subtracts them from the totals.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	var events []domain.EventID
	var ratings []int
	for row, err := range tx.Query(ctx, eraseStmt, user) {
		var id domain.EventID
		var rating int
		var counted bool
		if err == nil {
			err = row.Scan(&id, &rating, &counted)
		}
		if err != nil {
			return err
		}
		if counted {
			tx.Changed(event.Ratings.Of(id))
			events, ratings = append(events, id), append(ratings, rating)
		}
	}
	tx.Queue(ctx, subtractStmt, events, ratings)
	return nil
}
