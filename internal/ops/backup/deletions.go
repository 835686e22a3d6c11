package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// DeletionsName is the name of the list of deleted accounts. It is stored beside the backups, so that
// a restore can repeat the deletions that are later than its backup.
const DeletionsName = "deletions.json"

// Deletion is an account that was deleted.
type Deletion struct {
	UserID    domain.UserID `json:"user_id"`
	DeletedAt time.Time     `json:"deleted_at"`
}

// Deletions is the list of deleted accounts. It is complete for deletions between two times.
type Deletions struct {
	Since     time.Time  `json:"since"`
	AsOf      time.Time  `json:"as_of"`
	Deletions []Deletion `json:"deletions"` // the oldest first
}

var deletedStmt = db.SQL("backup.deleted", `SELECT id, deleted_at FROM users WHERE deleted_at > $1 ORDER BY deleted_at, id`)

// deletedSince returns the list of the accounts that were deleted after a time.
func deletedSince(ctx context.Context, q db.Querier, since, now time.Time) (list Deletions, err error) {
	list = Deletions{Since: since.UTC(), AsOf: now.UTC(), Deletions: []Deletion{}}
	list.Deletions, err = db.Append(ctx, q, list.Deletions, func(r db.Row, d *Deletion) error { return r.Scan(&d.UserID, &d.DeletedAt) },
		deletedStmt, since)
	return list, err
}

// add adds deletions that the list does not contain, except those before Since.
func (l *Deletions) add(others []Deletion) {
	contained := map[domain.UserID]bool{}
	for _, d := range l.Deletions {
		contained[d.UserID] = true
	}
	for _, d := range others {
		if !contained[d.UserID] && d.DeletedAt.After(l.Since) {
			l.Deletions = append(l.Deletions, d)
		}
	}
	slices.SortStableFunc(l.Deletions, func(a, b Deletion) int { return a.DeletedAt.Compare(b.DeletedAt) })
}

// ReadDeletions reads the list of deleted accounts.
func ReadDeletions(from io.Reader) (list Deletions, err error) {
	if err := json.NewDecoder(from).Decode(&list); err != nil {
		return Deletions{}, fmt.Errorf("the list of deletions: %w", err)
	}
	return list, nil
}

// RepeatDeletions deletes the accounts that were deleted after a backup. It returns how many of them
// the backup contained.
func RepeatDeletions(ctx context.Context, all []Deletion, remove func(context.Context, domain.UserID) error) (repeated int, err error) {
	for _, d := range all {
		err := remove(ctx, d.UserID)
		if errors.Is(err, domain.NotFound) { // created after the backup, or deleted before it
			continue
		}
		if err != nil {
			return repeated, fmt.Errorf("account %s: %w", d.UserID, err)
		}
		repeated++
	}
	return repeated, nil
}
