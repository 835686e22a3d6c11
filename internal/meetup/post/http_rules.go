package post

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Rules returns the rules of the operations.
func (h *Handler) Rules() map[string]httpapi.Rule {
	return map[string]httpapi.Rule{
		"createEventPost": httpapi.BodyRule(func(_ context.Context, req *gen.CreateEventPostRequest) error {
			_, err := cleanBody(req.Body, maxPostBody)
			return err
		}),
		"createPostComment": httpapi.BodyRule(func(_ context.Context, req *gen.CreateEventPostCommentRequest) error {
			_, err := cleanBody(req.Body, maxCommentBody)
			return err
		}),
		"listEventPosts":   httpapi.CursorRule(beforePost),
		"listPostComments": httpapi.CursorRule(afterComment),
		"listMyReposts":    httpapi.CursorRule(beforeRepost),
	}
}
