package discovery

import (
	"moothall/internal/domain"
	"moothall/internal/event"
)

// idsOf returns the ids of the cards and of their organizers.
func idsOf(cards []event.Card) (events []domain.EventID, organizers []domain.UserID) {
	events, organizers = make([]domain.EventID, len(cards)), make([]domain.UserID, len(cards))
	for i, c := range cards {
		events[i], organizers[i] = c.ID, c.OrganizerID
	}
	return events, organizers
}
