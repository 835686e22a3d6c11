package datevote

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// countedVotes joins the votes v on the event e of users who may vote: mayVote in SQL.
// It uses COUNT, because PostgreSQL may turn EXISTS into a scan of all participants.
// With COUNT a vote costs two index lookups.
var countedVotes = `date_votes v JOIN events e ON e.id = v.event_id AND (` + access.HostsSQL("e", "v.user_id") + `
	OR (SELECT COUNT(*) FROM participants p WHERE p.event_id = e.id AND p.user_id = v.user_id AND p.status = 'going') = 1
	OR (SELECT COUNT(*) FROM invitations i WHERE i.event_id = e.id AND i.user_id = v.user_id AND i.status <> 'declined') = 1)`

// optionsSQL reads the options of the event $1 for the viewer $2. condition restricts
// them by the column id. The statement reads only the participants who voted.
func optionsSQL(condition string) string {
	return `
		WITH counted AS (
			SELECT v.option_id, COUNT(*) AS n, COUNT(*) FILTER (WHERE v.user_id = $2) AS own
			FROM ` + countedVotes + ` WHERE v.event_id = $1` + strings.ReplaceAll(condition, "id", "v.option_id") + ` GROUP BY v.option_id)
		SELECT o.id, o.event_id, e.organizer_id, o.starts_at, o.ends_at, o.note, o.created_at,
			COALESCE(c.n, 0), COALESCE(c.own, 0) > 0, e.selected_date_option_id IS NOT DISTINCT FROM o.id
		FROM events e JOIN date_options o ON o.event_id = e.id LEFT JOIN counted c ON c.option_id = o.id
		WHERE e.id = $1` + strings.ReplaceAll(condition, "id", "o.id") + ` ORDER BY o.starts_at, o.id`
}

func (o *Option) dest() []any {
	return []any{&o.ID, &o.EventID, &o.OrganizerID, &o.StartsAt, &o.EndsAt, &o.Note, &o.CreatedAt, &o.VoteCount, &o.ViewerVoted, &o.Selected}
}

var (
	modeStmt    = db.SQL("datevote.mode", `SELECT date_mode, selected_date_option_id FROM events WHERE id = $1`)
	optionsStmt = db.SQL("datevote.options", optionsSQL(``))
	optionStmt  = db.SQL("datevote.option", optionsSQL(` AND id = $3`))
)

func options(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID) (list Options, err error) {
	if err := q.One(ctx, modeStmt, id).Scan(&list.DateMode, &list.Selected); err != nil {
		return list, err
	}
	scan := func(row db.Row, o *Option) error { return row.Scan(o.dest()...) }
	list.Items, err = db.All(ctx, q, scan, optionsStmt, id, v.UserID)
	return list, err
}

func readOption(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, option domain.DateOptionID) (o Option, err error) {
	err = q.One(ctx, optionStmt, id, v.UserID, option).Scan(o.dest()...)
	return o, err
}

var timesStmt = db.SQL("datevote.times", `SELECT starts_at, ends_at FROM date_options WHERE event_id = $1 AND id = $2`)

// readTimes returns the start and end of an option, which never change, or
// domain.NotFound if the event has no such option.
func readTimes(ctx context.Context, q db.Querier, id domain.EventID,
	option domain.DateOptionID) (start time.Time, end *time.Time, err error) {
	err = q.One(ctx, timesStmt, id, option).ScanOr(domain.NotFound, &start, &end)
	return start, end, err
}

var lockVoteStmt = db.SQL("datevote.lock", `
	SELECT `+access.StatusSQL("e", "$3")+`, e.date_mode, EXISTS (SELECT 1 FROM date_options o WHERE o.event_id = e.id AND o.id = $2)
	FROM events e WHERE e.id = $1 FOR SHARE`)

// lockVote locks the status and the date mode of the event until the transaction ends,
// and returns them. It returns domain.NotFound if the event has no such option.
func lockVote(ctx context.Context, tx db.Tx, id domain.EventID, option domain.DateOptionID,
	now time.Time) (status access.Status, dateMode string, err error) {
	var exists bool
	err = tx.One(ctx, lockVoteStmt, id, option, now).ScanOr(domain.NotFound, &status, &dateMode, &exists)
	if err == nil && !exists {
		err = domain.NotFound
	}
	return status, dateMode, err
}

// insertStmt adds an option to a locked event that has fewer than maxOptions.
var insertStmt = db.SQL("datevote.insert", `
	INSERT INTO date_options (event_id, id, starts_at, ends_at, note, created_at)
	SELECT $1, $2, $3, $4, $5, $6 WHERE (SELECT COUNT(*) FROM date_options WHERE event_id = $1) < `+strconv.Itoa(maxOptions)+`
	ON CONFLICT (event_id, starts_at, COALESCE(ends_at, 0)) DO NOTHING`)

var sameTimesStmt = db.SQL("datevote.same_times", `
	SELECT EXISTS (SELECT 1 FROM date_options WHERE event_id = $1 AND starts_at = $2 AND ends_at IS NOT DISTINCT FROM $3)`)

func insert(ctx context.Context, tx db.Tx, id domain.EventID, option domain.DateOptionID, in Input, now time.Time) error {
	n, err := tx.Exec(ctx, insertStmt, id, option, in.StartsAt, in.EndsAt, in.Note, now)
	if err != nil || n == 1 {
		return err
	}
	var same bool
	if err := tx.One(ctx, sameTimesStmt, id, in.StartsAt, in.EndsAt).Scan(&same); err != nil {
		return err
	}
	if same {
		return domain.Invalid("/starts_at", "must differ from the other options, or have another ends_at")
	}
	return domain.Invalid("", fmt.Sprintf("must not exceed the limit of %d options for an event", maxOptions))
}

var approveStmt = db.SQL("datevote.approve", `
	INSERT INTO date_votes (event_id, option_id, user_id, id, created_at) VALUES ($1, $2, $3, $4, $5)
	ON CONFLICT (event_id, option_id, user_id) DO UPDATE SET created_at = date_votes.created_at
	RETURNING id, event_id, option_id, user_id, created_at`)

// approve queues a vote. The stored vote is in v after the commit.
func approve(ctx context.Context, tx db.Tx, v *Vote, id domain.EventID, option domain.DateOptionID, user domain.UserID, now time.Time) {
	tx.Queue(ctx, approveStmt, id, option, user, domain.NewID[domain.DateVoteKind](now), now).
		Into(&v.ID, &v.EventID, &v.OptionID, &v.UserID, &v.CreatedAt)
}

var withdrawStmt = db.SQL("datevote.withdraw", `DELETE FROM date_votes WHERE event_id = $1 AND option_id = $2 AND user_id = $3`)
