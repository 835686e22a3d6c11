package payment

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// request is one wish to pay.
type request struct {
	viewer domain.Viewer
	event  domain.EventID
	key    string // Idempotency-Key; empty: none
	now    time.Time
}

// Begin gives the viewer's pending payment for an event, begun now when there
// is none (contract §9). domain.NotFound when they do not see the event,
// domain.Forbidden when they cannot pay for it. With a key that was used within
// 24 hours it gives what came of it then, as it is now: domain.KeyReused when that was
// about another event, domain.Conflict while it is in flight.
func (s *Service) Begin(ctx context.Context, v domain.Viewer, id domain.EventID, key string) (Intent, error) {
	r := request{viewer: v, event: id, key: key, now: s.Clock.Now()}
	i, done, err := s.prepare(ctx, r)
	if err != nil || done {
		return i, err
	}
	i, err = s.complete(ctx, r, i)
	if err != nil && key != "" {
		// Also when the caller has hung up. Should it fail, the key is free in a minute.
		_ = releaseKey(context.WithoutCancel(ctx), s.DB, r)
	}
	return i, err
}

// prepare looks whether there is something to begin; done is true when the
// intent is there already.
func (s *Service) prepare(ctx context.Context, r request) (i Intent, done bool, err error) {
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		c, err := s.look(ctx, tx, r)
		if err != nil {
			return err
		}
		if r.key != "" {
			if i, done, err = claimKey(ctx, tx, r); err != nil || done {
				return err
			}
		}
		if i, done, err = s.decide(ctx, tx, r, c); err != nil || !done {
			return err
		}
		return settleKey(ctx, tx, r, i.ID)
	})
	return i, done, err
}

// complete begins the payment at the provider and stores it, unless another
// one was faster.
func (s *Service) complete(ctx context.Context, r request, begun Intent) (i Intent, err error) {
	begun.ProviderPaymentID, begun.CheckoutURL, err = s.Provider.Begin(ctx, begun)
	if err != nil {
		return i, fmt.Errorf("payment.begin %s: %w: %w", r.event, domain.ServiceUnavailable, err)
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		c, err := s.look(ctx, tx, r)
		if err != nil {
			return err
		}
		var done bool
		i, done, err = s.decide(ctx, tx, r, c)
		if err != nil {
			return err
		}
		if !done {
			if c.price != (price{begun.Amount, begun.Currency}) {
				return domain.Conflict
			}
			if i, err = store(ctx, tx, begun, r.now); err != nil {
				return err
			}
		}
		return settleKey(ctx, tx, r, i.ID)
	})
	return i, err
}

// look loads what decides about a payment, and holds the event's price until
// the transaction ends.
func (s *Service) look(ctx context.Context, tx db.Tx, r request) (c checkout, err error) {
	c.enabled = s.Enabled
	if c.price, c.full, err = holdPrice(ctx, tx, r.event); err != nil {
		return c, err
	}
	if c.EventFacts, err = access.Event(ctx, tx, r.viewer, r.event, r.now); err != nil {
		return c, err
	}
	c.charges, err = s.MayCharge(ctx, tx, c.OrganizerID)
	return c, err
}

// decide refuses, or gives the intent that is there (done), or the one to begin.
func (s *Service) decide(ctx context.Context, tx db.Tx, r request, c checkout) (i Intent, done bool, err error) {
	if err := c.mayPay(); err != nil {
		return i, false, err
	}
	i, found, err := live(ctx, tx, r.event, r.viewer.UserID, r.now)
	switch {
	case err != nil:
		return i, false, err
	case found && i.Status == Succeeded:
		return i, false, domain.Forbidden
	case found:
		return i, true, nil
	}
	payer := r.viewer.UserID
	return Intent{
		ID: domain.NewID[domain.PaymentKind](r.now), EventID: r.event, UserID: &payer, Provider: s.Provider.Name(), Status: Pending,
		Amount: c.price.amount, Currency: c.price.currency, ExpiresAt: r.now.Add(lasts), CreatedAt: r.now, UpdatedAt: r.now,
	}, false, nil
}

// Intent gives one of the viewer's own payments; domain.NotFound for any other.
func (s *Service) Intent(ctx context.Context, v domain.Viewer, id domain.PaymentID) (Intent, error) {
	i, err := ownIntent(ctx, s.DB, id, v.UserID)
	return i.at(s.Clock.Now()), err
}
