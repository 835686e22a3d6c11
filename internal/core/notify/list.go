package notify

import (
	"context"
	"errors"
	"strconv"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// mayNameSQL is true if a notification about the event e may name its actor as a guest. Of a guest who takes or took part incognito, or
// asks to, only the organizer knows it. session is the parameter of access.SessionUser.
func mayNameSQL(session string) string {
	return `(e.organizer_id = ` + session + ` OR NOT EXISTS (
			SELECT 1 FROM participants i WHERE i.event_id = page.event_id AND i.user_id = page.actor_id AND i.visibility = 'incognito')
		AND (page.kind <> 'event_requested' OR NOT EXISTS (
			SELECT 1 FROM join_requests j WHERE j.event_id = page.event_id AND j.user_id = page.actor_id AND j.visibility = 'incognito')))`
}

// rowColumns are the columns of a notification n.
const rowColumns = `n.id, n.kind, n.subject, n.params, n.event_id, n.actor_id, n.read_at, n.created_at`

// readSQL joins the rows of a page, a SELECT of rowColumns of the recipient $1, with
// their event and actor, and orders them from the newest. The event is NULL if the
// recipient may not see it. The actor is NULL if one of the two blocks the other, or if
// the actor is suspended. In followed_user_going it is NULL if they no longer attend
// publicly, and in kinds about guests unless mayNameSQL. The page is a CTE, so that PostgreSQL
// reads the other tables row by row.
func readSQL(page, session string) string {
	return `WITH page AS (` + page + `)
	SELECT page.id, page.kind, page.subject, page.params, page.event_id, page.actor_id, page.read_at, page.created_at,
		e.title, e.timezone, e.location_text, e.starts_at, e.code, e.visibility,
		(SELECT CAST(COALESCE(SUM(s.n), 0) AS BIGINT) FROM event_slots s WHERE s.event_id = e.id),
		p.visibility, rsvp.status, own.message, e.cancel_message, r.rating, ` + user.Columns("a") + `
	FROM page
	LEFT JOIN events e ON e.id = page.event_id AND ` + access.SeesEvent("e", "$1") + `
	LEFT JOIN participants p ON p.event_id = page.event_id AND p.user_id = page.actor_id AND p.status = 'going'
	LEFT JOIN invitations rsvp ON rsvp.event_id = page.event_id AND rsvp.user_id = page.actor_id
		AND ` + mayNameSQL(session) + `
	LEFT JOIN invitations own ON own.event_id = page.event_id AND own.user_id = $1
	LEFT JOIN reviews r ON r.event_id = page.event_id AND r.author_id = page.actor_id AND r.hidden_at IS NULL
	LEFT JOIN users u ON u.id = page.actor_id AND u.suspended_at IS NULL AND ` + access.NotBlocked("u.id", "$1") + `
		AND (page.kind <> 'followed_user_going' OR p.visibility = 'public')
		AND (page.kind NOT IN ('event_joined', 'event_invitation_response', 'event_requested', 'event_review') OR ` + mayNameSQL(session) + `)
	LEFT JOIN profiles a ON a.user_id = u.id
	ORDER BY page.created_at DESC, page.id DESC`
}

func (n *stored) dest(actor *user.ProfileColumns) []any {
	return append([]any{&n.id, &n.kind, &n.subject, &n.params, &n.eventID, &n.actorID, &n.readAt, &n.createdAt,
		&n.event.title, &n.event.zone, &n.event.location, &n.event.startsAt, &n.code, &n.visibility,
		&n.going, &n.actorVisibility, &n.actorRSVP, &n.invitation, &n.cancellation, &n.stars}, actor.Dest()...)
}

func (n *stored) scan(row db.Row) error {
	var actor user.ProfileColumns
	err := row.Scan(n.dest(&actor)...)
	n.actor = actor.Public()
	return err
}

// The sizes of the pages that are read. The LIMIT is part of the text: PostgreSQL
// would plan the statement again for each call if it were a parameter.
const (
	shortPage = 20
	longPage  = 100
)

// listStmts are the statements of the list, by UnreadOnly and the size of the page.
var listStmts = map[bool]map[int]*db.Stmt{
	false: {shortPage: listStmt("all", shortPage), longPage: listStmt("all", longPage)},
	true:  {shortPage: listStmt("unread", shortPage), longPage: listStmt("unread", longPage)},
}

// listStmt reads one look-ahead row. Unread and read rows have an index each: a page
// of all rows is the newest of both.
func listStmt(name string, size int) *db.Stmt {
	const newest = ` ORDER BY created_at DESC, id DESC LIMIT `
	rows := func(condition string) string {
		return `SELECT ` + rowColumns + ` FROM notifications n WHERE n.user_id = $1 AND ` + condition + ` AND (n.created_at, n.id) < ($2, $3)` +
			newest + strconv.Itoa(size+1)
	}
	page := rows(`n.read_at IS NULL`)
	if name == "all" {
		page = `SELECT * FROM (SELECT * FROM (` + page + `) AS unread UNION ALL SELECT *
			FROM (` + rows(`n.read_at IS NOT NULL`) + `) AS seen) AS rows` +
			newest + strconv.Itoa(size+1)
	}
	return db.SQL("notify.list_"+name+"_"+strconv.Itoa(size), readSQL(page, "$4"))
}

// list reads a page and at least one look-ahead row, if there is one.
func list(ctx context.Context, q db.Querier, v domain.Viewer, query Query, after position) ([]stored, error) {
	size := longPage
	if query.Limit <= shortPage {
		size = shortPage
	}
	scan := func(row db.Row, n *stored) error { return n.scan(row) }
	rows, err := db.All(ctx, q, scan, listStmts[query.UnreadOnly][size], v.UserID, after.at, after.id, access.SessionUser(v))
	if err != nil {
		return nil, err
	}
	return rows, readQuotes(ctx, q, v.UserID, rows)
}

var oneStmt = db.SQL("notify.one", readSQL(`SELECT `+rowColumns+` FROM notifications n WHERE n.user_id = $1 AND n.id = $2`, "$3"))

// one reads one row; domain.NotFound if the user has no such notification.
func one(ctx context.Context, q db.Querier, v domain.Viewer, id domain.NotificationID) (stored, error) {
	rows := make([]stored, 1)
	err := rows[0].scan(q.One(ctx, oneStmt, v.UserID, id, access.SessionUser(v)))
	if errors.Is(err, db.ErrNoRow) {
		return stored{}, domain.NotFound
	}
	if err == nil {
		err = readQuotes(ctx, q, v.UserID, rows)
	}
	return rows[0], err
}

// Reading names a notification, its recipient and the recipient's language.
type Reading struct {
	User     domain.UserID
	ID       domain.NotificationID
	Language Language
	Stranger bool      // the recipient does not know the actor
	At       time.Time // at which the subject is read
}

// Render returns notifications as their recipients would read them now, in the order of
// the list; nil for those that do not exist.
func Render(ctx context.Context, d *db.DB, all []Reading) ([]*Item, error) {
	rows, actors, found := make([]stored, len(all)), make([]user.ProfileColumns, len(all)), make([]*db.Queued, len(all))
	err := d.ReadBatch(ctx, func(b *db.Batch) {
		for i, r := range all {
			found[i] = b.Queue(ctx, oneStmt, r.User, r.ID, r.User).Into(rows[i].dest(&actors[i])...)
		}
	})
	if err != nil {
		return nil, err
	}
	err = d.ReadBatch(ctx, func(b *db.Batch) {
		for i := range rows {
			rows[i].actor = actors[i].Public()
			if id, ok := rows[i].quotedID(); ok && found[i].Rows() > 0 {
				b.Queue(ctx, quotesStmt, all[i].User, []anyID{id}).Into(rows[i].quote.dest(new(anyID))...)
			}
		}
	})
	items := make([]*Item, len(all))
	for i, r := range all {
		if found[i].Rows() > 0 {
			items[i] = new(rows[i].item(r.Language))
			items[i].Subject = rows[i].mailSubject(r.Language, r.Stranger, r.At)
		}
	}
	return items, err
}

// quotesStmt reads posts, comments, messages to guests, groups and their announcements by their ids, and calendar entries by the
// ids of invites to them. It omits deleted, canceled and hidden ones, and messages that the recipient $1 does not read.
var quotesStmt = db.SQL("notify.quotes", `
	SELECT p.id, p.body,
		p.like_count - (SELECT COUNT(*) FROM post_likes l WHERE l.user_id = $1 AND l.post_id = p.id),
		p.repost_count - (SELECT COUNT(*) FROM reposts r WHERE r.user_id = $1 AND r.post_id = p.id),
		CAST(NULL AS TEXT), CAST(NULL AS TEXT), CAST(NULL AS TEXT), CAST(NULL AS BIGINT), FALSE, CAST(NULL AS TEXT), CAST(NULL AS UUID)
	FROM posts p WHERE p.id IN (SELECT value FROM ids($2) AS l) AND p.deleted_at IS NULL
	UNION ALL
	SELECT c.id, c.body, 0, 0, NULL, NULL, NULL, NULL, FALSE, NULL, NULL
	FROM comments c JOIN posts q ON q.id = c.post_id
	WHERE c.id IN (SELECT value FROM ids($2) AS l) AND c.deleted_at IS NULL AND q.deleted_at IS NULL
	UNION ALL
	SELECT m.id, m.body, 0, 0, NULL, NULL, NULL, NULL, FALSE, NULL, NULL
	FROM guest_messages m JOIN events e ON e.id = m.event_id
	WHERE m.id IN (SELECT value FROM ids($2) AS l) AND m.deleted_at IS NULL AND `+access.ReadsSQL("e", "$1", "m.audience")+`
	UNION ALL
	SELECT i.id, '', 0, 0, e.title, e.timezone, e.location_text, e.starts_at, e.all_day, NULL, NULL
	FROM calendar_invites i JOIN calendar_entries e ON e.id = i.entry_id
	WHERE i.id IN (SELECT value FROM ids($2) AS l) AND (i.user_id = $1 OR i.invited_by = $1) AND e.canceled_at IS NULL
	UNION ALL
	SELECT g.id, '', 0, 0, g.name, NULL, NULL, NULL, FALSE, g.slug, g.id
	FROM groups g WHERE g.id IN (SELECT value FROM ids($2) AS l) AND `+access.SeesGroup("g", "$1")+`
	UNION ALL
	SELECT a.id, a.body, 0, 0, g.name, NULL, NULL, NULL, FALSE, g.slug, g.id
	FROM group_announcements a JOIN groups g ON g.id = a.group_id
	WHERE a.id IN (SELECT value FROM ids($2) AS l) AND `+access.SeesGroup("g", "$1")+` AND `+access.InGroup("g.id", "$1"))

// readQuotes adds the quotes of all rows with one statement.
func readQuotes(ctx context.Context, q db.Querier, user domain.UserID, rows []stored) error {
	var ids []anyID
	for i := range rows {
		if id, ok := rows[i].quotedID(); ok {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	quotes := map[anyID]quote{}
	for row, err := range q.Query(ctx, quotesStmt, user, ids) {
		if err != nil {
			return err
		}
		var id anyID
		var text quote
		if err := row.Scan(text.dest(&id)...); err != nil {
			return err
		}
		quotes[id] = text
	}
	for i := range rows {
		if id, ok := rows[i].quotedID(); ok {
			rows[i].quote = quotes[id]
		}
	}
	return nil
}

func (q *quote) dest(id *anyID) []any {
	return []any{id, &q.body, &q.likes, &q.reposts, &q.title, &q.zone, &q.location, &q.startsAt, &q.allDay, &q.slug, &q.group}
}

// quotedID returns the id of the post, the comment, the message to guests, the calendar invite, the group or the announcement that
// the row quotes.
func (n *stored) quotedID() (anyID, bool) {
	if rule := rules[n.kind]; rule.body != bodyQuote && rule.body != bodyEntry && !rule.group {
		return anyID{}, false
	}
	id, err := domain.ParseID[any](n.subject)
	return id, err == nil
}

// unreadSQL selects the unread notifications of the recipient $1. The condition
// on the time is always true: with it SQLite uses the index of unread rows.
const unreadSQL = `user_id = $1 AND read_at IS NULL AND created_at > 0`

// UnreadSQL is the number of unread notifications of a user, without those that the user has to receive before
// (Service.Receive).
func UnreadSQL(user string) string {
	return `(SELECT COUNT(*) FROM notifications x WHERE x.user_id = ` + user + ` AND x.read_at IS NULL AND x.created_at > 0)`
}

// unreadCount counts the unread notifications of a user.
type unreadCount struct {
	rows, joins int
	broadcasts  bool // the user has to receive broadcasts before (dueSQL)
}

// count returns the number of unread notifications, without broadcasts that the user has not received.
func (u unreadCount) count() int { return u.rows + u.joins }

// incomplete reports whether the list lacks rows: see Service.Receive.
func (u unreadCount) incomplete() bool { return u.joins > 0 || u.broadcasts }

var (
	countUnreadStmt = db.SQL("notify.unread", `SELECT `+UnreadSQL("$1")+`, `+joinsCountSQL("$1", "$2")+`, `+dueSQL("$1"))
	markReadStmt    = db.SQL("notify.mark_read", `UPDATE notifications SET read_at = $3 WHERE user_id = $1 AND id = $2 AND read_at IS NULL`)
	markAllReadStmt = db.SQL("notify.mark_all_read", `UPDATE notifications SET read_at = $2 WHERE `+unreadSQL)
)

func countUnread(ctx context.Context, q db.Querier, user domain.UserID, now time.Time) (u unreadCount, err error) {
	err = q.One(ctx, countUnreadStmt, user, now).Scan(&u.rows, &u.joins, &u.broadcasts)
	return u, err
}
