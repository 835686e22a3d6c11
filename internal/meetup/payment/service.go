package payment

import (
	"context"
	"errors"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Service implements the use cases of payments.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Provider Provider
	Enabled  bool // false: payments get 403 and webhooks 404 (policy "Payments disabled")
}

// Profile returns the viewer's profile and creates it as Unverified if there is
// none. It returns domain.NotFound if the account is deleted.
func (s *Service) Profile(ctx context.Context, v domain.Viewer) (p Profile, err error) {
	p, err = findProfile(ctx, s.DB, v.UserID)
	if !errors.Is(err, domain.NotFound) {
		return p, err
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		p, err = lockProfile(ctx, tx, v.UserID, s.Provider.Name(), s.Clock.Now())
		return err
	})
	return p, err
}

// SetProfile sets the viewer's profile to Unverified or Verified. It returns
// domain.InvalidRequest if the profile is blocked or if only the provider can
// verify it, and domain.Forbidden for Verified while payments are disabled.
func (s *Service) SetProfile(ctx context.Context, v domain.Viewer, status ProfileStatus) (p Profile, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		before, err := lockProfile(ctx, tx, v.UserID, s.Provider.Name(), now)
		if err != nil {
			return err
		}
		if err := s.maySet(before, status); err != nil {
			return err
		}
		p = before.withStatus(status, nil, now)
		saveProfile(ctx, tx, p)
		return nil
	})
	return p, err
}

func (s *Service) maySet(p Profile, status ProfileStatus) error {
	switch {
	case p.Status == Blocked:
		return domain.Invalid("/status", "must not change while the profile is blocked: only the provider can change it")
	case status == Verified && !s.Provider.SelfVerified():
		return domain.Invalid("/status", "must not be verified: only the provider can set it")
	case status == Verified && !s.Enabled:
		return domain.Forbid(domain.PaymentsDisabled)
	}
	return nil
}

// MayCharge returns domain.Forbidden unless an organizer can take money: payments are
// enabled and their profile is verified (contract §4.5).
func (s *Service) MayCharge(ctx context.Context, q db.Querier, organizer domain.UserID) error {
	if !s.Enabled {
		return domain.Forbid(domain.PaymentsDisabled)
	}
	verified, err := isVerified(ctx, q, organizer)
	if err == nil && !verified {
		return domain.Forbid(domain.OrganizerUnverified)
	}
	return err
}

func isVerified(ctx context.Context, q db.Querier, organizer domain.UserID) (verified bool, err error) {
	err = q.One(ctx, isVerifiedStmt, organizer).Scan(&verified)
	return verified, err
}

// HasIntents reports whether the event has ever had a payment intent: then its price
// cannot change (contract §4.4).
func (s *Service) HasIntents(ctx context.Context, q db.Querier, id domain.EventID) (has bool, err error) {
	err = q.One(ctx, hasIntentsStmt, id).Scan(&has)
	return has, err
}

// MustHavePaid returns domain.Forbidden unless a user may join a paid event: payments
// are enabled, and they have paid or organize the event (contract §4.7).
func (s *Service) MustHavePaid(ctx context.Context, q db.Querier, id domain.EventID, user domain.UserID) error {
	if !s.Enabled {
		return domain.Forbid(domain.PaymentsDisabled)
	}
	var paid bool
	err := q.One(ctx, paidStmt, id, user).Scan(&paid)
	if err == nil && !paid {
		return domain.Forbid(domain.PaymentRequired)
	}
	return err
}
