package review

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler serves the operations on reviews.
type Handler struct{ service *Service }

// NewHandler makes a Handler of the service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// ListEventReviews serves GET /events/{event_id}/reviews.
func (h *Handler) ListEventReviews(ctx context.Context, params gen.ListEventReviewsParams) (*gen.EventReviewsResponse, error) {
	p, err := h.service.List(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), params.Limit.Or(domain.DefaultLimit),
		params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	items := make([]gen.EventReview, len(p.Items))
	for i, r := range p.Items {
		items[i] = API(r)
	}
	response := &gen.EventReviewsResponse{
		Items: items, NextCursor: gen.NullCursor(p.Next), ReviewCount: int(p.Rating.Reviews),
		AverageRating: gen.NullFloat64(p.Rating.Average()), ViewerReview: gen.NilEventReview{Null: true},
	}
	if p.Own != nil {
		response.ViewerReview = gen.NewNilEventReview(API(*p.Own))
	}
	return response, nil
}

// ReviewEvent serves POST /events/{event_id}/reviews.
func (h *Handler) ReviewEvent(ctx context.Context, req *gen.UpsertEventReviewRequest,
	params gen.ReviewEventParams) (*gen.EventReview, error) {
	r, err := h.service.Write(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), draftOf(req))
	if err != nil {
		return nil, err
	}
	return new(API(r)), nil
}

func draftOf(req *gen.UpsertEventReviewRequest) Draft {
	return Draft{Rating: req.Rating, Body: httpapi.Opt[string](req.Body).Value}
}

// API converts a review to its form in the API.
func API(r Review) gen.EventReview {
	return gen.EventReview{
		ID: uuid.UUID(r.ID), EventID: uuid.UUID(r.EventID), AuthorUserID: gen.NullUUID(r.AuthorID), Author: user.NullAPI(r.Author),
		Rating: r.Rating, Body: gen.NullString(r.Body), ViewerIsAuthor: r.ViewerIsAuthor, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}
