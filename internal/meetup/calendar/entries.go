package calendar

import (
	"context"
	"fmt"
	"slices"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
)

// Filter selects entries of a calendar.
type Filter struct {
	From, To time.Time // entries that end at or after From and start before To
	Canceled bool      // include canceled entries
	Limit    int       // 1 to 100
	Cursor   string
}

// entryPosition is the key of an entry in the calendar of a user.
type entryPosition struct {
	start time.Time
	id    domain.EntryID
}

// after returns the position after which the page starts.
func (f Filter) after() (after entryPosition, err error) {
	var wrong domain.Problems
	if f.Cursor != "" {
		wrong.AddAll(domain.ReadCursor(f.Cursor, entriesCursor, &after.start, &after.id))
	}
	if !f.From.IsZero() && !f.To.IsZero() && f.To.Before(f.From) {
		wrong.Add("?to", "must not be earlier than from", "?from")
	}
	return after, wrong.Err()
}

// The range of all times (contract §0).
var (
	earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2101, 1, 1, 0, 0, 0, 0, time.UTC)
)

const entriesCursor = "calendar.entries.1"

// List returns the viewer's calendar, sorted by start.
func (s *Service) List(ctx context.Context, v domain.Viewer, f Filter) (domain.Page[Entry], error) {
	var none domain.Page[Entry]
	after, err := f.after()
	if err != nil {
		return none, err
	}
	if f.From.IsZero() {
		f.From = earliest
	}
	if f.To.IsZero() {
		f.To = latest
	}
	entries, err := db.All(ctx, s.DB, scanEntry, listStmt, v.UserID, after.start, after.id, f.From, f.To, f.Canceled)
	if err != nil {
		return none, err
	}
	for i := range entries {
		entries[i].OwnerID = v.UserID
	}
	return domain.NewPage(entries, f.Limit, func(last Entry) string {
		return domain.Cursor(entriesCursor, last.StartsAt, last.ID)
	}), nil
}

// newFields returns the fields of a new entry, or an error that names every wrong field.
func (s *Service) newFields(v domain.Viewer, in Input, invitees []domain.UserID) (Fields, error) {
	var wrong domain.Problems
	fields, err := Fields{Timezone: s.Timezone}.merge(in)
	wrong.AddAll(err)
	if slices.Contains(invitees, v.UserID) {
		wrong.Add("/invitee_user_ids", "must not contain yourself")
	}
	return fields, wrong.Err()
}

// Create creates an entry in the viewer's calendar and invites other users to it.
// It returns domain.NotFound if one of them is unknown or in a block with the
// viewer.
func (s *Service) Create(ctx context.Context, v domain.Viewer, in Input, invitees []domain.UserID) (e Entry, err error) {
	fields, err := s.newFields(v, in, invitees)
	if err != nil {
		return Entry{}, err
	}
	now := s.Clock.Now()
	id := domain.NewID[domain.EntryKind](now)
	err = idempotency.InTx(ctx, s.DB, now, &e, func(tx db.Tx) error {
		user.Share(ctx, tx, invitees...)
		tx.Queue(ctx, insertStmt, id, v.UserID, fields.Title, fields.StartsAt, fields.EndsAt, fields.overAt(), fields.Timezone, fields.AllDay,
			fields.LocationText, fields.Notes, now)
		if err := invite(ctx, tx, id, v.UserID, invitees, now); err != nil {
			return err
		}
		e, err = readEntry(ctx, tx, v.UserID, id)
		return err
	})
	return e, err
}

// Update changes an entry of the viewer's calendar; of an event or an entry of
// another user, only the notes. It returns domain.Forbidden for a canceled entry
// of the viewer.
func (s *Service) Update(ctx context.Context, v domain.Viewer, id domain.EntryID, in Input) (e Entry, err error) {
	now := s.Clock.Now()
	err = s.change(ctx, v, id, &e, func(tx db.Tx) error {
		before := e.fields()
		if e.Source != Manual {
			fields, err := before.mergeNotesOnly(in)
			if err != nil || fields.equal(before) {
				return err
			}
			tx.Queue(ctx, setNotesStmt, v.UserID, id, fields.Notes, now)
			return nil
		}
		fields, err := before.merge(in)
		if err != nil {
			return err
		}
		if e.canceled {
			return domain.Forbid(domain.BlockedByState)
		}
		if fields.equal(before) {
			return nil
		}
		tx.Queue(ctx, updateStmt, id, fields.Title, fields.StartsAt, fields.EndsAt, fields.overAt(), fields.Timezone, fields.AllDay,
			fields.LocationText, fields.Notes, now)
		return nil
	})
	return e, err
}

