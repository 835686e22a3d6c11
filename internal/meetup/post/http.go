package post

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler serves the operations on posts.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// ListPostThreads serves GET /events/posts.
func (h *Handler) ListPostThreads(ctx context.Context, params gen.ListPostThreadsParams, w http.ResponseWriter) error {
	events := make([]domain.EventID, len(params.EventID))
	for i, id := range params.EventID {
		events[i] = domain.EventID(id)
	}
	threads, err := h.service.Batch(ctx, httpapi.Viewer(ctx), events)
	if err != nil {
		return err
	}
	return httpapi.WriteBody(ctx, w, newThreadsBody(threads, true))
}

// ListEventPosts serves GET /events/{event_id}/posts.
func (h *Handler) ListEventPosts(ctx context.Context, params gen.ListEventPostsParams, w http.ResponseWriter) error {
	threads, err := h.service.List(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), params.Limit.Or(maxPosts), params.Cursor.Or(""))
	if err != nil {
		return err
	}
	return httpapi.WriteBody(ctx, w, newThreadsBody(threads, false))
}

// ListPostComments serves GET /events/{event_id}/posts/{post_id}/comments.
func (h *Handler) ListPostComments(ctx context.Context, params gen.ListPostCommentsParams, w http.ResponseWriter) error {
	page, err := h.service.Comments(ctx, httpapi.Viewer(ctx),
		domain.EventID(params.EventID), domain.PostID(params.PostID), params.Limit.Or(maxComments), params.Cursor.Or(""))
	if err != nil {
		return err
	}
	after := func(last Comment) string { return commentsAfter(last.seq) }
	return httpapi.WriteBody(ctx, w, newPageBody(page, Comment.toAPI, after, func(items []gen.EventPostComment, next gen.NilString) any {
		return &gen.EventPostCommentsResponse{Items: items, NextCursor: next}
	}))
}

// CreateEventPost serves POST /events/{event_id}/posts.
func (h *Handler) CreateEventPost(ctx context.Context, req *gen.CreateEventPostRequest,
	params gen.CreateEventPostParams) (*gen.EventPost, error) {
	kind := string(req.Kind.Or(gen.EventPostKind(Plain)))
	p, err := h.service.Write(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), kind, req.Body)
	if err != nil {
		return nil, err
	}
	return new(p.toAPI()), nil
}

// CreatePostComment serves POST /events/{event_id}/posts/{post_id}/comments.
func (h *Handler) CreatePostComment(ctx context.Context, req *gen.CreateEventPostCommentRequest,
	params gen.CreatePostCommentParams) (*gen.EventPostComment, error) {
	reply := Reply{Body: req.Body}
	if parent, ok := req.ParentCommentID.Get(); ok {
		reply.Parent = (*domain.CommentID)(&parent)
	}
	c, err := h.service.Comment(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.PostID(params.PostID), reply)
	if err != nil {
		return nil, err
	}
	return new(c.toAPI()), nil
}

// UpdatePostComment serves PATCH /events/{event_id}/posts/{post_id}/comments/{comment_id}.
func (h *Handler) UpdatePostComment(ctx context.Context, req *gen.UpdateEventPostCommentRequest,
	params gen.UpdatePostCommentParams) (*gen.EventPostComment, error) {
	c, err := h.service.Edit(ctx, httpapi.Viewer(ctx),
		domain.EventID(params.EventID), domain.PostID(params.PostID), domain.CommentID(params.CommentID), req.Body)
	if err != nil {
		return nil, err
	}
	return new(c.toAPI()), nil
}

// DeletePostComment serves DELETE /events/{event_id}/posts/{post_id}/comments/{comment_id}.
func (h *Handler) DeletePostComment(ctx context.Context, params gen.DeletePostCommentParams) error {
	return h.service.Delete(ctx, httpapi.Viewer(ctx),
		domain.EventID(params.EventID), domain.PostID(params.PostID), domain.CommentID(params.CommentID))
}

