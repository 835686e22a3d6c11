// Package telephony talks to providers that verify a phone by a call: the user calls a
// number that the provider chooses, and the provider identifies the caller. A provider
// answers status requests, sends reports, or does both.
package telephony

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"
)

// Provider is one telephony service. Its errors contain no phone number and no
// secret.
type Provider interface {
	// Name is the provider's name in settings, routes and the database.
	Name() string
	// SeveralNumbers reports whether a phone can have several numbers to dial at a time.
	// The provider then reports which of them was dialled.
	SeveralNumbers() bool
	// Expect asks the provider to expect a call from a phone (E.164) to a number that is
	// not in taken. It returns ErrNoNumber if the provider has no other number.
	Expect(ctx context.Context, phone string, taken []string) (Expected, error)
	// Status returns the state of an expected call. A provider that only sends
	// reports always returns Pending.
	Status(ctx context.Context, ref string) (Status, error)
	// Reports parses the form of a report. It returns ErrForged if the form is
	// not authenticated as the provider's.
	Reports(form url.Values) ([]Report, error)
	// Ack is the response body that the provider expects after a report.
	Ack() string
}

// Expected is a call that the provider expects.
type Expected struct {
	Ref    string        // the provider's id of the call, at most 64 characters
	Number string        // the number to call, E.164
	Pretty string        // the same number for display; may be empty
	Within time.Duration // how long the provider waits for the call
}

// Status is the state of an expected call.
type Status int

// The states of a call.
const (
	Pending   Status = iota
	Confirmed        // the call came from the expected phone
	Expired          // the provider no longer expects the call
)

// Report is a change of an expected call's state.
type Report struct {
	Ref    string
	Status Status
	At     time.Time // when the call came; zero if the provider does not say
}

// ErrNoNumber is returned if all numbers of the provider are taken for a phone.
var ErrNoNumber = errors.New("telephony: no other number to call")

// ErrForged is returned for a report that is not authenticated as the provider's.
var ErrForged = errors.New("telephony: not from the provider")

// CallRef makes the id of a call for providers without call ids: the phone that
// calls and the number that it calls, both E.164.
func CallRef(phone, number string) string { return phone + " " + number }

// parseNumber returns the E.164 form of a number that a provider sent as digits.
func parseNumber(digits string) (string, bool) {
	digits = strings.TrimPrefix(digits, "+")
	if len(digits) < 7 || len(digits) > 15 || digits[0] == '0' || strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	return "+" + digits, true
}

// safePretty returns the provider's formatting of a number, or "" if it is long,
// contains unexpected characters, or is another number.
func safePretty(text, number string) string {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
	if len(text) > 32 || "+"+digits != number || strings.Trim(text, "+0123456789 ()-") != "" {
		return ""
	}
	return text
}
