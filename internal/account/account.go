// Package account is what holds for a person's whole account: handing out all
// that is kept of them, deleting it, suspending it. Every room that keeps
// something of people offers its part; a test finds in the schema what no part
// handles.
package account

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/session"
	"moothall/internal/user"
)

// Part is what one room keeps of people.
type Part struct {
	Name string // its key in the export, snake_case

	// Export gives what the person themselves wrote or did, incognito
	// included, of others no more than their ids: a value for encoding/json.
	Export func(ctx context.Context, q db.Querier, user domain.UserID) (any, error)

	// Erase removes it, or leaves what others need without the person. It
	// may run again: then it removes what has come since.
	Erase func(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error
}

// Service is what happens to accounts.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Profiles *user.Service
	Sessions *session.Service
	Parts    []Part // in the order in which they forget; the account itself is the last
}

// Export gives everything that is kept of a user, by the names of the parts,
// as it was at one moment; domain.NotFound when there is no such account.
func (s *Service) Export(ctx context.Context, user domain.UserID) (map[string]json.RawMessage, error) {
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
func (s *Service) Delete(ctx context.Context, user domain.UserID) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		if err := s.forget(ctx, tx, user, now); err != nil {
			return err
		}
		return job.Put(ctx, tx, now, job.Job{Kind: forgetAgain, Key: user.String(), Payload: user, RunAt: now.Add(stragglers)})
	})
}

func (s *Service) forget(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	for _, part := range s.Parts {
		if err := part.Erase(ctx, tx, user, now); err != nil {
			return fmt.Errorf("account.forget %s of %s: %w", part.Name, user, err)
		}
	}
	return nil
}

const (
	forgetAgain = "account.forget"

	// stragglers is by when every request is over that was let in before
	// the deletion.
	stragglers = 10 * time.Minute
)

// RegisterJobs adds what follows a deletion: what requests under way have
// still written goes too.
func (s *Service) RegisterJobs(w *job.Workers) {
	job.Steps(w, forgetAgain, func(ctx context.Context, tx db.Tx, user *domain.UserID) (done bool, err error) {
		return true, s.forget(ctx, tx, *user, s.Clock.Now())
	})
}

// Suspend is SuspendIn in a transaction of its own.
func (s *Service) Suspend(ctx context.Context, user domain.UserID) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error { return s.SuspendIn(ctx, tx, user, s.Clock.Now()) })
}

// SuspendIn bars an account: its sessions end, nobody signs in to it or finds
// it, and its events leave discovery (policy "Seeing an event"). Without
// effect when it is suspended already; domain.NotFound when there is no such
// account.
func (s *Service) SuspendIn(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	changed, err := s.Profiles.Suspend(ctx, tx, user, now)
	if err != nil || !changed {
		return err
	}
	if err := s.Sessions.RevokeAll(ctx, tx, user, now); err != nil {
		return err
	}
	return event.Unlist(ctx, tx, user, now)
}

// Restore lifts a suspension; without effect when there is none. The person
// has to sign in anew. domain.NotFound when there is no such account.
func (s *Service) Restore(ctx context.Context, user domain.UserID) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		changed, err := s.Profiles.Restore(ctx, tx, user)
		if err != nil || !changed {
			return err
		}
		return event.Relist(ctx, tx, user, s.Clock.Now())
	})
}
