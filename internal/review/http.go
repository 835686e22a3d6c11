package review

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
	"moothall/internal/user"
)

// Handler answers the operations of this room.
type Handler struct{ service *Service }

// NewHandler answers by the service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// usualPage is how many reviews a page has when the client does not say.
const usualPage = 20

// ListEventReviews answers GET /events/{event_id}/reviews.
func (h *Handler) ListEventReviews(ctx context.Context, params gen.ListEventReviewsParams) (*gen.EventReviewsResponse, error) {
	p, err := h.service.List(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), params.Limit.Or(usualPage), params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	items := make([]gen.EventReview, len(p.Reviews))
	for i, r := range p.Reviews {
		items[i] = API(r)
	}
	answer := &gen.EventReviewsResponse{
		Items: items, NextCursor: gen.NullString(p.Next), ReviewCount: int(p.Rating.Reviews),
		AverageRating: gen.NullFloat64(p.Rating.Average()), ViewerReview: gen.NilEventReview{Null: true},
	}
	if p.Own != nil {
		answer.ViewerReview = gen.NewNilEventReview(API(*p.Own))
	}
	return answer, nil
}

// ReviewEvent answers POST /events/{event_id}/reviews.
func (h *Handler) ReviewEvent(ctx context.Context, req *gen.UpsertEventReviewRequest, params gen.ReviewEventParams) (*gen.EventReview, error) {
	d := Draft{Rating: req.Rating, Body: httpapi.Opt[string](req.Body).Value}
	r, err := h.service.Write(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), d)
	if err != nil {
		return nil, err
	}
	return new(API(r)), nil
}

// API is a review in the words of the contract.
func API(r Review) gen.EventReview {
	return gen.EventReview{
		ID: uuid.UUID(r.ID), EventID: uuid.UUID(r.EventID), AuthorUserID: gen.NullUUID(r.AuthorID), Author: user.NullAPI(r.Author),
		Rating: r.Rating, Body: gen.NullString(r.Body), ViewerIsAuthor: r.ViewerIsAuthor, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}
