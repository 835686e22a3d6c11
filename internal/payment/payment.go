// Package payment is the room of paying: organizers who may sell, payments
// that were begun, and what providers tell of them (specification §4.4,
// contract §9). While payments are disabled it only reads.
package payment

import (
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
)

// ProfileStatus says whether an organizer may take money (specification §3).
type ProfileStatus string

// The states of a profile.
const (
	Unverified ProfileStatus = "unverified"
	Verified   ProfileStatus = "verified"
	Blocked    ProfileStatus = "blocked" // by the provider alone
)

// Profile is what an organizer is to the provider.
type Profile struct {
	UserID               domain.UserID
	Status               ProfileStatus
	Provider             string
	BlockedReason        *string
	VerifiedAt           *time.Time
	CreatedAt, UpdatedAt time.Time
}

// become gives the profile with a status and, for Blocked, its reason. What
// changes nothing leaves UpdatedAt alone.
func (p Profile) become(status ProfileStatus, reason *string, now time.Time) Profile {
	if status != Blocked {
		reason = nil
	}
	if p.Status == status && same(p.BlockedReason, reason) {
		return p
	}
	if p.Status != status {
		p.VerifiedAt = nil
		if status == Verified {
			p.VerifiedAt = &now
		}
	}
	p.Status, p.BlockedReason, p.UpdatedAt = status, reason, now
	return p
}

func same(a, b *string) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// Status is the state of a payment intent (contract §9).
type Status string

// The states of an intent. All but Pending are final.
const (
	Pending   Status = "pending"
	Succeeded Status = "succeeded"
	Canceled  Status = "canceled"
	Expired   Status = "expired"
)

// lasts is how long an intent can be paid.
const lasts = 30 * time.Minute

// Intent is one payment for one event.
type Intent struct {
	ID                   domain.PaymentID
	EventID              domain.EventID
	UserID               *domain.UserID // who pays; nil once the account is deleted
	Provider             string
	ProviderPaymentID    string
	Status               Status
	Amount               int64  // minor units
	Currency             string // ISO 4217
	CheckoutURL          string
	ExpiresAt            time.Time
	PaidAt, CanceledAt   *time.Time
	RefundDueAt          *time.Time // paid when it was too late: the money has to go back
	CreatedAt, UpdatedAt time.Time
}

// at gives the intent as it is at a moment: it expires without a write.
func (i Intent) at(now time.Time) Intent {
	if i.Status == Pending && !now.Before(i.ExpiresAt) {
		i.Status, i.UpdatedAt = Expired, i.ExpiresAt
	}
	return i
}

// moved gives the intent after the provider has told of a state, and whether
// that moved it. Final states stay; money that comes for a payment that was
// given up is noted for refund.
func (i Intent) moved(to Status, now time.Time) (Intent, bool) {
	i = i.at(now)
	if i.Status != Pending {
		if to == Succeeded && i.Status != Succeeded && i.RefundDueAt == nil {
			i.RefundDueAt = &now
		}
		return i, false
	}
	i.Status, i.UpdatedAt = to, now
	switch to {
	case Succeeded:
		i.PaidAt = &now
	case Canceled:
		i.CanceledAt = &now
	case Pending, Expired: // updated_at tells
	}
	return i, true
}

// checkout is what decides whether somebody can pay for an event.
type checkout struct {
	access.EventFacts
	enabled bool
	charges bool // the organizer may take money
	full    bool
	price   price
}

// price is what an event costs; the zero price nothing.
type price struct {
	amount   int64 // minor units
	currency string
}

// mayPay refuses by contract §9, paid already aside.
func (c checkout) mayPay() error {
	if !c.enabled || !c.Paid || c.Organizer || c.Status != access.Published || c.full || !c.charges {
		return domain.Forbidden
	}
	return nil
}
