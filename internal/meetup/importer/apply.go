package importer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// Applied is a row that was applied.
type Applied struct {
	UID     string
	EventID domain.EventID
	Created bool // else the draft was updated
}

// errTaken undoes the creation of a draft that a concurrent request has created.
var errTaken = errors.New("importer: a concurrent request has created the draft")

// Apply creates and updates drafts for rows of an import: those with the uids, or all if uids is nil. It applies up to 100 rows and
// returns how many remain. Repeats are harmless. Returns domain.NotFound if there is no such import, and domain.InvalidRequest for a uid
// without a row. With pictures, drafts get the addresses of theirs. When DraftsPerUserDay is used up, it returns the applied rows, or the
// refusal if there are none.
func (s *Service) Apply(ctx context.Context, v domain.Viewer, id domain.ImportID, uids []string, pictures bool) (
	done []Applied, remaining int, err error) {
	if _, err := read(ctx, s.DB, v.UserID, id, s.Clock.Now()); err != nil {
		return nil, 0, err
	}
	rows, err := rowsOf(ctx, s.DB, id, v.UserID)
	if err == nil {
		err = mustHave(rows, uids)
	}
	if err != nil {
		return nil, 0, err
	}
	rows = slices.DeleteFunc(rows, func(r Row) bool {
		return r.State != StateNew && r.State != StateChanged || uids != nil && !slices.Contains(uids, r.UID)
	})
	for i := range rows[:min(len(rows), maxApplied)] {
		one, err := s.apply(ctx, v, &rows[i], pictures)
		switch {
		case errors.Is(err, domain.RateLimited) && len(done) > 0:
			return done, len(rows) - i, nil
		case errors.Is(err, errTaken), errors.Is(err, domain.PreconditionFailed), errors.Is(err, domain.Forbidden):
			continue // a concurrent request has created, edited or published it
		case err != nil:
			return nil, 0, err
		}
		done = append(done, one)
	}
	return done, max(0, len(rows)-maxApplied), nil
}

func mustHave(rows []Row, uids []string) error {
	var problems domain.Problems
	for i, uid := range uids {
		if !slices.ContainsFunc(rows, func(r Row) bool { return r.UID == uid }) {
			problems.Add(fmt.Sprintf("/uids/%d", i), "must be the uid of a row")
		}
	}
	return problems.Err()
}

// apply creates or updates the draft of a row, and stores in the same transaction what was imported.
func (s *Service) apply(ctx context.Context, v domain.Viewer, r *Row, pictures bool) (Applied, error) {
	if err := r.decode(); err != nil {
		return Applied{}, err
	}
	if !pictures {
		r.Draft.ImageURL = nil
	}
	if r.State == StateChanged {
		etag := event.Event{UpdatedAt: *r.updatedAt}.ETag()
		_, err := s.Events.Update(ctx, v, *r.EventID, r.Draft, etag, func(tx db.Tx, e event.Event) error {
			tx.Queue(ctx, appliedStmt, v.UserID, r.UID, r.hash, e.UpdatedAt)
			return nil
		})
		return Applied{UID: r.UID, EventID: *r.EventID}, err
	}
	if err := s.Limits.Spend(ctx, DraftsPerUserDay, v.UserID.String()); err != nil {
		return Applied{}, err
	}
	d, err := s.Events.Create(ctx, v, r.Draft, func(tx db.Tx, e event.Event) error {
		tx.Queue(ctx, claimStmt, v.UserID, r.UID, e.ID, r.hash, e.UpdatedAt).Require(errTaken)
		return nil
	})
	if err != nil {
		s.Limits.Refund(ctx, DraftsPerUserDay, v.UserID.String())
		return Applied{}, err
	}
	return Applied{UID: r.UID, EventID: d.ID, Created: true}, nil
}
