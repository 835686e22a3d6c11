package relation

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler serves the operations on follows and blocks.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// GetFollow serves GET /users/{user_id}/follow.
func (h *Handler) GetFollow(ctx context.Context, params gen.GetFollowParams) (*gen.FollowStatus, error) {
	return statusAPI(h.service.Status(ctx, httpapi.Viewer(ctx), domain.UserID(params.UserID)))
}

// FollowUser serves POST /users/{user_id}/follow.
func (h *Handler) FollowUser(ctx context.Context, params gen.FollowUserParams) (*gen.FollowStatus, error) {
	return statusAPI(h.service.Follow(ctx, httpapi.Viewer(ctx), domain.UserID(params.UserID)))
}

// UnfollowUser serves DELETE /users/{user_id}/follow.
func (h *Handler) UnfollowUser(ctx context.Context, params gen.UnfollowUserParams) (*gen.FollowStatus, error) {
	return statusAPI(h.service.Unfollow(ctx, httpapi.Viewer(ctx), domain.UserID(params.UserID)))
}

// GetBlock serves GET /users/{user_id}/block.
func (h *Handler) GetBlock(ctx context.Context, params gen.GetBlockParams) (*gen.UserBlockStatus, error) {
	at, err := h.service.BlockedAt(ctx, httpapi.Viewer(ctx), domain.UserID(params.UserID))
	if err != nil {
		return nil, err
	}
	return &gen.UserBlockStatus{UserID: params.UserID, Blocked: at != nil, BlockedAt: gen.NullDateTime(at)}, nil
}

// BlockUser serves POST /users/{user_id}/block.
func (h *Handler) BlockUser(ctx context.Context, params gen.BlockUserParams) (*gen.UserBlock, error) {
	b, err := h.service.Block(ctx, httpapi.Viewer(ctx), domain.UserID(params.UserID))
	if err != nil {
		return nil, err
	}
	return &gen.UserBlock{
		ID: uuid.UUID(b.ID), BlockerUserID: uuid.UUID(b.Blocker), BlockedUserID: uuid.UUID(b.Blocked), CreatedAt: b.At,
	}, nil
}

// UnblockUser serves DELETE /users/{user_id}/block.
func (h *Handler) UnblockUser(ctx context.Context, params gen.UnblockUserParams) error {
	return h.service.Unblock(ctx, httpapi.Viewer(ctx), domain.UserID(params.UserID))
}

func statusAPI(s Status, err error) (*gen.FollowStatus, error) {
	if err != nil {
		return nil, err
	}
	return &gen.FollowStatus{
		UserID: uuid.UUID(s.User), Following: s.FollowedAt != nil, FollowedAt: gen.NullDateTime(s.FollowedAt), FollowedBy: s.FollowedBy,
		FollowerCount: s.Followers, FollowingCount: s.Following,
	}, nil
}
