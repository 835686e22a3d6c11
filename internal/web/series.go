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

// datesOnPage is how many dates the page of a series shows to its organizer.
const datesOnPage = 12

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
	v.page.Title, v.page.NoIndex = series.Title, true
	d, cursor := view.SeriesData{Series: series}, optional(v.page.URL.Query(), "cursor")
	if series.ViewerIsOrganizer {
		list, err := s.api.ListSeriesDates(ctx, gen.ListSeriesDatesParams{SeriesID: id, Limit: gen.NewOptInt(datesOnPage), Cursor: cursor})
		if err != nil {
			return nil, err
		}
		d.States, d.More = list.Items, v.more("cursor", list.NextCursor)
		return view.Series(v.page, d), nil
	}
	list, err := s.api.ListSeriesEvents(ctx, gen.ListSeriesEventsParams{SeriesID: id, Cursor: cursor})
	if err != nil {
		return nil, err
	}
	d.Dates, d.More = list.Items, v.more("cursor", list.NextCursor)
	if v.page.SignedIn() && !series.ViewerJoined && len(d.Dates) > 0 {
		d.Asks = d.Dates[0].Event.ID
		d.Questions, err = s.api.ListAnswers(ctx, gen.ListAnswersParams{EventID: d.Asks, Mine: gen.NewOptBool(true)})
	}
	return view.Series(v.page, d), err
}

// joinEventSeries joins all dates of a series.
func (s *Site) joinEventSeries(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	answers, err := s.formAnswers(ctx, form, "joinEventSeries")
	if err != nil {
		return outcome{}, err
	}
	request := gen.NewOptJoinEventSeriesRequest(gen.JoinEventSeriesRequest{Answers: answers.list})
	_, err = s.api.JoinEventSeries(ctx, request, gen.JoinEventSeriesParams{SeriesID: formID(form, "series_id")})
	return back(form), answers.renamed(err)
}

// leaveEventSeries ends the membership in a series. The visitor chooses what becomes of the dates.
func (s *Site) leaveEventSeries(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	params := gen.LeaveEventSeriesParams{SeriesID: formID(form, "series_id")}
	if form.Has("leave") {
		params.Dates = gen.NewOptLeaveEventSeriesDates(gen.LeaveEventSeriesDatesLeave)
	}
	return back(form), s.api.LeaveEventSeries(ctx, params)
}

// skipSeriesDate leaves out one date of a series.
func (s *Site) skipSeriesDate(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.SkipSeriesDate(ctx, &gen.SkipSeriesDateRequest{OccurrenceAt: gen.LocalDateTime(form.Get("occurrence_at"))},
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
