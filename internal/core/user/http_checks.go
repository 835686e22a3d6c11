package user

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"updateMyProfile": httpapi.BodyCheck(func(_ context.Context, req *gen.UpdateProfileRequest) error {
			_, err := changeOf(req).validated()
			return err
		}),
		"listProfiles": httpapi.CursorCheck(readCursor),
	}
}
