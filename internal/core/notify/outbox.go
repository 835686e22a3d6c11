package notify

import (
	"context"
	"strconv"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/observe"
)

// The outbox lists new notifications for package mail, in the transaction that writes
// them. An announcement is one row, whatever the size of its audience. Rows are written
// only if the process Delivers.

// OutboxTopic is published by transactions that have written to the outbox, or to the outbox of
// package mail.
var OutboxTopic = db.Topic{Name: "notify.outbox"}

// Delivers reports whether this process delivers notifications outside the app: it subscribes to OutboxTopic. What package
// mail reads is written only then.
func Delivers(tx db.Tx) bool { return tx.HasSubscriber(OutboxTopic) }

// Pending is one row of the outbox.
type Pending struct {
	ID        domain.ID[any]
	Kind      Kind           // empty: an older version has written the row
	Audience  string         // empty: a notification to one recipient
	Of        domain.ID[any] // the user or the event of the audience
	Broadcast bool           // the recipients may not have their rows yet
	After     domain.UserID  // of a broadcast: all recipients up to this one are done
}

// MaxPending is how many rows ReadPending returns at most.
const MaxPending = 500

var (
	outboxStmt = db.SQL("notify.outbox", `
		INSERT INTO notification_outbox (id, notification_id, about_at, user_id, audience, audience_id, broadcast, after_user, kind, trace)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`)

	pendingStmt = db.SQL("notify.pending", `
		SELECT id, COALESCE(kind, ''), COALESCE(audience, ''), audience_id, broadcast, after_user
		FROM notification_outbox ORDER BY id LIMIT `+strconv.Itoa(MaxPending)+` FOR UPDATE SKIP LOCKED`)

	isPendingStmt = db.SQL("notify.is_pending", `SELECT EXISTS (SELECT 1 FROM notification_outbox)`)

	plannedStmt = db.SQL("notify.planned", `DELETE FROM notification_outbox WHERE id IN (SELECT l.value FROM ids($1) AS l)`)

	plannedUpToStmt = db.SQL("notify.planned_up_to", `UPDATE notification_outbox SET after_user = $2 WHERE id = $1`)
)

// addToOutbox queues a row of the outbox. to is nil for one recipient. The deliveries of a broadcast do not continue the
// trace: there may be thousands.
func addToOutbox(ctx context.Context, tx db.Tx, now time.Time, n Notification, to *Audience, broadcast bool) {
	if !Delivers(tx) {
		return
	}
	var audience *string
	var of *anyID
	if to != nil {
		audience, of = &to.kind, &to.of
	}
	var trace *string
	if !broadcast {
		trace = observe.TraceParent(ctx)
	}
	tx.Queue(ctx, outboxStmt, domain.NewID[any](now), n.ID(), now, orNull(n.To), audience, of, broadcast, domain.UserID{}, n.Kind, trace)
	tx.Publish(OutboxTopic)
}

// IsPending reports whether the outbox has rows.
func IsPending(ctx context.Context, q db.Querier) (pending bool, err error) {
	err = q.One(ctx, isPendingStmt).Scan(&pending)
	return pending, err
}

// ReadPending locks the oldest rows of the outbox and returns them, except those that
// another transaction has locked.
func ReadPending(ctx context.Context, tx db.Tx) ([]Pending, error) {
	return db.All(ctx, tx, func(r db.Row, p *Pending) error {
		return r.Scan(&p.ID, &p.Kind, &p.Audience, db.OrZero(&p.Of), &p.Broadcast, &p.After)
	}, pendingStmt)
}

// Planned deletes rows of the outbox.
func Planned(ctx context.Context, tx db.Tx, ids []domain.ID[any]) { tx.Queue(ctx, plannedStmt, ids) }

// PlannedUpTo records how far the recipients of a broadcast are planned.
func PlannedUpTo(ctx context.Context, tx db.Tx, id domain.ID[any], user domain.UserID) {
	tx.Queue(ctx, plannedUpToStmt, id, user)
}
