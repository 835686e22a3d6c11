package telephony

import (
	"context"
	"net/url"
	"time"
)

// development replaces a provider: the page /dev/calls simulates the calls.
type development struct{}

// DevelopmentNumber is reserved for fictional use and is not assigned.
const DevelopmentNumber = "+12025550123"

// NewDevelopment returns a provider that needs no telephony. It is not for production.
func NewDevelopment() Provider { return development{} }

// Name implements Provider.
func (development) Name() string { return "development" }

// Ack implements Provider.
func (development) Ack() string { return "" }

// Expect implements Provider.
func (development) Expect(_ context.Context, phone string) (Expected, error) {
	return Expected{Ref: CallRef(phone, DevelopmentNumber), Number: DevelopmentNumber, Within: time.Hour}, nil
}

// Status implements Provider.
func (development) Status(context.Context, string) (Status, error) { return Pending, nil }

// Reports implements Provider. The development provider sends none.
func (development) Reports(url.Values) ([]Report, error) { return nil, ErrForged }
