package calendar

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// A calendar is three kinds of rows in one list: entries of the owner, entries
// of others who invited them, and events. part is what the owner makes of it,
// off whether it was called off; the four changes are when the parts of an
// entry changed.
//
// Of an event, whoever goes is in; then its organizer, tentatively while it is
// a draft; then whoever answered perhaps. The owner may have taken it out: that
// holds until they join or answer again. A pending invitation alone is no entry.
const (
	entryColumns = `id, source, event_id, title, starts_at, ends_at, over_at, timezone, all_day, location_text, notes, part, off, created_at,
		change_1, change_2, change_3, change_4`

	manualEntries = `
		SELECT c.id AS id, 'manual' AS source, CAST(NULL AS UUID) AS event_id, c.title AS title, c.starts_at AS starts_at, c.ends_at AS ends_at,
			c.over_at AS over_at, c.timezone AS timezone, c.all_day AS all_day, c.location_text AS location_text, c.notes AS notes,
			'confirmed' AS part, c.canceled_at IS NOT NULL AS off, c.created_at AS created_at,
			c.updated_at AS change_1, CAST(NULL AS BIGINT) AS change_2, CAST(NULL AS BIGINT) AS change_3, CAST(NULL AS BIGINT) AS change_4%s
		FROM calendar_entries c WHERE c.owner_id = $1`

	inviteEntries = `
		SELECT c.id, 'invite', CAST(NULL AS UUID), c.title, c.starts_at, c.ends_at, c.over_at, c.timezone, c.all_day, c.location_text, m.notes,
			CASE WHEN i.status = 'declined' OR m.canceled_at >= i.responded_at THEN 'canceled' WHEN i.status = 'tentative' THEN 'tentative' ELSE 'confirmed' END,
			c.canceled_at IS NOT NULL, i.created_at, c.updated_at, i.updated_at, m.updated_at, CAST(NULL AS BIGINT)%s
		FROM calendar_invites i JOIN calendar_entries c ON c.id = i.entry_id
		LEFT JOIN calendar_marks m ON m.user_id = $1 AND m.entry_id = c.id
		WHERE i.user_id = $1 AND i.status <> 'pending' AND `

	eventEntries = `
		SELECT e.id, 'event', e.id, e.title, e.starts_at, e.ends_at, e.over_at, e.timezone, FALSE, e.location_text, m.notes,
			CASE WHEN m.canceled_at >= COALESCE(p.joined_at, 0) AND m.canceled_at >= COALESCE(i.responded_at, 0) THEN 'canceled'
				WHEN p.status = 'going' THEN 'confirmed'
				WHEN e.organizer_id = $1 THEN CASE WHEN e.status = 'draft' THEN 'tentative' ELSE 'confirmed' END
				WHEN i.status = 'tentative' THEN 'tentative' ELSE 'canceled' END,
			e.status = 'canceled', COALESCE(p.created_at, i.created_at, e.created_at), e.updated_at, p.updated_at, i.updated_at, m.updated_at%s
		FROM (SELECT event_id FROM participants WHERE user_id = $1
			UNION SELECT event_id FROM invitations WHERE user_id = $1 AND status <> 'pending'
			UNION SELECT id FROM events WHERE organizer_id = $1) AS mine
		JOIN events e ON e.id = mine.event_id
		LEFT JOIN participants p ON p.event_id = e.id AND p.user_id = $1
		LEFT JOIN invitations i ON i.event_id = e.id AND i.user_id = $1
		LEFT JOIN calendar_marks m ON m.user_id = $1 AND m.entry_id = e.id
		WHERE `
)

// everything gives all of a calendar, with more columns of each kind.
func everything(ofEntry, moreOfEntry, moreOfEvent string) string {
	return fmt.Sprintf(manualEntries, ofEntry) + ` UNION ALL ` +
		fmt.Sprintf(inviteEntries, moreOfEntry) + access.NotBlocked("c.owner_id", "$1") + ` UNION ALL ` +
		fmt.Sprintf(eventEntries, moreOfEvent) + access.SeesEvent("e", "$1")
}

func (e *Entry) columns(changes *[4]*time.Time) []any {
	return []any{&e.ID, &e.Source, &e.EventID, &e.Title, &e.StartsAt, &e.EndsAt, &e.overAt, &e.Timezone, &e.AllDay, &e.LocationText, &e.Notes,
		&e.part, &e.off, &e.CreatedAt, &changes[0], &changes[1], &changes[2], &changes[3]}
}

// settle takes the latest of the changes.
func (e *Entry) settle(changes [4]*time.Time) {
	for _, at := range changes {
		if at != nil && at.After(e.UpdatedAt) {
			e.UpdatedAt = *at
		}
	}
}

func scanEntry(row db.Row, e *Entry) error {
	var changes [4]*time.Time
	if err := row.Scan(e.columns(&changes)...); err != nil {
		return err
	}
	e.settle(changes)
	return nil
}

var listStmt = db.SQL("calendar.entries", `
	SELECT `+entryColumns+` FROM (`+everything("", "", "")+`) AS u
	WHERE (u.starts_at, u.id) > ($2, $3) AND u.over_at >= $4 AND u.starts_at < $5 AND ($6 OR u.part <> 'canceled' AND NOT u.off)
	ORDER BY u.starts_at, u.id LIMIT 101`)

