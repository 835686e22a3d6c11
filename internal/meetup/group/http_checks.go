package group

import (
	"context"
	"net/url"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"createGroup": httpapi.BodyCheck(func(_ context.Context, req *gen.CreateGroupRequest) error {
			_, err := newOf(req).create()
			return err
		}),
		"listGroups":   httpapi.QueryCheck(checkList),
		"listMyGroups": httpapi.CursorCheck(readMineCursor),
		"listGroupEvents": httpapi.QueryCheck(func(query url.Values) error {
			_, err := readEventCursor(query.Get("period") == string(gen.ListGroupEventsPeriodPast), query.Get("cursor"))
			return err
		}),
		"announceToGroup": httpapi.BodyCheck(func(_ context.Context, req *gen.AnnounceToGroupRequest) error {
			_, err := cleanAnnouncement(req.Body)
			return err
		}),
		"listGroupMembers":       httpapi.CursorCheck(readMembersCursor),
		"listGroupAnnouncements": httpapi.CursorCheck(readAnnouncementsCursor),
	}
}

// filters are the parameters that cannot be sent with a slug.
var filters = []string{"q", "city", "lat", "lng", "radius_km", "cursor"}

// checkAlone requires that a slug is sent without filters.
func checkAlone(wrong *domain.Problems, sent func(name string) bool) {
	for _, name := range filters {
		if sent(name) {
			wrong.Add("?"+name, "must be absent if slug is sent")
		}
	}
}

func checkList(query url.Values) error {
	var wrong domain.Problems
	httpapi.CheckCircle(&wrong, query.Has("lat"), query.Has("lng"), query.Has("radius_km"))
	if query.Has("slug") {
		checkAlone(&wrong, query.Has)
	}
	_, err := readCursor(query.Get("cursor"))
	wrong.AddAll(err)
	return wrong.Err()
}
