package user

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/respcache"
)

// Service is the use cases of the room.
type Service struct {
	// TestProfiles are the automated accounts, which the search leaves out.
	TestProfiles TestProfiles

	db         *db.DB
	clock      domain.Clock
	moderators Moderators
}

// NewService makes the room's service.
func NewService(d *db.DB, clock domain.Clock, moderators Moderators) *Service {
	return &Service{db: d, clock: clock, moderators: moderators}
}

// Moderators is the allowlist that the service was made with.
func (s *Service) Moderators() Moderators { return s.moderators }

// Public gives the profile of a user as the viewer sees it, or domain.NotFound:
// unknown, suspended and blocking the viewer look the same (contract §3).
func (s *Service) Public(ctx context.Context, v domain.Viewer, id domain.UserID) (Public, error) {
	respcache.Timeless(ctx)
	return public(ctx, s.db, id, v.UserID)
}

// Account gives a user's own view of themselves; domain.NotFound when there is
// no such account.
func (s *Service) Account(ctx context.Context, q db.Querier, id domain.UserID) (Account, error) {
	return s.account(ctx, q, accountStmt, id)
}

// Me gives the viewer's account.
func (s *Service) Me(ctx context.Context, v domain.Viewer) (Account, error) {
	return s.Account(ctx, s.db, v.UserID)
}

// Update changes the viewer's profile and gives the account afterwards. It
// refuses with every wrong field, or with domain.UsernameTaken. A change that
// changes nothing leaves UpdatedAt alone.
func (s *Service) Update(ctx context.Context, v domain.Viewer, c Change) (Account, error) {
	c, err := c.cleaned()
	if err != nil {
		return Account{}, err
	}
	var after Account
	err = s.db.InTx(ctx, func(tx db.Tx) error {
		a, err := s.account(ctx, tx, accountForUpdateStmt, v.UserID)
		if err != nil {
			return err
		}
		changed := c.applied(a.Profile.Public)
		if !changed.equal(a.Profile.Public) {
			was := a.Profile.Public
			a.Profile.Public, a.Profile.UpdatedAt = changed, s.clock.Now()
			err = s.change(ctx, tx, was, a.Profile)
		}
		after = a
		return err
	})
	return after, err
}

// change stores a changed profile and where it stands in the list.
func (s *Service) change(ctx context.Context, tx db.Tx, was Public, is Own) error {
	if err := update(ctx, tx, is); err != nil {
		return err
	}
	if is.Username != was.Username && s.TestProfiles.match(is.Username) {
		if _, err := tx.Exec(ctx, markTestStmt, is.UserID); err != nil {
			return fmt.Errorf("user.mark_test %s: %w", is.UserID, err)
		}
	}
	if is.listedAs(was) {
		return nil
	}
	if err := unlist(ctx, tx, was); err != nil {
		return err
	}
	return list(ctx, tx, is.Public)
}

// FindOrCreateByEmail gives the account of an address, made now when there is
// none; verified says that its holder has just proven to read its mail.
// Any number of first sign-ins of one address make one account.
func (s *Service) FindOrCreateByEmail(ctx context.Context, tx db.Tx, e Email, verified bool, now time.Time) (domain.UserID, error) {
	id, found, err := byEmail(ctx, tx, e)
	if err == nil && !found {
		id, found, err = s.createByEmail(ctx, tx, e, verified, now)
	}
	if err == nil && found && verified {
		_, err = tx.Exec(ctx, verifyEmailStmt, id)
	}
	if err != nil {
		return domain.UserID{}, fmt.Errorf("user.find_or_create: %w", err)
	}
	return id, nil
}

// createByEmail makes an account, or finds the one that was made meanwhile.
func (s *Service) createByEmail(ctx context.Context, tx db.Tx, e Email, verified bool, now time.Time) (id domain.UserID, found bool, err error) {
	id = domain.NewID[domain.UserKind](now)
	made, err := tx.Exec(ctx, insertUserStmt, id, e.Address, e.Key, verified, s.TestProfiles.match(e.Key), now)
	if err != nil {
		return id, false, err
	}
	if made == 0 {
		return byEmail(ctx, tx, e)
	}
	return id, false, createProfile(ctx, tx, id, "", now)
}

// FindOrCreateByPhone gives the account of a phone whose holder has just called
// from it, made now when there is none. Any number of first sign-ins of one
// phone make one account.
func (s *Service) FindOrCreateByPhone(ctx context.Context, tx db.Tx, p Phone, now time.Time) (domain.UserID, error) {
	id := domain.NewID[domain.UserKind](now)
	made, err := tx.Exec(ctx, insertPhoneUserStmt, id, p, now)
	if err == nil && made == 1 {
		err = createProfile(ctx, tx, id, "", now)
	} else if err == nil {
		err = tx.One(ctx, byPhoneStmt, p).Scan(&id)
	}
	if err != nil {
		return domain.UserID{}, fmt.Errorf("user.find_or_create: %w", err)
	}
	return id, nil
}

// createProfile gives a new account its first names: the given one, or one
// that is drawn when that is empty, and a username, drawn again while it is taken.
func createProfile(ctx context.Context, tx db.Tx, id domain.UserID, name string, now time.Time) error {
	if name == "" {
		name = "User " + draw("0123456789abcdef", 4)
	}
	for range 10 {
		p := Public{UserID: id, DisplayName: name, Username: "user_" + draw("0123456789abcdefghijklmnopqrstuvwxyz", 8)}
		made, err := tx.Exec(ctx, insertProfileStmt, id, p.DisplayName, p.Username, listingOf(p).words, now)
		if err != nil {
			return err
		}
		if made == 1 {
			return list(ctx, tx, p)
		}
	}
	return errors.New("no free username after ten draws")
}

func draw(alphabet string, n int) string {
	drawn := make([]byte, n)
	for i := range drawn {
		drawn[i] = alphabet[rand.IntN(len(alphabet))]
	}
	return string(drawn)
}
