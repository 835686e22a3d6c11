package smtp

import (
	"context"
	"errors"

	"moothall/internal/platform/observe"
)

type measured struct{ next Transport }

// Measured returns a Transport that sends mails by another one, and measures each call.
func Measured(t Transport) Transport { return measured{t} }

// Send implements Transport.
func (m measured) Send(ctx context.Context, message Message) error {
	call := observe.BeginCall(ctx, "mail", "smtp")
	err := m.next.Send(ctx, message)
	result := observe.ResultOf(err)
	var refused *RefusalError
	if errors.As(err, &refused) && refused.Permanent() {
		result = observe.Refused
	}
	call.End(result)
	return err
}
