package mail

import (
	"context"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// FailedDelivery is a delivery that has failed permanently: a notification or a digest.
type FailedDelivery struct {
	ID       string // of the message
	User     domain.UserID
	Channel  Channel
	Kind     notify.Kind
	FailedAt time.Time
	Attempts int
	Reason   string

	key key
}

var (
	// failedStmt omits the items of failed digests: they have the ended_at of their digest.
	failedStmt = db.SQL("mail.failed", `
		SELECT `+keyColumns+`, kind, ended_at, attempts, reason FROM deliveries d
		WHERE state = 'failed' AND NOT (kind <> 'digest' AND EXISTS (
			SELECT 1 FROM deliveries g WHERE g.user_id = d.user_id AND g.channel = d.channel AND g.kind = 'digest' AND g.state = 'failed'
				AND g.ended_at = d.ended_at))
		ORDER BY ended_at DESC LIMIT $1`)

	retryStmt = db.SQL("mail.retry", `
		UPDATE deliveries SET state = 'waiting', due_at = $6, expires_at = $7, attempts = 0, ended_at = NULL
			WHERE `+keySQL+` AND state = 'failed'`)

	// retryItemsStmt returns the items of a digest that failed.
	retryItemsStmt = db.SQL("mail.retry_items", `
		UPDATE deliveries SET state = 'digest', ended_at = NULL WHERE user_id = $1 AND channel = $2 AND ended_at = $3 AND state = 'failed'
			AND kind <> 'digest'`)
)

// Failed lists failed deliveries, the latest first.
func Failed(ctx context.Context, q db.Querier, limit int) ([]FailedDelivery, error) {
	return db.All(ctx, q, func(r db.Row, f *FailedDelivery) error {
		err := r.Scan(append(f.key.dest(), &f.Kind, &f.FailedAt, &f.Attempts, &f.Reason)...)
		f.ID, f.User, f.Channel = f.key.id(), f.key.user, f.key.channel
		return err
	}, failedStmt, limit)
}

// maxFailed is how many failed deliveries Retry reads.
const maxFailed = 1_000_000

// Retry makes failed deliveries due now: the one with an id, or all if id is empty. It returns the
// number of deliveries that it made due.
func Retry(ctx context.Context, d *db.DB, now time.Time, id string) (n int, err error) {
	failed, err := Failed(ctx, d, maxFailed)
	if err != nil {
		return 0, err
	}
	for _, f := range failed {
		if id != "" && f.ID != id {
			continue
		}
		n++
		err := d.InTx(ctx, func(tx db.Tx) error {
			tx.Queue(ctx, retryStmt, append(f.key.args(), now, now.Add(lifetime))...)
			if f.Kind == digestKind {
				tx.Queue(ctx, retryItemsStmt, f.User, f.Channel, f.FailedAt)
			}
			return nil
		})
		if err != nil {
			return n, err
		}
	}
	return n, nil
}
