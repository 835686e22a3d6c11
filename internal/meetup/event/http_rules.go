package event

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Rules returns the rules of the operations.
func (h *Handler) Rules() map[string]httpapi.Rule {
	return map[string]httpapi.Rule{
		"createEvent": httpapi.BodyRule(func(_ context.Context, req *gen.CreateEventRequest) error {
			_, err := h.service.Rules.mergeNew(createInput(req))
			return err
		}),
		"updateEvent": httpapi.ChangeRule(func(_ context.Context, req *gen.UpdateEventRequest) error {
			_, err := h.service.Rules.mergeChange(Fields{}, updateInput(req))
			return err
		}),
	}
}
