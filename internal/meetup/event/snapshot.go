package event

import (
	"context"
	"reflect"
	"slices"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Snapshot is the state of an event at one time, to find what has changed since.
type Snapshot struct {
	event        Event
	Participants int64 // who go, incognito included
}

var snapshotStmt = db.SQL("event.snapshot", `SELECT `+eventColumns+`, `+participantCount+` FROM events e WHERE id = $1`)

// ReadSnapshot returns the state of an event. Returns domain.NotFound if there is none.
func ReadSnapshot(ctx context.Context, q db.Querier, id domain.EventID) (s Snapshot, err error) {
	err = q.One(ctx, snapshotStmt, id).ScanOr(domain.NotFound, append(s.event.columns(), &s.Participants)...)
	return s, err
}

// ETag returns the ETag of the event. It does not depend on who goes.
func (s Snapshot) ETag() string { return s.event.ETag() }

// Equals reports whether nothing has changed since an earlier state.
func (s Snapshot) Equals(old Snapshot) bool {
	return s.ETag() == old.ETag() && s.Participants == old.Participants
}

// Since returns the names of the fields of the contract that differ from an earlier state, in
// alphabetical order. It leaves out the address of the conference, which only participants
// see.
func (s Snapshot) Since(old Snapshot) []string {
	names := []string{}
	was := old.fields()
	for name, value := range s.fields() {
		if !reflect.DeepEqual(value, was[name]) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (s Snapshot) fields() map[string]any {
	e := s.event
	return map[string]any{
		"title": e.Title, "description": e.Description, "category": e.Category, "starts_at": e.StartsAt, "ends_at": e.EndsAt, "timezone": e.Timezone,
		"visibility": e.Visibility, "date_mode": e.DateMode, "selected_date_option_id": e.SelectedDateOptionID, "status": e.Status,
		"price": e.Price, "price_amount": e.PriceAmount, "price_currency": e.PriceCurrency, "capacity": e.Capacity,
		"city": e.City, "location_text": e.LocationText, "lat": e.Lat, "lng": e.Lng, "image_url": e.ImageURL, "image_alt": e.ImageAlt,
		"participant_count": s.Participants,
	}
}
