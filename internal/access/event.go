package access

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var factsStmt = db.SQL("access.event", `
	SELECT e.id, e.organizer_id, `+StatusSQL("e", "$3")+`, e.visibility, e.listed, e.price = 'paid', e.capacity,
		`+invited("e", "$2")+`, `+Going("e", "$2")+`, NOT (`+NotBlocked("e.organizer_id", "$2")+`)
	FROM events e WHERE e.id = $1`)

// Event loads the facts of one event for a viewer at the moment now and
// refuses with domain.NotFound when the event is unknown or hidden: the two look
// the same to the caller.
func Event(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) (EventFacts, error) {
	var f EventFacts
	err := q.One(ctx, factsStmt, id, v.UserID, now).Scan(
		&f.ID, &f.OrganizerID, &f.Status, &f.Visibility, &f.Listed, &f.Paid, &f.Capacity, &f.Invited, &f.Going, &f.Blocked)
	if errors.Is(err, db.ErrNoRow) {
		return EventFacts{}, domain.NotFound
	}
	if err != nil {
		return EventFacts{}, fmt.Errorf("access.event %s: %w", id, err)
	}
	f.Organizer = f.OrganizerID == v.UserID
	if !f.Sees() {
		return EventFacts{}, domain.NotFound
	}
	return f, nil
}

// OwnEvent is Event for the operations that only the organizer may know of
// (policy "Doing something"): everyone else gets domain.NotFound.
func OwnEvent(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) (EventFacts, error) {
	f, err := Event(ctx, q, v, id, now)
	if err == nil && !f.Organizer {
		return EventFacts{}, domain.NotFound
	}
	return f, err
}

// ownOperations answer 404 to everyone but the organizer.
var ownOperations = map[string]bool{"updateEvent": true, "publishEvent": true, "cancelEvent": true}

// invitedOperations answer 404 to everyone without an invitation.
var invitedOperations = map[string]bool{"answerInvitation": true}

// Precheck says whether the viewer may learn that a request to an operation on
// an event was malformed: 404 comes before 400 (policy "Doing something").
func Precheck(ctx context.Context, q db.Querier, v domain.Viewer, operation string, id domain.EventID, now time.Time) error {
	look := Event
	if ownOperations[operation] {
		look = OwnEvent
	}
	f, err := look(ctx, q, v, id, now)
	if err == nil && invitedOperations[operation] && !f.Invited {
		return domain.NotFound
	}
	return err
}
