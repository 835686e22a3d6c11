// Package account exports, erases, suspends and restores whole accounts, across all
// features.
package account

import (
	"context"
	"encoding/json"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// Section is the data that one feature stores about users.
type Section struct {
	Name string // the key in the export, snake_case

	// Export returns the user's data, including incognito participation, as a value
	// for encoding/json. Of other users it contains at most their ids. It is nil if the
	// feature stores the user's data for minutes only, or only in development.
	Export func(ctx context.Context, q db.Querier, user domain.UserID) (any, error)

	// Erase deletes the user's data and anonymizes data that other users need. It
	// runs again later, to erase notifications that concurrent requests have written. It is
	// nil if the feature stores no data that identifies users.
	Erase func(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error
}

// Service implements the use cases of whole accounts.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Users    *user.Service
	Sessions *session.Service
	Sections []Section // in the order of erasure; the account itself is last
}

// Export returns all data of a user by section, as of one moment. It returns
// domain.NotFound if the account does not exist.
func (s *Service) Export(ctx context.Context, user domain.UserID) (map[string]json.RawMessage, error) {
	all := make(map[string]json.RawMessage, len(s.Sections))
	err := s.DB.Read(ctx, func(q db.Querier) error {
		for _, section := range s.Sections {
			if section.Export == nil {
				continue
			}
			value, err := section.Export(ctx, q, user)
			if err != nil {
				return err
			}
			if all[section.Name], err = json.Marshal(value); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

const (
	eraseJob = "account.erase"

	// eraseAgainAfter is longer than any request takes.
	eraseAgainAfter = 10 * time.Minute
)

// Delete erases all data of a user in one transaction, which excludes writes of the user
// (docs/concurrency.md). A job erases again, because concurrent requests of others may
// notify the user. Deleting an account again does nothing.
func (s *Service) Delete(ctx context.Context, user domain.UserID) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		if err := s.Users.Close(ctx, tx, user, now); err != nil {
			return err
		}
		if err := s.erase(ctx, tx, user, now); err != nil {
			return err
		}
		return job.Put(ctx, tx, now, job.Job{Kind: eraseJob, Key: user.String(), Payload: user, RunAt: now.Add(eraseAgainAfter)})
	})
}

func (s *Service) erase(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	for _, section := range s.Sections {
		if section.Erase == nil {
			continue
		}
		if err := section.Erase(ctx, tx, user, now); err != nil {
			return err
		}
	}
	return nil
}

// RegisterJobs registers the job that Delete enqueues, and one that removes deleted data
// from the log of the database.
func (s *Service) RegisterJobs(w *job.Workers) {
	w.Every(time.Minute, "account.truncate_log", s.DB.TruncateLog)
	job.InTx(w, eraseJob, func(ctx context.Context, tx db.Tx, user domain.UserID) error {
		return s.erase(ctx, tx, user, s.Clock.Now())
	})
}

// Suspend is SuspendIn in its own transaction.
func (s *Service) Suspend(ctx context.Context, user domain.UserID) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error { return s.SuspendIn(ctx, tx, user, s.Clock.Now()) })
}

// SuspendIn suspends an account: its sessions end, nobody can sign in to it or
// find it, and its events leave discovery (policy "Seeing an event"). It does
// nothing if the account is suspended. It returns domain.NotFound if the account
// does not exist.
func (s *Service) SuspendIn(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	changed, err := s.Users.Suspend(ctx, tx, user, now)
	if err != nil || !changed {
		return err
	}
	if err := s.Sessions.RevokeAll(ctx, tx, user, now); err != nil {
		return err
	}
	return event.Unlist(ctx, tx, user)
}

// Restore ends a suspension; the user has to sign in again. It does nothing if
// there is no suspension. It returns domain.NotFound if the account does not
// exist.
func (s *Service) Restore(ctx context.Context, user domain.UserID) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		changed, err := s.Users.Restore(ctx, tx, user)
		if err != nil || !changed {
			return err
		}
		return event.Relist(ctx, tx, user, s.Clock.Now())
	})
}
