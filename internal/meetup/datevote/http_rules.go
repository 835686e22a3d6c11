package datevote

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Rules returns the rules of the operations.
func (h *Handler) Rules() map[string]httpapi.Rule {
	return map[string]httpapi.Rule{
		"createDateOption": httpapi.BodyRule(func(_ context.Context, req *gen.CreateEventDateOptionRequest) error {
			_, err := inputOf(req).normalize()
			return err
		}),
	}
}
