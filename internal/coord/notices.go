package coord

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
)

// tellOptionAdded tells those who may vote that there is more to vote for.
func tellOptionAdded(ctx context.Context, tx db.Tx, e event.Event, option domain.DateOptionID, now time.Time) error {
	n := notify.Notification{Kind: notify.EventDateOptionAdded, Subject: option.String(), Actor: e.OrganizerID, Event: e.ID}
	return notify.Announce(ctx, tx, now, n, notify.GoingAndInvited(e.ID))
}

// tellSelected tells those who could vote what came of it. It stands in place
// of event_updated: the selection is how the event was moved.
func tellSelected(ctx context.Context, tx db.Tx, e event.Event, now time.Time) error {
	n := notify.Notification{Kind: notify.EventDateSelected, Actor: e.OrganizerID, Event: e.ID}
	return notify.Announce(ctx, tx, now, n, notify.GoingAndInvited(e.ID))
}
