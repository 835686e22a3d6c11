package view

import (
	"slices"
	"time"

	"github.com/a-h/templ"

	"moothall/api/gen"
)

// CalendarData is what the calendar shows. Days are midnights in UTC.
type CalendarData struct {
	Zone       string // of the viewer
	Today      time.Time
	Month      time.Time // its first day
	Days       []CalendarDay
	Incomplete bool // the month has more entries than Days
	Invites    []gen.CalendarInvite
	Feed       *gen.CalendarFeed // nil: there is no address
}

// CalendarDay is a day of a calendar. An entry of several days is on each one.
type CalendarDay struct {
	At      time.Time
	Entries []gen.CalendarEntry
}

const daysInWeek = 7

// maxInCell is the number of entries that the cell of a day names.
const maxInCell = 3

// first is the first day that the month shows: a Monday.
func (d CalendarData) first() time.Time {
	return d.Month.AddDate(0, 0, -(int(d.Month.Weekday())+daysInWeek-1)%daysInWeek)
}

// days is the number of days that the month shows, in whole weeks.
func (d CalendarData) days() int {
	last := d.Month.AddDate(0, 1, -1)
	days := int(last.Sub(d.first())/(24*time.Hour)) + 1
	return (days + daysInWeek - 1) / daysInWeek * daysInWeek
}

// Range returns a period that contains the days of the month in all time zones.
func (d CalendarData) Range() (from, to time.Time) {
	return d.first().AddDate(0, 0, -1), d.first().AddDate(0, 0, d.days()+1)
}

// Fill puts entries on the days of the month, by the zone of each entry.
func (d *CalendarData) Fill(entries []gen.CalendarEntry) {
	d.Days = make([]CalendarDay, d.days())
	for i := range d.Days {
		d.Days[i].At = d.first().AddDate(0, 0, i)
	}
	for _, e := range entries {
		start, end := daysOf(e)
		for i := range d.Days {
			if day := &d.Days[i]; !day.At.Before(start) && !day.At.After(end) {
				day.Entries = append(day.Entries, e)
			}
		}
	}
}

// daysOf returns the first and the last day of an entry, by its zone.
func daysOf(e gen.CalendarEntry) (first, last time.Time) {
	first = DayIn(e.StartsAt, e.Timezone)
	if e.EndsAt.Null {
		return first, first
	}
	return first, DayIn(e.EndsAt.Value.Add(-time.Nanosecond), e.Timezone) // an end at midnight belongs to the day before
}

// DayIn returns the day of a time in a zone, as a midnight in UTC.
func DayIn(t time.Time, zone string) time.Time {
	t = In(t, zone)
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// LocalTime reads the value of a field of type datetime-local in a zone.
func LocalTime(text, zone string) (at time.Time, ok bool) {
	at, err := time.ParseInLocation(DateTimeField, text, In(time.Time{}, zone).Location())
	return at, err == nil
}

func (d CalendarData) weeks() [][]CalendarDay {
	return slices.Collect(slices.Chunk(d.Days, daysInWeek))
}

// inMonth reports whether a day belongs to the month, not to the one before or after it.
func (d CalendarData) inMonth(day CalendarDay) bool { return day.At.Month() == d.Month.Month() }

// agenda returns the days of the month with entries.
func (d CalendarData) agenda() []CalendarDay {
	return slices.DeleteFunc(slices.Clone(d.Days), func(day CalendarDay) bool { return len(day.Entries) == 0 || !d.inMonth(day) })
}

// address returns the address of the calendar for a later month; for an earlier one if months is negative.
func (d CalendarData) address(months int) templ.SafeURL {
	return templ.SafeURL("/calendar?month=" + d.Month.AddDate(0, months, 0).Format("2006-01"))
}

// noon returns a time of a day in the zone of the viewer.
func (d CalendarData) noon(day CalendarDay) time.Time {
	return time.Date(day.At.Year(), day.At.Month(), day.At.Day(), 12, 0, 0, 0, In(day.At, d.Zone).Location())
}

func (d CalendarDay) id() string { return "day-" + d.At.Format(time.DateOnly) }

// isFirst reports whether an entry begins on the day.
func (d CalendarDay) isFirst(e gen.CalendarEntry) bool {
	return DayIn(e.StartsAt, e.Timezone).Equal(d.At)
}

// hour returns when an entry begins on a day; "" if that is not on the day.
func (d CalendarDay) hour(p *Page, e gen.CalendarEntry) string {
	if e.AllDay || !d.isFirst(e) {
		return ""
	}
	return p.Hour(In(e.StartsAt, e.Timezone))
}

// span returns when an entry begins and ends. On the day on which it begins, it leaves out that date.
func (d CalendarDay) span(p *Page, e gen.CalendarEntry) string {
	if d.isFirst(e) {
		return p.hours(e.StartsAt, e.EndsAt, e.Timezone)
	}
	return p.Span(e.StartsAt, e.EndsAt, e.Timezone)
}

// entryAddress is where an entry leads: an event to its page, any other to the agenda.
func (d CalendarDay) entryAddress(e gen.CalendarEntry) templ.SafeURL {
	if !e.EventID.Null {
		return templ.SafeURL(EventURL(e.EventID.Value))
	}
	return templ.SafeURL("#" + d.id())
}

// MonthTitle returns a month, like "November 2026".
func (p *Page) MonthTitle(t time.Time) string {
	return p.names("date.months_alone", int(t.Month())-1) + " " + t.Format("2006")
}

// InviteData is what an invite shows.
type InviteData struct {
	Invite *gen.CalendarInviteDetails
}

func (d InviteData) incoming() bool { return d.Invite.Role == gen.CalendarInviteRoleIncoming }

// answers are the answers to an invite, with their icons.
var answers = []struct {
	status gen.InvitationAnswer
	icon   string
}{
	{gen.InvitationAnswerAccepted, "check"}, {gen.InvitationAnswerTentative, "clock"}, {gen.InvitationAnswerDeclined, "x"},
}

// answered returns the text about an answer of somebody; "" for an unknown one.
func (p *Page) answered(status gen.InvitationStatus) string {
	return p.T("invite.status." + string(status))
}