// LikePost serves POST /events/{event_id}/posts/{post_id}/like.
func (h *Handler) LikePost(ctx context.Context, params gen.LikePostParams) (*gen.EventPostLikeState, error) {
	return likeAPI(h.service.Like(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.PostID(params.PostID)))
}

// DeleteEventPost serves DELETE /events/{event_id}/posts/{post_id}.
func (h *Handler) DeleteEventPost(ctx context.Context, params gen.DeleteEventPostParams) error {
	return h.service.DeletePost(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.PostID(params.PostID))
}

// UnlikePost serves DELETE /events/{event_id}/posts/{post_id}/like.
func (h *Handler) UnlikePost(ctx context.Context, params gen.UnlikePostParams) (*gen.EventPostLikeState, error) {
	return likeAPI(h.service.Unlike(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.PostID(params.PostID)))
}

// RepostPost serves POST /events/{event_id}/posts/{post_id}/repost.
func (h *Handler) RepostPost(ctx context.Context, params gen.RepostPostParams) (*gen.EventPostRepostState, error) {
	return repostAPI(h.service.Repost(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.PostID(params.PostID)))
}

// UnrepostPost serves DELETE /events/{event_id}/posts/{post_id}/repost.
func (h *Handler) UnrepostPost(ctx context.Context, params gen.UnrepostPostParams) (*gen.EventPostRepostState, error) {
	return repostAPI(h.service.Unrepost(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.PostID(params.PostID)))
}

// ListMyReposts serves GET /me/reposts.
func (h *Handler) ListMyReposts(ctx context.Context, params gen.ListMyRepostsParams, w http.ResponseWriter) error {
	page, err := h.service.Reposts(ctx, httpapi.Viewer(ctx), params.Limit.Or(domain.DefaultLimit), params.Cursor.Or(""))
	if err != nil {
		return err
	}
	toAPI := func(r Reposted) gen.RepostHistoryItem {
		return gen.RepostHistoryItem{Post: r.Post.toAPI(), RepostedAt: r.At}
	}
	return httpapi.WriteBody(ctx, w, newPageBody(page, toAPI, afterRepost, func(items []gen.RepostHistoryItem, next gen.NilString) any {
		return &gen.RepostHistoryResponse{Items: items, NextCursor: next}
	}))
}

func likeAPI(s State, err error) (*gen.EventPostLikeState, error) {
	if err != nil {
		return nil, err
	}
	return &gen.EventPostLikeState{PostID: uuid.UUID(s.PostID), LikeCount: int(s.Count), ViewerLiked: s.Viewer}, nil
}

func repostAPI(s State, err error) (*gen.EventPostRepostState, error) {
	if err != nil {
		return nil, err
	}
	return &gen.EventPostRepostState{PostID: uuid.UUID(s.PostID), RepostCount: int(s.Count), ViewerReposted: s.Viewer}, nil
}

func (p Post) toAPI() gen.EventPost {
	return gen.EventPost{
		ID: uuid.UUID(p.ID), EventID: uuid.UUID(p.EventID), AuthorUserID: uuid.UUID(p.AuthorID), Author: user.NullAPI(p.Author),
		Kind: gen.EventPostKind(p.Kind), Body: p.Body,
		LikeCount: int(p.Likes), RepostCount: int(p.Reposts), CommentCount: int(p.Comments),
		ViewerLiked: p.ViewerLiked, ViewerReposted: p.ViewerReposted, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}

func (c Comment) toAPI() gen.EventPostComment {
	return gen.EventPostComment{
		ID: uuid.UUID(c.ID), EventID: uuid.UUID(c.EventID), PostID: uuid.UUID(c.PostID), AuthorUserID: uuid.UUID(c.AuthorID),
		Author: user.NullAPI(c.Author), ParentCommentID: gen.NullUUID(c.ParentID), Body: c.Body,
		CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt, DeletedAt: gen.NullDateTime(c.DeletedAt),
	}
}
