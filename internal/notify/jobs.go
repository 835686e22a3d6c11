package notify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

const expandKind = "notify.expand"

// announcement is the payload of the job that tells an audience.
type announcement struct {
	Notification Notification
	At           time.Time
	Audience     string
	Of           anyID
	After        domain.UserID // everybody up to here has been told
}

var lastUser = domain.UserID{
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
}

// expand tells the next chunk of the audience.
func expand(ctx context.Context, tx db.Tx, a *announcement) (done bool, err error) {
	to, known := audiences[a.Audience]
	if !known {
		return false, fmt.Errorf("notify.expand: unknown audience %q", a.Audience)
	}
	through := lastUser
	err = tx.One(ctx, to.end[tx.Engine()], a.Of, a.After).Scan(&through)
	if done = errors.Is(err, db.ErrNoRow); err != nil && !done {
		return false, err
	}
	args, err := a.Notification.row(a.At)
	if err != nil {
		return false, err
	}
	if _, err := tx.Exec(ctx, to.expand[tx.Engine()], append(args, a.Of, a.After, through)...); err != nil {
		return false, err
	}
	a.After = through
	return done, nil
}

// kept is how long notifications are kept at least (contract §8); they go with
// the day on which that is over.
const kept = 180 * day

const day = 24 * time.Hour

// purgeChunk is how many go at once: others wait for them to write, as for chunks.
const purgeChunk = 1000

// Register adds the room's jobs to the workers.
func Register(w *job.Workers, d *db.DB, clock domain.Clock) {
	job.Steps(w, expandKind, expand)
	w.Every(day, "notify.purge", func(ctx context.Context) error {
		for {
			n, err := d.Exec(ctx, purgeStmt, clock.Now().Add(-kept).Unix()/int64(day.Seconds()))
			if err != nil || n < purgeChunk {
				return err
			}
		}
	})
}
