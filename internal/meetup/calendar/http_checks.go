package calendar

import (
	"context"
	"net/url"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"createCalendarEntry": httpapi.BodyCheck(func(ctx context.Context, req *gen.CreateCalendarEntryRequest) error {
			in, invitees := newInput(req)
			_, err := h.service.newFields(httpapi.Viewer(ctx), in, invitees)
			return err
		}),
		"updateCalendarEntry": httpapi.ChangeCheck(func(_ context.Context, req *gen.UpdateCalendarEntryRequest) error {
			_, err := Fields{}.merge(changeOf(req))
			return err
		}),
		"listCalendarEntries": httpapi.QueryCheck(func(query url.Values) error {
			_, err := Filter{From: httpapi.Time(query, "from"), To: httpapi.Time(query, "to"), Cursor: query.Get("cursor")}.after()
			return err
		}),
		"listCalendarInvites": httpapi.CursorCheck(beforeInvite),
	}
}
