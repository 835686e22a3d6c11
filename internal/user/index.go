package user

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// RegisterJobs gives the workers what this room does beside the requests.
func (s *Service) RegisterJobs(w *job.Workers) {
	w.Every(time.Hour, "user.index", s.Index)
}

// indexAtOnce keeps the transactions of Index short: others write too.
const indexAtOnce = 50

var (
	unindexedStmt = db.SQL("user.unindexed", `SELECT p.user_id FROM profiles p WHERE p.words IS NULL LIMIT $1`)

	setWordsStmt = db.SQL("user.set_words", `UPDATE profiles SET words = $2 WHERE user_id = $1`)
)

// Index puts profiles into the search that are older than it is.
func (s *Service) Index(ctx context.Context) error {
	for {
		indexed, err := s.indexSome(ctx)
		if err != nil || indexed < indexAtOnce {
			return err
		}
	}
}

func (s *Service) indexSome(ctx context.Context) (indexed int, err error) {
	err = s.db.InTx(ctx, func(tx db.Tx) error {
		ids, err := db.All(ctx, tx, func(row db.Row, id *domain.UserID) error { return row.Scan(id) }, unindexedStmt, indexAtOnce)
		if err != nil {
			return fmt.Errorf("user.index: %w", err)
		}
		indexed = len(ids)
		for _, id := range ids {
			if err := indexOne(ctx, tx, id); err != nil && !errors.Is(err, domain.NotFound) {
				return err
			}
		}
		return nil
	})
	return indexed, err
}

// indexOne may find the profile indexed meanwhile, or gone.
func indexOne(ctx context.Context, tx db.Tx, id domain.UserID) error {
	p, err := lockProfile(ctx, tx, id)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, setWordsStmt, id, listingOf(p).words); err != nil {
		return fmt.Errorf("user.index %s: %w", id, err)
	}
	return list(ctx, tx, p)
}
