package meetup_test

import (
	"context"
	"errors"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/meetup/payment"
	"moothall/internal/test/apptest"
)

// slow is a provider whose Begin runs code of the test first.
type slow struct {
	*payment.Development
	meanwhile func() error
}

func (slow) SelfVerified() bool { return false }

func (p slow) Begin(ctx context.Context, i payment.Intent) (paymentID, checkoutURL string, err error) {
	if err := p.meanwhile(); err != nil {
		return "", "", err
	}
	return p.Development.Begin(ctx, i)
}

func TestChangesDuringProviderRequest(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann := seller(a, "org"), a.As("ann")
		event := onSale(org, nil)
		viewer := domain.Viewer{UserID: ann.ID()}
		beginDuring := func(meanwhile func() error) (payment.Intent, error) {
			s := &payment.Service{DB: a.DB, Clock: a.Clock.Now, Provider: slow{payment.NewDevelopment(), meanwhile}, Enabled: true}
			return s.Begin(t.Context(), viewer, eventID(t, event), "key")
		}
		failure := errors.New("provider failure")
		if _, err := beginDuring(func() error { return failure }); !errors.Is(err, failure) || !errors.Is(err, domain.ServiceUnavailable) {
			t.Errorf("the provider fails: %v", err)
		}
		if _, err := beginDuring(func() error {
			begin(ann.With("Idempotency-Key", "key"), event).WantError(409, "conflict")
			org.Patch("/events/"+event, apptest.Fields{"price_amount": 500}).Want(200)
			return nil
		}); !errors.Is(err, domain.Conflict) {
			t.Errorf("the price has changed: %v", err)
		}
		var other *apptest.Reply
		i, err := beginDuring(func() error {
			other = begin(ann, event).Want(201)
			return nil
		})
		if err != nil || i.ID.String() != other.Text("id") || i.Amount != 500 {
			t.Errorf("a concurrent request stored an intent first: %+v, %v", i, err)
		}
		if again := begin(ann.With("Idempotency-Key", "key"), event).Want(201); again.Text("id") != other.Text("id") {
			t.Errorf("the key returns %s", again.Body)
		}
		event = onSale(org, nil)
		i, err = beginDuring(func() error { return nil })
		if !errors.Is(err, domain.KeyReused) {
			t.Errorf("for another event: %+v, %v", i, err)
		}
	}, enabled()...)
}

func TestProviderWithOwnVerification(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		s := &payment.Service{DB: a.DB, Clock: a.Clock.Now, Provider: slow{Development: payment.NewDevelopment()}, Enabled: true}
		viewer := domain.Viewer{UserID: a.As("org").ID()}
		if _, err := s.SetProfile(t.Context(), viewer, payment.Verified); !errors.Is(err, domain.InvalidRequest) {
			t.Errorf("the organizer verified themselves: %v", err)
		}
		if p, err := s.SetProfile(t.Context(), viewer, payment.Unverified); err != nil || p.Status != payment.Unverified {
			t.Errorf("%+v, %v", p, err)
		}
	}, enabled()...)
}
