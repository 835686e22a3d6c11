package coord

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/db"
)

// Reminders are when and how people are to be reminded of an event (contract
// §7). They are kept; nothing is sent as yet.
type Reminders struct {
	EventID     domain.EventID
	OrganizerID domain.UserID
	Enabled     bool
	Offsets     []int // minutes before the start, descending
	Channels    []string
	UpdatedAt   *time.Time // nil when they were never set
}

// ReminderInput is a change of reminders: nil is unchanged.
type ReminderInput struct {
	Enabled  *bool
	Offsets  []int
	Channels []string
}

func (in ReminderInput) empty() bool {
	return in.Enabled == nil && in.Offsets == nil && in.Channels == nil
}

// neverSet is what holds until an organizer says otherwise.
func neverSet(id domain.EventID, organizer domain.UserID) Reminders {
	return Reminders{EventID: id, OrganizerID: organizer, Offsets: []int{1440, 60}, Channels: []string{"in_app"}}
}

// laid gives the reminders with the change laid over them.
func (r Reminders) laid(in ReminderInput) (Reminders, error) {
	if in.Enabled != nil {
		r.Enabled = *in.Enabled
	}
	if in.Offsets != nil {
		r.Offsets = slices.SortedFunc(slices.Values(in.Offsets), func(a, b int) int { return cmp.Compare(b, a) })
	}
	if in.Channels != nil {
		r.Channels = in.Channels
	}
	if r.Enabled && len(r.Offsets) == 0 {
		return r, domain.Invalid("/offsets_minutes", "must not be empty while reminders are enabled")
	}
	return r, nil
}

func (r Reminders) equal(other Reminders) bool {
	return r.Enabled == other.Enabled && slices.Equal(r.Offsets, other.Offsets) && slices.Equal(r.Channels, other.Channels)
}

// Reminders reads the settings, for those in the chat.
func (s *Service) Reminders(ctx context.Context, v domain.Viewer, id domain.EventID) (r Reminders, err error) {
	now := s.Clock.Now()
	err = s.DB.Read(ctx, func(q db.Querier) error {
		st, err := look(ctx, q, v, id, now)
		if err != nil {
			return err
		}
		if !st.mayChat() {
			return domain.Forbidden
		}
		r, err = reminders(ctx, q, id, st.OrganizerID)
		return err
	})
	return r, err
}

// SetReminders changes what was sent; what changes nothing leaves UpdatedAt.
func (s *Service) SetReminders(ctx context.Context, v domain.Viewer, id domain.EventID, in ReminderInput) (r Reminders, err error) {
	_, wrong := neverSet(id, v.UserID).laid(in) // what is wrong whatever stands
	err = s.change(ctx, v, id, wrong, func(tx db.Tx, _ event.Event, now time.Time) error {
		was, err := reminders(ctx, tx, id, v.UserID)
		if err != nil {
			return err
		}
		if r, err = was.laid(in); err != nil {
			return err
		}
		if in.empty() || was.UpdatedAt != nil && r.equal(was) {
			return nil
		}
		r.UpdatedAt = &now
		return keep(ctx, tx, r)
	})
	return r, err
}

var remindersStmt = db.SQL("coord.reminders", `SELECT enabled, offsets_minutes, channels, updated_at FROM reminder_settings WHERE event_id = $1`)

func reminders(ctx context.Context, q db.Querier, id domain.EventID, organizer domain.UserID) (Reminders, error) {
	r := Reminders{EventID: id, OrganizerID: organizer}
	var offsets, channels string
	err := q.One(ctx, remindersStmt, id).Scan(&r.Enabled, &offsets, &channels, &r.UpdatedAt)
	if errors.Is(err, db.ErrNoRow) {
		return neverSet(id, organizer), nil
	}
	if err == nil {
		err = errors.Join(json.Unmarshal([]byte(offsets), &r.Offsets), json.Unmarshal([]byte(channels), &r.Channels))
	}
	if err != nil {
		return r, fmt.Errorf("coord.reminders %s: %w", id, err)
	}
	return r, nil
}

var keepStmt = db.SQL("coord.keep_reminders", `
	INSERT INTO reminder_settings (event_id, enabled, offsets_minutes, channels, updated_at) VALUES ($1, $2, $3, $4, $5)
	ON CONFLICT (event_id) DO UPDATE SET
		enabled = excluded.enabled, offsets_minutes = excluded.offsets_minutes, channels = excluded.channels, updated_at = excluded.updated_at`)

func keep(ctx context.Context, tx db.Tx, r Reminders) error {
	offsets, _ := json.Marshal(r.Offsets) // numbers and strings always encode
	channels, _ := json.Marshal(r.Channels)
	if _, err := tx.Exec(ctx, keepStmt, r.EventID, r.Enabled, string(offsets), string(channels), r.UpdatedAt); err != nil {
		return fmt.Errorf("coord.keep_reminders %s: %w", r.EventID, err)
	}
	return nil
}
