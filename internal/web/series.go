package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// datesOnEvent is how many other dates of its series the page of an event shows.
const datesOnEvent = 5

// seriesOf returns the series of an event with its next other dates; nil if it is hidden, as after its organizer has deleted their account.
func (s *Site) seriesOf(ctx context.Context, id, event uuid.UUID) (*view.SeriesData, error) {
	series, err := s.api.GetEventSeries(ctx, gen.GetEventSeriesParams{SeriesID: id})
	if isRefused(err, http.StatusNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list, err := s.api.ListSeriesEvents(ctx, gen.ListSeriesEventsParams{SeriesID: id, Limit: gen.NewOptInt(datesOnEvent + 1)})
	if err != nil {
		return nil, err
	}
	others := slices.DeleteFunc(slices.Clone(list.Items), func(c gen.EventCard) bool { return c.Event.ID == event })
	return &view.SeriesData{Series: series, Dates: others[:min(datesOnEvent, len(others))]}, nil
}

// series shows the dates of a series, and lets its organizer pause and end it and skip dates.
func (s *Site) series(ctx context.Context, v *visit) (templ.Component, error) {
	id := v.id("series_id")
	series, err := s.api.GetEventSeries(ctx, gen.GetEventSeriesParams{SeriesID: id})
	if err != nil {
		return nil, err
	}
	list, err := s.api.ListSeriesEvents(ctx, gen.ListSeriesEventsParams{SeriesID: id, Cursor: optional(v.page.URL.Query(), "cursor")})
	if err != nil {
		return nil, err
	}
	v.page.Title, v.page.NoIndex = series.Title, true
	return view.Series(v.page, view.SeriesData{Series: series, Dates: list.Items, More: v.more("cursor", list.NextCursor)}), nil
}

// repeat shows how an event can repeat, and the next ten dates of the chosen rule.
func (s *Site) repeat(ctx context.Context, v *visit) (templ.Component, error) {
	details, err := s.hostedEvent(ctx, v)
	if err != nil {
		return nil, err
	}
	d := view.NewRepeat(v.page, details.Response.Event)
	d.Preview, err = s.api.PreviewEventSeries(ctx,
		gen.PreviewEventSeriesParams{Rrule: d.Rule, StartsAt: d.Start(), Timezone: d.Event.Timezone})
	if isRefused(err, http.StatusBadRequest) {
		err = nil // the page says that the rule has no such dates
	}
	v.page.Title, v.page.NoIndex = v.page.T("series.repeat"), true
	return view.RepeatPage(v.page, d), err
}

// createEventSeries makes a series like an event. It begins with a draft, which it replaces, or after a published event.
func (s *Site) createEventSeries(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	details, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: formID(form, "event_id")})
	if err != nil {
		return outcome{}, err
	}
	e := details.Response.Event
	d := view.NewRepeat(v.page, e)
	d.Rule = form.Get("rrule")
	preview, err := s.api.PreviewEventSeries(ctx, gen.PreviewEventSeriesParams{Rrule: d.Rule, StartsAt: d.Start(), Timezone: e.Timezone})
	if err != nil {
		return outcome{}, err
	}
	first := 0
	if e.Status == gen.EventStatusPublished {
		first = 1
	}
	if len(preview.Dates) <= first {
		return outcome{}, invalid("rrule")
	}
	request := gen.CreateEventSeriesRequest{Rrule: d.Rule, StartsAt: preview.Dates[first].OccurrenceAt, Timezone: e.Timezone,
		DurationMinutes: d.Minutes(), Template: templateOf(&details.Response)}
	created, err := s.api.CreateEventSeries(ctx, &request, gen.CreateEventSeriesParams{IdempotencyKey: formKey(form)})
	if err != nil {
		return outcome{}, err
	}
	if e.Status == gen.EventStatusDraft {
		if _, err := s.api.CancelEvent(ctx, gen.OptCancelEventRequest{}, gen.CancelEventParams{EventID: e.ID}); err != nil {
			return outcome{}, err
		}
	}
	return outcome{to: view.SeriesURL(created.ID)}, nil
}

