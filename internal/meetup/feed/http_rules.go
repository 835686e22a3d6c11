package feed

import (
	"context"
	"time"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Rules returns the rules of the operations.
func (h *Handler) Rules() map[string]httpapi.Rule {
	return map[string]httpapi.Rule{
		"getFeed": httpapi.CursorRule(func(encoded string) (cursor, error) { return parseCursor(encoded, time.Time{}) }),
		"setFeedPreferences": httpapi.ChangeRule(func(_ context.Context, req *gen.SetFeedPreferencesRequest) error {
			_, err := changeOf(req).apply(Preferences{})
			return err
		}),
	}
}
