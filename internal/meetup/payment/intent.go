package payment

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// request is one request to pay.
type request struct {
	viewer domain.Viewer
	event  domain.EventID
	key    string // Idempotency-Key; empty: none
	now    time.Time
}

// Begin returns the viewer's pending intent for an event and creates it if there is
// none (contract §9). It returns domain.NotFound if they cannot see the event, and
// domain.Forbidden if they cannot pay for it.
//
// If the key was used within 24 hours, Begin returns the intent of that request. It
// returns domain.KeyReused if the key was used for another event, and domain.Conflict
// if that request is in progress.
func (s *Service) Begin(ctx context.Context, v domain.Viewer, id domain.EventID, key string) (Intent, error) {
	r := request{viewer: v, event: id, key: key, now: s.Clock.Now()}
	i, done, err := s.prepare(ctx, r)
	if err != nil || done {
		return i, err
	}
	i, err = s.complete(ctx, r, i)
	if err != nil && key != "" {
		// Even if the client has disconnected. If this fails, the key expires after a minute.
		_ = releaseKey(context.WithoutCancel(ctx), s.DB, r)
	}
	return i, err
}

// prepare claims the key and returns the existing intent (done is true) or the
// intent to begin.
func (s *Service) prepare(ctx context.Context, r request) (i Intent, done bool, err error) {
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		c, err := s.load(ctx, tx, r)
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
		finishKey(ctx, tx, r, i.ID)
		return nil
	})
	return i, done, err
}

// complete begins the payment at the provider and stores the intent, unless a
// concurrent request has stored one.
func (s *Service) complete(ctx context.Context, r request, begun Intent) (i Intent, err error) {
	begun.ProviderPaymentID, begun.CheckoutURL, err = s.Provider.Begin(ctx, begun)
	if err != nil {
		return i, fmt.Errorf("payment.begin %s: %w: %w", r.event, domain.ServiceUnavailable, err)
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		c, err := s.load(ctx, tx, r)
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
		finishKey(ctx, tx, r, i.ID)
		return nil
	})
	return i, err
}

// load loads the facts of a checkout and locks the price of the event until the
// transaction ends.
func (s *Service) load(ctx context.Context, tx db.Tx, r request) (c checkout, err error) {
	if c, err = lockPrice(ctx, tx, r); err != nil {
		return c, err
	}
	c.enabled = s.Enabled
	if c.EventFacts, err = access.Event(ctx, tx, r.viewer, r.event, r.now); err != nil {
		return c, err
	}
	c.verified, err = isVerified(ctx, tx, c.OrganizerID)
	return c, err
}

// decide refuses, or returns the existing intent (done is true) or the intent to begin.
func (s *Service) decide(ctx context.Context, tx db.Tx, r request, c checkout) (i Intent, done bool, err error) {
	i, found, err := findActive(ctx, tx, r.event, r.viewer.UserID, r.now)
	if err != nil {
		return i, false, err
	}
	c.paid = found && i.Status == Succeeded
	if err := c.mayPay(); err != nil || found {
		return i, true, err
	}
	payer := r.viewer.UserID
	return Intent{
		ID: domain.NewID[domain.PaymentKind](r.now), EventID: r.event, UserID: &payer, Provider: s.Provider.Name(), Status: Pending,
		Amount: c.price.amount, Currency: c.price.currency, ExpiresAt: r.now.Add(intentLifetime), CreatedAt: r.now, UpdatedAt: r.now,
	}, false, nil
}

// Intent returns one of the viewer's intents. It returns domain.NotFound for any other.
func (s *Service) Intent(ctx context.Context, v domain.Viewer, id domain.PaymentID) (Intent, error) {
	i, err := ownIntent(ctx, s.DB, id, v.UserID)
	return i.at(s.Clock.Now()), err
}
