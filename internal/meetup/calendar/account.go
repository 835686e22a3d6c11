package calendar

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is the calendar section of an account export.
type exported struct {
	Entries   []exportedEntry    `json:"entries"`
	Invites   []exportedInvite   `json:"invites"` // received and sent
	Overrides []exportedOverride `json:"marks"`   // of events and of entries of others
}

type exportedEntry struct {
	ID           domain.EntryID `json:"id"`
	Title        string         `json:"title"`
	StartsAt     time.Time      `json:"starts_at"`
	EndsAt       *time.Time     `json:"ends_at"`
	Timezone     string         `json:"timezone"`
	AllDay       bool           `json:"all_day"`
	LocationText *string        `json:"location_text"`
	Notes        *string        `json:"notes"`
	CanceledAt   *time.Time     `json:"canceled_at"`
	CreatedAt    time.Time      `json:"created_at"`
}

type exportedInvite struct {
	ID          domain.InvitationID `json:"id"`
	EntryID     domain.EntryID      `json:"entry_id"`
	UserID      domain.UserID       `json:"invited_user_id"`
	InvitedBy   domain.UserID       `json:"invited_by_user_id"`
	Status      string              `json:"status"`
	RespondedAt *time.Time          `json:"responded_at"`
	CreatedAt   time.Time           `json:"created_at"`
}

type exportedOverride struct {
	EntryID    domain.EntryID `json:"entry_id"`
	Notes      *string        `json:"notes"`
	CanceledAt *time.Time     `json:"canceled_at"`
}

var (
	exportEntriesStmt = db.SQL("calendar.export_entries", `
		SELECT id, title, starts_at, ends_at, timezone, all_day, location_text, notes, canceled_at, created_at
		FROM calendar_entries WHERE owner_id = $1 ORDER BY starts_at, id`)

	exportInvitesStmt = db.SQL("calendar.export_invites", `
		SELECT id, entry_id, user_id, invited_by, status, responded_at, created_at FROM calendar_invites
		WHERE user_id = $1 OR invited_by = $1 ORDER BY created_at, id`)

	exportOverridesStmt = db.SQL("calendar.export_overrides", `SELECT entry_id, notes, canceled_at FROM calendar_overrides WHERE user_id = $1
		ORDER BY entry_id`)
)

// Export returns a user's entries, the invites they received and sent, and their
// overrides. Package attendance exports the events that they attend.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	all := exported{Entries: []exportedEntry{}, Invites: []exportedInvite{}, Overrides: []exportedOverride{}}
	entries, err := db.All(ctx, q, func(row db.Row, e *exportedEntry) error {
		return row.Scan(&e.ID, &e.Title, &e.StartsAt, &e.EndsAt, &e.Timezone, &e.AllDay, &e.LocationText, &e.Notes, &e.CanceledAt, &e.CreatedAt)
	}, exportEntriesStmt, user)
	if err != nil {
		return nil, err
	}
	invites, err := db.All(ctx, q, func(row db.Row, i *exportedInvite) error {
		return row.Scan(&i.ID, &i.EntryID, &i.UserID, &i.InvitedBy, &i.Status, &i.RespondedAt, &i.CreatedAt)
	}, exportInvitesStmt, user)
	if err != nil {
		return nil, err
	}
	overrides, err := db.All(ctx, q, func(row db.Row, o *exportedOverride) error {
		return row.Scan(&o.EntryID, &o.Notes, &o.CanceledAt)
	}, exportOverridesStmt, user)
	if err != nil {
		return nil, err
	}
	all.Entries, all.Invites = append(all.Entries, entries...), append(all.Invites, invites...)
	all.Overrides = append(all.Overrides, overrides...)
	return all, nil
}

// eraseStmts delete invites before entries because of the foreign key.
var eraseStmts = []*db.Stmt{
	db.SQL("calendar.erase_invites", `DELETE FROM calendar_invites WHERE user_id = $1 OR invited_by = $1`),
	db.SQL("calendar.erase_entries", `DELETE FROM calendar_entries WHERE owner_id = $1`),
	db.SQL("calendar.erase_overrides", `DELETE FROM calendar_overrides WHERE user_id = $1`),
	db.SQL("calendar.erase_feed", `DELETE FROM calendar_feeds WHERE user_id = $1`),
}

// Erase deletes a user's calendar. Their entries disappear from the calendars of others.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	for _, stmt := range eraseStmts {
		tx.Queue(ctx, stmt, user)
	}
	return nil
}
