package event

import (
	"context"
	"slices"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Snapshot is the state of an event at one time, to find what has changed since.
type Snapshot struct {
	event        Event
	Participants int64 // who go, incognito included
	used         int64 // seats that are not free; 0 without a capacity
	waiting      int64 // entries of the waiting list
	lastPlace    int64 // the highest that an entry has got
}

var snapshotStmt = db.SQL("event.snapshot", `SELECT `+eventColumns+`, `+seatCounts+`, `+waitlistCount+`,
		CASE WHEN waitlisted THEN (SELECT COALESCE(MAX(w.place), 0) FROM waitlist_entries w WHERE w.event_id = e.id) ELSE 0 END
	FROM events e WHERE id = $1`)

// ReadSnapshot returns the state of an event. Returns domain.NotFound if there is none.
func ReadSnapshot(ctx context.Context, q db.Querier, id domain.EventID) (s Snapshot, err error) {
	all := append(columns.Vars(&s.event), &s.Participants, &s.used, &s.waiting, &s.lastPlace)
	err = q.One(ctx, snapshotStmt, id).ScanOr(domain.NotFound, all...)
	return s, err
}

// ETag returns the ETag of the event. It does not depend on who goes.
func (s Snapshot) ETag() string { return s.event.ETag() }

// held is how many seats are neither free nor taken; 0 without a capacity.
func (s Snapshot) held() int64 { return max(0, s.used-s.Participants) }

// Equals reports whether nothing but the waiting list has changed since an earlier state.
func (s Snapshot) Equals(old Snapshot) bool {
	return s.ETag() == old.ETag() && s.Participants == old.Participants && s.held() == old.held()
}

// SameWaitlist reports whether nobody has entered or left the waiting list since an earlier state, or moved to its end.
func (s Snapshot) SameWaitlist(old Snapshot) bool {
	return s.waiting == old.waiting && s.lastPlace == old.lastPlace
}

// compared are the columns whose changes Since returns.
var compared = columns.Without("id", "code", "organizer_id", "has_team", "has_questions", "listed", "starts_key", "conference_url",
	"created_at", "updated_at", "published_at", "canceled_at", "cancel_message", "image_aspect", "waitlisted")

// Since returns the names of the fields of the contract that differ from an earlier state, in
// alphabetical order. It leaves out the address of the conference, which only participants
// see.
func (s Snapshot) Since(old Snapshot) []string {
	names := compared.Diff(&s.event, &old.event)
	if s.Participants != old.Participants {
		names = append(names, "participant_count")
	}
	if s.held() != old.held() {
		names = append(names, "seats_left")
	}
	slices.Sort(names)
	return names
}
