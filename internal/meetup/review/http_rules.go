package review

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Rules returns the rules of the operations.
func (h *Handler) Rules() map[string]httpapi.Rule {
	return map[string]httpapi.Rule{
		"reviewEvent": httpapi.BodyRule(func(_ context.Context, req *gen.UpsertEventReviewRequest) error {
			return new(draftOf(req)).clean()
		}),
		"listEventReviews": httpapi.CursorRule(readCursor),
	}
}
