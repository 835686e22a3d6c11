// Package review is the room of what people say of events they went to: one
// review a person, and what all of them come to (contract §6).
package review

import (
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/text"
	"moothall/internal/user"
)

// Review is one person's review of one event, as one viewer sees it.
type Review struct {
	ID                   domain.ReviewID
	EventID              domain.EventID
	AuthorID             *domain.UserID // nil where the viewer may not know that they attended
	Author               *user.Public   // nil with AuthorID
	Rating               int            // 1 to 5
	Body                 *string
	ViewerIsAuthor       bool
	CreatedAt, UpdatedAt time.Time
}

// Page is one page of the reviews of an event, the newest first.
type Page struct {
	Reviews []Review
	Next    *string // cursor, nil on the last page
	Rating  event.Rating
	Own     *Review // the viewer's, hidden or not
}

// Draft is what somebody has to say.
type Draft struct {
	Rating int // 1 to 5, as the contract has checked
	Body   *string
}

// mostBody is the greatest length of a review (contract §6).
const mostBody = 2000

func (d *Draft) clean() error {
	var wrong domain.Problems
	text.CleanOrNil(&wrong, "/body", &d.Body, text.Block(0, mostBody))
	return wrong.Err()
}

// mayWrite refuses everybody but those who were going to an event when it
// ended (contract §6).
func mayWrite(f access.EventFacts, went bool) error {
	if f.Organizer || !went || f.Status != access.Completed {
		return domain.Forbidden
	}
	return nil
}
