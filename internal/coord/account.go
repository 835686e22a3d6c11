package coord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

type exported struct {
	DateOptions []exportedOption    `json:"date_options"`
	DateVotes   []exportedVote      `json:"date_votes"`
	Messages    []exportedMessage   `json:"messages"`
	Reminders   []exportedReminders `json:"reminders"`
}

type exportedOption struct {
	ID        domain.DateOptionID `json:"id"`
	EventID   domain.EventID      `json:"event_id"`
	StartsAt  time.Time           `json:"starts_at"`
	EndsAt    *time.Time          `json:"ends_at"`
	Note      *string             `json:"note"`
	CreatedAt time.Time           `json:"created_at"`
}

type exportedVote struct {
	EventID   domain.EventID      `json:"event_id"`
	OptionID  domain.DateOptionID `json:"option_id"`
	CreatedAt time.Time           `json:"created_at"`
}

type exportedMessage struct {
	ID        domain.MessageID `json:"id"`
	EventID   domain.EventID   `json:"event_id"`
	Body      string           `json:"body"`
	CreatedAt time.Time        `json:"created_at"`
}

type exportedReminders struct {
	EventID   domain.EventID  `json:"event_id"`
	Enabled   bool            `json:"enabled"`
	Offsets   json.RawMessage `json:"offsets_minutes"`
	Channels  json.RawMessage `json:"channels"`
	UpdatedAt time.Time       `json:"updated_at"`
}

var (
	exportOptionsStmt = db.SQL("coord.export_options", `
		SELECT o.id, o.event_id, o.starts_at, o.ends_at, o.note, o.created_at
		FROM events e JOIN date_options o ON o.event_id = e.id WHERE e.organizer_id = $1 ORDER BY o.created_at, o.id`)

	exportVotesStmt = db.SQL("coord.export_votes", `
		SELECT event_id, option_id, created_at FROM date_votes WHERE user_id = $1 ORDER BY created_at, option_id`)

	exportMessagesStmt = db.SQL("coord.export_messages", `
		SELECT id, event_id, body, created_at FROM messages WHERE author_id = $1 AND deleted_at IS NULL ORDER BY created_at, id`)

	exportRemindersStmt = db.SQL("coord.export_reminders", `
		SELECT r.event_id, r.enabled, r.offsets_minutes, r.channels, r.updated_at
		FROM events e JOIN reminder_settings r ON r.event_id = e.id WHERE e.organizer_id = $1 ORDER BY r.event_id`)
)

// Export gives what a user has voted for and written in chats, and the date
// options and reminders of their events.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	var all exported
	var failed [4]error
	all.DateOptions, failed[0] = export(ctx, q, user, exportOptionsStmt, func(row db.Row, o *exportedOption) error {
		return row.Scan(&o.ID, &o.EventID, &o.StartsAt, &o.EndsAt, &o.Note, &o.CreatedAt)
	})
	all.DateVotes, failed[1] = export(ctx, q, user, exportVotesStmt, func(row db.Row, v *exportedVote) error {
		return row.Scan(&v.EventID, &v.OptionID, &v.CreatedAt)
	})
	all.Messages, failed[2] = export(ctx, q, user, exportMessagesStmt, func(row db.Row, m *exportedMessage) error {
		return row.Scan(&m.ID, &m.EventID, &m.Body, &m.CreatedAt)
	})
	all.Reminders, failed[3] = export(ctx, q, user, exportRemindersStmt, func(row db.Row, r *exportedReminders) error {
		var offsets, channels string
		err := row.Scan(&r.EventID, &r.Enabled, &offsets, &channels, &r.UpdatedAt)
		r.Offsets, r.Channels = json.RawMessage(offsets), json.RawMessage(channels)
		return err
	})
	return all, errors.Join(failed[:]...)
}

// export reads one list, which is empty rather than nil.
func export[T any](ctx context.Context, q db.Querier, user domain.UserID, s *db.Stmt, scan func(db.Row, *T) error) ([]T, error) {
	found, err := db.All(ctx, q, scan, s, user)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", s.Name(), user, err)
	}
	return append([]T{}, found...), nil
}

var (
	forgetNotesStmt = db.SQL("coord.forget_notes", `
		UPDATE date_options SET note = NULL WHERE event_id IN (SELECT e.id FROM events e WHERE e.organizer_id = $1)`)

	forgetVotesStmt = db.SQL("coord.forget_votes", `DELETE FROM date_votes WHERE user_id = $1`)

	forgetMessagesStmt = db.SQL("coord.forget_messages", `
		UPDATE messages SET body = '', client_message_id = NULL, deleted_at = $2 WHERE author_id = $1 AND deleted_at IS NULL`)
)

// Erase removes a user's votes and notes on dates, and empties their messages,
// which stay in their places without an author.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	if _, err := tx.Exec(ctx, forgetNotesStmt, user); err != nil {
		return fmt.Errorf("coord.forget_notes %s: %w", user, err)
	}
	if _, err := tx.Exec(ctx, forgetVotesStmt, user); err != nil {
		return fmt.Errorf("coord.forget_votes %s: %w", user, err)
	}
	if _, err := tx.Exec(ctx, forgetMessagesStmt, user, now); err != nil {
		return fmt.Errorf("coord.forget_messages %s: %w", user, err)
	}
	return nil
}
