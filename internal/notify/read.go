package notify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// readSQL gives rows of the recipient $1 with what surrounds them, the newest
// first; which says which. What the recipient may not see comes as NULL: the
// event by the policy, the actor when one of the two blocks the other, when
// they are suspended, and when they go incognito by now to where the
// notification says they are going. The page stands in a WITH so that
// PostgreSQL looks the rest up row by row.
func readSQL(which string) string {
	return `WITH page AS (
		SELECT n.id, n.kind, n.subject, n.params, n.event_id, n.actor_id, n.read_at, n.created_at
		FROM notifications n WHERE n.user_id = $1 AND ` + which + `)
	SELECT page.id, page.kind, page.subject, page.params, page.event_id, page.actor_id, page.read_at, page.created_at,
		e.title, e.timezone, e.location_text, e.starts_at,
		(SELECT CAST(COALESCE(SUM(s.n), 0) AS BIGINT) FROM event_slots s WHERE s.event_id = e.id),
		p.visibility, answer.status, own.message, r.rating, ` + user.Columns("a") + `
	FROM page
	LEFT JOIN events e ON e.id = page.event_id AND ` + access.SeesEvent("e", "$1") + `
	LEFT JOIN participants p ON p.event_id = page.event_id AND p.user_id = page.actor_id AND p.status = 'going'
	LEFT JOIN invitations answer ON answer.event_id = page.event_id AND answer.user_id = page.actor_id
	LEFT JOIN invitations own ON own.event_id = page.event_id AND own.user_id = $1
	LEFT JOIN reviews r ON r.event_id = page.event_id AND r.author_id = page.actor_id AND r.hidden_at IS NULL
	LEFT JOIN users u ON u.id = page.actor_id AND u.suspended_at IS NULL AND ` + access.NotBlocked("u.id", "$1") + `
		AND (page.kind <> 'followed_user_going' OR p.visibility = 'public')
	LEFT JOIN profiles a ON a.user_id = u.id
	ORDER BY page.created_at DESC, page.id DESC`
}

func (n *stored) scan(row db.Row) error {
	var actor user.Columned
	err := row.Scan(append([]any{&n.id, &n.kind, &n.subject, &n.params, &n.eventID, &n.actorID, &n.readAt, &n.createdAt,
		&n.event.title, &n.event.zone, &n.event.where, &n.event.startsAt,
		&n.going, &n.actorVisibility, &n.actorAnswer, &n.invitationToRead, &n.stars}, actor.Dest()...)...)
	n.actor = actor.Public()
	return err
}

// listings are the statements of the list: of all or of the unread ones, for
// short and for long pages. The LIMIT stands in the text, because PostgreSQL
// plans one that is a parameter anew at every call.
var listings = map[bool]map[int]*db.Stmt{
	false: {shortPage: listing("all", "", shortPage), longPage: listing("all", "", longPage)},
	true: {
		shortPage: listing("unread", "n.read_at IS NULL AND ", shortPage),
		longPage:  listing("unread", "n.read_at IS NULL AND ", longPage),
	},
}

const (
	shortPage = 20
	longPage  = 100
)

// listing reads one row more than a page holds.
func listing(name, which string, rows int) *db.Stmt {
	return db.SQL("notify.list_"+name+"_"+fmt.Sprint(rows), readSQL(which+`(n.created_at, n.id) < ($2, $3)
		ORDER BY n.created_at DESC, n.id DESC LIMIT `+fmt.Sprint(rows+1)))
}

// list gives the rows of a page, and more when there are more.
func list(ctx context.Context, q db.Querier, user domain.UserID, query Query, from mark) ([]stored, error) {
	rows := longPage
	if query.Limit <= shortPage {
		rows = shortPage
	}
	scan := func(row db.Row, n *stored) error { return n.scan(row) }
	found, err := db.All(ctx, q, scan, listings[query.UnreadOnly][rows], user, from.at, from.id)
	if err != nil {
		return nil, fmt.Errorf("notify.list %s: %w", user, err)
	}
	return found, readQuotes(ctx, q, user, found)
}

var oneStmt = db.SQL("notify.one", readSQL(`n.id = $2`))

// one reads one row; domain.NotFound when the user has no such notification.
func one(ctx context.Context, q db.Querier, user domain.UserID, id domain.NotificationID) (n stored, err error) {
	err = n.scan(q.One(ctx, oneStmt, user, id))
	if errors.Is(err, db.ErrNoRow) {
		return n, domain.NotFound
	}
	if err != nil {
		return n, fmt.Errorf("notify.one %s: %w", id, err)
	}
	rows := []stored{n}
	err = readQuotes(ctx, q, user, rows)
	return rows[0], err
}

