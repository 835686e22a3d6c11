package media

import (
	"context"
	"fmt"
	"iter"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const (
	// removeAfter is how long the address of a picture works after nothing shows it any more.
	removeAfter = 24 * time.Hour

	// discardAfter is longer than any request takes that may still write files.
	discardAfter = 10 * time.Minute
)

// keyOf returns the key of a file in the store, which is also the end of its address.
func keyOf(hash string, width int) string { return fmt.Sprintf("%s/%s-%d.jpg", hash[:2], hash, width) }

// name sets the keys and addresses of a picture. shown is the variant that is shown.
func (s *Service) name(p *Picture, shown int) {
	for i, width := range widths {
		v := &p.Variants[i]
		v.key = keyOf(p.hash, width)
		v.URL = s.BaseURL + Path + v.key
	}
	p.URL = p.Variants[shown].URL
}

var (
	usedStmt = db.SQL("media.used", `SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM media WHERE owner_id = $1`)

	insertStmt = db.SQL("media.insert", `
		INSERT INTO media (id, owner_id, hash, url, bytes, created_at, remove_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`)

	keepStmt = db.SQL("media.keep", `UPDATE media SET remove_at = NULL WHERE id = $1 AND owner_id = $2`)

	discardStmt = db.SQL("media.discard", `UPDATE media SET remove_at = $2 WHERE id = $1 AND remove_at IS NOT NULL`)
)

// mustHaveSpace returns domain.Forbidden if the pictures of a user would take too much
// space with some more bytes.
func (s *Service) mustHaveSpace(ctx context.Context, q db.Querier, owner domain.UserID, more int64) error {
	var used int64
	if err := q.One(ctx, usedStmt, owner).Scan(&used); err != nil {
		return err
	}
	if used+more > maxBytesPerUser {
		return domain.Forbid(domain.StorageFull)
	}
	return nil
}

// reserve stores the row of a picture that nothing shows yet. The transaction locks the
// account of the caller, so that concurrent uploads cannot exceed the limit together.
func (s *Service) reserve(ctx context.Context, owner domain.UserID, p Picture) error {
	now := s.Clock.Now()
	return s.DB.InTx(db.Preparation(ctx), func(tx db.Tx) error {
		if err := s.mustHaveSpace(ctx, tx, owner, p.bytes()); err != nil {
			return err
		}
		tx.Queue(ctx, insertStmt, p.ID, owner, p.hash, p.URL, p.bytes(), now, now.Add(removeAfter))
		return nil
	})
}

// keep makes a picture permanent. It fails if the picture was removed meanwhile.
func keep(ctx context.Context, tx db.Tx, owner domain.UserID, id domain.PictureID) error {
	n, err := tx.Exec(ctx, keepStmt, id, owner)
	if err == nil && n == 0 {
		err = fmt.Errorf("media.keep: the picture was removed: %w", domain.ServiceUnavailable)
	}
	return err
}

// discardTime limits how long a failed request waits for the database.
const discardTime = 2 * time.Second

// discard lets the job remove a picture of a failed upload soon, unless it is shown: the
// commit may have succeeded. If the database fails, the job removes it later.
func (s *Service) discard(ctx context.Context, id domain.PictureID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), discardTime)
	defer cancel()
	_, _ = s.DB.Exec(ctx, discardStmt, id, s.Clock.Now().Add(discardAfter))
}

var filesStmt = db.SQL("media.files", `SELECT hash FROM media ORDER BY id`)

// Files returns the keys of the files of all pictures.
func Files(ctx context.Context, q db.Querier) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for row, err := range q.Query(ctx, filesStmt) {
			var hash string
			if err == nil {
				err = row.Scan(&hash)
			}
			if err != nil {
				yield("", err)
				return
			}
			for _, width := range widths {
				if !yield(keyOf(hash, width), nil) {
					return
				}
			}
		}
	}
}
