package review

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// named is the condition that the viewer $1 learns who wrote the review r of
// the event e: of an author that attended incognito only the author and the
// organizer do (policy "Incognito"). It is asked at every read: how somebody
// attends may change. It counts, because EXISTS among other conditions may be
// answered by PostgreSQL with a look at everybody who attends anything.
const named = `(r.author_id = $1 OR e.organizer_id = $1 OR (
	SELECT COUNT(*) FROM participants p WHERE p.event_id = r.event_id AND p.user_id = r.author_id AND p.visibility = 'incognito') = 0)`

// together is the condition that no block hides the review r from the viewer
// $1. None hides one without a name: who blocks people one after the other
// would learn whose it is.
var together = `(` + access.NotBlocked("r.author_id", "$1") + ` OR NOT ` + named + `)`

// shown selects reviews for the viewer $1.
var shown = `
	SELECT r.id, r.event_id, r.author_id, r.rating, r.body, r.created_at, r.updated_at, ` + named + `, r.author_id = $1, ` + user.Columns("o") + `
	FROM reviews r JOIN events e ON e.id = r.event_id LEFT JOIN profiles o ON o.user_id = r.author_id WHERE `

func scan(row db.Row, r *Review) error {
	var author domain.UserID
	var known bool
	var public user.Columned
	err := row.Scan(append([]any{&r.ID, &r.EventID, &author, &r.Rating, &r.Body, &r.CreatedAt, &r.UpdatedAt,
		&known, &r.ViewerIsAuthor}, public.Dest()...)...)
	if known {
		r.AuthorID, r.Author = &author, public.Public()
	}
	return err
}

// place is where a page begins: behind the review of that moment and id.
type place struct {
	at time.Time
	id domain.ReviewID
}

// newest is before every review.
var newest = place{at: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}

const cursorOf = "reviews.1"

func readCursor(text string) (after place, err error) {
	if text == "" {
		return newest, nil
	}
	return after, domain.ReadCursor(text, cursorOf, &after.at, &after.id)
}

var pageStmt = db.SQL("review.page", shown+`r.event_id = $2 AND r.hidden_at IS NULL AND `+together+`
	AND (r.created_at, r.id) < ($3, $4) ORDER BY r.created_at DESC, r.id DESC LIMIT $5`)

func page(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, limit int, after place) (p Page, err error) {
	p.Reviews, err = db.All(ctx, q, scan, pageStmt, v.UserID, id, after.at, after.id, limit+1)
	if err != nil {
		return p, fmt.Errorf("review.page %s: %w", id, err)
	}
	if len(p.Reviews) > limit {
		p.Reviews = p.Reviews[:limit]
		last := p.Reviews[limit-1]
		p.Next = new(domain.Cursor(cursorOf, last.CreatedAt, last.ID))
	}
	return p, nil
}

var ownStmt = db.SQL("review.own", shown+`r.event_id = $2 AND r.author_id = $1`)

// own reads the viewer's review, nil when there is none.
func own(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID) (*Review, error) {
	var r Review
	err := scan(q.One(ctx, ownStmt, v.UserID, id), &r)
	if errors.Is(err, db.ErrNoRow) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("review.own %s: %w", id, err)
	}
	return &r, nil
}

var byIDsStmt = db.SQL("review.by_ids", shown+`r.id IN (SELECT value FROM ids($2) AS l)`)

// ByIDs reads reviews for a viewer, in no order, hidden ones too. Whether the
// viewer may see them is for the caller to say.
func ByIDs(ctx context.Context, q db.Querier, v domain.Viewer, ids []domain.ReviewID) ([]Review, error) {
	found, err := db.All(ctx, q, scan, byIDsStmt, v.UserID, ids)
	if err != nil {
		return nil, fmt.Errorf("review.by_ids: %w", err)
	}
	return found, nil
}

var eventOfStmt = db.SQL("review.event_of", `
	SELECT r.event_id FROM reviews r JOIN events e ON e.id = r.event_id WHERE r.id = $2 AND r.hidden_at IS NULL AND `+together)

// eventOf gives the event of a review; domain.NotFound when there is no such
// review or nothing of it for the viewer.
func eventOf(ctx context.Context, q db.Querier, v domain.Viewer, id domain.ReviewID) (of domain.EventID, err error) {
	err = q.One(ctx, eventOfStmt, v.UserID, id).Scan(&of)
	if errors.Is(err, db.ErrNoRow) {
		return of, domain.NotFound
	}
	if err != nil {
		return of, fmt.Errorf("review.event_of %s: %w", id, err)
	}
	return of, nil
}

var wentStmt = db.SQL("review.went_to", `
	SELECT EXISTS (SELECT 1 FROM events e JOIN participants p ON p.event_id = e.id
		WHERE e.id = $1 AND p.user_id = $2 AND (p.status = 'going' OR p.left_at >= e.over_at))`)

// wentTo reports whether the viewer goes to an event, or did when it ended:
// who leaves afterwards was there.
func wentTo(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID) (went bool, err error) {
	if err := q.One(ctx, wentStmt, id, v.UserID).Scan(&went); err != nil {
		return false, fmt.Errorf("review.went_to %s: %w", id, err)
	}
	return went, nil
}
