package post

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"createEventPost": httpapi.BodyCheck(func(_ context.Context, req *gen.CreateEventPostRequest) error {
			_, err := cleanBody(req.Body, maxPostBody)
			return err
		}),
		"createPostComment": httpapi.BodyCheck(func(_ context.Context, req *gen.CreateEventPostCommentRequest) error {
			_, err := cleanBody(req.Body, maxCommentBody)
			return err
		}),
		"listEventPosts":   httpapi.CursorCheck(beforePost),
		"listPostComments": httpapi.CursorCheck(afterComment),
		"listMyReposts":    httpapi.CursorCheck(beforeRepost),
	}
}
