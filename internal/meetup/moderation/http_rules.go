package moderation

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Rules returns the rules of the operations.
func (h *Handler) Rules() map[string]httpapi.Rule {
	return map[string]httpapi.Rule{
		"createReport": httpapi.BodyRule(checkReport),
		"updateReport": httpapi.BodyRule(func(_ context.Context, req *gen.UpdateReportStatusRequest) error {
			return new(moveOf(req)).clean()
		}),
		"listReports": httpapi.CursorRule(func(cursor string) (position, error) { return Filter{Cursor: cursor}.start() }),
	}
}
