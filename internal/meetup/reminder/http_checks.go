package reminder

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"setReminderSettings": httpapi.ChangeCheck(func(_ context.Context, req *gen.SetEventReminderSettingsRequest) error {
			_, err := defaults(domain.EventID{}, domain.UserID{}).merge(inputOf(req))
			return err
		}),
	}
}
