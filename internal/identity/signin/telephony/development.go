package telephony

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"
)

// development replaces a provider: the page /dev/calls simulates the calls.
type development struct{}

// DevelopmentNumber is the first number to dial. It and the following numbers are
// reserved for fictional use and are not assigned.
const DevelopmentNumber = "+12025550123"

// developmentNumbers is how many numbers a phone can have at a time: 0123 to 0199.
const developmentNumbers = 77

// NewDevelopment returns a provider that needs no telephony. It is not for production.
func NewDevelopment() Provider { return development{} }

// Name implements Provider.
func (development) Name() string { return "development" }

// Ack implements Provider.
func (development) Ack() string { return "" }

// SeveralNumbers implements Provider.
func (development) SeveralNumbers() bool { return true }

// Expect implements Provider.
func (development) Expect(_ context.Context, phone string, taken []string) (Expected, error) {
	for i := range developmentNumbers {
		number := fmt.Sprintf("+120255501%02d", 23+i)
		if !slices.Contains(taken, number) {
			return Expected{Ref: CallRef(phone, number), Number: number, Within: time.Hour}, nil
		}
	}
	return Expected{}, ErrNoNumber
}

// Status implements Provider.
func (development) Status(context.Context, string) (Status, error) { return Pending, nil }

// Reports implements Provider. The development provider sends none.
func (development) Reports(url.Values) ([]Report, error) { return nil, ErrForged }
