package datevote

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"createDateOption": httpapi.BodyCheck(func(_ context.Context, req *gen.CreateEventDateOptionRequest) error {
			_, err := inputOf(req).normalize()
			return err
		}),
	}
}
