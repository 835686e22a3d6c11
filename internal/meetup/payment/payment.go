// Package payment owns payment profiles of organizers, payment intents, and the
// webhooks of payment providers (specification §4.4, contract §9). While payments are
// disabled, it refuses payments, verification and webhooks.
package payment

import (
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
)

// ProfileStatus is the status of an organizer; only Verified organizers can sell
// (specification §3).
type ProfileStatus string

// The statuses of a profile.
const (
	Unverified ProfileStatus = "unverified"
	Verified   ProfileStatus = "verified"
	Blocked    ProfileStatus = "blocked" // only the provider can set and lift it
)

// Profile is the payment profile of an organizer.
type Profile struct {
	UserID               domain.UserID
	Status               ProfileStatus
	Provider             string
	BlockedReason        *string
	VerifiedAt           *time.Time
	CreatedAt, UpdatedAt time.Time
}

// withStatus returns the profile with a new status and, for Blocked, its reason. If
// nothing changes, UpdatedAt stays.
func (p Profile) withStatus(status ProfileStatus, reason *string, now time.Time) Profile {
	if status != Blocked {
		reason = nil
	}
	if p.Status == status && equalStrings(p.BlockedReason, reason) {
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

func equalStrings(a, b *string) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// Status is the status of a payment intent (contract §9).
type Status string

// The statuses of an intent. All except Pending are final.
const (
	Pending   Status = "pending"
	Succeeded Status = "succeeded"
	Canceled  Status = "canceled"
	Expired   Status = "expired"

	// RefundDue is how a Succeeded intent is stored whose money is to be refunded. Responses show Succeeded.
	RefundDue Status = "refund_due"
)

// intentLifetime is how long an intent can be paid.
const intentLifetime = 30 * time.Minute

// Intent is one payment for one event.
type Intent struct {
	ID                   domain.PaymentID
	EventID              domain.EventID
	UserID               *domain.UserID // the payer; nil if the account is deleted
	Provider             string
	ProviderPaymentID    string
	Status               Status
	Amount               int64  // minor units
	Currency             string // ISO 4217
	CheckoutURL          string
	ExpiresAt            time.Time
	PaidAt, CanceledAt   *time.Time
	RefundDueAt          *time.Time // since when the money must be refunded
	CreatedAt, UpdatedAt time.Time
}

// at returns the intent as it is at the time now: a stored Pending intent becomes
// Expired without a write.
func (i Intent) at(now time.Time) Intent {
	if i.Status == Pending && !now.Before(i.ExpiresAt) {
		i.Status, i.UpdatedAt = Expired, i.ExpiresAt
	}
	return i
}

// shown returns the status that responses show.
func (s Status) shown() Status {
	if s == RefundDue {
		return Succeeded
	}
	return s
}

// withStatus returns the intent after the provider has reported a status; changed
// reports whether its status changed. A final status stays. Money that arrives for
// a canceled or expired intent is due for refund.
func (i Intent) withStatus(to Status, now time.Time) (result Intent, changed bool) {
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
	case Pending, Expired, RefundDue: // no timestamp of their own
	}
	return i, true
}

// checkout contains the facts that decide whether a user can pay for an event.
type checkout struct {
	access.EventFacts
	enabled  bool // payments are enabled
	verified bool // the organizer's payment profile is verified
	paid     bool // the user has paid
	full     bool
	price    price

	removed    bool // the organizer has removed the user from the event
	unapproved bool // the organizer must approve the user first
}

// price is the price of an event; the zero price is free.
type price struct {
	amount   int64 // minor units
	currency string
}

// mayPay checks the rules of contract §9.
func (c checkout) mayPay() error {
	switch {
	case !c.enabled:
		return domain.Forbid(domain.PaymentsDisabled)
	case c.Hosts():
		return domain.Forbid(domain.OwnEvent)
	case !c.Paid:
		return domain.Forbid(domain.EventFree)
	case c.Status != access.Published:
		return c.Status.MustBe(access.Published)
	case !c.verified:
		return domain.Forbid(domain.OrganizerUnverified)
	case c.paid:
		return domain.Forbid(domain.AlreadyPaid)
	case c.removed:
		return domain.Forbid(domain.Removed)
	case c.unapproved:
		return domain.Forbid(domain.ApprovalRequired)
	case c.full:
		return domain.Forbid(domain.EventFull)
	default:
		return nil
	}
}