// Cancel cancels an entry of the viewer for everyone invited, and removes any other
// entry from the viewer's calendar only. Canceling again does nothing.
func (s *Service) Cancel(ctx context.Context, v domain.Viewer, id domain.EntryID) (e Entry, err error) {
	err = s.change(ctx, v, id, &e, func(tx db.Tx) error {
		switch {
		case e.Status() == Canceled:
		case e.Source == Manual:
			tx.Queue(ctx, cancelStmt, e.ID, s.Clock.Now())
		default:
			tx.Queue(ctx, removeStmt, v.UserID, e.ID, s.Clock.Now())
		}
		return nil
	})
	return e, err
}

// change locks an entry and loads it into e, runs do, and loads the entry again.
func (s *Service) change(ctx context.Context, v domain.Viewer, id domain.EntryID, e *Entry, do func(db.Tx) error) error {
	return s.DB.InTx(ctx, func(tx db.Tx) (err error) {
		if _, err := tx.One(ctx, lockStmt, id, v.UserID).Find(new(int)); err != nil {
			return err
		}
		if *e, err = readEntry(ctx, tx, v.UserID, id); err != nil {
			return err
		}
		if err := do(tx); err != nil {
			return err
		}
		*e, err = readEntry(ctx, tx, v.UserID, id)
		return err
	})
}

func (e Entry) fields() Fields {
	return Fields{Title: e.Title, StartsAt: e.StartsAt, EndsAt: e.EndsAt, Timezone: e.Timezone, AllDay: e.AllDay, LocationText: e.LocationText,
		Notes: e.Notes}
}

// A calendar is one list of three kinds of rows: entries of the owner, entries of users
// who invited the owner, and events. own_status is the status of the entry for the
// owner. canceled means canceled for everybody. change_1 to change_4 are the times at
// which the rows of an entry changed.
//
// An event is confirmed for participants and for its organizer; a draft of the owner is
// tentative. For invitees who answered tentative it is tentative. If the owner removes
// an event, it stays removed until they join or answer again. A pending invitation adds
// no entry.
var (
	hosts = access.HostsSQL("e", "$1")

	entryColumns = `id, source, event_id, title, starts_at, ends_at, over_at, timezone, all_day, location_text, notes, own_status, canceled,
		created_at, change_1, change_2, change_3, change_4`

	manualEntries = `
		SELECT c.id AS id, 'manual' AS source, CAST(NULL AS UUID) AS event_id, c.title AS title, c.starts_at AS starts_at, c.ends_at AS ends_at,
			c.over_at AS over_at, c.timezone AS timezone, c.all_day AS all_day, c.location_text AS location_text, c.notes AS notes,
			'confirmed' AS own_status, c.canceled_at IS NOT NULL AS canceled, c.created_at AS created_at,
			c.updated_at AS change_1, CAST(NULL AS BIGINT) AS change_2, CAST(NULL AS BIGINT) AS change_3, CAST(NULL AS BIGINT) AS change_4%s
		FROM calendar_entries c WHERE c.owner_id = $1`

	inviteEntries = `
		SELECT c.id, 'invite', CAST(NULL AS UUID), c.title, c.starts_at, c.ends_at, c.over_at, c.timezone, c.all_day, c.location_text, own.notes,
			CASE WHEN i.status = 'declined' OR own.canceled_at >= i.responded_at THEN 'canceled' WHEN i.status = 'tentative' THEN 'tentative'
				ELSE 'confirmed' END,
			c.canceled_at IS NOT NULL, i.created_at, c.updated_at, i.updated_at, own.updated_at, CAST(NULL AS BIGINT)%s
		FROM calendar_invites i JOIN calendar_entries c ON c.id = i.entry_id
		LEFT JOIN calendar_overrides own ON own.user_id = $1 AND own.entry_id = c.id
		WHERE i.user_id = $1 AND i.status <> 'pending' AND `

	eventEntries = `
		SELECT e.id, 'event', e.id, e.title, e.starts_at, e.ends_at, e.over_at, e.timezone, FALSE, e.location_text, own.notes,
			CASE WHEN own.canceled_at >= COALESCE(p.joined_at, 0) AND own.canceled_at >= COALESCE(i.responded_at, 0) THEN 'canceled'
				WHEN p.status = 'going' THEN 'confirmed'
				WHEN ` + hosts + ` THEN CASE WHEN e.status = 'draft' THEN 'tentative' ELSE 'confirmed' END
				WHEN i.status = 'tentative' THEN 'tentative' ELSE 'canceled' END,
			e.status = 'canceled', COALESCE(p.created_at, i.created_at, e.created_at), e.updated_at, p.updated_at, i.updated_at, own.updated_at%s
		FROM (SELECT event_id FROM participants WHERE user_id = $1
			UNION SELECT event_id FROM invitations WHERE user_id = $1 AND status <> 'pending'
			UNION SELECT id FROM events WHERE organizer_id = $1
			UNION SELECT event_id FROM event_hosts WHERE user_id = $1 AND status = 'active') AS mine
		JOIN events e ON e.id = mine.event_id
		LEFT JOIN participants p ON p.event_id = e.id AND p.user_id = $1
		LEFT JOIN invitations i ON i.event_id = e.id AND i.user_id = $1
		LEFT JOIN calendar_overrides own ON own.user_id = $1 AND own.entry_id = e.id
		WHERE `
)

