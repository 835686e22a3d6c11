package payment

import (
	"context"
	"net/http"
	"time"

	"moothall/internal/domain"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
)

// The values of result.
const (
	processed = "processed"
	ignored   = "ignored"
)

// Receipt is the answer to a notice.
type Receipt struct {
	Provider, NoticeID string
	Result             string
	Duplicate          bool // it was received before
	IntentID           *domain.PaymentID
}

// Verify refuses a delivery that is not the provider's, from its raw bytes:
// domain.NotFound for a provider that there is not, and while payments are
// disabled, domain.Unauthorized for a bad signature.
func (s *Service) Verify(provider string, h http.Header, body []byte) error {
	if !s.Enabled || provider != s.Provider.Name() {
		return domain.NotFound
	}
	return s.Provider.Verify(h, body, s.Clock.Now())
}

// Receive carries out what a verified delivery says, once: the effect and the
// provider's id of it are one transaction (contract §9). domain.NotFound when it
// is about nothing of ours; then the id is free, and a retry can succeed.
func (s *Service) Receive(ctx context.Context, h http.Header, body []byte) (r Receipt, err error) {
	n, err := s.Provider.Read(h, body)
	if err != nil {
		return Receipt{}, err
	}
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		r = Receipt{Provider: s.Provider.Name(), NoticeID: n.ID, Result: ignored}
		fresh, err := r.note(ctx, tx, n.Type, now)
		if err != nil || !fresh {
			return err
		}
		if err := s.carryOut(ctx, tx, n, &r, now); err != nil {
			return err
		}
		return r.settle(ctx, tx)
	})
	return r, err
}

// carryOut does what a notice says; a type that is not known says nothing.
func (s *Service) carryOut(ctx context.Context, tx db.Tx, n Notice, r *Receipt, now time.Time) error {
	if to, ok := moves[n.Type]; ok {
		return s.move(ctx, tx, n.About, to, r, now)
	}
	if status, ok := verdicts[n.Type]; ok {
		return s.judge(ctx, tx, n, status, r, now)
	}
	return nil
}

// move moves the payment that the provider calls by that id.
func (s *Service) move(ctx context.Context, tx db.Tx, id string, to Status, r *Receipt, now time.Time) error {
	was, err := lockIntent(ctx, tx, s.Provider.Name(), id)
	if err != nil {
		return err
	}
	i, moved := was.moved(to, now)
	r.IntentID = &i.ID
	if err := saveIntent(ctx, tx, i); err != nil || !moved {
		return err
	}
	r.Result = processed
	return tell(ctx, tx, i, now)
}

// judge sets the profile of the organizer whose account it is.
func (s *Service) judge(ctx context.Context, tx db.Tx, n Notice, status ProfileStatus, r *Receipt, now time.Time) error {
	user, err := domain.ParseID[domain.UserKind](n.About)
	if err != nil {
		return domain.NotFound
	}
	was, err := lockProfile(ctx, tx, user, s.Provider.Name(), now)
	if err != nil {
		return err
	}
	r.Result = processed
	return saveProfile(ctx, tx, was.become(status, n.Reason, now))
}

// tell tells the payer how it ended, and of money also the organizer
// (contract §8).
func tell(ctx context.Context, tx db.Tx, i Intent, now time.Time) error {
	if i.UserID == nil || i.Status == Expired {
		return nil
	}
	n := notify.Notification{To: *i.UserID, Kind: notify.PaymentCanceled, Subject: i.ID.String(), Event: i.EventID}
	if i.Status == Succeeded {
		n.Kind = notify.PaymentSucceeded
	}
	if err := notify.Put(ctx, tx, now, n); err != nil || i.Status != Succeeded {
		return err
	}
	organizer, err := organizerOf(ctx, tx, i.EventID)
	if err != nil {
		return err
	}
	n.To, n.Actor = organizer, *i.UserID
	return notify.Put(ctx, tx, now, n)
}
