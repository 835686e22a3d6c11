package payment

import (
	"context"
	"net/http"
	"time"
)

// Provider is a payment service. It defines how its webhooks are signed and encoded.
type Provider interface {
	// Name is its name in paths and responses: a-z, 0-9 and _, at most 32
	// characters.
	Name() string

	// SelfVerified reports whether organizers can set themselves to verified.
	// Otherwise only the provider sets their status.
	SelfVerified() bool

	// Begin creates a payment with the intent's id and amount. It returns the
	// provider's payment id and the https address of the checkout. It runs
	// outside of transactions. If a concurrent request has stored another
	// intent, the payment is not used and expires at the provider.
	Begin(ctx context.Context, i Intent) (paymentID, checkoutURL string, err error)

	// Verify returns domain.Unauthorized unless the provider has signed exactly
	// these bytes recently.
	Verify(h http.Header, body []byte, now time.Time) error

	// Read parses a verified delivery: a JSON object that follows the contract.
	// It returns domain.InvalidRequest if a field is missing.
	Read(h http.Header, body []byte) (Notice, error)
}

// Notice is a message of a provider.
type Notice struct {
	ID     string // the provider's id; a retry has the same id
	Type   string
	About  string  // the provider's payment id, or the user id of the account
	Reason *string // of a block, shown to the organizer
}

// intentNotices maps the types of notices about payments to the status they report.
var intentNotices = map[string]Status{
	"payment.succeeded": Succeeded,
	"payment.canceled":  Canceled,
	"payment.expired":   Expired,
}

// profileNotices maps the types of notices about accounts to the status they report.
var profileNotices = map[string]ProfileStatus{
	"account.verified":   Verified,
	"account.blocked":    Blocked,
	"account.unverified": Unverified,
}
