package moderation

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"createReport": httpapi.BodyCheck(checkReport),
		"updateReport": httpapi.BodyCheck(func(_ context.Context, req *gen.UpdateReportStatusRequest) error {
			return new(moveOf(req)).clean()
		}),
		"listReports": httpapi.CursorCheck(func(cursor string) (position, error) { return Filter{Cursor: cursor}.start() }),
	}
}
