package web

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/assets"
	"moothall/internal/web/view"
)

// event shows the event at the address that people share, and lets the visitor join it. Only the code at the end counts.
func (s *Site) event(ctx context.Context, v *visit) (templ.Component, error) {
	details, err := s.eventAt(ctx, v.r.PathValue("address"))
	if err != nil {
		return nil, err
	}
	return s.showEvent(ctx, v, details)
}

// eventByID leads to the address that people share.
func (s *Site) eventByID(ctx context.Context, v *visit) (templ.Component, error) {
	details, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: v.id("event_id")})
	if err != nil {
		return nil, err
	}
	if err := v.moveTo(view.PagePath(details.Response.Event.ShareURL)); err != nil {
		return nil, err
	}
	return s.showEvent(ctx, v, details)
}

// eventAt returns the event whose address ends with a segment.
func (s *Site) eventAt(ctx context.Context, segment string) (*gen.EventDetailsHeaders, error) {
	code := segment[strings.LastIndexByte(segment, '-')+1:]
	return s.api.GetEventByCode(ctx, gen.GetEventByCodeParams{Code: code})
}

func (s *Site) showEvent(ctx context.Context, v *visit, details *gen.EventDetailsHeaders) (templ.Component, error) {
	d := view.EventData{Details: &details.Response, ETag: details.ETag}
	if err := s.readEvent(ctx, v, &d); err != nil {
		return nil, err
	}
	e := d.Details.Event
	if d.Series != nil {
		d.Series.Questions, d.Series.Asks = d.Questions, e.ID
	}
	v.page.Title, v.page.Description, v.page.Entrance = v.page.EventTitle(e.Title), view.Excerpt(e.Description.Value), assets.EventStyle
	v.page.NoIndex = v.page.URL.RawQuery != "" || e.Visibility != gen.EventVisibilityPublic || e.Status == gen.EventStatusDraft
	v.page.Cover, v.page.Colors = e.ImageURL.Value, view.Colors(e.Theme.Value)
	if isPublic(e) {
		v.page.Preview = s.preview(d.Details)
	}
	return view.Event(v.page, d), nil
}

// readEvent reads what the page of an event shows besides the details. It calls only what the event has.
func (s *Site) readEvent(ctx context.Context, v *visit, d *view.EventData) error {
	id := d.Details.Event.ID
	calls := []func() error{func() (err error) {
		d.Posts, err = s.postsOf(ctx, v, d.Details.Event)
		return err
	}}
	if d.GetsMessages() {
		calls = append(calls, func() (err error) {
			d.Messages, err = s.listGuestMessages(ctx, v, id, guestMessagesForGuest)
			return err
		})
	}
	if d.Details.Event.Status == gen.EventStatusCompleted {
		calls = append(calls, func() (err error) {
			d.Reviews, err = s.reviewsOf(ctx, v, d.Details)
			return err
		})
	}
	if series, is := d.Details.Event.SeriesID.Get(); is {
		calls = append(calls, func() (err error) {
			d.Series, err = s.seriesOf(ctx, series, id)
			return err
		})
	}
	if d.Details.HasQuestions && v.page.SignedIn() {
		calls = append(calls, func() (err error) {
			d.Questions, err = s.answersOf(ctx, id)
			return err
		})
	}
	if d.Details.Event.DateMode == gen.EventDateModeVote && v.page.SignedIn() {
		calls = append(calls, func() (err error) {
			d.Dates, err = s.api.ListDateOptions(ctx, gen.ListDateOptionsParams{EventID: id})
			return err
		})
	}
	return s.together(calls...)
}

// hostedEvent returns the event of a page that is only for its organizer and hosts. It redirects others to the event.
func (s *Site) hostedEvent(ctx context.Context, v *visit) (*gen.EventDetailsHeaders, error) {
	id := v.id("event_id")
	details, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: id})
	if err != nil {
		return nil, err
	}
	if !view.IsHost(&details.Response) {
		return nil, redirect{view.PagePath(details.Response.Event.ShareURL)}
	}
	return details, nil
}
