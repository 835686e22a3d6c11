package payment

import (
	"context"
	"errors"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Exported is the payment data in a user's export.
type Exported struct {
	Profile *ExportedProfile `json:"profile"`
	Intents []ExportedIntent `json:"intents"`
}

// ExportedProfile is the user's profile as an organizer.
type ExportedProfile struct {
	Status        ProfileStatus `json:"status"`
	Provider      string        `json:"provider"`
	BlockedReason *string       `json:"blocked_reason"`
	VerifiedAt    *time.Time    `json:"verified_at"`
	CreatedAt     time.Time     `json:"created_at"`
	UpdatedAt     time.Time     `json:"updated_at"`
}

// ExportedIntent is one payment of the user.
type ExportedIntent struct {
	ID                domain.PaymentID `json:"id"`
	EventID           domain.EventID   `json:"event_id"`
	Provider          string           `json:"provider"`
	ProviderPaymentID string           `json:"provider_payment_id"`
	Status            Status           `json:"status"`
	Amount            int64            `json:"amount"`
	Currency          string           `json:"currency"`
	PaidAt            *time.Time       `json:"paid_at"`
	CanceledAt        *time.Time       `json:"canceled_at"`
	RefundDueAt       *time.Time       `json:"refund_due_at"`
	CreatedAt         time.Time        `json:"created_at"`
}

var intentsOfStmt = db.SQL("payment.intents_of", `SELECT `+intentColumns+` FROM payment_intents WHERE user_id = $1 ORDER BY id`)

// Export returns the payment profile and the intents of a user.
func (s *Service) Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	all := Exported{Intents: []ExportedIntent{}}
	p, err := findProfile(ctx, q, user)
	switch {
	case err == nil:
		all.Profile = &ExportedProfile{p.Status, p.Provider, p.BlockedReason, p.VerifiedAt, p.CreatedAt, p.UpdatedAt}
	case !errors.Is(err, domain.NotFound):
		return nil, err
	}
	intents, err := db.All(ctx, q, scanIntent, intentsOfStmt, user)
	if err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	for _, i := range intents {
		all.Intents = append(all.Intents, ExportedIntent{i.ID, i.EventID, i.Provider, i.ProviderPaymentID, i.at(now).Status.shown(),
			i.Amount, i.Currency, i.PaidAt, i.CanceledAt, i.RefundDueAt, i.CreatedAt})
	}
	return all, nil
}

var (
	eraseKeysStmt    = db.SQL("payment.erase_keys", `DELETE FROM payment_keys WHERE user_id = $1`)
	eraseProfileStmt = db.SQL("payment.erase_profile", `DELETE FROM payment_profiles WHERE user_id = $1`)
	expireAllStmt    = db.SQL("payment.expire_all", `
		UPDATE payment_intents SET status = 'expired', updated_at = expires_at WHERE user_id = $1 AND status = 'pending' AND expires_at <= $2`)
	cancelAllStmt = db.SQL("payment.cancel_all", `
		UPDATE payment_intents SET status = 'canceled', canceled_at = $2, updated_at = $2 WHERE user_id = $1 AND status = 'pending'`)
	erasePayerStmt = db.SQL("payment.erase_payer", `UPDATE payment_intents SET user_id = NULL WHERE user_id = $1`)
)

// Erase deletes the profile, cancels pending intents, and removes the payer from
// all intents. The amounts remain for accounting.
func (s *Service) Erase(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	tx.Queue(ctx, eraseKeysStmt, user)
	tx.Queue(ctx, eraseProfileStmt, user)
	tx.Queue(ctx, expireAllStmt, user, now)
	tx.Queue(ctx, cancelAllStmt, user, now)
	tx.Queue(ctx, erasePayerStmt, user)
	return nil
}
