package payment

import (
	"context"
	"net/http"
	"time"
)

// Provider is a service that takes money. Sums and states are ours; how it
// signs and words what it tells is its own.
type Provider interface {
	// Name is what it is called in paths and answers: a-z, 0-9 and _, at most
	// 32 characters.
	Name() string

	// SelfVerified reports whether organizers may call themselves verified;
	// else their status comes from the provider alone.
	SelfVerified() bool

	// Begin makes a payment of the intent's amount under the intent's id, and
	// gives the provider's id of it and the https address at which to pay. It
	// is called outside of transactions. An intent that another one was
	// faster than is never shown: it expires there.
	Begin(ctx context.Context, i Intent) (paymentID, checkoutURL string, err error)

	// Verify refuses with domain.Unauthorized what the provider has not signed,
	// byte for byte and lately.
	Verify(h http.Header, body []byte, now time.Time) error

	// Read gives what a verified delivery says: the body is one JSON object
	// that follows the contract. It refuses one that lacks something with
	// domain.InvalidRequest.
	Read(h http.Header, body []byte) (Notice, error)
}

// Notice is something that a provider tells.
type Notice struct {
	ID     string // the provider's own: the same one is sent again until it was taken
	Type   string
	About  string  // the payment at the provider, or the user whose account it is
	Reason *string // of a block, for the organizer to read
}

// moves are the types of notices about payments, and the state each tells of.
var moves = map[string]Status{
	"payment.succeeded": Succeeded,
	"payment.canceled":  Canceled,
	"payment.expired":   Expired,
}

// verdicts are the types of notices about an organizer's account.
var verdicts = map[string]ProfileStatus{
	"account.verified":   Verified,
	"account.blocked":    Blocked,
	"account.unverified": Unverified,
}
