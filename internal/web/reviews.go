package web

import (
	"context"
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

const reviewsPerPage = 10

// reviewsOf returns one page of the reviews of an event that is over.
// Anonymous viewers get only the average.
func (s *Site) reviewsOf(ctx context.Context, v *visit, details *gen.EventDetails) (*view.ReviewsData, error) {
	d := &view.ReviewsData{Details: details}
	if !v.page.SignedIn() {
		return d, nil
	}
	list, err := s.api.ListEventReviews(ctx, gen.ListEventReviewsParams{
		EventID: details.Event.ID, Limit: gen.NewOptInt(reviewsPerPage), Cursor: optional(v.page.URL.Query(), "reviews"),
	})
	if err != nil {
		return nil, err
	}
	d.List, d.More = list, v.more("reviews", list.NextCursor)
	return d, nil
}

// reviews redirects to the reviews on the page of the event.
func (s *Site) reviews(_ context.Context, v *visit) (templ.Component, error) {
	return nil, redirect{view.EventURL(v.id("event_id")) + "#reviews"}
}

// reviewEvent writes or changes the review of the viewer.
func (s *Site) reviewEvent(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	rating, _ := strconv.Atoi(form.Get("rating")) // the operation refuses 0
	text := lines(form, "body")
	request := &gen.UpsertEventReviewRequest{Rating: rating, Body: gen.OptNilString{Value: text, Set: true, Null: text == ""}}
	_, err := s.api.ReviewEvent(ctx, request, gen.ReviewEventParams{EventID: formID(form, "event_id")})
	return backTo(form, "reviews", "reviews"), err
}
