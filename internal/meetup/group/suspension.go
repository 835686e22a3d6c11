package group

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// Suspend hides a group from all but its owner and hosts. Its events leave discovery. It does nothing if the group is suspended, or if
// there is no such group.
func Suspend(ctx context.Context, tx db.Tx, id domain.GroupID, now time.Time) error {
	tx.Queue(ctx, suspendStmt, id, now)
	return event.UnlistGroup(ctx, tx, id)
}

// Restore ends a suspension. The events of the group return to discovery. It does nothing if there is no suspension.
func Restore(ctx context.Context, tx db.Tx, id domain.GroupID, now time.Time) error {
	if err := event.ShareOrganizers(ctx, tx, id); err != nil { // before the group: docs/concurrency.md
		return err
	}
	tx.Queue(ctx, restoreStmt, id)
	return event.RelistGroup(ctx, tx, id, now)
}

var (
	idStmt     = db.SQL("group.id", `SELECT id FROM groups WHERE id = $1`)
	slugIDStmt = db.SQL("group.id_of_slug", `SELECT group_id FROM group_slugs WHERE slug = $1 AND (until IS NULL OR until > $2)`)
)

// Find returns the id of the group with an id, or if it is empty, with a slug, for commands. Returns NotFound if there is none.
func Find(ctx context.Context, q db.Querier, id domain.GroupID, slug string, now time.Time) (found domain.GroupID, err error) {
	if slug != "" {
		return found, q.One(ctx, slugIDStmt, slug, now).ScanOr(domain.NotFound, &found)
	}
	return found, q.One(ctx, idStmt, id).ScanOr(domain.NotFound, &found)
}
