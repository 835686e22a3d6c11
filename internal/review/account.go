package review

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is a review as its author takes it along.
type exported struct {
	EventID   domain.EventID `json:"event_id"`
	Rating    int            `json:"rating"`
	Body      *string        `json:"body"`
	CreatedAt time.Time      `json:"created_at"`
	UpdatedAt time.Time      `json:"updated_at"`
}

var exportStmt = db.SQL("review.export", `
	SELECT event_id, rating, body, created_at, updated_at FROM reviews WHERE author_id = $1 ORDER BY created_at, id`)

// Export gives the reviews that a user has written.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	reviews, err := db.All(ctx, q, func(row db.Row, e *exported) error {
		return row.Scan(&e.EventID, &e.Rating, &e.Body, &e.CreatedAt, &e.UpdatedAt)
	}, exportStmt, user)
	if err != nil {
		return nil, fmt.Errorf("review.export: %w", err)
	}
	return append([]exported{}, reviews...), nil
}

var (
	forgetStmt = db.SQL("review.forget", `DELETE FROM reviews WHERE author_id = $1 RETURNING event_id, rating, hidden_at IS NULL`)

	uncountStmt = db.SQL("review.uncount", `
		UPDATE review_totals SET n = n - 1, stars = stars - (
			SELECT s.value FROM ids($1) AS e JOIN ints($2) AS s ON s.ord = e.ord WHERE e.value = review_totals.event_id)
		WHERE event_id IN (SELECT value FROM ids($1) AS l)`)
)

// Erase removes the reviews that a user has written; the averages are then
// those of the others.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	var events []domain.EventID
	var ratings []int
	for row, err := range tx.Query(ctx, forgetStmt, user) {
		var id domain.EventID
		var rating int
		var counted bool
		if err == nil {
			err = row.Scan(&id, &rating, &counted)
		}
		if err != nil {
			return fmt.Errorf("review.forget: %w", err)
		}
		if counted {
			events, ratings = append(events, id), append(ratings, rating)
		}
	}
	if _, err := tx.Exec(ctx, uncountStmt, events, ratings); err != nil {
		return fmt.Errorf("review.forget: %w", err)
	}
	return nil
}
