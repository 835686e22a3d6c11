package media

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// RegisterJobs registers the jobs that remove pictures.
func (s *Service) RegisterJobs(w *job.Workers) {
	w.Purge(time.Hour, "media.check", s.Check)
	w.Purge(time.Minute, "media.remove", s.Remove)
}

// shown is the condition that an event, a group or the profile of the owner shows the picture m. Events show it as long as the owner
// organizes or hosts them, and afterwards.
const shown = `(EXISTS (SELECT 1 FROM events e WHERE e.organizer_id = m.owner_id AND e.image_url = m.url)
	OR EXISTS (SELECT 1 FROM events e JOIN event_hosts h ON h.event_id = e.id
		WHERE e.has_team AND e.image_url = m.url AND h.user_id = m.owner_id)
	OR EXISTS (SELECT 1 FROM groups g WHERE g.image_url = m.url)
	OR EXISTS (SELECT 1 FROM profiles p WHERE p.user_id = m.owner_id AND p.avatar_url = m.url))`

// A batch keeps statements short, so that other requests are not blocked.
const (
	checkBatch  = 500
	removeBatch = 100
)

var (
	checkStmt = db.SQL("media.check", `
		SELECT m.id, m.remove_at IS NULL, `+shown+` FROM media m WHERE m.id > $1 ORDER BY m.id LIMIT $2`)

	planRemovalStmt = db.SQL("media.plan_removal", `UPDATE media SET remove_at = $2 WHERE id = $1 AND remove_at IS NULL`)

	cancelRemovalStmt = db.SQL("media.cancel_removal", `UPDATE media AS m SET remove_at = NULL WHERE m.id = $1 AND `+shown)

	removableStmt = db.SQL("media.removable", `
		SELECT m.id, m.hash FROM media m WHERE m.remove_at <= $1 AND NOT `+shown+` ORDER BY m.remove_at LIMIT $2`)

	deleteStmt = db.SQL("media.delete", `DELETE FROM media WHERE id = $1`)
)

// Check finds the pictures that nothing shows any more, which are removed after removeAfter,
// and those that are shown again.
func (s *Service) Check(ctx context.Context) error {
	var last domain.PictureID
	for {
		batch, err := db.All(ctx, s.DB, func(row db.Row, r *reference) error { return row.Scan(&r.id, &r.stays, &r.shown) }, checkStmt, last,
			checkBatch)
		if err != nil || len(batch) == 0 {
			return err
		}
		last = batch[len(batch)-1].id
		if err := s.setRemovals(ctx, batch); err != nil {
			return err
		}
	}
}

// reference is a picture and whether it is shown.
type reference struct {
	id           domain.PictureID
	stays, shown bool // stays: its removal is not planned
}

// setRemovals leaves alone what has changed since it was read: the account may have been deleted.
func (s *Service) setRemovals(ctx context.Context, batch []reference) error {
	removal := s.Clock.Now().Add(removeAfter)
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		for _, r := range batch {
			switch {
			case r.stays && !r.shown:
				tx.Queue(ctx, planRemovalStmt, r.id, removal)
			case !r.stays && r.shown:
				tx.Queue(ctx, cancelRemovalStmt, r.id)
			}
		}
		return nil
	})
}

// removable is a picture to remove.
type removable struct {
	id   domain.PictureID
	hash string
}

// Remove removes the pictures whose time has come, the files first: a row without files is
// found again.
func (s *Service) Remove(ctx context.Context) error {
	for {
		batch, err := db.All(ctx, s.DB, func(row db.Row, r *removable) error { return row.Scan(&r.id, &r.hash) }, removableStmt, s.Clock.Now(),
			removeBatch)
		if err != nil || len(batch) == 0 {
			return err
		}
		for _, r := range batch {
			if err := s.remove(ctx, r); err != nil {
				return fmt.Errorf("media.remove: %w", err)
			}
		}
	}
}

func (s *Service) remove(ctx context.Context, r removable) error {
	var failed []error
	for _, width := range widths {
		failed = append(failed, s.Store.Delete(ctx, keyOf(r.hash, width)))
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	_, err := s.DB.Exec(ctx, deleteStmt, r.id)
	return err
}
