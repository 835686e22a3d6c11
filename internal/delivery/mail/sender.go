package mail

import (
	"context"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/push"
)

// Sender sends messages through one channel. It uses the network, so it is never called
// in a transaction.
type Sender interface {
	// Channel returns the channel of the deliveries that it sends.
	Channel() Channel
	// Parallel returns how many messages may be sent at the same time.
	Parallel() int
	// Send returns nil if the message was accepted. It returns PermanentError if a retry is useless,
	// UnwantedError if the recipient no longer wants the message, and PostponedError if the retry
	// must wait for a given time. No error contains personal data.
	Send(ctx context.Context, m Message) error
}

// PermanentError is an error after which a delivery is not retried.
type PermanentError struct{ Err error }

// Error implements error.
func (p PermanentError) Error() string { return p.Err.Error() }

// Unwrap returns the cause.
func (p PermanentError) Unwrap() error { return p.Err }

// UnwantedError is an error that ends a delivery without a failure.
type UnwantedError struct{ Reason string }

// Error implements error.
func (u UnwantedError) Error() string { return u.Reason }

// PostponedError is an error that says when to retry.
type PostponedError struct {
	Err      error
	After    time.Duration // until the retry; the usual pause applies if it is longer
	NotTried bool          // this was no attempt: the usual pause does not apply
}

// Error implements error.
func (p PostponedError) Error() string { return p.Err.Error() }

// Unwrap returns the cause.
func (p PostponedError) Unwrap() error { return p.Err }

// Message is what a Sender sends.
type Message struct {
	ID       string // the same for every attempt
	User     domain.UserID
	Address  string // of e-mail
	Push     Subscription
	Language string
	Kind     notify.Kind   // of the notification, or digest
	Items    []notify.Item // one, or those of a digest
	More     int           // items of the digest that are left out
	Picture  *Picture      // of the event; nil: none
	At       time.Time     // of this attempt
	Expires  time.Time     // after which the message is of no use

	Appointment *Appointment // of e-mail: a message for calendar programs; nil: none
}

// Subscription is the push subscription that receives a message.
type Subscription struct {
	push.Subscription
	ID     domain.PushSubscriptionID
	Unread int // notifications of the user
}
