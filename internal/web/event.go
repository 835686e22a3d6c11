package web

import (
	"context"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// event shows an event, and lets the visitor join it.
func (s *Site) event(ctx context.Context, v *visit) (templ.Component, error) {
	id := v.id("event_id")
	details, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: id})
	if err != nil {
		return nil, err
	}
	d := view.EventData{Details: &details.Response, ETag: details.ETag}
	err = together(func() (err error) {
		d.Posts, err = s.postsOf(ctx, v, d.Details.Event)
		return err
	}, func() (err error) {
		d.Reviews, err = s.reviewsOf(ctx, v, d.Details)
		return err
	}, func() (err error) {
		if d.Details.Event.DateMode == gen.EventDateModeVote && v.page.SignedIn() {
			d.Dates, err = s.api.ListDateOptions(ctx, gen.ListDateOptionsParams{EventID: id})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	e := d.Details.Event
	v.page.Title, v.page.Description, v.page.Entrance = v.page.EventTitle(e.Title), view.Excerpt(e.Description.Value), true
	v.page.NoIndex = v.page.URL.RawQuery != "" || e.Visibility == gen.EventVisibilityPrivate || e.Status == gen.EventStatusDraft
	v.page.Cover, v.page.Colors = e.ImageURL.Value, view.Colors(e.Theme.Value)
	if isPublic(e) {
		v.page.Preview = s.preview(d.Details)
	}
	return view.Event(v.page, d), nil
}

// ownEvent returns the event of a page that is only for its organizer. It redirects others to the event.
func (s *Site) ownEvent(ctx context.Context, v *visit) (*gen.EventDetailsHeaders, error) {
	id := v.id("event_id")
	details, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: id})
	if err != nil {
		return nil, err
	}
	if !details.Response.ViewerIsOrganizer {
		return nil, redirect{view.EventURL(id)}
	}
	return details, nil
}
