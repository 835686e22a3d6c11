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
		"listGroups":       httpapi.QueryCheck(checkList),
		"listMyGroups":     httpapi.CursorCheck(readMineCursor),
		"listGroupMembers": httpapi.CursorCheck(readMembersCursor),
	}
}

func checkList(query url.Values) error {
	var wrong domain.Problems
	httpapi.CheckCircle(&wrong, query.Has("lat"), query.Has("lng"), query.Has("radius_km"))
	if query.Has("slug") {
		for _, name := range []string{"q", "city", "lat", "lng", "radius_km", "cursor"} {
			if query.Has(name) {
				wrong.Add("?"+name, "must be absent if slug is sent")
			}
		}
	}
	_, err := readCursor(query.Get("cursor"))
	wrong.AddAll(err)
	return wrong.Err()
}
