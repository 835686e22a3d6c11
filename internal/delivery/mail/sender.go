package mail

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/mailtemplate"
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
	Kind     notify.Kind         // of the notification, or digest
	Items    []notify.Item       // one, or those of a digest
	More     int                 // items of the digest that are left out
	Picture  *mailtemplate.Cover // of the event; nil: none
	At       time.Time           // of this attempt
	Expires  time.Time           // after which the message is of no use

	Appointment *Appointment // of e-mail: a message for calendar programs; nil: none
	Answer      string       // of an e-mail invitation: the token of its link; empty: another message
}

// Subscription is the push subscription that receives a message.
type Subscription struct {
	push.Subscription
	ID     domain.PushSubscriptionID
	Unread int // notifications of the user
}

// picture returns the image of the event of a notification, if the recipient sees the event.
func (f candidate) picture(item notify.Item) *mailtemplate.Cover {
	if item.EventID == nil || f.eventID == nil || *item.EventID != *f.eventID || f.imageURL == nil {
		return nil
	}
	p := &mailtemplate.Cover{URL: *f.imageURL}
	if f.imageAlt != nil {
		p.Alt = *f.imageAlt
	}
	return p
}

// prepare adds everything but Items, More and Appointment. It returns an error if the address of an e-mail is invalid.
func (m *Message) prepare(one delivery, f candidate, now time.Time) error {
	m.ID, m.User, m.Kind, m.At, m.Expires = one.id(), one.user, one.kind, now, one.expires
	m.Push, m.Language, m.Picture = f.push, f.languageTag(), f.picture(m.Items[0])
	if policyOf[one.kind].upcoming && f.startsAt != nil && f.startsAt.Before(m.Expires) {
		m.Expires = *f.startsAt
	}
	if one.channel == Push {
		if f.stranger {
			m.Items[0].Title = m.Items[0].Subject
		}
		return nil
	}
	address, err := user.ParseEmail(*f.email)
	m.Address = address.ASCII() // as mail servers expect it
	return err
}

// id returns the id of the message. It is the same for every attempt.
func (k key) id() string {
	h := sha256.New()
	h.Write(k.user[:])
	h.Write(k.notification[:])
	h.Write([]byte(strconv.FormatInt(k.about.UnixMicro(), 10) + "\n" + string(k.channel) + "\n"))
	h.Write(k.target[:])
	return hex.EncodeToString(h.Sum(nil)[:16])
}