// listEntries gives a page behind a place in the order, and one more as far as
// there are any.
func listEntries(ctx context.Context, q db.Querier, owner domain.UserID, f Filter) ([]Entry, error) {
	entries, err := db.All(ctx, q, scanEntry, listStmt, owner, f.afterStart, f.afterID, f.From, f.To, f.Canceled)
	if err != nil {
		return nil, fmt.Errorf("calendar.entries: %w", err)
	}
	return entries, nil
}

var entryStmt = db.SQL("calendar.entry", `SELECT `+entryColumns+` FROM (`+everything("", "", "")+`) AS u WHERE u.id = $2`)

// readEntry reads one entry of a calendar; domain.NotFound when it has none such.
func readEntry(ctx context.Context, q db.Querier, owner domain.UserID, id domain.EntryID) (e Entry, err error) {
	err = scanEntry(q.One(ctx, entryStmt, owner, id), &e)
	if errors.Is(err, db.ErrNoRow) {
		return e, domain.NotFound
	}
	if err != nil {
		return e, fmt.Errorf("calendar.entry %s: %w", id, err)
	}
	e.OwnerID = owner
	return e, nil
}

var lockStmt = db.SQL("calendar.lock", `SELECT 1 FROM calendar_entries WHERE id = $1 AND owner_id = $2 FOR UPDATE`)

// lockOwn holds the owner's own entry until the transaction ends, if it is one.
func lockOwn(ctx context.Context, tx db.Tx, owner domain.UserID, id domain.EntryID) error {
	var one int
	if err := tx.One(ctx, lockStmt, id, owner).Scan(&one); err != nil && !errors.Is(err, db.ErrNoRow) {
		return fmt.Errorf("calendar.lock %s: %w", id, err)
	}
	return nil
}

var insertStmt = db.SQL("calendar.insert", `
	INSERT INTO calendar_entries (id, owner_id, title, starts_at, ends_at, over_at, timezone, all_day, location_text, notes, sequence, created_at, updated_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11, $11)`)

func insert(ctx context.Context, tx db.Tx, id domain.EntryID, owner domain.UserID, f Fields, now time.Time) error {
	if _, err := tx.Exec(ctx, insertStmt, id, owner, f.Title, f.StartsAt, f.EndsAt, f.overAt(), f.Timezone, f.AllDay, f.LocationText, f.Notes, now); err != nil {
		return fmt.Errorf("calendar.insert: %w", err)
	}
	return nil
}

var updateStmt = db.SQL("calendar.update", `
	UPDATE calendar_entries SET title = $2, starts_at = $3, ends_at = $4, over_at = $5, timezone = $6, all_day = $7, location_text = $8, notes = $9,
		sequence = sequence + 1, updated_at = $10
	WHERE id = $1`)

func update(ctx context.Context, tx db.Tx, id domain.EntryID, f Fields, now time.Time) error {
	if _, err := tx.Exec(ctx, updateStmt, id, f.Title, f.StartsAt, f.EndsAt, f.overAt(), f.Timezone, f.AllDay, f.LocationText, f.Notes, now); err != nil {
		return fmt.Errorf("calendar.update %s: %w", id, err)
	}
	return nil
}

var cancelStmt = db.SQL("calendar.cancel", `
	UPDATE calendar_entries SET canceled_at = $2, sequence = sequence + 1, updated_at = $2 WHERE id = $1 AND canceled_at IS NULL`)

var markNotesStmt = db.SQL("calendar.mark_notes", `
	INSERT INTO calendar_marks (user_id, entry_id, notes, updated_at) VALUES ($1, $2, $3, $4)
	ON CONFLICT (user_id, entry_id) DO UPDATE SET notes = excluded.notes, updated_at = excluded.updated_at`)

var markCanceledStmt = db.SQL("calendar.mark_canceled", `
	INSERT INTO calendar_marks (user_id, entry_id, canceled_at, updated_at) VALUES ($1, $2, $3, $3)
	ON CONFLICT (user_id, entry_id) DO UPDATE SET canceled_at = excluded.canceled_at, updated_at = excluded.updated_at`)

// cancel ends the owner's own entry, or takes another one out of their calendar.
func cancel(ctx context.Context, tx db.Tx, owner domain.UserID, e Entry, now time.Time) (err error) {
	if e.Source == Manual {
		_, err = tx.Exec(ctx, cancelStmt, e.ID, now)
	} else {
		_, err = tx.Exec(ctx, markCanceledStmt, owner, e.ID, now)
	}
	if err != nil {
		return fmt.Errorf("calendar.cancel %s: %w", e.ID, err)
	}
	return nil
}

func note(ctx context.Context, tx db.Tx, owner domain.UserID, id domain.EntryID, notes *string, now time.Time) error {
	if _, err := tx.Exec(ctx, markNotesStmt, owner, id, notes, now); err != nil {
		return fmt.Errorf("calendar.note %s: %w", id, err)
	}
	return nil
}
