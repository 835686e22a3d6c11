package series

import (
	"context"
	"net/url"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"createEventSeries": httpapi.BodyCheck(func(_ context.Context, req *gen.CreateEventSeriesRequest) error {
			_, err := h.service.build(newOf(req), h.service.Clock.Now())
			return err
		}),
		"previewEventSeries": httpapi.QueryCheck(func(query url.Values) error {
			_, _, err := h.service.Preview(query.Get("rrule"), query.Get("starts_at"), query.Get("timezone"))
			return err
		}),
		"listSeriesEvents":  httpapi.CursorCheck(readCursor),
		"listSeriesDates":   httpapi.CursorCheck(afterDate),
		"listMyEventSeries": httpapi.CursorCheck(beforeMine),
	}
}
