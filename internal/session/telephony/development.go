package telephony

import (
	"context"
	"net/url"
	"time"
)

// development stands in for a provider: nobody is called, a page plays the call.
type development struct{}

// DevelopmentNumber is a number that is kept free for fiction.
const DevelopmentNumber = "+12025550123"

// NewDevelopment is a provider without telephony, never for production.
func NewDevelopment() Provider { return development{} }

// Name is described at Provider.
func (development) Name() string { return "development" }

// Receipt is described at Provider.
func (development) Receipt() string { return "" }

// Expect is described at Provider.
func (development) Expect(_ context.Context, phone string) (Expected, error) {
	return Expected{Ref: CallRef(phone, DevelopmentNumber), Number: DevelopmentNumber, Within: time.Hour}, nil
}

// Status is described at Provider.
func (development) Status(context.Context, string) (Status, error) { return Pending, nil }

// Reports is described at Provider: nobody reports.
func (development) Reports(url.Values) ([]Report, error) { return nil, ErrForged }