// quotesStmt reads posts, comments and calendar entries (by the invites to
// them) by their ids; what was deleted or canceled is not quoted.
var quotesStmt = db.SQL("notify.quotes", `
	SELECT p.id, p.body,
		p.like_count - (SELECT COUNT(*) FROM post_likes l WHERE l.user_id = $1 AND l.post_id = p.id),
		p.repost_count - (SELECT COUNT(*) FROM reposts r WHERE r.user_id = $1 AND r.post_id = p.id),
		CAST(NULL AS TEXT), CAST(NULL AS TEXT), CAST(NULL AS TEXT), CAST(NULL AS BIGINT), FALSE
	FROM posts p WHERE p.id IN (SELECT value FROM ids($2) AS l)
	UNION ALL
	SELECT c.id, c.body, 0, 0, NULL, NULL, NULL, NULL, FALSE
	FROM comments c WHERE c.id IN (SELECT value FROM ids($2) AS l) AND c.deleted_at IS NULL
	UNION ALL
	SELECT i.id, '', 0, 0, e.title, e.timezone, e.location_text, e.starts_at, e.all_day
	FROM calendar_invites i JOIN calendar_entries e ON e.id = i.entry_id
	WHERE i.id IN (SELECT value FROM ids($2) AS l) AND (i.user_id = $1 OR i.invited_by = $1) AND e.canceled_at IS NULL`)

// readQuotes adds what the rows quote, of all in one statement.
func readQuotes(ctx context.Context, q db.Querier, user domain.UserID, rows []stored) error {
	var ids []anyID
	for i := range rows {
		if id, ok := rows[i].quoted(); ok {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	quotes := map[anyID]quote{}
	for row, err := range q.Query(ctx, quotesStmt, user, ids) {
		if err != nil {
			return fmt.Errorf("notify.quotes: %w", err)
		}
		var id anyID
		var found quote
		if err := row.Scan(&id, &found.body, &found.likes, &found.reposts,
			&found.title, &found.zone, &found.where, &found.startsAt, &found.allDay); err != nil {
			return fmt.Errorf("notify.quotes: %w", err)
		}
		quotes[id] = found
	}
	for i := range rows {
		if id, ok := rows[i].quoted(); ok {
			rows[i].quote = quotes[id]
		}
	}
	return nil
}

// quoted is what the row quotes: a post, a comment, an invite to an entry.
func (n *stored) quoted() (anyID, bool) {
	if shows := rules[n.kind].body; shows != bodyQuote && shows != bodyEntry {
		return anyID{}, false
	}
	id, err := domain.ParseID[any](n.subject)
	return id, err == nil
}

// unreadOf are the unread ones of the recipient $1. The time is always true: for
// it SQLite walks the index of the unread ones and not all that the user has.
const unreadOf = `user_id = $1 AND read_at IS NULL AND created_at > 0`

var unreadStmt = db.SQL("notify.unread", `SELECT COUNT(*) FROM notifications WHERE `+unreadOf)

// unread counts in the index of the unread ones alone.
func unread(ctx context.Context, q db.Querier, user domain.UserID) (count int, err error) {
	if err := q.One(ctx, unreadStmt, user).Scan(&count); err != nil {
		return 0, fmt.Errorf("notify.unread %s: %w", user, err)
	}
	return count, nil
}

var (
	markReadStmt = db.SQL("notify.mark_read", `UPDATE notifications SET read_at = $3 WHERE user_id = $1 AND id = $2 AND read_at IS NULL`)
	markAllStmt  = db.SQL("notify.mark_all_read", `UPDATE notifications SET read_at = $2 WHERE `+unreadOf)
)

func markRead(ctx context.Context, tx db.Tx, user domain.UserID, id domain.NotificationID, now time.Time) error {
	if _, err := tx.Exec(ctx, markReadStmt, user, id, now); err != nil {
		return fmt.Errorf("notify.mark_read %s: %w", id, err)
	}
	return nil
}

func markAllRead(ctx context.Context, q db.Querier, user domain.UserID, now time.Time) (int, error) {
	n, err := q.Exec(ctx, markAllStmt, user, now)
	if err != nil {
		return 0, fmt.Errorf("notify.mark_all_read %s: %w", user, err)
	}
	return int(n), nil
}
