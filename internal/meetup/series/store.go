package series

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

var columns = db.Bindings[Series]{
	db.Bind("id", func(s *Series) any { return &s.ID }),
	db.Bind("owner_id", func(s *Series) any { return &s.Owner }),
	db.Bind("status", func(s *Series) any { return &s.Status }),
	db.Bind("rrule", func(s *Series) any { return &s.Rule }),
	db.Bind("starts_at", func(s *Series) any { return &s.StartsAt }),
	db.Bind("timezone", func(s *Series) any { return &s.Timezone }),
	db.Bind("duration_minutes", func(s *Series) any { return &s.Minutes }),
	db.Bind("publish", func(s *Series) any { return &s.Publish }),
	db.Bind("horizon_days", func(s *Series) any { return &s.Horizon }),
	db.Bind("template", func(s *Series) any { return &s.Template }),
	db.Bind("made_until", func(s *Series) any { return &s.MadeUntil }),
	db.Bind("ends_before", func(s *Series) any { return &s.EndsBefore }),
	db.Bind("announced", func(s *Series) any { return &s.Announced }),
	db.Bind("drafts_notified", func(s *Series) any { return &s.DraftsNotified }),
	db.Bind("questions_of", func(s *Series) any { return &s.QuestionsOf }),
	db.Bind("due_at", func(s *Series) any { return &s.DueAt }),
	db.Bind("created_at", func(s *Series) any { return &s.CreatedAt }),
}

// changing are the columns that an update sets.
var changing = columns.Without("id", "owner_id", "rrule", "starts_at", "timezone", "questions_of", "created_at")

// viewedColumns are the columns of a series s, and whether user $2 is a member.
var viewedColumns = columns.Columns() + `, EXISTS (SELECT 1 FROM series_members m WHERE m.series_id = s.id AND m.user_id = $2)`

func scanViewed(row db.Row, s *Series) error { return row.Scan(append(columns.Vars(s), &s.Joined)...) }

