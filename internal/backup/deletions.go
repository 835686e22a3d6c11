package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// deletions is the content of the list.
type deletions struct {
	AsOf      time.Time  `json:"as_of"`
	Deletions []Deletion `json:"deletions"` // the oldest first
}

var deletedStmt = db.SQL("backup.deleted", `SELECT id, deleted_at FROM users WHERE deleted_at > $1 ORDER BY deleted_at, id`)

// deletedSince returns the list of the accounts that were deleted after a time.
func deletedSince(ctx context.Context, q db.Querier, since, now time.Time) ([]byte, error) {
	list := deletions{AsOf: now.UTC(), Deletions: []Deletion{}}
	var err error
	list.Deletions, err = db.Append(ctx, q, list.Deletions, func(r db.Row, d *Deletion) error { return r.Scan(&d.UserID, &d.DeletedAt) }, deletedStmt, since)
	if err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(list, "", "  ")
	return append(data, '\n'), err
}

// ReadDeletions reads the list of deleted accounts, and as of when it is complete.
func ReadDeletions(from io.Reader) (all []Deletion, asOf time.Time, err error) {
	var list deletions
	if err := json.NewDecoder(from).Decode(&list); err != nil {
		return nil, time.Time{}, fmt.Errorf("the list of deletions: %w", err)
	}
	return list.Deletions, list.AsOf, nil
}

// Repeat deletes again the accounts that were deleted after a backup. It returns how many of them the
// backup contained.
func Repeat(ctx context.Context, all []Deletion, remove func(context.Context, domain.UserID) error) (repeated int, err error) {
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