// calendarSQL selects the list, with additional columns for each kind of rows. The
// names of the columns are those of the first kind.
func calendarSQL(manualColumns, inviteColumns, eventColumns string) string {
	return fmt.Sprintf(manualEntries, manualColumns) + ` UNION ALL ` +
		fmt.Sprintf(inviteEntries, inviteColumns) + access.NotBlocked("c.owner_id", "$1") + ` UNION ALL ` +
		fmt.Sprintf(eventEntries, eventColumns) + access.SeesEvent("e", "$1") + ` AND e.title <> ''` // not drafts without a title
}

func (e *Entry) columns(changes *[4]*time.Time) []any {
	return []any{&e.ID, &e.Source, &e.EventID, &e.Title, &e.StartsAt, &e.EndsAt, &e.overAt, &e.Timezone, &e.AllDay, &e.LocationText, &e.Notes,
		&e.OwnStatus, &e.canceled, &e.CreatedAt, &changes[0], &changes[1], &changes[2], &changes[3]}
}

// setUpdatedAt sets UpdatedAt to the latest change.
func (e *Entry) setUpdatedAt(changes [4]*time.Time) {
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
	e.setUpdatedAt(changes)
	return nil
}

var listStmt = db.SQL("calendar.entries", `
	SELECT `+entryColumns+` FROM (`+calendarSQL("", "", "")+`) AS u
	WHERE (u.starts_at, u.id) > ($2, $3) AND u.over_at >= $4 AND u.starts_at < $5 AND ($6 OR u.own_status <> 'canceled' AND NOT u.canceled)
	ORDER BY u.starts_at, u.id LIMIT 101`)

var entryStmt = db.SQL("calendar.entry", `SELECT `+entryColumns+` FROM (`+calendarSQL("", "", "")+`) AS u WHERE u.id = $2`)

// readEntry reads one entry of a calendar. It returns domain.NotFound if there is none.
func readEntry(ctx context.Context, q db.Querier, owner domain.UserID, id domain.EntryID) (Entry, error) {
	e := Entry{OwnerID: owner}
	var changes [4]*time.Time
	if err := q.One(ctx, entryStmt, owner, id).ScanOr(domain.NotFound, e.columns(&changes)...); err != nil {
		return Entry{}, err
	}
	e.setUpdatedAt(changes)
	return e, nil
}

var (
	// lockStmt locks a manual entry of the owner. It selects no row for other entries.
	lockStmt = db.SQL("calendar.lock", `SELECT 1 FROM calendar_entries WHERE id = $1 AND owner_id = $2 FOR UPDATE`)

	insertStmt = db.SQL("calendar.insert", `
		INSERT INTO calendar_entries (id, owner_id, title, starts_at, ends_at, over_at, timezone, all_day, location_text, notes, sequence,
			created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11, $11)`)

	updateStmt = db.SQL("calendar.update", `
		UPDATE calendar_entries SET title = $2, starts_at = $3, ends_at = $4, over_at = $5, timezone = $6, all_day = $7, location_text = $8,
			notes = $9,
			sequence = sequence + 1, updated_at = $10
		WHERE id = $1`)

	cancelStmt = db.SQL("calendar.cancel", `
		UPDATE calendar_entries SET canceled_at = $2, sequence = sequence + 1, updated_at = $2 WHERE id = $1 AND canceled_at IS NULL`)

	setNotesStmt = db.SQL("calendar.set_notes", `
		INSERT INTO calendar_overrides (user_id, entry_id, notes, updated_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (user_id, entry_id) DO UPDATE SET notes = excluded.notes, updated_at = excluded.updated_at`)

	// removeStmt removes an event or an entry of another user from a calendar.
	removeStmt = db.SQL("calendar.remove", `
		INSERT INTO calendar_overrides (user_id, entry_id, canceled_at, updated_at) VALUES ($1, $2, $3, $3)
		ON CONFLICT (user_id, entry_id) DO UPDATE SET canceled_at = excluded.canceled_at, updated_at = excluded.updated_at`)
)
