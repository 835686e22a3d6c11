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
	erased, err := db.Values[domain.EventID](ctx, tx, stmt, user)
	for _, id := range erased {
		tx.Changed(Content.Of(id))
	}
	return err
}

// Events of a suspended organizer or group leave list, map, search and feed. Their links
// still work.

var (
	listedOfOrganizerStmt = db.SQL("event.listed_of_organizer", listedSQL("organizer_id = $1"))
	listedOfGroupStmt     = db.SQL("event.listed_of_group", listedSQL("group_id = $1"))
	hiddenOfOrganizerStmt = db.SQL("event.hidden_of_organizer", hiddenSQL("organizer_id = $1"))
	hiddenOfGroupStmt     = db.SQL("event.hidden_of_group", hiddenSQL("group_id = $1"))

	// shareGroupsStmt and organizersStmt select what else hides the events of the organizer or the group $1.
	shareGroupsStmt = db.SQL("event.share_groups", `
		SELECT g.id FROM groups g WHERE g.id IN (SELECT e.group_id FROM events e WHERE e.organizer_id = $1 AND `+hidden+`) ORDER BY g.id
		FOR SHARE`)
	organizersStmt = db.SQL("event.organizers_of_group", `
		SELECT DISTINCT e.organizer_id FROM events e WHERE e.group_id = $1 AND `+hidden+` ORDER BY e.organizer_id`)

	setListedStmt = db.SQL("event.set_listed", `UPDATE events SET listed = $2 WHERE id = $1`)
)

// hidden is the condition that an event is not listed, although it may be.
const hidden = `status = 'published' AND visibility = 'public' AND NOT listed`

func listedSQL(of string) string {
	return `SELECT ` + eventColumns + ` FROM events WHERE ` + of + ` AND listed ORDER BY starts_key FOR UPDATE`
}

// hiddenSQL selects the events that discovery should show at the time $2.
func hiddenSQL(of string) string {
	return `SELECT ` + eventColumns + ` FROM events WHERE ` + of + ` AND ` + hidden + ` AND over_at > $2
		AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = events.organizer_id AND u.suspended_at IS NOT NULL)
		AND NOT EXISTS (SELECT 1 FROM groups g WHERE g.id = events.group_id AND g.suspended_at IS NOT NULL)
		ORDER BY starts_key FOR UPDATE`
}

// Unlist removes the events of a suspended organizer from discovery.
func Unlist(ctx context.Context, tx db.Tx, organizer domain.UserID) error {
	return setListed(ctx, tx, false, listedOfOrganizerStmt, organizer)
}

// Relist reverts Unlist, except for events of suspended groups.
func Relist(ctx context.Context, tx db.Tx, organizer domain.UserID, now time.Time) error {
	if _, err := db.Values[domain.GroupID](ctx, tx, shareGroupsStmt, organizer); err != nil {
		return err
	}
	return setListed(ctx, tx, true, hiddenOfOrganizerStmt, organizer, now)
}

// setListed changes whether discovery shows the events that a statement selects.
func setListed(ctx context.Context, tx db.Tx, listed bool, events *db.Stmt, args ...any) error {
	found, err := all(ctx, tx, events, args...)
	if err != nil {
		return err
	}
	for _, e := range found {
		was := e
		e.Listed = listed
		if err := postings.Update(ctx, tx, was.Document(), e.Document()); err != nil {
			return err
		}
		tx.Changed(Content.Of(e.ID), user.Activity.Of(e.OrganizerID))
		tx.Queue(ctx, setListedStmt, e.ID, listed)
	}
	return nil
}
