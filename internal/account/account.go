// Package account is what holds for a person's whole account: handing out all
// that is kept of them, and deleting it. Every room that keeps something of
// people offers its part; a test finds in the schema what no part handles.
package account

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"moothall/internal/db"
	"moothall/internal/meet"
)

// Part is what one room keeps of people.
type Part struct {
	Name string // its key in the export, snake_case

	// Export gives what the person themselves wrote or did, incognito
	// included, of others no more than their ids: a value for encoding/json.
	Export func(ctx context.Context, q db.Querier, user meet.UserID) (any, error)

	// Forget removes it, or leaves what others need without the person. It
	// may run again: then it removes what has come since.
	Forget func(ctx context.Context, tx db.Tx, user meet.UserID, now time.Time) error
}

// Service is what people do with their accounts.
type Service struct {
	DB    *db.DB
	Clock meet.Clock
	Parts []Part // in the order in which they forget; the account itself is the last
}

// Export gives everything that is kept of a user, by the names of the parts,
// as it was at one moment. Of a deleted account nothing is left to give.
func (s *Service) Export(ctx context.Context, user meet.UserID) (map[string]json.RawMessage, error) {
	all := make(map[string]json.RawMessage, len(s.Parts))
	err := s.DB.Read(ctx, func(q db.Querier) error {
		for _, part := range s.Parts {
			value, err := part.Export(ctx, q, user)
			if err != nil {
				return fmt.Errorf("account.export %s of %s: %w", part.Name, user, err)
			}
			if all[part.Name], err = json.Marshal(value); err != nil {
				return fmt.Errorf("account.export %s of %s: %w", part.Name, user, err)
			}
		}
		return nil
	})
	return all, err
}

// Delete removes the account and everything that is kept of its user, in one
// transaction. Deleting it again does nothing.
func (s *Service) Delete(ctx context.Context, user meet.UserID) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		for _, part := range s.Parts {
			if err := part.Forget(ctx, tx, user, now); err != nil {
				return fmt.Errorf("account.delete %s of %s: %w", part.Name, user, err)
			}
		}
		return nil
	})
}
