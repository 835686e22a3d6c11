package group

import (
	"context"
	"math"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
)

// The names of the lists of events in their cursors, whose value is a starts_key.
var eventCursors = map[bool]string{false: "group_events.coming.1", true: "group_events.past.1"}

// readEventCursor returns the starts_key after which a page begins.
func readEventCursor(past bool, cursor string) (after int64, err error) {
	if past {
		after = math.MaxInt64
	}
	if cursor != "" {
		err = domain.ReadCursor(cursor, eventCursors[past], &after)
	}
	return after, err
}

// Events returns a page of the events of a group that the viewer sees: those that are not over, the earliest first, or the past ones, the
// latest first. Returns InvalidCursor for a cursor of the other list.
func (s *Service) Events(ctx context.Context, v domain.Viewer, id domain.GroupID, past bool, limit int,
	cursor string) (page domain.Page[event.Card], err error) {
	after, err := readEventCursor(past, cursor)
	if err != nil {
		return page, err
	}
	if _, err := read(ctx, s.DB, v, id); err != nil {
		return page, err
	}
	cards, err := event.GroupCards(ctx, s.DB, v, id, past, after, limit+1, s.Clock.Now())
	return domain.NewPage(cards, limit, func(last event.Card) string { return domain.Cursor(eventCursors[past], last.StartsKey) }), err
}
