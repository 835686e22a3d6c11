// Package notify writes notifications in the transaction of the change that causes
// them. It renders them when they are read: in the language of the reader, with the
// actor and the event that the reader may see at that time (contract §8).
//
// The files are the path of a notification, in this order:
//
//	notify.go     writes it in the transaction of its cause: Put for one recipient, Announce for an audience
//	audience.go   selects and counts the members of an audience
//	broadcast.go  stores one row for a large audience; each recipient receives it at the next look at the list
//	outbox.go     hands it to package mail, in the same transaction
//	topic.go      says to the sockets whose list has changed
//	service.go    reads the list of a recipient, by the statements of list.go
//	item.go       renders a row by its kind (kinds.go, language.go); subject.go renders the subject of its mail
//
// Users are not notified of their own actions, of actions of users in a block with
// them, or while their account is suspended. There is one row per recipient, kind,
// subject and actor; likes and reposts of one post share a row for all actors. A
// repeat renews the row: it becomes unread, moves to the top of the list and gets the
// newest parameters. Users can undo and repeat likes, joins and follows at will: their
// repeats renew a row that was read only if it is at least 24 hours old.
//
// Rows do not contain names and titles. At the time of reading, a user who is
// blocked, suspended, deleted or incognito is shown as "Somebody", and a hidden event
// as "an event".
package notify

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Notification is a message to one recipient or to an audience.
type Notification struct {
	To      domain.UserID // for Put; Announce has an Audience instead
	Kind    Kind
	Subject string            // the id of the subject, see the kinds; empty: the id of Event
	Actor   domain.UserID     // the user who caused it; zero when no user did
	Event   domain.EventID    // zero when it is not about an event
	Params  map[string]string // values for the title; no names, which are read with the notification
}

// Put notifies one recipient. It queues the write (db.Tx).
func Put(ctx context.Context, tx db.Tx, now time.Time, n Notification) error {
	n = n.withSubject()
	err := put(ctx, tx, now, n)
	addToOutbox(ctx, tx, now, n, nil, false)
	return err
}

// PutHosts notifies the organizer of an event, who is the recipient of n. With hosts, it notifies the other hosts, too.
func PutHosts(ctx context.Context, tx db.Tx, now time.Time, n Notification, hosts bool) error {
	if err := Put(ctx, tx, now, n); err != nil || !hosts {
		return err
	}
	n.To = domain.UserID{}
	return Announce(ctx, tx, now, n, HostsOf(n.Event))
}

// put writes the row of one recipient.
func put(ctx context.Context, tx db.Tx, now time.Time, n Notification) error {
	args, err := n.args(now)
	if err == nil {
		tx.Queue(ctx, putStmt, append(args, n.To)...)
		tx.Publish(Topic(n.To))
	}
	return err
}

// MaxRows is the size up to which an audience gets its rows in the announcing
// transaction. A larger audience gets one broadcast. A row costs a thirtieth of what
// receiving a broadcast costs a recipient, but other writes on SQLite wait for the rows
// (docs/adr/0013).
const MaxRows = 500

// Announce notifies an audience. It queues rows for up to MaxRows members, and a
// broadcast for more. Without members, or above the audience's limit, it does nothing.
// The limit is at most MaxRows.
func Announce(ctx context.Context, tx db.Tx, now time.Time, n Notification, to Audience) error {
	n = n.withSubject()
	args, err := n.args(now)
	if err != nil {
		return err
	}
	size, err := to.count(ctx, tx)
	if err != nil || size == 0 || to.limit > 0 && size > to.limit {
		return err
	}
	if size <= MaxRows {
		tx.Queue(ctx, announceStmts[to.kind], append(args, to.of)...)
	} else {
		tx.Queue(ctx, countStmt)
		tx.Queue(ctx, broadcastStmt, n.ID(), to.kind, to.of, n.Kind, n.Subject, orNull(n.Actor), orNull(n.Event), args[5], now)
	}
	addToOutbox(ctx, tx, now, n, &to, size > MaxRows)
	tx.Publish(to.topic())
	return nil
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
	renewUpTo := now.Add(-time.Microsecond) // all earlier ones
	if rule.toggled {
		renewUpTo = now.Add(-renotifyAfter)
	}
	return []any{n.ID(), n.Kind, n.Subject, orNull(n.Actor), orNull(n.Event), string(params), now, renewUpTo}, nil
}

func orNull[K any](id domain.ID[K]) *domain.ID[K] {
	if id.IsZero() {
		return nil
	}
	return &id
}

// ID is equal for repeats of the same notification (contract §8: one row per
// recipient, kind, subject and actor). It is a UUIDv8 made of SHA-256 (RFC 9562
// B.2).
func (n Notification) ID() domain.NotificationID {
	n = n.withSubject()
	actor := n.Actor.String()
	if rules[n.Kind].shared {
		actor = ""
	}
	sum := sha256.Sum256([]byte(string(n.Kind) + "\n" + n.Subject + "\n" + actor))
	id := domain.NotificationID(sum[:16])
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return id
}

