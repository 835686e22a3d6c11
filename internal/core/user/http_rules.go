package user

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Rules returns the rules of the operations.
func (h *Handler) Rules() map[string]httpapi.Rule {
	return map[string]httpapi.Rule{
		"updateMyProfile": httpapi.BodyRule(func(_ context.Context, req *gen.UpdateProfileRequest) error {
			_, err := changeOf(req).validated()
			return err
		}),
		"listProfiles": httpapi.CursorRule(readCursor),
	}
}
