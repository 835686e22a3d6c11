package datevote

import (
	"context"
	"errors"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

type exported struct {
	Options []exportedOption `json:"date_options"`
	Votes   []exportedVote   `json:"date_votes"`
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

var (
	exportOptionsStmt = db.SQL("datevote.export_options", `
		SELECT o.id, o.event_id, o.starts_at, o.ends_at, o.note, o.created_at
		FROM events e JOIN date_options o ON o.event_id = e.id WHERE e.organizer_id = $1 ORDER BY o.created_at, o.id`)

	exportVotesStmt = db.SQL("datevote.export_votes", `
		SELECT event_id, option_id, created_at FROM date_votes WHERE user_id = $1 ORDER BY created_at, option_id`)
)

// Export returns a user's votes, and the date options of their events.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	options, err := db.Append(ctx, q, []exportedOption{}, func(row db.Row, o *exportedOption) error {
		return row.Scan(&o.ID, &o.EventID, &o.StartsAt, &o.EndsAt, &o.Note, &o.CreatedAt)
	}, exportOptionsStmt, user)
	votes, votesErr := db.Append(ctx, q, []exportedVote{}, func(row db.Row, v *exportedVote) error {
		return row.Scan(&v.EventID, &v.OptionID, &v.CreatedAt)
	}, exportVotesStmt, user)
	return exported{options, votes}, errors.Join(err, votesErr)
}

var (
	eraseNotesStmt = db.SQL("datevote.erase_notes", `
		UPDATE date_options SET note = NULL WHERE event_id IN (SELECT e.id FROM events e WHERE e.organizer_id = $1)`)

	eraseVotesStmt = db.SQL("datevote.erase_votes", `DELETE FROM date_votes WHERE user_id = $1`)
)

// Erase removes a user's votes and the notes on the date options of their events.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	tx.Queue(ctx, eraseNotesStmt, user)
	tx.Queue(ctx, eraseVotesStmt, user)
	return nil
}
