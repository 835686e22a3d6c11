package web

import (
	"context"
	"net/http"
	"net/url"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// repeat shows how an event can repeat, and the next ten dates of the chosen rule.
func (s *Site) repeat(ctx context.Context, v *visit) (templ.Component, error) {
	details, err := s.hostedEvent(ctx, v)
	if err != nil {
		return nil, err
	}
	d := view.NewRepeat(v.page, details.Response.Event)
	d.Preview, err = s.previewDates(ctx, d.Rule, d.Start(), d.Event.Timezone)
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
	if details.Response.HasQuestions {
		request.QuestionsEventID = gen.NewOptNilUUID(e.ID)
	}
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
	t.GroupID = gen.OptNilUUID{Value: d.Group.Value.ID, Null: d.Group.Null, Set: true}
	t.PriceAmount = gen.OptNilInt{Value: e.PriceAmount.Value, Null: e.PriceAmount.Null, Set: true}
	t.Capacity = gen.OptNilInt{Value: e.Capacity.Value, Null: e.Capacity.Null, Set: true}
	t.Lat = gen.OptNilFloat64{Value: l.Lat.Value, Null: l.Lat.Null, Set: true}
	t.Lng = gen.OptNilFloat64{Value: l.Lng.Value, Null: l.Lng.Null, Set: true}
	return t
}

// split shows how a series can continue from one of its dates on, and the next ten dates of the chosen rule.
func (s *Site) split(ctx context.Context, v *visit) (templ.Component, error) {
	id := v.id("series_id")
	dates, err := s.api.ListSeriesDates(ctx, gen.ListSeriesDatesParams{SeriesID: id, Limit: gen.NewOptInt(maxFroms)})
	if err != nil {
		return nil, err
	}
	series, err := s.api.GetEventSeries(ctx, gen.GetEventSeriesParams{SeriesID: id})
	if err != nil {
		return nil, err
	}
	v.page.Title = v.page.T("series.split")
	d := view.NewSplit(v.page, series, dates.Items)
	if d.From == "" {
		return view.SplitPage(v.page, d), nil
	}
	d.Preview, err = s.previewDates(ctx, d.Rule, d.Start, series.Timezone)
	return view.SplitPage(v.page, d), err
}

// maxFroms is how many dates the page of split offers.
const maxFroms = 60

// splitEventSeries continues a series by another rule, and shows the new one.
func (s *Site) splitEventSeries(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	request := &gen.SplitEventSeriesRequest{From: gen.LocalDateTime(form.Get("from")), Rrule: form.Get("rrule"),
		StartsAt: gen.LocalDateTime(form.Get("starts_at"))}
	split, err := s.api.SplitEventSeries(ctx, request,
		gen.SplitEventSeriesParams{SeriesID: formID(form, "series_id"), IdempotencyKey: formKey(form)})
	if err != nil {
		return outcome{}, err
	}
	return outcome{to: view.SeriesURL(split.Series.ID)}, nil
}

// previewDates returns the first dates of a rule; nil if it has none, as one that is no rule.
func (s *Site) previewDates(ctx context.Context, rule string, start gen.LocalDateTime, zone string) (*gen.SeriesPreview, error) {
	preview, err := s.api.PreviewEventSeries(ctx, gen.PreviewEventSeriesParams{Rrule: rule, StartsAt: start, Timezone: zone})
	if isRefused(err, http.StatusBadRequest) {
		return nil, nil
	}
	return preview, err
}
