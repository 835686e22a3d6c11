package bulk

import (
	"context"
	"iter"

	"moothall/bench/dataset"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/platform/db"
)

// insertAttendance inserts the participants of events that have none yet, and counts them.
func insertAttendance(ctx context.Context, d *db.DB, all []dataset.Attendance) error {
	rows := seatRows(d.Engine())
	participants := []string{"event_id", "user_id", "id", "status", "visibility", "slot", "joined_at", "left_at", "created_at", "updated_at"}
	if _, err := d.Bulk(ctx, "participants", participants, participantRows(all, rows)); err != nil {
		return err
	}
	_, err := d.Bulk(ctx, "event_slots", []string{"event_id", "slot", "n", "cap"}, countRows(all, rows))
	return err
}

// seatRows is the number of rows over which package attendance spreads the seats of an event.
func seatRows(engine db.Engine) int {
	if engine == db.SQLite {
		return 1
	}
	return 16
}

func participantRows(all []dataset.Attendance, rows int) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, a := range all {
			for i, g := range a.Going {
				visibility := attendance.Public
				if g.Incognito {
					visibility = attendance.Incognito
				}
				id := domain.NewID[domain.ParticipantKind](g.JoinedAt)
				if !yield([]any{a.EventID, g.UserID, id, "going", visibility, i % rows, g.JoinedAt, nil, g.JoinedAt, g.JoinedAt}) {
					return
				}
			}
		}
	}
}

// countRows counts the participants in the seat rows that participantRows assigns. An event
// with a limit has all rows, another event those with participants.
func countRows(all []dataset.Attendance, rows int) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, a := range all {
			for row := range rows {
				counted, limit := share(len(a.Going), rows, row), seatLimit(a, rows, row)
				if (counted > 0 || limit != nil) && !yield([]any{a.EventID, row, counted, limit}) {
					return
				}
			}
		}
	}
}

// seatLimit returns the limit of one seat row: its participants and an equal part of the free
// seats. It is nil without a limit, and 0 when the event is canceled.
func seatLimit(a dataset.Attendance, rows, row int) *int {
	switch {
	case a.Canceled:
		return new(int)
	case a.Capacity == nil:
		return nil
	}
	return new(share(len(a.Going), rows, row) + share(*a.Capacity-len(a.Going), rows, row))
}

// share returns part i of a total that is divided into equal parts; the first ones get the remainder.
func share(total, parts, i int) int { return (total + parts - 1 - i) / parts }
