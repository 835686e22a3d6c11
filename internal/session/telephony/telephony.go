// Package telephony speaks to the services that find out who calls a number:
// a user proves to hold a phone by calling from it. A provider either tells
// when asked, or reports by itself, or both.
package telephony

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"
)

// Provider is one such service. Its errors name no phone and no secret.
type Provider interface {
	// Name is how settings, routes and the database call the provider.
	Name() string
	// Expect asks the provider to expect a call from a phone (E.164).
	Expect(ctx context.Context, phone string) (Expected, error)
	// Status asks what has become of an expected call. A provider that only
	// reports always gives Pending.
	Status(ctx context.Context, ref string) (Status, error)
	// Reports reads what the provider sends by itself; ErrForged unless it
	// proves to come from the provider.
	Reports(form url.Values) ([]Report, error)
	// Receipt is the body that the provider wants as the answer to reports.
	Receipt() string
}

// Expected is a call that the provider waits for.
type Expected struct {
	Ref    string        // the provider's name for it, at most 64 characters
	Number string        // E.164, the number to dial
	Pretty string        // the same for people; may be empty
	Within time.Duration // how long the provider waits
}

// Status is what has become of an expected call.
type Status int

// The states of a call.
const (
	Pending   Status = iota
	Confirmed        // it came, from the phone it was expected from
	Expired          // the provider waits no longer
)

// Report is news of an expected call.
type Report struct {
	Ref    string
	Status Status
	At     time.Time // when it happened; zero where the provider does not say
}

// ErrForged is a report that does not prove to come from the provider.
var ErrForged = errors.New("telephony: not from the provider")

// CallRef names a call where the provider has no name for it: by the phone it
// comes from and the number it goes to, both E.164.
func CallRef(phone, number string) string { return phone + " " + number }

// number gives the E.164 form of a number that a provider sent as digits.
func number(digits string) (string, bool) {
	digits = strings.TrimPrefix(digits, "+")
	if len(digits) < 7 || len(digits) > 15 || digits[0] == '0' || strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	return "+" + digits, true
}

// pretty lets the provider's spelling of a number through if it is that number
// in short plain text.
func pretty(text, number string) string {
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
