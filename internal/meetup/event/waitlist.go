package event

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// The values of waitlist: what happens with freed seats of a full event.
const (
	WaitlistOff       = "off"
	WaitlistAutomatic = "automatic" // the first who waits participates
	WaitlistOffer     = "offer"     // the first who waits gets an offer
)

// DefaultOfferMinutes is how long seats are offered unless the organizer chooses.
const DefaultOfferMinutes = 720

// WaitlistStatus is the status of an entry in a waiting list.
type WaitlistStatus string

// The states of an entry. Only the first two are active.
const (
	EntryWaiting WaitlistStatus = "waiting"
	EntryOffered WaitlistStatus = "offered" // seats are held
	EntryJoined  WaitlistStatus = "joined"
	EntryExpired WaitlistStatus = "expired" // too many offers were missed
	EntryLeft    WaitlistStatus = "left"
	EntryRemoved WaitlistStatus = "removed" // by the organizer
	EntryClosed  WaitlistStatus = "closed"  // with the list
)

// Active reports whether the user still waits or has an offer.
func (s WaitlistStatus) Active() bool { return s == EntryWaiting || s == EntryOffered }

// WaitlistEntry is a user's entry in the waiting list of an event. Package attendance writes it.
type WaitlistEntry struct {
	ID           domain.WaitlistEntryID
	EventID      domain.EventID
	UserID       domain.UserID
	Status       WaitlistStatus
	Party        int64 // how many people wait, the user included
	Visibility   string
	Missed       int64 // offers
	Place        int64 // the order in which seats are given
	CreatedAt    time.Time
	Before       *int64     // how many entries wait before it, at most maxPosition; nil unless EntryWaiting
	OfferExpires *time.Time // nil unless EntryOffered
}

// maxPosition is the last position that is counted.
const maxPosition = 200

// WaitlistColumns are the columns of an entry w.
const WaitlistColumns = `w.id, w.event_id, w.user_id, w.status, w.party, w.visibility, w.missed, w.place, w.created_at,
	CASE WHEN w.status = 'waiting' THEN (SELECT COUNT(*) FROM (SELECT 1 AS one FROM waitlist_entries b
		WHERE b.event_id = w.event_id AND b.status = 'waiting' AND b.place < w.place LIMIT 200) AS before) END,
	CASE WHEN w.status = 'offered' THEN (SELECT CASE WHEN h.until < e.starts_at THEN h.until ELSE e.starts_at END
		FROM seat_holds h JOIN events e ON e.id = h.event_id WHERE h.event_id = w.event_id AND h.user_id = w.user_id) END`

// Columns returns the scan targets of WaitlistColumns.
func (w *WaitlistEntry) Columns() []any {
	return []any{&w.ID, &w.EventID, &w.UserID, &w.Status, &w.Party, &w.Visibility, &w.Missed, &w.Place, &w.CreatedAt, &w.Before,
		&w.OfferExpires}
}

var viewerEntryStmt = db.SQL("event.viewer_waitlist", `
	SELECT `+WaitlistColumns+` FROM waitlist_entries w WHERE w.event_id = $1 AND w.user_id = $2 AND w.status IN ('waiting', 'offered')`)

// readViewerEntry returns the viewer's active entry; nil if there is none.
func readViewerEntry(ctx context.Context, q db.Querier, id domain.EventID, viewer domain.UserID) (*WaitlistEntry, error) {
	var w WaitlistEntry
	found, err := q.One(ctx, viewerEntryStmt, id, viewer).Find(w.Columns()...)
	if err != nil || !found {
		return nil, err
	}
	return &w, nil
}

// CanWait reports whether the viewer may enter the waiting list with a party of some size.
func (d Details) CanWait(now time.Time) bool {
	seats := d.SeatsLeft()
	return !d.viewer.viewer.IsZero() && !d.viewer.Going && d.viewer.entry == nil && !d.viewer.removed() && !d.mustAsk() &&
		d.Waitlist != WaitlistOff && d.Status == access.Published && now.Before(d.StartsAt) && seats != nil && *seats < d.MaxPartySize &&
		(d.Visibility != access.Private || d.viewer.Invited())
}
