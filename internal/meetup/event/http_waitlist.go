package event

import (
	"github.com/google/uuid"

	"moothall/api/gen"
)

// API returns the entry as the contract describes it.
func (w *WaitlistEntry) API() gen.WaitlistEntry {
	var position *int64
	if w.Before != nil && *w.Before < maxPosition {
		position = new(*w.Before + 1)
	}
	return gen.WaitlistEntry{
		ID: uuid.UUID(w.ID), EventID: uuid.UUID(w.EventID), PartySize: gen.PartySize(w.Party),
		ParticipationVisibility: gen.ParticipationVisibility(w.Visibility), Status: gen.WaitlistStatus(w.Status),
		Position: gen.NullInt(position), Missed: int(w.Missed), OfferExpiresAt: gen.NullDateTime(w.OfferExpires), CreatedAt: w.CreatedAt,
	}
}
