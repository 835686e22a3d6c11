package payment

import (
	"context"
	"errors"
	"fmt"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Service is what people and providers do about paying. Refusals are meet's.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Provider Provider
	Enabled  bool // else paid mutations are refused and webhooks are not there (policy, "Payments disabled")
}

// Profile gives the viewer's own profile, made as Unverified on first use;
// domain.NotFound when the account is gone.
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

// SetProfile changes the viewer's own profile to Unverified or Verified.
// domain.InvalidRequest while it is blocked, and for Verified where the provider
// alone decides; domain.Forbidden for Verified while payments are disabled.
func (s *Service) SetProfile(ctx context.Context, v domain.Viewer, status ProfileStatus) (p Profile, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		was, err := lockProfile(ctx, tx, v.UserID, s.Provider.Name(), now)
		if err != nil {
			return err
		}
		if err := s.maySet(was, status); err != nil {
			return err
		}
		p = was.become(status, nil, now)
		return saveProfile(ctx, tx, p)
	})
	return p, err
}

func (s *Service) maySet(p Profile, status ProfileStatus) error {
	switch {
	case p.Status == Blocked:
		return domain.Invalid("/status", "is blocked: only the provider can change it")
	case status == Verified && !s.Provider.SelfVerified():
		return domain.Invalid("/status", "must not be verified: the provider decides that")
	case status == Verified && !s.Enabled:
		return domain.Forbidden
	}
	return nil
}

// MayCharge reports whether an organizer may take money: payments are enabled
// and their profile is verified (contract §4.5).
func (s *Service) MayCharge(ctx context.Context, q db.Querier, organizer domain.UserID) (bool, error) {
	if !s.Enabled {
		return false, nil
	}
	return charges(ctx, q, organizer)
}

// HasIntents reports whether a payment for the event was ever begun: its price
// stands then (contract §4.4).
func (s *Service) HasIntents(ctx context.Context, q db.Querier, id domain.EventID) (has bool, err error) {
	if err := q.One(ctx, hasIntentsStmt, id).Scan(&has); err != nil {
		return false, fmt.Errorf("payment.has_intents %s: %w", id, err)
	}
	return has, nil
}

// Paid reports whether a user may go to a paid event: they have paid, or it is
// their own, and payments are enabled (contract §4.7).
func (s *Service) Paid(ctx context.Context, q db.Querier, id domain.EventID, user domain.UserID) (paid bool, err error) {
	if !s.Enabled {
		return false, nil
	}
	if err := q.One(ctx, paidStmt, id, user).Scan(&paid); err != nil {
		return false, fmt.Errorf("payment.paid %s: %w", id, err)
	}
	return paid, nil
}

// RefundsDue lists the payments that came too late and are to be given back,
// oldest first.
func RefundsDue(ctx context.Context, q db.Querier) ([]Intent, error) {
	list, err := db.All(ctx, q, scanIntent, refundsStmt)
	if err != nil {
		return nil, fmt.Errorf("payment.refunds: %w", err)
	}
	return list, nil
}
