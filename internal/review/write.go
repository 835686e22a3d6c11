package review

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// What the reviews of an event come to stands in review_totals. Every change
// first takes the review's row, then moves the totals by what has changed.

var insertStmt = db.SQL("review.insert", `
	INSERT INTO reviews (event_id, author_id, id, rating, body, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)
	ON CONFLICT (event_id, author_id) DO NOTHING`)

// insert stores a first review; first is false when there is one already.
func insert(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, d Draft, now time.Time) (first bool, err error) {
	n, err := tx.Exec(ctx, insertStmt, id, v.UserID, domain.NewID[domain.ReviewKind](now), d.Rating, d.Body, now)
	if err != nil {
		return false, fmt.Errorf("review.insert %s: %w", id, err)
	}
	return n == 1, nil
}

var (
	lockStmt = db.SQL("review.lock", `
		SELECT rating, hidden_at IS NOT NULL FROM reviews WHERE event_id = $1 AND author_id = $2 FOR UPDATE`)

	replaceStmt = db.SQL("review.replace", `
		UPDATE reviews SET rating = $3, body = $4, updated_at = $5 WHERE event_id = $1 AND author_id = $2`)
)

// replace changes the review that there is.
func replace(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, d Draft, now time.Time) error {
	var was int
	var hidden bool
	err := tx.One(ctx, lockStmt, id, v.UserID).Scan(&was, &hidden)
	if errors.Is(err, db.ErrNoRow) {
		return domain.Conflict // the account was deleted at the same moment
	}
	if err == nil {
		_, err = tx.Exec(ctx, replaceStmt, id, v.UserID, d.Rating, d.Body, now)
	}
	if err != nil {
		return fmt.Errorf("review.replace %s: %w", id, err)
	}
	if hidden || was == d.Rating {
		return nil
	}
	return move(ctx, tx, id, 0, d.Rating-was)
}

// Hide takes a review out of everybody's sight but its author's and out of the
// average; again, and of a review that is gone, it does nothing.
func Hide(ctx context.Context, tx db.Tx, id domain.ReviewID, now time.Time) error {
	var of domain.EventID
	var rating int
	err := tx.One(ctx, hideStmt, id, now).Scan(&of, &rating)
	if errors.Is(err, db.ErrNoRow) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("review.hide %s: %w", id, err)
	}
	return move(ctx, tx, of, -1, -rating)
}

var hideStmt = db.SQL("review.hide", `
	UPDATE reviews SET hidden_at = $2 WHERE id = $1 AND hidden_at IS NULL RETURNING event_id, rating`)

var countStmt = db.SQL("review.count", `
	INSERT INTO review_totals (event_id, n, stars) VALUES ($1, 1, $2)
	ON CONFLICT (event_id) DO UPDATE SET n = review_totals.n + 1, stars = review_totals.stars + excluded.stars`, db.Key{Table: "review_totals", Param: 1})

// count adds a first review of somebody to the totals.
func count(ctx context.Context, tx db.Tx, id domain.EventID, rating int) error {
	if _, err := tx.Exec(ctx, countStmt, id, rating); err != nil {
		return fmt.Errorf("review.count %s: %w", id, err)
	}
	return nil
}

var moveStmt = db.SQL("review.move", `UPDATE review_totals SET n = n + $2, stars = stars + $3 WHERE event_id = $1`, db.Key{Table: "review_totals", Param: 1})

// move changes the totals of an event that has been reviewed.
func move(ctx context.Context, tx db.Tx, id domain.EventID, reviews, stars int) error {
	if _, err := tx.Exec(ctx, moveStmt, id, reviews, stars); err != nil {
		return fmt.Errorf("review.move %s: %w", id, err)
	}
	return nil
}