var (
	insertStmt = db.SQL("series.insert", `
		INSERT INTO event_series (updated_at, `+columns.Columns()+`) VALUES ($1, `+columns.Params(2)+`)`)

	updateStmt = db.SQL("series.update", `UPDATE event_series SET updated_at = $2, `+changing.Assignments(3)+` WHERE id = $1`)

	// seenStmt finds a series for its organizer, and for viewers who see one of its events.
	seenStmt = db.SQL("series.seen", `
		SELECT `+viewedColumns+` FROM event_series s WHERE s.id = $1 AND (s.owner_id = $2 OR
			EXISTS (SELECT 1 FROM events e WHERE e.series_id = s.id AND `+access.SeesEvent("e", "$2")+`))`)

	// mineStmt has the series of user $2 that are older than the position $3, $4.
	mineStmt = db.SQL("series.mine", `
		SELECT `+viewedColumns+` FROM event_series s WHERE s.owner_id = $2 AND (s.created_at, s.id) < ($3, $4)
		ORDER BY s.created_at DESC, s.id DESC LIMIT $1`)

	ownerStmt = db.SQL("series.owner", `SELECT owner_id FROM event_series WHERE id = $1`)
	lockStmt  = db.SQL("series.lock", `SELECT `+columns.Columns()+` FROM event_series WHERE id = $1 FOR UPDATE`)
	countStmt = db.SQL("series.count", `SELECT COUNT(*) FROM event_series WHERE owner_id = $1 AND (status = 'paused' OR due_at IS NOT NULL)`)
	dueStmt   = db.SQL("series.due", `SELECT id FROM event_series WHERE due_at <= $1 ORDER BY due_at LIMIT $2`)

	skipsStmt = db.SQL("series.skips", `SELECT occurrence_at FROM series_skips WHERE series_id = $1`)
	skipStmt  = db.SQL("series.skip", `
		INSERT INTO series_skips (series_id, occurrence_at) VALUES ($1, $2) ON CONFLICT (series_id, occurrence_at) DO NOTHING`)

	// publisherStmt says whether an organizer is suspended or verified, and how many dates were made for them since a time.
	publisherStmt = db.SQL("series.publisher", `
		SELECT u.suspended_at IS NOT NULL, u.email_verified OR u.phone IS NOT NULL,
			(SELECT COUNT(*) FROM events e WHERE e.organizer_id = u.id AND e.series_id IS NOT NULL AND e.created_at > $2)
		FROM users u WHERE u.id = $1`)

	// comingDatesStmt and comingSkipsStmt return dates after one of the rule, those that are made and those that are skipped.
	comingDatesStmt = db.SQL("series.coming_dates", `
		SELECT occurrence_at, starts_at, status, id FROM events
		WHERE series_id = $1 AND occurrence_at > $2 AND starts_at > $3 ORDER BY occurrence_at LIMIT $4`)
	comingSkipsStmt = db.SQL("series.coming_skips", `
		SELECT occurrence_at FROM series_skips WHERE series_id = $1 AND occurrence_at > $2 ORDER BY occurrence_at LIMIT $3`)

	// lastStmt returns the last made date before $2, and whether it has questions.
	lastStmt = db.SQL("series.last", `
		SELECT id, has_questions FROM events WHERE series_id = $1 AND occurrence_at < $2 ORDER BY occurrence_at DESC LIMIT 1`)

	dateStmt = db.SQL("series.date", `SELECT id FROM events WHERE series_id = $1 AND occurrence_at = $2`)

	// madeStmt returns made dates that have not begun, from a date of the rule on, after an event, in the order in which seats are locked.
	madeStmt = db.SQL("series.made", `
		SELECT e.id FROM events e WHERE e.series_id = $1 AND e.starts_at > $2 AND e.occurrence_at >= $3 AND e.id > $4
			`+openSQL+` LIMIT $5`)

	// comingStmt returns which of some dates may still change, and whether they were changed by hand.
	comingStmt = db.SQL("series.coming", `SELECT e.id, e.series_detached`+amongSQL)

	// laterStmt returns which of some dates may still change, and whether somebody else goes to them or is invited.
	laterStmt = db.SQL("series.later", `
		SELECT e.id, EXISTS (SELECT 1 FROM participants p WHERE p.event_id = e.id AND p.status = 'going' AND p.user_id <> e.organizer_id)
			OR EXISTS (SELECT 1 FROM invitations i WHERE i.event_id = e.id)`+amongSQL)

	canceledStmt = db.SQL("series.canceled", `
		SELECT COUNT(*) FROM events WHERE series_id = $1 AND occurrence_at >= $2 AND starts_at > $3 AND status = 'canceled'`)

	// putMemberStmt adds no member beyond the limit $5. $3 is empty to keep the visibility of a member.
	putMemberStmt = db.SQL("series.put_member", `
		INSERT INTO series_members (series_id, user_id, visibility, created_at)
		SELECT CAST($1 AS UUID), CAST($2 AS UUID), CASE WHEN $3 = '' THEN 'public' ELSE CAST($3 AS TEXT) END, CAST($4 AS BIGINT)
		WHERE (SELECT COUNT(*) FROM series_members m WHERE m.series_id = $1 AND m.user_id <> $2) < $5
		ON CONFLICT (series_id, user_id) DO UPDATE
			SET visibility = CASE WHEN $3 = '' THEN series_members.visibility ELSE excluded.visibility END`)

	memberStmt       = db.SQL("series.member", `SELECT visibility FROM series_members WHERE series_id = $1 AND user_id = $2`)
	deleteMemberStmt = db.SQL("series.delete_member", `DELETE FROM series_members WHERE series_id = $1 AND user_id = $2`)
	hasMembersStmt   = db.SQL("series.has_members", `SELECT EXISTS (SELECT 1 FROM series_members WHERE series_id = $1)`)
	copyMembersStmt  = db.SQL("series.copy_members", `
		INSERT INTO series_members (series_id, user_id, visibility, created_at)
		SELECT CAST($2 AS UUID), user_id, visibility, created_at FROM series_members WHERE series_id = $1`)

	nextMembersStmt = db.SQL("series.next_members", `
		SELECT user_id FROM series_members WHERE series_id = $1 AND user_id > $2 ORDER BY user_id LIMIT $3`)
	activeMembersStmt = db.SQL("series.active_members", `
		SELECT m.user_id, m.visibility FROM series_members m JOIN users u ON u.id = m.user_id
		WHERE m.series_id = $1 AND m.user_id IN (SELECT value FROM ids($2) AS l) AND u.suspended_at IS NULL ORDER BY m.user_id`)
)

const (
	openSQL  = ` AND e.status IN ('draft', 'published') ORDER BY e.id`
	amongSQL = ` FROM ids($2) AS l CROSS JOIN events e WHERE e.id = l.value AND e.series_id = $1 AND e.starts_at > $3` + openSQL
)

func insert(ctx context.Context, tx db.Tx, s Series) {
	tx.Queue(ctx, insertStmt, append([]any{s.CreatedAt}, columns.Vars(&s)...)...)
}

func update(ctx context.Context, tx db.Tx, s Series, now time.Time) {
	tx.Queue(ctx, updateStmt, append([]any{s.ID, now}, changing.Vars(&s)...)...)
}

// lock locks a series. It returns NotFound if there is none.
func lock(ctx context.Context, tx db.Tx, id domain.SeriesID) (s Series, err error) {
	err = tx.One(ctx, lockStmt, id).ScanOr(domain.NotFound, columns.Vars(&s)...)
	return s, err
}

// lockOwn is lock for the organizer. It returns NotFound to everybody else.
func lockOwn(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.SeriesID) (Series, error) {
	s, err := lock(ctx, tx, id)
	if err == nil && s.Owner != v.UserID {
		err = domain.NotFound
	}
	return s, err
}

// made is a made date.
type made struct {
	id   domain.EventID
	flag bool // comingStmt: it was changed by hand; laterStmt: it has guests
}

func scanMade(row db.Row, m *made) error { return row.Scan(&m.id, &m.flag) }

type member struct {
	user       domain.UserID
	visibility string
}

func scanMember(row db.Row, m *member) error { return row.Scan(&m.user, &m.visibility) }

// timing returns the start and the length of a date.
func (s Series) timing(start time.Time) event.Timing {
	t := event.Timing{Start: start, Zone: s.Timezone}
	if s.Minutes != nil {
		t.Length = new(time.Duration(*s.Minutes) * time.Minute)
	}
	return t
}
