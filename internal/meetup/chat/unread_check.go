package chat

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// UnreadAfter is how long a message waits for the members of the chat to read it, before
// package mail notifies them.
const UnreadAfter = 2 * time.Minute

// Check is a chat with messages that members may not have read in time.
type Check struct {
	EventID domain.EventID
	Since   time.Time // created_at of the earliest message to check
	Until   time.Time // created_at of the latest one
}

// tieSpan is how far messages of the same time are apart in a chat, at most: each is 1 µs
// after the one before.
const tieSpan = time.Millisecond

var (
	// requestCheckStmt keeps the earlier due time. Its write makes checkedStmts wait for it.
	requestCheckStmt = db.SQL("chat.request_check", `
		INSERT INTO unread_checks (event_id, since, latest, due_at) VALUES ($1, $2, $2, $3)
		ON CONFLICT (event_id) DO UPDATE SET latest = excluded.latest`)

	isCheckDueStmt = db.SQL("chat.is_check_due", `SELECT EXISTS (SELECT 1 FROM unread_checks WHERE due_at <= $1)`)
	dueChecksStmt  = db.SQL("chat.due_checks", `SELECT event_id, since FROM unread_checks WHERE due_at <= $1 ORDER BY due_at LIMIT 20`)

	// The conditions are on the row alone, so that a message that is sent at the same moment is
	// not lost: one of the two transactions waits for the other.
	postponeCheckStmt = db.SQL("chat.postpone_check", `UPDATE unread_checks SET since = $2, due_at = latest + $3 WHERE event_id = $1
		AND latest > $2`)
	endCheckStmt = db.SQL("chat.end_check", `DELETE FROM unread_checks WHERE event_id = $1 AND latest <= $2`)
)

// requestCheck queues a check of a message that is sent now, if this process delivers notifications.
func requestCheck(ctx context.Context, tx db.Tx, id domain.EventID, now time.Time) {
	if notify.Delivers(tx) {
		tx.Queue(ctx, requestCheckStmt, id, now, now.Add(UnreadAfter))
	}
}

// DueChecks returns some of the checks that are due.
func DueChecks(ctx context.Context, q db.Querier, now time.Time) ([]Check, error) {
	var due bool
	if err := q.One(ctx, isCheckDueStmt, now).Scan(&due); err != nil || !due {
		return nil, err
	}
	return db.All(ctx, q, func(row db.Row, c *Check) error {
		c.Until = now.Add(tieSpan - UnreadAfter)
		return row.Scan(&c.EventID, &c.Since)
	}, dueChecksStmt, now)
}

// Checked ends a check, or postpones it if the chat has later messages.
func Checked(ctx context.Context, tx db.Tx, c Check) {
	tx.Queue(ctx, postponeCheckStmt, c.EventID, c.Until, UnreadAfter.Microseconds())
	tx.Queue(ctx, endCheckStmt, c.EventID, c.Until)
}

// NonreadersSQL selects user_id and read_at of the members of a chat who have not read a
// message of another member. event, since and until are parameters of a Check.
func NonreadersSQL(event, since, until string) string {
	return `
		SELECT m.user_id AS user_id, COALESCE(r.read_at, 0) AS read_at
		FROM (SELECT o.organizer_id AS user_id FROM events o WHERE o.id = ` + event + `
			UNION SELECT h.user_id FROM event_hosts h WHERE h.event_id = ` + event + ` AND h.status = 'active'
			UNION SELECT p.user_id FROM participants p WHERE p.event_id = ` + event + ` AND p.status = 'going'
			UNION SELECT i.user_id FROM invitations i WHERE i.event_id = ` + event + ` AND i.status IN ('accepted', 'tentative')) AS m
		LEFT JOIN chat_reads r ON r.user_id = m.user_id AND r.event_id = ` + event + `
		WHERE EXISTS (
			SELECT 1 FROM messages w WHERE w.event_id = ` + event + ` AND w.created_at >= ` + since + ` AND w.created_at <= ` + until + `
				AND w.created_at > COALESCE(r.read_at, 0) AND w.author_id <> m.user_id AND w.deleted_at IS NULL
				AND ` + access.NotBlocked("w.author_id", "m.user_id") + `)`
}

var previewStmt = db.SQL("chat.preview", chatSQL(`
	SELECT c.event_id AS event_id, c.last_at AS last_at, COALESCE(r.read_at, 0) AS read_at
	FROM chats c LEFT JOIN chat_reads r ON r.user_id = $1 AND r.event_id = c.event_id WHERE c.event_id = $2`))

// Preview returns a chat as one of its members sees it, without the card of its event. It
// does not check whether the user is a member.
func Preview(ctx context.Context, q db.Querier, user domain.UserID, id domain.EventID) (c Chat, err error) {
	row := q.One(ctx, previewStmt, user, id)
	err = c.scan(row)
	return c, err
}