// Retract deletes a notification, unless it was read: from the list of its recipient,
// or from all lists if it has none. All lists are only possible for the kinds of
// retractableSQL, and for audiences of at most MaxRows.
func Retract(ctx context.Context, tx db.Tx, n Notification) {
	if n.To.IsZero() {
		tx.Queue(ctx, retractFromAllStmt, n.ID())
	} else {
		tx.Queue(ctx, retractStmt, n.To, n.ID())
	}
}

// RetractAnnounced deletes a notification to an audience, unless it was read: from the lists of the
// current members if there are at most MaxRows, and for those who have not received the broadcast.
func RetractAnnounced(ctx context.Context, tx db.Tx, n Notification, to Audience) error {
	id := n.ID()
	tx.Queue(ctx, retractBroadcastStmt, id)
	size, err := to.count(ctx, tx)
	if err == nil && size > 0 && size <= MaxRows {
		tx.Queue(ctx, retractAnnouncedStmts[to.kind], id, to.of)
	}
	tx.Publish(to.topic())
	return err
}

// RetractAll deletes several notifications from all lists, as Retract does.
func RetractAll(ctx context.Context, tx db.Tx, all []Notification) {
	ids := make([]domain.NotificationID, len(all))
	for i, n := range all {
		ids[i] = n.ID()
	}
	tx.Queue(ctx, retractAllStmt, ids)
}

// OnBlock deletes the unread notifications that two users have caused each other. It
// is called when one of them blocks the other. Rows that several actors share stay:
// they do not name a blocked user when they are read.
func OnBlock(ctx context.Context, tx db.Tx, blocker, blocked domain.UserID) {
	tx.Queue(ctx, deleteFromActorStmt, blocker, blocked)
	tx.Queue(ctx, deleteFromActorStmt, blocked, blocker)
}

var (
	putStmt = db.SQL("notify.put", insertSQL(`SELECT CAST($9 AS UUID) AS user_id`))

	announceStmts = perAudience(func(kind string) *db.Stmt { return db.SQL("notify.announce."+kind, insertSQL(MembersSQL(kind, "$9"))) })

	retractStmt = db.SQL("notify.retract", `DELETE FROM notifications WHERE user_id = $1 AND id = $2 AND read_at IS NULL`)

	retractFromAllStmt = db.SQL("notify.retract_from_all", `DELETE FROM notifications WHERE id = $1 AND `+retractableSQL)

	retractBroadcastStmt = db.SQL("notify.retract_broadcast", `DELETE FROM broadcasts WHERE id = $1`)

	retractAnnouncedStmts = perAudience(func(kind string) *db.Stmt {
		return db.SQL("notify.retract_announced."+kind, `
			DELETE FROM notifications WHERE id = $1 AND read_at IS NULL AND user_id IN (SELECT m.user_id FROM (`+MembersSQL(kind, "$2")+`) AS m)`)
	})

	retractAllStmt = db.SQL("notify.retract_all", `
		DELETE FROM notifications WHERE id IN (SELECT l.value FROM ids($1) AS l) AND `+retractableSQL)

	deleteFromActorStmt = db.SQL("notify.delete_from_actor", `
		DELETE FROM notifications WHERE `+unreadSQL+` AND actor_id = $2 AND kind NOT IN ('post_liked', 'post_reposted')`)
)

// retractableSQL is the condition of the index for retractFromAllStmt.
const retractableSQL = `read_at IS NULL AND kind IN ('followed_user_going', 'post_commented', 'comment_replied')`

// insertSQL is the only statement that writes notifications. It skips the actor,
// suspended accounts and recipients in a block with a sender, and it renews repeats. $1
// to $8 are Notification.args. recipients is a SELECT of user_id with parameters from
// $9 on.
func insertSQL(recipients string) string {
	return `
		INSERT INTO notifications (user_id, id, kind, subject, actor_id, event_id, params, created_at)
		SELECT u.id, CAST($1 AS UUID), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS UUID), CAST($5 AS UUID),
			CAST($6 AS TEXT), CAST($7 AS BIGINT)
		FROM (` + recipients + `) AS r JOIN users AS u ON u.id = r.user_id
		WHERE u.suspended_at IS NULL AND u.id IS DISTINCT FROM CAST($4 AS UUID) AND NOT (` + blockedSQL + `)
		ON CONFLICT (user_id, id) DO UPDATE SET
			actor_id = excluded.actor_id, params = excluded.params, created_at = excluded.created_at, read_at = NULL
		WHERE notifications.created_at <= $8 OR notifications.read_at IS NULL AND notifications.created_at <= $7`
}

// sendersSQL lists the users whose block with a recipient suppresses the
// notification: the actor, and the organizer, because such a block hides the event.
const sendersSQL = `(CAST($4 AS UUID), (SELECT e.organizer_id FROM events AS e WHERE e.id = CAST($5 AS UUID)))`

// blockedSQL is true if the recipient u blocks a sender or a sender blocks u. COUNT,
// because PostgreSQL may turn EXISTS into a join when its statistics are out of date;
// two index probes per recipient are enough.
const blockedSQL = `(SELECT COUNT(*) FROM blocks AS b WHERE b.blocker_id = u.id AND b.blocked_id IN ` + sendersSQL + `
	OR b.blocked_id = u.id AND b.blocker_id IN ` + sendersSQL + `) > 0`
