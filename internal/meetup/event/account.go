package event

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/db"
)

// exported are the columns in the export of an organizer's data.
var exported = columns.Without("organizer_id", "has_team", "has_questions", "listed",
	"starts_key", "selected_date_option_id", "date_mode", "price")

var exportStmt = db.SQL("event.export", `SELECT `+eventColumns+` FROM events WHERE organizer_id = $1 ORDER BY starts_key`)

// Export returns the events that the user organizes, drafts included.
func (s *Service) Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	events, err := db.All(ctx, q, func(row db.Row, object *json.RawMessage) (err error) {
		var e Event
		if err := row.Scan(columns.Vars(&e)...); err != nil {
			return err
		}
		*object, err = exported.JSON(&e)
		return err
	}, exportStmt, user)
	return append([]json.RawMessage{}, events...), err
}

// attended is the condition that another user than the organizer participates.
const attended = `EXISTS (SELECT 1 FROM participants p WHERE p.event_id = events.id AND p.user_id <> $1 AND p.status = 'going')`

// endingStmt selects the events of an organizer that their deletion cancels: drafts,
// events that are not over, and events that nobody attended.
var endingStmt = db.SQL("event.ending_of", `
	SELECT `+eventColumns+` FROM events
	WHERE organizer_id = $1 AND (status = 'draft' OR status = 'published' AND (over_at > $2 OR NOT `+attended+`))
	ORDER BY starts_key FOR UPDATE`)

// erasedSQL is the SET list that removes the optional texts and the position.
func erasedSQL() string {
	var set []string
	for _, c := range fieldColumns.Without("price_currency") {
		switch c.Var(new(Fields)).(type) {
		case **string, **float64:
			set = append(set, c.Column+" = NULL")
		}
	}
	return strings.Join(set, ", ")
}

// emptySQL removes the content of canceled events. They become public drafts that were canceled: only their organizer sees them.
var emptySQL = `
	UPDATE events SET visibility = 'public', published_at = NULL, title = '', timezone = 'UTC', cancel_message = NULL, image_aspect = NULL,
		external_url = NULL,
		` + erasedSQL()

// eraseStmt removes the content of canceled events that nobody attended.
var eraseStmt = db.SQL("event.erase", emptySQL+`
	WHERE organizer_id = $1 AND status = 'canceled' AND NOT `+attended+` RETURNING id`)

// eraseImagesStmt removes the pictures that the organizer has uploaded from the events that
// stay.
var eraseImagesStmt = db.SQL("event.erase_images", `
	UPDATE events SET image_url = NULL, image_alt = NULL, image_aspect = NULL
	WHERE organizer_id = $1 AND image_url IN (SELECT m.url FROM media m WHERE m.owner_id = $1) RETURNING id`)

// Erase cancels the drafts and coming events of an organizer who deletes their account,
// and removes the content of events that nobody attended. Other events stay, without
// the organizer's name. Joins count before an event is canceled, or fail.
func (s *Service) Erase(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	ending, err := all(ctx, tx, endingStmt, user, now)
	if err != nil {
		return err
	}
	for _, e := range ending {
		e.Status = access.EffectiveStatus(e.Status, e.OverAt(), now)
		if err := s.cancel(ctx, tx, e, now); err != nil {
			return err
		}
	}
	for _, stmt := range []*db.Stmt{eraseStmt, eraseImagesStmt} {
		if err := erase(ctx, tx, stmt, user); err != nil {
			return err
		}
	}
	return nil
}

// erase runs a statement that removes content of a user from events, and returns their ids.
func erase(ctx context.Context, tx db.Tx, stmt *db.Stmt, user domain.UserID) error {
	erased, err := db.All(ctx, tx, func(row db.Row, id *domain.EventID) error { return row.Scan(id) }, stmt, user)
	for _, id := range erased {
		tx.Changed(Content.Of(id))
	}
	return err
}

// Events of a suspended organizer leave list, map, search and feed. Their links
// still work.

var (
	listableStmt = db.SQL("event.listable", `
		SELECT `+eventColumns+` FROM events
		WHERE organizer_id = $1 AND status = 'published' AND visibility = 'public' AND listed <> $2 AND over_at > $3
			AND (NOT $2 OR group_id IS NULL OR NOT EXISTS (
				SELECT 1 FROM groups g WHERE g.id = events.group_id AND g.suspended_at IS NOT NULL))
		ORDER BY starts_key FOR UPDATE`)

	setListedStmt = db.SQL("event.set_listed", `UPDATE events SET listed = $2 WHERE id = $1`)
)

// Unlist removes the coming events of a suspended organizer from discovery.
func Unlist(ctx context.Context, tx db.Tx, organizer domain.UserID, now time.Time) error {
	return setListed(ctx, tx, organizer, false, now)
}

// Relist reverts Unlist.
func Relist(ctx context.Context, tx db.Tx, organizer domain.UserID, now time.Time) error {
	return setListed(ctx, tx, organizer, true, now)
}

func setListed(ctx context.Context, tx db.Tx, organizer domain.UserID, listed bool, now time.Time) error {
	events, err := all(ctx, tx, listableStmt, organizer, listed, now)
	if err != nil {
		return err
	}
	for _, e := range events {
		was := e
		e.Listed = listed
		if err := postings.Update(ctx, tx, was.Document(), e.Document()); err != nil {
			return err
		}
		tx.Changed(Content.Of(e.ID), user.Activity.Of(organizer))
		if _, err := tx.Exec(ctx, setListedStmt, e.ID, listed); err != nil {
			return err
		}
	}
	return nil
}
