package event

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// The events of a suspended organizer leave list, map, search and feed; by
// their links they stay what they are.

// standingStmt holds the account as it stands until the transaction ends, so
// that nothing is listed behind the back of a suspension.
var standingStmt = db.SQL("event.standing", `SELECT suspended_at IS NULL FROM users WHERE id = $1 FOR SHARE`)

// inGoodStanding reports whether the organizer is not suspended.
func inGoodStanding(ctx context.Context, tx db.Tx, organizer domain.UserID) (ok bool, err error) {
	if err := tx.One(ctx, standingStmt, organizer).Scan(&ok); err != nil {
		return false, fmt.Errorf("event.standing of %s: %w", organizer, err)
	}
	return ok, nil
}

var (
	toListStmt = db.SQL("event.to_list", `
		SELECT `+eventColumns+` FROM events
		WHERE organizer_id = $1 AND status = 'published' AND visibility = 'public' AND listed <> $2 AND over_at > $3
		ORDER BY starts_key FOR UPDATE`)

	setListedStmt = db.SQL("event.set_listed", `UPDATE events SET listed = $2 WHERE id = $1`, db.Key{Table: "events", Param: 1})
)

// Unlist takes the coming events of an organizer who is suspended out of
// discovery.
func Unlist(ctx context.Context, tx db.Tx, organizer domain.UserID, now time.Time) error {
	return setListed(ctx, tx, organizer, false, now)
}

// Relist puts them back.
func Relist(ctx context.Context, tx db.Tx, organizer domain.UserID, now time.Time) error {
	return setListed(ctx, tx, organizer, true, now)
}

func setListed(ctx context.Context, tx db.Tx, organizer domain.UserID, listed bool, now time.Time) error {
	scan := func(row db.Row, e *Event) error { return row.Scan(e.columns()...) }
	events, err := db.All(ctx, tx, scan, toListStmt, organizer, listed, now)
	if err != nil {
		return fmt.Errorf("event.set_listed of %s: %w", organizer, err)
	}
	for _, was := range events {
		is := was
		is.Listed = listed
		if err := repost(ctx, tx, was, is); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, setListedStmt, is.ID, listed); err != nil {
			return fmt.Errorf("event.set_listed %s: %w", is.ID, err)
		}
	}
	return nil
}
