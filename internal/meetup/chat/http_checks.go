package chat

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
		"sendChatMessage": httpapi.BodyCheck(func(_ context.Context, req *gen.SendEventChatMessageRequest) error {
			_, err := cleanBody(req.Body)
			return err
		}),
		"listMyChats": httpapi.CursorCheck(beforeChat),
		"listChatMessages": httpapi.QueryCheck(func(query url.Values) error {
			var wrong domain.Problems
			httpapi.CheckTimes(&wrong, query, "before", "cursor")
			return wrong.Err()
		}),
	}
}
