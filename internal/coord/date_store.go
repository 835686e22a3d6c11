package coord

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// optionsOf reads the options of the event $1 for the viewer $2, or with a
// condition on their id only those. Who goes to a popular event and does not vote
// costs nothing.
func optionsOf(only string) string {
	return `
		WITH counted AS (
			SELECT v.option_id, COUNT(*) AS n, COUNT(*) FILTER (WHERE v.user_id = $2) AS own
			FROM ` + votesOfVoters + ` WHERE v.event_id = $1` + strings.ReplaceAll(only, "id", "v.option_id") + ` GROUP BY v.option_id)
		SELECT o.id, o.event_id, e.organizer_id, o.starts_at, o.ends_at, o.note, o.created_at,
			COALESCE(c.n, 0), COALESCE(c.own, 0) > 0, e.selected_date_option_id IS NOT DISTINCT FROM o.id
		FROM events e JOIN date_options o ON o.event_id = e.id LEFT JOIN counted c ON c.option_id = o.id
		WHERE e.id = $1` + strings.ReplaceAll(only, "id", "o.id") + ` ORDER BY o.starts_at, o.id`
}

func scanOption(row db.Row, o *DateOption) error {
	return row.Scan(&o.ID, &o.EventID, &o.OrganizerID, &o.StartsAt, &o.EndsAt, &o.Note, &o.CreatedAt, &o.VoteCount, &o.ViewerVoted, &o.Selected)
}

var optionsStmt = db.SQL("coord.options", optionsOf(``))

func options(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID) ([]DateOption, error) {
	found, err := db.All(ctx, q, scanOption, optionsStmt, id, v.UserID)
	if err != nil {
		return nil, fmt.Errorf("coord.options %s: %w", id, err)
	}
	return found, nil
}

var optionStmt = db.SQL("coord.option", optionsOf(` AND id = $3`))

func oneOption(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, option domain.DateOptionID) (o DateOption, err error) {
	if err := scanOption(q.One(ctx, optionStmt, id, v.UserID, option), &o); err != nil {
		return o, fmt.Errorf("coord.option %s: %w", option, err)
	}
	return o, nil
}

var timesStmt = db.SQL("coord.times", `SELECT starts_at, ends_at FROM date_options WHERE event_id = $1 AND id = $2`)

// timesOf gives the date of an option; domain.NotFound when the event has no
// such option.
func timesOf(ctx context.Context, q db.Querier, id domain.EventID, option domain.DateOptionID) (in DateInput, err error) {
	err = q.One(ctx, timesStmt, id, option).Scan(&in.StartsAt, &in.EndsAt)
	if errors.Is(err, db.ErrNoRow) {
		return in, domain.NotFound
	}
	if err != nil {
		return in, fmt.Errorf("coord.times %s: %w", option, err)
	}
	return in, nil
}

// addStmt adds one to an event that is locked and has less than it may.
var addStmt = db.SQL("coord.add_option", `
	INSERT INTO date_options (event_id, id, starts_at, ends_at, note, created_at)
	SELECT $1, $2, $3, $4, $5, $6 WHERE (SELECT COUNT(*) FROM date_options WHERE event_id = $1) < `+strconv.Itoa(mostOptions)+`
	ON CONFLICT (event_id, starts_at, COALESCE(ends_at, 0)) DO NOTHING`)

var sameTimesStmt = db.SQL("coord.same_times", `
	SELECT EXISTS (SELECT 1 FROM date_options WHERE event_id = $1 AND starts_at = $2 AND ends_at IS NOT DISTINCT FROM $3)`)

func addOption(ctx context.Context, tx db.Tx, id domain.EventID, option domain.DateOptionID, in DateInput, now time.Time) error {
	n, err := tx.Exec(ctx, addStmt, id, option, in.StartsAt, in.EndsAt, in.Note, now)
	if err != nil {
		return fmt.Errorf("coord.add_option %s: %w", id, err)
	}
	if n == 1 {
		return nil
	}
	var same bool
	if err := tx.One(ctx, sameTimesStmt, id, in.StartsAt, in.EndsAt).Scan(&same); err != nil {
		return fmt.Errorf("coord.same_times %s: %w", id, err)
	}
	if same {
		return domain.Invalid("/starts_at", "must differ from the other options, or ends_at must")
	}
	return domain.Invalid("", fmt.Sprintf("must not be more than the %d options an event may have", mostOptions))
}

var approveStmt = db.SQL("coord.approve", `
	INSERT INTO date_votes (event_id, option_id, user_id, id, created_at) VALUES ($1, $2, $3, $4, $5)
	ON CONFLICT (event_id, option_id, user_id) DO UPDATE SET created_at = date_votes.created_at
	RETURNING id, event_id, option_id, user_id, created_at`)

func approve(ctx context.Context, tx db.Tx, id domain.EventID, option domain.DateOptionID, user domain.UserID, now time.Time) (v DateVote, err error) {
	row := tx.One(ctx, approveStmt, id, option, user, domain.NewID[domain.DateVoteKind](now), now)
	if err := row.Scan(&v.ID, &v.EventID, &v.OptionID, &v.UserID, &v.CreatedAt); err != nil {
		return v, fmt.Errorf("coord.approve %s: %w", option, err)
	}
	return v, nil
}

var disapproveStmt = db.SQL("coord.disapprove", `DELETE FROM date_votes WHERE event_id = $1 AND option_id = $2 AND user_id = $3`)

func disapprove(ctx context.Context, tx db.Tx, id domain.EventID, option domain.DateOptionID, user domain.UserID) error {
	if _, err := tx.Exec(ctx, disapproveStmt, id, option, user); err != nil {
		return fmt.Errorf("coord.disapprove %s: %w", option, err)
	}
	return nil
}
