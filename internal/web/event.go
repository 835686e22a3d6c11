package web

import (
	"context"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

const (
	previewPosts   = 3
	previewReviews = 5
)

// event shows an event, and lets the visitor join it.
func (s *Site) event(ctx context.Context, v *visit) (templ.Component, error) {
	id := v.id("event_id")
	details, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: id})
	if err != nil {
		return nil, err
	}
	d := view.EventData{Details: &details.Response}
	posts, err := s.api.ListEventPosts(ctx, gen.ListEventPostsParams{EventID: id, Limit: gen.NewOptInt(previewPosts)})
	if err != nil {
		return nil, err
	}
	if d.Posts, err = decodePosts(posts); err != nil {
		return nil, err
	}
	if d.Details.Event.DateMode == gen.EventDateModeVote {
		if d.Dates, err = s.api.ListDateOptions(ctx, gen.ListDateOptionsParams{EventID: id}); err != nil {
			return nil, err
		}
	}
	if d.Details.SocialProof.ReviewCount > 0 {
		if d.Reviews, err = s.api.ListEventReviews(ctx, gen.ListEventReviewsParams{EventID: id, Limit: gen.NewOptInt(previewReviews)}); err != nil {
			return nil, err
		}
	}
	e := d.Details.Event
	v.page.Title, v.page.Description = e.Title, view.Excerpt(e.Description.Value)
	v.page.NoIndex = e.Visibility == gen.EventVisibilityPrivate || e.Status == gen.EventStatusDraft
	if isPublic(e) {
		v.page.Preview = s.preview(d.Details)
	}
	return view.Event(v.page, d), nil
}

func decodePosts(list gen.ListEventPostsRes) ([]gen.EventPostThread, error) {
	raw, ok := list.(*gen.ListEventPostsOKRawApplicationJSON)
	if !ok {
		return nil, nil
	}
	posts, _, err := decodeList[gen.EventPostThread](raw.Response)
	return posts, err
}
