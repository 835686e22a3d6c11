package reminder

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var readStmt = db.SQL("reminder.read", `SELECT enabled, offsets_minutes, channels, ask_again, updated_at FROM reminder_settings
	WHERE event_id = $1`)

// read returns the stored settings of an event, or the defaults.
func read(ctx context.Context, q db.Querier, id domain.EventID, organizer domain.UserID) (Settings, error) {
	s := Settings{EventID: id, OrganizerID: organizer}
	var offsets, channels string
	found, err := q.One(ctx, readStmt, id).Find(&s.Enabled, &offsets, &channels, &s.AskAgain, &s.UpdatedAt)
	if err != nil {
		return s, err
	}
	if !found {
		return defaults(id, organizer), nil
	}
	return s, errors.Join(json.Unmarshal([]byte(offsets), &s.Offsets), json.Unmarshal([]byte(channels), &s.Channels))
}

var saveStmt = db.SQL("reminder.save", `
	INSERT INTO reminder_settings (event_id, enabled, offsets_minutes, channels, ask_again, updated_at) VALUES ($1, $2, $3, $4, $5, $6)
	ON CONFLICT (event_id) DO UPDATE SET
		enabled = excluded.enabled, offsets_minutes = excluded.offsets_minutes, channels = excluded.channels, ask_again = excluded.ask_again,
			updated_at = excluded.updated_at`)

func save(ctx context.Context, tx db.Tx, s Settings) {
	offsets, _ := json.Marshal(s.Offsets) // numbers and strings always encode
	channels, _ := json.Marshal(s.Channels)
	tx.Queue(ctx, saveStmt, s.EventID, s.Enabled, string(offsets), string(channels), s.AskAgain, s.UpdatedAt)
}

type exported struct {
	EventID   domain.EventID  `json:"event_id"`
	Enabled   bool            `json:"enabled"`
	Offsets   json.RawMessage `json:"offsets_minutes"`
	Channels  json.RawMessage `json:"channels"`
	AskAgain  bool            `json:"ask_again"`
	UpdatedAt time.Time       `json:"updated_at"`
}

var exportStmt = db.SQL("reminder.export", `
	SELECT r.event_id, r.enabled, r.offsets_minutes, r.channels, r.ask_again, r.updated_at
	FROM events e JOIN reminder_settings r ON r.event_id = e.id WHERE e.organizer_id = $1 ORDER BY r.event_id`)

// Export returns the reminder settings of a user's events.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	return db.Append(ctx, q, []exported{}, func(row db.Row, r *exported) error {
		var offsets, channels string
		err := row.Scan(&r.EventID, &r.Enabled, &offsets, &channels, &r.AskAgain, &r.UpdatedAt)
		r.Offsets, r.Channels = json.RawMessage(offsets), json.RawMessage(channels)
		return err
	}, exportStmt, user)
}
