package feed

import (
	"context"
	"time"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"getFeed": httpapi.CursorCheck(func(encoded string) (cursor, error) { return parseCursor(encoded, time.Time{}) }),
		"setFeedPreferences": httpapi.ChangeCheck(func(_ context.Context, req *gen.SetFeedPreferencesRequest) error {
			_, err := changeOf(req).apply(Preferences{})
			return err
		}),
	}
}
