package event

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/respcache"
)

// keepCards tells how long a page of cards, read by a statement at now, holds:
// until the first of its events is over, and while nothing changes in the tables
// that decide which events are on it, or of its own events and their organizers.
func keepCards(ctx context.Context, s *db.Stmt, cards []Card, now time.Time) {
	events := make([]domain.EventID, len(cards))
	organizers := make([]domain.UserID, len(cards))
	var until time.Time
	for i, c := range cards {
		events[i], organizers[i] = c.ID, c.OrganizerID
		until = sooner(until, c.Turns(now))
	}
	db.Narrow(ctx, s, "event_slots", events)
	db.Narrow(ctx, s, "profiles", organizers)
	respcache.Keep(ctx, now, until)
}

// Turns is the first moment after now at which the event may be over, zero when
// there is none. The date of a vote may end before the event does.
func (c Card) Turns(now time.Time) time.Time {
	var first time.Time
	for _, end := range []*time.Time{new(c.StartsAt.Add(usualLength)), c.EndsAt} {
		if end != nil && end.After(now) {
			first = sooner(first, *end)
		}
	}
	return first
}

// sooner is the earlier of two moments; the zero time is never.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
