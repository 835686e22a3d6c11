package mail

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Rules returns the rules of the operations.
func (h *Handler) Rules() map[string]httpapi.Rule {
	return map[string]httpapi.Rule{
		"updateNotificationPreferences": httpapi.ChangeRule(func(_ context.Context, req *gen.UpdateNotificationPreferencesRequest) error {
			return changeOf(req).check()
		}),
	}
}
