package attendance

import (
	"context"
	"iter"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Attendance is the participants and invitations of one event, for seeding.
type Attendance struct {
	EventID  domain.EventID
	Capacity *int64 // not below the number of Going
	Closed   bool   // the event is canceled
	Going    []Guest
	Invited  []Invited
}

// Guest is one participant.
type Guest struct {
	UserID     domain.UserID
	Visibility string
	At         time.Time
}

// Invited is one invitation.
type Invited struct {
	ID         domain.InvitationID // a new one if zero
	UserID, By domain.UserID
	Status     string
	At         time.Time
}

// Import stores the attendance of events that have none yet, and counts it.
func Import(ctx context.Context, d *db.DB, all []Attendance) error {
	participants := []string{"event_id", "user_id", "id", "status", "visibility", "slot", "joined_at", "left_at", "created_at", "updated_at"}
	if _, err := d.Bulk(ctx, "participants", participants, participantRows(all, int64(len(slotsOf(d))))); err != nil {
		return err
	}
	if _, err := d.Bulk(ctx, "event_slots", []string{"event_id", "slot", "n", "cap"}, slotRows(all, slotsOf(d))); err != nil {
		return err
	}
	invitations := []string{"event_id", "user_id", "id", "invited_by", "status", "message", "responded_at", "created_at", "updated_at"}
	_, err := d.Bulk(ctx, "invitations", invitations, invitationRows(all))
	return err
}

func participantRows(all []Attendance, slots int64) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, a := range all {
			for i, g := range a.Going {
				id := domain.NewID[domain.ParticipantKind](g.At)
				if !yield([]any{a.EventID, g.UserID, id, statusGoing, g.Visibility, int64(i) % slots, g.At, nil, g.At, g.At}) {
					return
				}
			}
		}
	}
}

// slotRows counts the participants in the slots that participantRows assigns.
func slotRows(all []Attendance, numbers []int64) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, a := range all {
			for _, s := range a.slots(numbers) {
				if !yield([]any{a.EventID, s.number, s.n, s.limit}) {
					return
				}
			}
		}
	}
}

// slots returns the slots of one event: all of them if the event has a capacity or
// is closed, else those with participants.
func (a Attendance) slots(numbers []int64) []slot {
	var slots []slot
	going, n := int64(len(a.Going)), int64(len(numbers))
	for i, number := range numbers {
		counted := (going + n - 1 - int64(i)) / n
		if counted > 0 || a.Capacity != nil || a.Closed {
			slots = append(slots, slot{number: number, n: counted})
		}
	}
	switch {
	case a.Closed:
		for i := range slots {
			slots[i].limit = new(int64)
		}
	case a.Capacity != nil:
		for i, limit := range share(slots, *a.Capacity) {
			slots[i].limit = &limit
		}
	}
	return slots
}

func invitationRows(all []Attendance) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, a := range all {
			for _, i := range a.Invited {
				id := i.ID
				if id.IsZero() {
					id = domain.NewID[domain.InvitationKind](i.At)
				}
				if !yield([]any{a.EventID, i.UserID, id, i.By, i.Status, nil, nil, i.At, i.At}) {
					return
				}
			}
		}
	}
}
