package notify

import (
	"context"
	"strconv"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

const (
	day = 24 * time.Hour

	// retention is the age from which the daily purge deletes a notification (contract §8).
	retention = 180 * day

	// purgeBatch is how many rows one transaction of the purge reads, so that other
	// writers are not blocked for long.
	purgeBatch = 2000
)

// The purge walks through the whole table by its key: an index by age would make each
// notification more expensive.
var (
	purgeEndStmt = db.SQL("notify.purge_end", `
		SELECT n.user_id, n.id FROM notifications n WHERE (n.user_id, n.id) > ($1, $2)
		ORDER BY n.user_id, n.id LIMIT 1 OFFSET `+strconv.Itoa(purgeBatch-1))

	purgeStmt = db.SQL("notify.purge", `
		DELETE FROM notifications WHERE (user_id, id) > ($1, $2) AND (user_id, id) <= ($3, $4) AND created_at < $5`)

	purgeBroadcastsStmt = db.SQL("notify.purge_broadcasts", `DELETE FROM broadcasts WHERE created_at < $1`)
)

// key is the primary key of notifications.
type key struct {
	user domain.UserID
	id   domain.NotificationID
}

// Register adds the daily purge to the workers.
func Register(w *job.Workers, d *db.DB, clock domain.Clock) {
	w.Purge(day, "notify.purge", func(ctx context.Context) error { return purge(ctx, d, clock.Now().Add(-retention)) })
}

// purge deletes the notifications from before a time.
func purge(ctx context.Context, d *db.DB, before time.Time) error {
	if _, err := d.Exec(ctx, purgeBroadcastsStmt, before); err != nil {
		return err
	}
	var from key
	for more := true; more; {
		to := key{domain.LastID[domain.UserKind](), domain.LastID[domain.NotificationKind]()}
		var err error
		if more, err = d.One(ctx, purgeEndStmt, from.user, from.id).Find(&to.user, &to.id); err != nil {
			return err
		}
		if _, err = d.Exec(ctx, purgeStmt, from.user, from.id, to.user, to.id, before); err != nil {
			return err
		}
		from = to
	}
	return nil
}
