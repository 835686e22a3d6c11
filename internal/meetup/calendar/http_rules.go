package calendar

import (
	"context"
	"net/url"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Rules returns the rules of the operations.
func (h *Handler) Rules() map[string]httpapi.Rule {
	return map[string]httpapi.Rule{
		"createCalendarEntry": httpapi.BodyRule(func(ctx context.Context, req *gen.CreateCalendarEntryRequest) error {
			in, invitees := newInput(req)
			_, err := h.service.newFields(httpapi.Viewer(ctx), in, invitees)
			return err
		}),
		"updateCalendarEntry": httpapi.ChangeRule(func(_ context.Context, req *gen.UpdateCalendarEntryRequest) error {
			_, err := Fields{}.merge(changeOf(req))
			return err
		}),
		"listCalendarEntries": httpapi.QueryRule(func(query url.Values) error {
			_, err := Filter{From: httpapi.Time(query, "from"), To: httpapi.Time(query, "to"), Cursor: query.Get("cursor")}.after()
			return err
		}),
		"listCalendarInvites": httpapi.CursorRule(beforeInvite),
	}
}
