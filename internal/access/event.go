package access

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var factsStmt = db.SQL("access.event", `SELECT `+FactsSQL("e", "$2", "$3")+` FROM events e WHERE e.id = $1`)

// FactsSQL lists the columns of EventFacts: of the events row e, for the viewer's
// id parameter, at the parameter now. A write reads them, and what else it needs,
// in the first statement of its transaction: scan them into EventFacts.Dest.
func FactsSQL(e, viewer, now string) string {
	return fmt.Sprintf(`%[1]s.id, %[1]s.organizer_id, %[2]s, %[1]s.visibility, %[1]s.listed, %[1]s.price = 'paid', %[1]s.capacity,
		%[1]s.organizer_id = %[3]s, COALESCE((SELECT i.status FROM invitations i WHERE i.event_id = %[1]s.id AND i.user_id = %[3]s), ''),
		%[4]s, NOT (%[5]s)`,
		e, StatusSQL(e, now), viewer, Going(e, viewer), NotBlocked(e+".organizer_id", viewer))
}

// Dest returns the destinations for the columns of FactsSQL, in their order.
func (f *EventFacts) Dest() []any {
	return []any{&f.ID, &f.OrganizerID, &f.Status, &f.Visibility, &f.Listed, &f.Paid, &f.Capacity,
		&f.Organizer, &f.Invitation, &f.Going, &f.Blocked}
}

// Event loads the facts of one event for a viewer at the moment now. It returns
// domain.NotFound when the event is unknown or hidden: callers cannot tell the two apart.
func Event(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) (EventFacts, error) {
	var f EventFacts
	err := q.One(ctx, factsStmt, id, v.UserID, now).Scan(f.Dest()...)
	if errors.Is(err, db.ErrNoRow) {
		return EventFacts{}, domain.NotFound
	}
	if err != nil {
		return EventFacts{}, fmt.Errorf("access.event %s: %w", id, err)
	}
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
	if err == nil && invitedOperations[operation] && !f.Invited() {
		return domain.NotFound
	}
	return err
}
