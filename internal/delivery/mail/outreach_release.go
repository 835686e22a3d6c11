package mail

import (
	"context"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// The planner turns notifications to people who do not know their sender into outreach instead of
// deliveries. As the budget of the sender allows, outreach is released, the oldest first: this plans its
// deliveries.

// outreachSQL inserts the outreach of a SELECT of notifications. $1 is a time, as in sendersSQL.
func outreachSQL(rows string) string {
	const sender = `COALESCE(a.actor_id, (SELECT s.organizer_id FROM events s WHERE s.id = a.event_id))`
	return `
		INSERT INTO outreach (recipient_id, notification_id, about_at, sender_id, kind, event_id, trace, weight, instant)
		SELECT a.user_id, a.id, a.created_at, ` + sender + `, a.kind, a.event_id, a.trace, 1, FALSE
		FROM (` + rows + `) AS a WHERE CAST($1 AS BIGINT) > 0 AND a.kind IN (` + outreachKinds + `)
			AND (a.kind IN (` + alwaysKinds + `) OR ` + strangerSQL("a.user_id", sender) + `)
		ON CONFLICT (recipient_id, notification_id, about_at) DO NOTHING`
}

const isOutreachSQL = `o.recipient_id = a.user_id AND o.notification_id = a.id AND o.about_at = a.created_at`

// sendersSQL lets the senders of the outreach of a SELECT of notifications send at $1.
func sendersSQL(rows string) string {
	return `
		INSERT INTO outreach_senders (user_id, next_at)
		SELECT DISTINCT o.sender_id, CAST($1 AS BIGINT) FROM (` + rows + `) AS a JOIN outreach o ON ` + isOutreachSQL + `
		WHERE o.released_at IS NULL ORDER BY o.sender_id
		ON CONFLICT (user_id) DO UPDATE SET next_at = excluded.next_at WHERE outreach_senders.next_at IS NULL
			AND outreach_senders.stopped_at IS NULL`
}

// withoutOutreach turns a SELECT of notifications into one without outreach.
func withoutOutreach(rows string) string {
	return `SELECT a.* FROM (` + rows + `) AS a
		WHERE a.kind NOT IN (` + outreachKinds + `) OR NOT EXISTS (SELECT 1 FROM outreach o WHERE ` + isOutreachSQL + `)`
}

// mayBeOutreach reports whether a notification can be outreach. The kind is empty if an older version has written it.
func mayBeOutreach(kind notify.Kind) bool { return kind == "" || policyOf[kind].outreach }

// outreachPlans have the statements that store outreach.
var outreachPlans = []planStmts{
	newPlan("_outreach", outreachSQL, notify.Audiences()), newPlan("_outreach_senders", sendersSQL, notify.Audiences()),
}

// releasedRows selects the outreach of the sender $2 that was released at $3, like a SELECT of notifications.
const releasedRows = `
	SELECT o.recipient_id AS user_id, o.notification_id AS id, o.about_at AS created_at, o.kind AS kind, o.event_id AS event_id,
		CAST(NULL AS UUID) AS actor_id, o.trace AS trace, o.released_at AS since
	FROM outreach o WHERE o.sender_id = $2 AND o.released_at = $3`

// released are the plans of released outreach of each channel.
var released = map[Channel][]*db.Stmt{
	Email: {
		db.SQL("mail.plan_released", planSQL(Email, releasedRows)),
		db.SQL("mail.plan_released_appointments", planSQL(Email, appointmentRows(releasedRows))),
		planInvitationsStmt,
	},
	Push: {db.SQL("mail.plan_released_push", planSQL(Push, releasedRows))},
}

// maxSenders is how many senders one call of release serves.
const maxSenders = 100

var (
	dueSendersStmt = db.SQL("mail.due_senders", `SELECT user_id FROM outreach_senders WHERE next_at <= $1 ORDER BY next_at LIMIT 100`)

	lockSenderStmt = db.SQL("mail.lock_sender", `
		SELECT u.created_at FROM outreach_senders s JOIN users u ON u.id = s.user_id WHERE s.user_id = $1 AND s.next_at <= $2 FOR UPDATE OF s`)

	dropBegunStmt = db.SQL("mail.drop_begun", `
		DELETE FROM outreach WHERE sender_id = $1 AND released_at IS NULL
			AND event_id IN (SELECT e.id FROM events e WHERE e.id = outreach.event_id AND e.starts_at <= $2)`)

	spentStmt = db.SQL("mail.spent", `SELECT released_at, weight FROM outreach WHERE sender_id = $1 AND released_at > $2 ORDER BY released_at`)

	waitingStmt = db.SQL("mail.waiting_outreach", `
		SELECT o.about_at, o.recipient_id, o.notification_id, `+weightSQL("o.recipient_id")+` FROM outreach o
		WHERE o.sender_id = $1 AND o.released_at IS NULL ORDER BY o.about_at, o.recipient_id, o.notification_id LIMIT $2`)

	releaseStmt = db.SQL("mail.release", `
		UPDATE outreach SET released_at = $2, weight = `+weightSQL("outreach.recipient_id")+`
		WHERE sender_id = $1 AND released_at IS NULL AND (about_at, recipient_id, notification_id) <= ($3, $4, $5)`)

	nextReleaseStmt = db.SQL("mail.next_release", `UPDATE outreach_senders SET next_at = $2 WHERE user_id = $1`)
)

// weightSQL is what a message of the sender $1 to a recipient counts.
func weightSQL(user string) string {
	return `CASE WHEN EXISTS (SELECT 1 FROM email_bounces b WHERE b.user_id = ` + user + ` AND b.suppressed_at IS NOT NULL)
		OR EXISTS (SELECT 1 FROM outreach_refusals f WHERE f.recipient_id = ` + user + ` AND f.sender_id = $1) THEN 2 ELSE 1 END`
}

// releaseDue releases outreach of the senders who may send now. more reports whether there may be others.
func (w *Worker) releaseDue(ctx context.Context) (more bool, err error) {
	now := w.Clock.Now()
	senders, err := db.Values[domain.UserID](ctx, w.DB, dueSendersStmt, now)
	for _, sender := range senders {
		if err == nil {
			err = w.DB.InTx(ctx, func(tx db.Tx) error { return w.release(ctx, tx, sender, now) })
		}
	}
	return len(senders) == maxSenders && err == nil, err
}

// waitingMessage is outreach that waits.
type waitingMessage struct {
	about        time.Time
	recipient    domain.UserID
	notification domain.NotificationID
	weight       int
}

// release releases outreach of one sender. The row of the sender serializes concurrent calls.
func (w *Worker) release(ctx context.Context, tx db.Tx, sender domain.UserID, now time.Time) error {
	var created time.Time
	if found, err := tx.One(ctx, lockSenderStmt, sender, now).Find(&created); err != nil || !found {
		return err
	}
	if _, err := tx.Exec(ctx, dropBegunStmt, sender, now); err != nil {
		return err
	}
	spent, err := db.All(ctx, tx, func(r db.Row, s *release) error { return r.Scan(&s.at, &s.weight) }, spentStmt, sender,
		now.Add(-outreachDay))
	if err != nil {
		return err
	}
	budget, next := outreachBudget(spent, created, now)
	waiting, err := db.All(ctx, tx, func(r db.Row, m *waitingMessage) error {
		return r.Scan(&m.about, &m.recipient, &m.notification, &m.weight)
	}, waitingStmt, sender, outreachPerHour+1)
	if err != nil {
		return err
	}
	n := 0
	for ; n < len(waiting) && budget > 0; n++ {
		budget -= waiting[n].weight
		spent = append(spent, release{now, waiting[n].weight})
	}
	if n > 0 {
		last := waiting[n-1]
		tx.Queue(ctx, releaseStmt, sender, now, last.about, last.recipient, last.notification)
		w.planReleased(ctx, tx, sender, now)
		_, next = outreachBudget(spent, created, now)
	}
	nextAt := &next
	if n == len(waiting) {
		nextAt = nil
	}
	tx.Queue(ctx, nextReleaseStmt, sender, nextAt)
	return nil
}

// planReleased queues the deliveries of released outreach.
func (w *Worker) planReleased(ctx context.Context, tx db.Tx, sender domain.UserID, now time.Time) {
	for _, s := range w.Senders {
		for _, stmt := range released[s.Channel()] {
			tx.Queue(ctx, stmt, w.delay(s.Channel()).Microseconds(), sender, now)
		}
	}
	tx.Publish(plannedTopic)
}
