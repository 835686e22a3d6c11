package discovery

import (
	"net/url"

	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"listEvents": httpapi.QueryCheck(func(query url.Values) error {
			var wrong domain.Problems
			httpapi.CheckTimes(&wrong, query, "cursor")
			checkFilter(&wrong, query)
			return wrong.Err()
		}),
		"mapEvents": httpapi.QueryCheck(func(query url.Values) error {
			var wrong domain.Problems
			if query.Has("bbox") {
				_, err := parseBox(query.Get("bbox"))
				wrong.AddAll(err)
			}
			checkFilter(&wrong, query)
			return wrong.Err()
		}),
	}
}

// checkFilter checks the parameters that the list and the map share.
func checkFilter(wrong *domain.Problems, query url.Values) {
	httpapi.CheckCircle(wrong, query.Has("lat"), query.Has("lng"), query.Has("radius_km"))
	checkPeriod(wrong, httpapi.Time(query, "starts_from"), httpapi.Time(query, "starts_to"))
}
