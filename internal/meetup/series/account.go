package series

import (
	"context"
	"encoding/json"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var (
	exportStmt = db.SQL("series.export", `SELECT `+columns.Columns()+` FROM event_series WHERE owner_id = $1 ORDER BY created_at, id`)

	exportMembershipsStmt = db.SQL("series.export_memberships", `
		SELECT series_id, visibility, created_at FROM series_members WHERE user_id = $1 ORDER BY created_at, series_id`)

	lockOwnedStmt = db.SQL("series.lock_owned", `SELECT id FROM event_series WHERE owner_id = $1 ORDER BY id FOR UPDATE`)

	eraseStmt = db.SQL("series.erase", `DELETE FROM event_series WHERE owner_id = $1`)

	eraseMembersStmt = db.SQL("series.erase_members", `
		DELETE FROM series_members WHERE user_id = $1 OR series_id IN (SELECT s.id FROM event_series s WHERE s.owner_id = $1)`)

	eraseSkipsStmt = db.SQL("series.erase_skips", `
		DELETE FROM series_skips WHERE series_id IN (SELECT s.id FROM event_series s WHERE s.owner_id = $1)`)

	blockStmt = db.SQL("series.block", `
		DELETE FROM series_members WHERE user_id = $1 AND series_id IN (SELECT s.id FROM event_series s WHERE s.owner_id = $2)`)
)

// exported are the columns in the export of an organizer's data. The template follows as an object.
var exported = columns.Without("owner_id", "template", "announced", "drafts_notified", "questions_of")

type exportedSeries struct {
	Series   json.RawMessage `json:"series"`
	Template json.RawMessage `json:"template"`
}

type membership struct {
	Series     domain.SeriesID `json:"series_id"`
	Visibility string          `json:"participation_visibility"`
	CreatedAt  time.Time       `json:"created_at"`
}

// Export returns the series that the user organizes, and those that they have joined.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	own, err := db.All(ctx, q, func(row db.Row, x *exportedSeries) (err error) {
		var s Series
		if err := row.Scan(columns.Vars(&s)...); err != nil {
			return err
		}
		x.Template = json.RawMessage(s.Template)
		x.Series, err = exported.JSON(&s)
		return err
	}, exportStmt, user)
	if err != nil {
		return nil, err
	}
	joined, err := db.All(ctx, q, func(row db.Row, m *membership) error {
		return row.Scan(&m.Series, &m.Visibility, &m.CreatedAt)
	}, exportMembershipsStmt, user)
	return map[string]any{"organized": append([]exportedSeries{}, own...), "joined": append([]membership{}, joined...)}, err
}

// Erase deletes the series of a user who deletes their account, and their memberships. Events keep the id of their series. It locks the
// series, as joins do, so that no user becomes a member meanwhile.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	if _, err := db.Values[domain.SeriesID](ctx, tx, lockOwnedStmt, user); err != nil {
		return err
	}
	tx.Queue(ctx, eraseMembersStmt, user)
	tx.Queue(ctx, eraseSkipsStmt, user)
	tx.Queue(ctx, eraseStmt, user)
	return nil
}

// OnBlock ends the memberships of two users in series of each other.
func OnBlock(ctx context.Context, tx db.Tx, _ time.Time, blocker, blocked domain.UserID) error {
	tx.Queue(ctx, blockStmt, blocker, blocked)
	tx.Queue(ctx, blockStmt, blocked, blocker)
	return nil
}
