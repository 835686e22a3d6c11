package event

import (
	"context"
	"time"

	"moothall/internal/notify"
	"moothall/internal/platform/db"
)

// Who is told of what: contract §8.

func tellPublished(ctx context.Context, tx db.Tx, e Event, now time.Time) error {
	return notify.Announce(ctx, tx, now, e.notice(notify.FollowedUserEvent), notify.FollowersOf(e.OrganizerID))
}

func tellUpdated(ctx context.Context, tx db.Tx, e Event, now time.Time) error {
	return notify.Announce(ctx, tx, now, e.notice(notify.EventUpdated), notify.GoingAndInvited(e.ID))
}

func tellCanceled(ctx context.Context, tx db.Tx, e Event, now time.Time) error {
	return notify.Announce(ctx, tx, now, e.notice(notify.EventCanceled), notify.GoingAndInvited(e.ID))
}

// tellCompleted asks the people who went for a review.
func tellCompleted(ctx context.Context, tx db.Tx, e Event, now time.Time) error {
	return notify.Announce(ctx, tx, now, notify.Notification{Kind: notify.EventCompleted, Event: e.ID}, notify.Going(e.ID))
}

func (e Event) notice(kind notify.Kind) notify.Notification {
	return notify.Notification{Kind: kind, Actor: e.OrganizerID, Event: e.ID}
}
