// Package review stores the reviews of events by their participants: one review
// per user and event, and the average rating (contract §6).
package review

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/text"
)

// Review is one user's review of one event, as one viewer sees it.
type Review struct {
	ID                   domain.ReviewID
	EventID              domain.EventID
	AuthorID             *domain.UserID // nil if the viewer may not know that the author participated
	Author               *user.Public   // nil with AuthorID
	Rating               int            // 1 to 5
	Body                 *string
	ViewerIsAuthor       bool
	CreatedAt, UpdatedAt time.Time
}

// Page is one page of the reviews of an event, the newest first.
type Page struct {
	domain.Page[Review]
	Rating event.Rating
	Own    *Review // the viewer's review, even if moderation has hidden it
}

// Draft is the content of a review.
type Draft struct {
	Rating int // 1 to 5
	Body   *string
}

// maxBody is the maximum length of a review (contract §6).
const maxBody = 2000

func (d *Draft) clean() error {
	var problems domain.Problems
	text.CleanOrNil(&problems, "/body", &d.Body, text.Block(0, maxBody))
	return problems.Err()
}

// mayWrite lets only participants review an event, and only after its end
// (contract §6).
func mayWrite(f access.EventFacts, participated bool) error {
	switch {
	case f.Hosts():
		return domain.Forbid(domain.OwnEvent)
	case !participated:
		return domain.Forbid(domain.NotParticipant)
	default:
		return f.Status.MustBe(access.Completed)
	}
}

// Service lists and writes reviews.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
}

// List reads a page of the reviews of an event. cursor is the Next of the previous
// page, or empty. Returns NotFound if the event does not exist or the viewer may not
// see it, and InvalidCursor for any other cursor.
func (s *Service) List(ctx context.Context, v domain.Viewer, id domain.EventID, limit int, cursor string) (p Page, err error) {
	now := s.Clock.Now()
	err = s.DB.Read(ctx, func(q db.Querier) error {
		if _, err := access.Event(ctx, q, v, id, now); err != nil {
			return err
		}
		after, err := readCursor(cursor)
		if err != nil {
			return err
		}
		if p.Page, err = list(ctx, q, v, id, limit, after); err != nil {
			return err
		}
		if p.Own, err = own(ctx, q, v, id); err != nil {
			return err
		}
		p.Rating, err = event.RatingOf(ctx, q, id)
		return err
	})
	return p, err
}

// Write stores or replaces the viewer's review of an event. A review that
// moderation has hidden stays hidden. Returns NotFound if the event does not exist
// or the viewer may not see it; Forbidden before its end and for users who did not
// participate.
func (s *Service) Write(ctx context.Context, v domain.Viewer, id domain.EventID, d Draft) (r Review, err error) {
	now := s.Clock.Now()
	err = idempotency.InTx(ctx, s.DB, now, &r, func(tx db.Tx) error {
		facts, err := access.Event(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		if err := d.clean(); err != nil {
			return err
		}
		participated, err := hasParticipated(ctx, tx, v, id)
		if err != nil {
			return err
		}
		if err := mayWrite(facts, participated); err != nil {
			return err
		}
		if err := write(ctx, tx, v, facts, d, now); err != nil {
			return err
		}
		written, err := own(ctx, tx, v, id)
		if err == nil {
			r = *written
		}
		return err
	})
	return r, err
}

// write inserts the review, or replaces the existing one. It notifies the organizer
// of a first review.
func write(ctx context.Context, tx db.Tx, v domain.Viewer, f access.EventFacts, d Draft, now time.Time) error {
	n, err := tx.Exec(ctx, insertStmt, f.ID, v.UserID, domain.NewID[domain.ReviewKind](now), d.Rating, d.Body, now)
	if err != nil {
		return err
	}
	if n == 0 {
		return replace(ctx, tx, v, f.ID, d, now)
	}
	tx.Changed(event.Ratings.Of(f.ID))
	tx.Queue(ctx, addStmt, f.ID, d.Rating)
	created := webhook.Change{Kind: webhook.ReviewCreated, Event: f.ID, User: v.UserID, Data: map[string]any{"rating": d.Rating}}
	if err := webhook.Put(ctx, tx, now, f.HasWebhook, created); err != nil {
		return err
	}
	written := notify.Notification{To: f.OrganizerID, Kind: notify.EventReview, Actor: v.UserID, Event: f.ID}
	named := false // to hosts, who do not know incognito participants
	if f.HasTeam {
		if err := tx.One(ctx, namedStmt, f.ID, v.UserID).Scan(&named); err != nil {
			return err
		}
	}
	return notify.PutHosts(ctx, tx, now, written, named)
}

// Check returns NotFound if the viewer may not see a review: if its event is hidden
// from them, if moderation has hidden it, or if its author is named and has a block
// with the viewer.
func Check(ctx context.Context, q db.Querier, v domain.Viewer, id domain.ReviewID, now time.Time) error {
	event, err := eventOf(ctx, q, v, id)
	if err != nil {
		return err
	}
	_, err = access.Event(ctx, q, v, event, now)
	return err
}
