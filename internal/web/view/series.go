package view

import (
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
)

// SeriesURL returns the path of the page of a series, or of one below it.
func SeriesURL(id uuid.UUID, below ...string) string {
	path := "/event-series/" + id.String()
	for _, b := range below {
		path += "/" + b
	}
	return path
}

// SeriesData is a series with some of its coming dates.
type SeriesData struct {
	Series *gen.EventSeries
	Dates  []gen.EventCard       // that the viewer sees
	States []gen.SeriesDateState // of all dates, if the viewer organizes the series
	More   string                // the address of further dates; empty: none

	// Questions of the dates, with the viewer's answers; nil: they ask nothing, or the viewer may not join.
	Questions *gen.EventAnswersResponse
	Asks      uuid.UUID // the date that has these questions
}

func (d SeriesData) id() string { return d.Series.ID.String() }

// Manages reports whether the viewer may change the series.
func (d SeriesData) Manages() bool { return d.Series.ViewerIsOrganizer && d.Series.Status != "ended" }

// RepeatData is an event that is to repeat, and how.
type RepeatData struct {
	Event gen.EventDetailsCore
	RuleData
	Preview *gen.SeriesPreview // nil: the rule has no dates from the event on
}

// NewRepeat returns the choices for the day of an event.
func NewRepeat(p *Page, e gen.EventDetailsCore) RepeatData {
	return RepeatData{Event: e, RuleData: newRule(p, In(e.StartsAt, e.Timezone), e.Timezone, "")}
}

// Start returns the local start of the event.
func (d RepeatData) Start() gen.LocalDateTime {
	return gen.LocalDateTime(In(d.Event.StartsAt, d.Event.Timezone).Format(localLayout))
}

// Minutes returns how long the event lasts; null if it has no end.
func (d RepeatData) Minutes() gen.OptNilInt {
	if d.Event.EndsAt.Null {
		return gen.OptNilInt{Set: true, Null: true}
	}
	return gen.NewOptNilInt(int(d.Event.EndsAt.Value.Sub(d.Event.StartsAt) / time.Minute))
}

func (d RepeatData) id() string { return d.Event.ID.String() }

// SplitData is a series that is to continue on other days, or at another time.
type SplitData struct {
	Series *gen.EventSeries
	Froms  []gen.SeriesDateState // the dates from which it can
	From   gen.LocalDateTime
	Start  gen.LocalDateTime // the first date by the new rule
	RuleData
	Preview *gen.SeriesPreview // nil: the rule has no dates from the start on
}

// NewSplit returns the choices for the date in the address of the page, or else for the first date.
func NewSplit(p *Page, s *gen.EventSeries, froms []gen.SeriesDateState) SplitData {
	query := p.URL.Query()
	d := SplitData{Series: s, Froms: froms, From: gen.LocalDateTime(query.Get("from"))}
	if d.From == "" && len(froms) > 0 {
		d.From = froms[0].OccurrenceAt
	}
	start := Local(d.From)
	if day, err := time.Parse(time.DateOnly, query.Get("date")); err == nil {
		start = day.Add(start.Sub(start.Truncate(24 * time.Hour)))
	}
	if clock, err := time.Parse("15:04", query.Get("time")); err == nil {
		start = start.Truncate(24 * time.Hour).Add(time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute)
	}
	d.Start = gen.LocalDateTime(start.Format(localLayout))
	d.RuleData = newRule(p, start, s.Timezone, s.Rrule)
	return d
}

func (d SplitData) id() string { return d.Series.ID.String() }
