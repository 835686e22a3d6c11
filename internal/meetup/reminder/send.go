package reminder

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// Each reminder that is ahead is a row. Whatever moves the event replaces its rows. A row
// whose event was canceled, or that was made for another start or other settings, has no
// effect when it is due. So a reminder never comes late, and never for the wrong start.

var (
	forgetStmt = db.SQL("reminder.forget", `DELETE FROM reminders WHERE event_id = $1`)

	scheduleStmt = db.SQL("reminder.schedule", `INSERT INTO reminders (event_id, offset_minutes, starts_at, due_at) VALUES ($1, $2, $3, $4)`)

	// takeStmt deletes the rows that are due. Each is read by one transaction only.
	takeStmt = db.SQL("reminder.take", `
		DELETE FROM reminders WHERE (event_id, offset_minutes) IN (
			SELECT r.event_id, r.offset_minutes FROM reminders r WHERE r.due_at <= $1 ORDER BY r.due_at LIMIT 20 FOR UPDATE SKIP LOCKED)
		RETURNING event_id, offset_minutes, starts_at`)

	nowStmt = db.SQL("reminder.now", `
		SELECT `+access.StatusSQL("e", "$2")+`, e.starts_at, e.date_mode, r.enabled, r.offsets_minutes, r.ask_again
		FROM events e JOIN reminder_settings r ON r.event_id = e.id WHERE e.id = $1`)
)

// Schedule stores the reminders that are ahead of a published event. It is called when the
// event is published or gets another start.
func Schedule(ctx context.Context, tx db.Tx, e event.Event, now time.Time) error {
	s, err := read(ctx, tx, e.ID, e.OrganizerID)
	if err == nil && s.UpdatedAt != nil {
		s.schedule(ctx, tx, e, now)
	}
	return err
}

func (s Settings) schedule(ctx context.Context, tx db.Tx, e event.Event, now time.Time) {
	tx.Queue(ctx, forgetStmt, e.ID)
	if !s.Enabled || e.Status != access.Published || e.DateMode == event.DateVote {
		return
	}
	put := func(offset int, before time.Duration) {
		if due := e.StartsAt.Add(-before); due.After(now) {
			tx.Queue(ctx, scheduleStmt, e.ID, offset, e.StartsAt, due)
		}
	}
	for _, offset := range s.Offsets {
		put(offset, time.Duration(offset)*time.Minute)
	}
	if s.AskAgain {
		put(asks, askBefore)
	}
}

// asks stands for the offset of the question whether participants still come, which is sent
// askBefore the start.
const (
	asks      = 0
	askBefore = 48 * time.Hour
)

// RegisterJobs registers the job that sends reminders. Unless the service delivers
// notifications outside the app, the settings are stored only.
func (s *Service) RegisterJobs(w *job.Workers, delivers bool) {
	w.Purge(time.Minute, "reminder.send", func(ctx context.Context) error { return s.sendDue(ctx, delivers) })
}

// due is a reminder that is due.
type due struct {
	event  domain.EventID
	offset int
	start  time.Time
}

func (s *Service) sendDue(ctx context.Context, delivers bool) error {
	for more := true; more; {
		now := s.Clock.Now()
		err := s.DB.InTx(ctx, func(tx db.Tx) error {
			taken, err := db.All(ctx, tx, func(r db.Row, d *due) error { return r.Scan(&d.event, &d.offset, &d.start) }, takeStmt, now)
			if more = len(taken) > 0; !delivers {
				return err
			}
			for _, d := range taken {
				if err := d.send(ctx, tx, now); err != nil {
					return err
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// send notifies everybody who attends or may, unless the reminder is no longer right.
func (d due) send(ctx context.Context, tx db.Tx, now time.Time) error {
	var status access.Status
	var start time.Time
	var mode, stored string
	var enabled, askAgain bool
	found, err := tx.One(ctx, nowStmt, d.event, now).Find(&status, &start, &mode, &enabled, &stored, &askAgain)
	if err != nil || !found {
		return err
	}
	var offsets []int
	if err := json.Unmarshal([]byte(stored), &offsets); err != nil {
		return err
	}
	if !enabled || status != access.Published || mode == event.DateVote || !start.Equal(d.start) || !now.Before(start) {
		return nil
	}
	n := notify.Notification{Kind: notify.EventReminder, Event: d.event, Subject: notify.ReminderSubject(d.event, d.offset, start)}
	switch {
	case d.offset == asks && askAgain:
		n.Params = map[string]string{notify.AsksParam: "true"}
		return notify.Announce(ctx, tx, now, n, notify.Going(d.event))
	case slices.Contains(offsets, d.offset):
		return notify.Announce(ctx, tx, now, n, notify.Attending(d.event))
	}
	return nil
}
