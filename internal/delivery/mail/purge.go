package mail

import (
	"context"
	"strconv"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const (
	// retention is the age at which a delivery that has ended is deleted.
	retention = 30 * 24 * time.Hour
	// purgeBatch is how many rows one transaction of the purge reads.
	purgeBatch = 2000
)

// The purge scans the whole table in the order of its key: an index by age would make each delivery
// more expensive.
var (
	purgeEndStmt = db.SQL("mail.purge_end", `
		SELECT d.user_id, d.notification_id FROM deliveries d WHERE (d.user_id, d.notification_id) > ($1, $2)
		ORDER BY d.user_id, d.notification_id LIMIT 1 OFFSET `+strconv.Itoa(purgeBatch-1))

	purgeStmt = db.SQL("mail.purge", `
		DELETE FROM deliveries WHERE (user_id, notification_id) > ($1, $2) AND (user_id, notification_id) <= ($3, $4) AND ended_at < $5`)
)

var purgeOutreachStmt = db.SQL("mail.purge_outreach", `
	DELETE FROM outreach WHERE (recipient_id, notification_id, about_at) IN (
		SELECT o.recipient_id, o.notification_id, o.about_at FROM outreach o WHERE o.about_at < $1
			ORDER BY o.about_at LIMIT `+strconv.Itoa(purgeBatch)+`)`)

// Purge deletes the deliveries that ended more than 30 days ago, outreach of that age, and tokens of providers that are too old to be
// accepted.
func (w *Worker) Purge(ctx context.Context) error {
	now := w.Clock.Now()
	if _, err := w.DB.Exec(ctx, purgeTokensStmt, now.Add(-3*eventTolerance)); err != nil {
		return err
	}
	before := now.Add(-retention)
	for more := int64(purgeBatch); more == purgeBatch; {
		var err error
		if more, err = w.DB.Exec(ctx, purgeOutreachStmt, before); err != nil {
			return err
		}
	}
	var user domain.UserID
	var notification domain.NotificationID
	for more := true; more; {
		toUser, toNotification := domain.LastID[domain.UserKind](), domain.LastID[domain.NotificationKind]()
		var err error
		if more, err = w.DB.One(ctx, purgeEndStmt, user, notification).Find(&toUser, &toNotification); err != nil {
			return err
		}
		if _, err = w.DB.Exec(ctx, purgeStmt, user, notification, toUser, toNotification, before); err != nil {
			return err
		}
		user, notification = toUser, toNotification
	}
	return nil
}
