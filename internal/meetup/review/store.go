package review

import (
	"context"
	"errors"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// namedSQL is true if the viewer $1, whose access.SessionUser is $2, may know who wrote the review r of the event e.
// If the author participated incognito, only the author and the organizer may, the latter without an API key (policy
// "Incognito"). Every read checks it, because the visibility may change. COUNT,
// because PostgreSQL may turn EXISTS into a scan of all participants.
const namedSQL = `(r.author_id = $1 OR e.organizer_id = $2 OR (
	SELECT COUNT(*) FROM participants p WHERE p.event_id = r.event_id AND p.user_id = r.author_id AND p.visibility = 'incognito') = 0)`

// notBlockedSQL is true if no block hides the review r from the viewer $1. A block
// never hides a review whose author is not named: otherwise a viewer could find the
// author by blocking one user after the other.
var notBlockedSQL = `(` + access.NotBlocked("r.author_id", "$1") + ` OR NOT ` + namedSQL + `)`

// selectSQL reads reviews as the viewer $1 sees them.
var selectSQL = `
	SELECT r.id, r.event_id, r.author_id, r.rating, r.body, r.created_at, r.updated_at,
		` + namedSQL + `, r.author_id = $1, ` + user.Columns("o") + `
	FROM reviews r JOIN events e ON e.id = r.event_id LEFT JOIN profiles o ON o.user_id = r.author_id WHERE `

func scan(row db.Row, r *Review) error {
	var author domain.UserID
	var named bool
	var profile user.ProfileColumns
	err := row.Scan(append([]any{&r.ID, &r.EventID, &author, &r.Rating, &r.Body, &r.CreatedAt, &r.UpdatedAt,
		&named, &r.ViewerIsAuthor}, profile.Dest()...)...)
	if named {
		r.AuthorID, r.Author = &author, profile.Public()
	}
	return err
}

// position is the review after which a page starts.
type position struct {
	at time.Time
	id domain.ReviewID
}

// top is the position of the first page.
var top = position{at: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}

// cursorName names the list and the version of the values in its cursor.
const cursorName = "reviews.1"

func readCursor(cursor string) (p position, err error) {
	if cursor == "" {
		return top, nil
	}
	return p, domain.ReadCursor(cursor, cursorName, &p.at, &p.id)
}

var listStmt = db.SQL("review.list", selectSQL+`r.event_id = $3 AND r.hidden_at IS NULL AND `+notBlockedSQL+`
	AND (r.created_at, r.id) < ($4, $5) ORDER BY r.created_at DESC, r.id DESC LIMIT $6`)

func list(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, limit int, after position) (domain.Page[Review], error) {
	rows, err := db.All(ctx, q, scan, listStmt, v.UserID, access.SessionUser(v), id, after.at, after.id, limit+1)
	return domain.NewPage(rows, limit, func(last Review) string {
		return domain.Cursor(cursorName, last.CreatedAt, last.ID)
	}), err
}

var ownStmt = db.SQL("review.own", selectSQL+`r.event_id = $3 AND r.author_id = $1`)

// own reads the viewer's review. It returns nil if there is none.
func own(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID) (*Review, error) {
	var r Review
	err := scan(q.One(ctx, ownStmt, v.UserID, access.SessionUser(v), id), &r)
	if errors.Is(err, db.ErrNoRow) {
		return nil, nil
	}
	return &r, err
}

var byIDsStmt = db.SQL("review.by_ids", selectSQL+`r.id IN (SELECT value FROM ids($3) AS l)`)

// ByIDs reads reviews for a viewer, including hidden ones, in no order. It does not
// check whether the viewer may see them.
func ByIDs(ctx context.Context, q db.Querier, v domain.Viewer, ids []domain.ReviewID) ([]Review, error) {
	return db.All(ctx, q, scan, byIDsStmt, v.UserID, access.SessionUser(v), ids)
}

var eventOfStmt = db.SQL("review.event_of", `
	SELECT r.event_id FROM reviews r JOIN events e ON e.id = r.event_id WHERE r.id = $3 AND r.hidden_at IS NULL AND `+notBlockedSQL)

// eventOf returns the event of a review. It returns NotFound if there is no such review
// or if it is hidden from the viewer.
func eventOf(ctx context.Context, q db.Querier, v domain.Viewer, id domain.ReviewID) (event domain.EventID, err error) {
	err = q.One(ctx, eventOfStmt, v.UserID, access.SessionUser(v), id).ScanOr(domain.NotFound, &event)
	return event, err
}

var participatedStmt = db.SQL("review.participated", `
	SELECT EXISTS (SELECT 1 FROM events e JOIN participants p ON p.event_id = e.id
		WHERE e.id = $1 AND p.user_id = $2 AND (p.status = 'going' OR p.left_at >= e.over_at))`)

// hasParticipated reports whether the viewer was going when the event ended, or is
// going now. Users who leave afterwards have participated.
func hasParticipated(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID) (participated bool, err error) {
	err = q.One(ctx, participatedStmt, id, v.UserID).Scan(&participated)
	return participated, err
}

var namedStmt = db.SQL("review.named", `
	SELECT COUNT(*) = 0 FROM participants p WHERE p.event_id = $1 AND p.user_id = $2 AND p.visibility = 'incognito'`)

// Every write first changes the review, then adds the difference to review_totals.
var (
	insertStmt = db.SQL("review.insert", `
		INSERT INTO reviews (event_id, author_id, id, rating, body, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)
		ON CONFLICT (event_id, author_id) DO NOTHING`)

	lockStmt = db.SQL("review.lock", `
		SELECT rating, hidden_at IS NOT NULL FROM reviews WHERE event_id = $1 AND author_id = $2 FOR UPDATE`)

	replaceStmt = db.SQL("review.replace", `
		UPDATE reviews SET rating = $3, body = $4, updated_at = $5 WHERE event_id = $1 AND author_id = $2`)

	hideStmt = db.SQL("review.hide", `
		UPDATE reviews SET hidden_at = $2 WHERE id = $1 AND hidden_at IS NULL RETURNING event_id, rating`)

	addStmt = db.SQL("review.add_to_total", `
		INSERT INTO review_totals (event_id, n, stars) VALUES ($1, 1, $2)
		ON CONFLICT (event_id) DO UPDATE SET n = review_totals.n + 1, stars = review_totals.stars + excluded.stars`)

	adjustStmt = db.SQL("review.adjust_total", `UPDATE review_totals SET n = n + $2, stars = stars + $3 WHERE event_id = $1`)
)

// replace changes the viewer's review.
func replace(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, d Draft, now time.Time) error {
	var rating int
	var hidden bool
	// Conflict: the account was deleted at the same time.
	if err := tx.One(ctx, lockStmt, id, v.UserID).ScanOr(domain.Conflict, &rating, &hidden); err != nil {
		return err
	}
	tx.Changed(event.Ratings.Of(id))
	tx.Queue(ctx, replaceStmt, id, v.UserID, d.Rating, d.Body, now)
	if !hidden && rating != d.Rating {
		tx.Queue(ctx, adjustStmt, id, 0, d.Rating-rating)
	}
	return nil
}

// Hide hides a review from all users except its author and removes it from the
// average. It does nothing if the review is hidden already or deleted.
func Hide(ctx context.Context, tx db.Tx, id domain.ReviewID, now time.Time) error {
	var of domain.EventID
	var rating int
	hidden, err := tx.One(ctx, hideStmt, id, now).Find(&of, &rating)
	if err == nil && hidden {
		tx.Changed(event.Ratings.Of(of))
		tx.Queue(ctx, adjustStmt, of, -1, -rating)
	}
	return err
}
