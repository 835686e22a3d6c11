package mail

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"updateNotificationPreferences": httpapi.ChangeCheck(func(_ context.Context, req *gen.UpdateNotificationPreferencesRequest) error {
			return changeOf(req).check()
		}),
	}
}
