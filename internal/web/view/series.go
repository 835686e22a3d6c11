package view

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
)

// SeriesURL returns the path of the page of a series.
func SeriesURL(id uuid.UUID) string { return "/event-series/" + id.String() }

// SeriesData is a series with some of its coming dates.
type SeriesData struct {
	Series *gen.EventSeries
	Dates  []gen.EventCard
	More   string // the address of further dates; empty: none
}

func (d SeriesData) id() string { return d.Series.ID.String() }

// RepeatData is an event that is to repeat, and how.
type RepeatData struct {
	Event   gen.EventDetailsCore
	Choices []RepeatChoice
	Rule    string             // the chosen rule
	Preview *gen.SeriesPreview // nil: the rule has no dates from the event on
	custom  bool
}

// RepeatChoice is a rule in plain words.
type RepeatChoice struct{ Rule, Text string }

var weekdayCodes = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// NewRepeat returns the choices for the day of an event. The address of the page names the chosen rule.
func NewRepeat(p *Page, e gen.EventDetailsCore) RepeatData {
	start := In(e.StartsAt, e.Timezone)
	code, day := weekdayCodes[start.Weekday()], int(start.Weekday())
	each := func(id string) string { return strings.Split(p.T("series.rule."+id), "|")[day] }
	d := RepeatData{Event: e, Choices: []RepeatChoice{
		{"FREQ=WEEKLY;BYDAY=" + code, each("weekly")},
		{"FREQ=WEEKLY;INTERVAL=2;BYDAY=" + code, each("second")},
	}}
	if week := (start.Day() + 6) / 7; week < 5 {
		d.Choices = append(d.Choices, RepeatChoice{fmt.Sprintf("FREQ=MONTHLY;BYDAY=%d%s", week, code), each(fmt.Sprint("month", week))})
	}
	if start.AddDate(0, 0, 7).Month() != start.Month() {
		d.Choices = append(d.Choices, RepeatChoice{"FREQ=MONTHLY;BYDAY=-1" + code, each("last")})
	}
	query := p.URL.Query()
	d.Rule = query.Get("rrule")
	if d.Rule == "custom" || d.Rule == "" && query.Get("custom") != "" {
		d.Rule, d.custom = strings.ToUpper(strings.TrimSpace(query.Get("custom"))), true
	}
	d.Rule = cmp.Or(d.Rule, d.Choices[0].Rule)
	return d
}

// Start returns the local start of the event.
func (d RepeatData) Start() gen.LocalDateTime {
	return gen.LocalDateTime(In(d.Event.StartsAt, d.Event.Timezone).Format("2006-01-02T15:04:05"))
}

// Minutes returns how long the event lasts; null if it has no end.
func (d RepeatData) Minutes() gen.OptNilInt {
	if d.Event.EndsAt.Null {
		return gen.OptNilInt{Set: true, Null: true}
	}
	return gen.NewOptNilInt(int(d.Event.EndsAt.Value.Sub(d.Event.StartsAt) / time.Minute))
}

func (d RepeatData) id() string { return d.Event.ID.String() }
