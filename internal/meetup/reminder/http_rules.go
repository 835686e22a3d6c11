package reminder

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Rules returns the rules of the operations.
func (h *Handler) Rules() map[string]httpapi.Rule {
	return map[string]httpapi.Rule{
		"setReminderSettings": httpapi.ChangeRule(func(_ context.Context, req *gen.SetEventReminderSettingsRequest) error {
			_, err := defaults(domain.EventID{}, domain.UserID{}).merge(inputOf(req))
			return err
		}),
	}
}
