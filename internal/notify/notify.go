// Package notify writes notifications in the transaction of the change that
// causes them. It renders them on reading: in the reader's language, with what
// the reader may see at that time (contract §8).
//
// Users are not notified of their own actions. Nothing is sent between two
// users when one blocks the other, nor to suspended accounts. There is one row
// per recipient, kind, subject and actor; likes and reposts of one post share a
// row for all actors. A repeat renews the row: it is unread, on top of the list
// and has the newest parameters. Kinds that can be undone and done again at will
// (like, join, follow) are not renewed within 24 hours once they were read.
//
// Names and titles are not stored in a row. A user who is blocked, suspended,
// deleted or incognito at the time of reading is shown as "Somebody", a hidden
// event as "an event".
package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// Notification is what one recipient or an audience is notified of.
type Notification struct {
	To      domain.UserID // for Put; Announce has an Audience instead
	Kind    Kind
	Subject string            // id of the thing that Kind names; empty means the event's
	Actor   domain.UserID     // who caused it; zero when no user did
	Event   domain.EventID    // zero when it is not about an event
	Params  map[string]string // for the title; not for names or titles, which may change until it is read
}

// Put notifies one recipient. It queues the write (db.Tx).
func Put(ctx context.Context, tx db.Tx, now time.Time, n Notification) error {
	n = n.withSubject()
	args, err := n.args(now)
	if err != nil {
		return err
	}
	tx.Queue(ctx, putStmt, append(args, n.To)...)
	return nil
}

// Retract deletes a notification from the lists of all recipients who have not
// read it, and cancels an announcement that is not finished.
func Retract(ctx context.Context, tx db.Tx, kind Kind, actor domain.UserID, subject string) {
	id := Notification{Kind: kind, Actor: actor, Subject: subject}.id()
	// The job goes first: once it is gone, it adds no rows after the deletion.
	job.Cancel(ctx, tx, announceKind, id.String())
	tx.Queue(ctx, retractStmt, id)
}

// OnBlock deletes the unread notifications that two users have caused each
// other, when one of them blocks the other. Rows that actors share stay: on
// reading, the blocked user is not shown.
func OnBlock(ctx context.Context, tx db.Tx, blocker, blocked domain.UserID) {
	tx.Queue(ctx, deleteFromActorStmt, blocker, blocked)
	tx.Queue(ctx, deleteFromActorStmt, blocked, blocker)
}

func (n Notification) withSubject() Notification {
	if n.Subject == "" && !n.Event.IsZero() {
		n.Subject = n.Event.String()
	}
	return n
}

// renotifyAfter is the time after which a repeat renews a toggled notification
// that was read.
const renotifyAfter = 24 * time.Hour

// args returns the parameters $1 to $8 of insertSQL.
func (n Notification) args(now time.Time) ([]any, error) {
	rule, known := rules[n.Kind]
	if !known {
		return nil, fmt.Errorf("notify: unknown kind %q", n.Kind)
	}
	if n.Params == nil {
		n.Params = map[string]string{}
	}
	params, err := json.Marshal(n.Params)
	if err != nil {
		return nil, fmt.Errorf("notify: params of %s: %w", n.Kind, err)
	}
	renewUpTo := now
	if rule.toggled {
		renewUpTo = now.Add(-renotifyAfter)
	}
	return []any{n.id(), n.Kind, n.Subject, orNull(n.Actor), orNull(n.Event), string(params), now, renewUpTo}, nil
}

func orNull[K any](id domain.ID[K]) *domain.ID[K] {
	if id.IsZero() {
		return nil
	}
	return &id
}

var (
	putStmt = db.SQL("notify.put", insertSQL(blockedSQL, `SELECT CAST($9 AS UUID) AS user_id`))

	retractStmt = db.SQL("notify.retract", `DELETE FROM notifications WHERE id = $1 AND read_at IS NULL`)

	deleteFromActorStmt = db.SQL("notify.delete_from_actor", `
		DELETE FROM notifications WHERE `+unreadSQL+` AND actor_id = $2 AND kind NOT IN ('post_liked', 'post_reposted')`)
)

// insertSQL is the only statement that writes notifications. It skips the
// actor, suspended accounts and recipients for whom the condition blocked holds,
// and it renews repeats. recipients is a SELECT of user_id with parameters from
// $9 on; $1 to $8 are Notification.args.
func insertSQL(blocked, recipients string) string {
	return `
		INSERT INTO notifications (user_id, id, kind, subject, actor_id, event_id, params, created_at)
		SELECT u.id, CAST($1 AS UUID), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS UUID), CAST($5 AS UUID),
			CAST($6 AS TEXT), CAST($7 AS BIGINT)
		FROM (` + recipients + `) AS r JOIN users AS u ON u.id = r.user_id
		WHERE u.suspended_at IS NULL AND u.id IS DISTINCT FROM CAST($4 AS UUID) AND NOT (` + blocked + `)
		ON CONFLICT (user_id, id) DO UPDATE SET
			actor_id = excluded.actor_id, params = excluded.params, created_at = excluded.created_at, read_at = NULL
		WHERE notifications.read_at IS NULL OR notifications.created_at <= $8`
}

// sendersSQL are the users whose block with a recipient suppresses the
// notification: the actor, and the organizer of the event, which such a block
// hides.
const sendersSQL = `(CAST($4 AS UUID), (SELECT e.organizer_id FROM events AS e WHERE e.id = CAST($5 AS UUID)))`

// blockedSQL is true if the recipient u and a sender block each other in one
// direction. COUNT, because PostgreSQL may turn EXISTS into a join; two index
// probes per recipient are enough, whatever its statistics say.
const blockedSQL = `(SELECT COUNT(*) FROM blocks AS b WHERE b.blocker_id = u.id AND b.blocked_id IN ` + sendersSQL + `
	OR b.blocked_id = u.id AND b.blocker_id IN ` + sendersSQL + `) > 0`

// blockedInBatchSQL is blockedSQL for the recipients after $10 up to $11. SQLite
// reads all blocks of the senders in that range once: probing took as long as
// writing the rows. PostgreSQL would read all users for each batch.
var blockedInBatchSQL = map[db.Engine]string{
	db.SQLite: `u.id IN (
		SELECT b.blocked_id FROM blocks AS b WHERE b.blocker_id IN ` + sendersSQL + ` AND b.blocked_id > $10 AND b.blocked_id <= $11
		UNION ALL
		SELECT b.blocker_id FROM blocks AS b WHERE b.blocked_id IN ` + sendersSQL + ` AND b.blocker_id > $10 AND b.blocker_id <= $11)`,
	db.PostgreSQL: blockedSQL,
}
