package event

import (
	"cmp"
	"context"
	"net/url"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"cancelEvent": httpapi.BodyCheck(func(_ context.Context, req *gen.OptCancelEventRequest) error {
			_, err := cleanCancelMessage(httpapi.Opt[string](req.Value.Message).Value)
			return err
		}),
		"createEvent": httpapi.BodyCheck(func(_ context.Context, req *gen.CreateEventRequest) error {
			return h.service.Rules.Check(body{req})
		}),
		"updateEvent": httpapi.ChangeCheck(func(_ context.Context, req *gen.UpdateEventRequest) error {
			_, err := h.service.Rules.mergeChange(Fields{}, body{req})
			return err
		}),
		"listMyEvents": httpapi.QueryCheck(func(query url.Values) error {
			_, err := mineFrom(Role(cmp.Or(query.Get("role"), string(Going))), query.Get("cursor"), h.service.Clock.Now())
			return err
		}),
	}
}

// inContract reports whether the contract accepts the times.
func (f Fields) inContract() bool {
	return gen.IsTime(f.StartsAt) && (f.EndsAt == nil || gen.IsTime(*f.EndsAt))
}