// templateOf returns the fields of an event for the dates of a series.
func templateOf(d *gen.EventDetails) gen.SeriesTemplate {
	e, l := d.Event, d.Location
	t := gen.SeriesTemplate{Title: gen.NewOptString(e.Title), Visibility: gen.NewOptEventVisibility(e.Visibility),
		Price: gen.NewOptEventPrice(e.Price), MaxPartySize: gen.NewOptInt(e.MaxPartySize), Waitlist: gen.NewOptEventWaitlist(e.Waitlist),
		WaitlistOfferMinutes: gen.NewOptInt(e.WaitlistOfferMinutes), JoinPolicy: gen.NewOptEventJoinPolicy(e.JoinPolicy)}
	for _, field := range []struct {
		to   *gen.OptNilString
		from gen.NilString
	}{{&t.Description, e.Description}, {&t.Category, e.Category}, {&t.PriceCurrency, e.PriceCurrency}, {&t.City, l.City},
		{&t.LocationText, l.LocationText}, {&t.ImageURL, e.ImageURL}, {&t.ConferenceURL, e.ConferenceURL}} {
		*field.to = gen.OptNilString{Value: field.from.Value, Null: field.from.Null, Set: true}
	}
	for _, field := range []struct {
		to   *gen.OptNilString
		from gen.OptString
	}{{&t.ImageAlt, e.ImageAlt}, {&t.Theme, e.Theme}} {
		*field.to = gen.OptNilString{Value: field.from.Value, Null: !field.from.Set, Set: true}
	}
	t.PriceAmount = gen.OptNilInt{Value: e.PriceAmount.Value, Null: e.PriceAmount.Null, Set: true}
	t.Capacity = gen.OptNilInt{Value: e.Capacity.Value, Null: e.Capacity.Null, Set: true}
	t.Lat = gen.OptNilFloat64{Value: l.Lat.Value, Null: l.Lat.Null, Set: true}
	t.Lng = gen.OptNilFloat64{Value: l.Lng.Value, Null: l.Lng.Null, Set: true}
	return t
}

// joinEventSeries joins all dates of a series.
func (s *Site) joinEventSeries(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.JoinEventSeries(ctx, gen.OptJoinEventSeriesRequest{}, gen.JoinEventSeriesParams{SeriesID: formID(form, "series_id")})
	return back(form), err
}

// leaveEventSeries ends the membership in a series. The visitor chooses what becomes of the dates.
func (s *Site) leaveEventSeries(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	params := gen.LeaveEventSeriesParams{SeriesID: formID(form, "series_id")}
	if form.Has("leave") {
		params.Dates = gen.NewOptLeaveEventSeriesDates(gen.LeaveEventSeriesDatesLeave)
	}
	return back(form), s.api.LeaveEventSeries(ctx, params)
}

// skipSeriesDate cancels one date of a series.
func (s *Site) skipSeriesDate(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	details, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: formID(form, "event_id")})
	if err != nil {
		return outcome{}, err
	}
	_, err = s.api.SkipSeriesDate(ctx, &gen.SkipSeriesDateRequest{OccurrenceAt: details.Response.Event.OccurrenceAt.Value},
		gen.SkipSeriesDateParams{SeriesID: formID(form, "series_id")})
	return back(form), err
}

// updateEventSeries changes the title and, unless it is empty, the place of the dates that the organizer chooses.
func (s *Site) updateEventSeries(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	f := formReader{Values: form}
	request := gen.UpdateEventSeriesRequest{Apply: gen.NewOptUpdateEventSeriesRequestApply(
		gen.UpdateEventSeriesRequestApply(form.Get("apply")))}
	request.Template.Title = gen.NewOptString(f.text("title").Value)
	if place := f.text("location_text"); !place.Null {
		request.Template.LocationText = place
	}
	_, err := s.api.UpdateEventSeries(ctx, &request, gen.UpdateEventSeriesParams{SeriesID: formID(form, "series_id")})
	return back(form), err
}

func (s *Site) pauseEventSeries(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.PauseEventSeries(ctx, gen.PauseEventSeriesParams{SeriesID: formID(form, "series_id")})
	return back(form), err
}

func (s *Site) resumeEventSeries(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.ResumeEventSeries(ctx, gen.ResumeEventSeriesParams{SeriesID: formID(form, "series_id")})
	return back(form), err
}

func (s *Site) endEventSeries(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.EndEventSeries(ctx, gen.EndEventSeriesParams{SeriesID: formID(form, "series_id")})
	return back(form), err
}
