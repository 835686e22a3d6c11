package review

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"reviewEvent": httpapi.BodyCheck(func(_ context.Context, req *gen.UpsertEventReviewRequest) error {
			return new(draftOf(req)).clean()
		}),
		"listEventReviews": httpapi.CursorCheck(readCursor),
	}
}
