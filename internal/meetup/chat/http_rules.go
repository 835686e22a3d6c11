package chat

import (
	"context"
	"net/url"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Rules returns the rules of the operations.
func (h *Handler) Rules() map[string]httpapi.Rule {
	return map[string]httpapi.Rule{
		"sendChatMessage": httpapi.BodyRule(func(_ context.Context, req *gen.SendEventChatMessageRequest) error {
			_, err := cleanBody(req.Body)
			return err
		}),
		"listMyChats": httpapi.CursorRule(beforeChat),
		"listChatMessages": httpapi.QueryRule(func(query url.Values) error {
			var wrong domain.Problems
			httpapi.CheckTimes(&wrong, query, "before", "cursor")
			return wrong.Err()
		}),
	}
}
