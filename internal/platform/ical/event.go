package ical

import (
	"cmp"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall/internal/platform/recurrence"
)

// Event is an event of a calendar, or one occurrence of an event that repeats.
type Event struct {
	UID         string // may be empty
	Recurrence  string // of an occurrence: when the rule lets it start, in UTC, like 20261203T180000Z; else empty
	Title       string
	Description string // plain text
	Location    string
	URL         string   // https or http; may be empty
	Conference  string   // the https address of an online meeting; may be empty
	Image       string   // the address of a picture; may be empty. Read finds none
	Categories  []string // as in the file
	Canceled    bool
	Lat, Lng    *float64
	Start, End  time.Time // UTC; the zero End is none
	Zone        string    // IANA; empty: only the times in UTC are known
	Problem     Problem
}

// Problem says why an event has no times.
type Problem string

// The problems.
const (
	NoStart Problem = "start" // without a start, or it is malformed
	NoZone  Problem = "zone"  // its times have no zone, or an unknown one
	NoRule  Problem = "rule"  // it repeats by a rule that Read does not expand
)

// IsOver reports whether an event with times has ended, or has started if it has no end.
func (e Event) IsOver(now time.Time) bool { return !now.Before(cmp.Or(e.End, e.Start)) }

// InRange reports whether an event may start at a time: in the years 1900 to 2199.
func InRange(at time.Time) bool { return at.Year() >= 1900 && at.Year() <= 2199 }

// HTTPSOnly returns an https address with a host; empty for another text.
func HTTPSOnly(address string) string {
	if u, err := url.Parse(address); err == nil && u.Scheme == "https" && u.Host != "" {
		return u.String()
	}
	return ""
}

// moment is a date or a time of a property.
type moment struct {
	local  time.Time // as if in UTC
	zone   *time.Location
	isDate bool
}

func (m moment) at() time.Time { return recurrence.Instant(m.local, m.zone) }

// moment parses a value of a property with TZID and VALUE.
func (r *reader) moment(p property, value string) (m moment, problem Problem) {
	value, _, _ = strings.Cut(strings.TrimSpace(value), "/") // of a period, the start
	utc := strings.HasSuffix(value, "Z")
	var err error
	if m.local, err = time.Parse("20060102T150405", strings.TrimSuffix(value, "Z")); err != nil {
		m.isDate = true
		m.local, err = time.Parse("20060102", value)
	}
	id := p.param("TZID")
	switch {
	case err != nil || !InRange(m.local):
		return m, NoStart
	case utc:
		m.zone = time.UTC
	case id != "" && !m.isDate:
		m.zone = r.zoneOf(id)
	default:
		m.zone = r.zone
	}
	if m.zone == nil {
		return m, NoZone
	}
	return m, ""
}

// moments returns the values of EXDATE or RDATE. It leaves out malformed ones. Dates of an event with times have its time of day.
func (c *component) moments(name string) (all []moment) {
	for _, p := range c.dates {
		if p.name != name {
			continue
		}
		for value := range strings.SplitSeq(p.value, ",") {
			if m, problem := c.times.moment(p, value); problem == "" {
				all = append(all, c.aligned(m))
			}
		}
	}
	return all
}

// aligned returns a date as the time at which the event starts on it.
func (c *component) aligned(m moment) moment {
	start, problem := c.times.moment(c.one["DTSTART"], c.one["DTSTART"].value)
	if m.isDate && problem == "" && !start.isDate {
		year, month, day := m.local.Date()
		hour, minute, second := start.local.Clock()
		return moment{time.Date(year, month, day, hour, minute, second, 0, time.UTC), start.zone, false}
	}
	return m
}

// length returns how long the event lasts; 0 if it says nothing.
func (c *component) length(first moment) time.Duration {
	if p, ok := c.one["DTEND"]; ok {
		end, problem := c.times.moment(p, p.value)
		switch {
		case problem != "":
			return 0
		case first.isDate:
			return end.local.Sub(first.local)
		}
		return end.at().Sub(first.at())
	}
	if p, ok := c.one["DURATION"]; ok {
		return parseDuration(p.value)
	}
	if first.isDate {
		return 24 * time.Hour
	}
	return 0
}

var duration = regexp.MustCompile(`^\+?P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?)?$`)

// parseDuration parses a DURATION (RFC 5545 §3.3.6); 0 if it is malformed or negative.
func parseDuration(text string) (sum time.Duration) {
	parts := duration.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return 0
	}
	for i, unit := range []time.Duration{7 * 24 * time.Hour, 24 * time.Hour, time.Hour, time.Minute, time.Second} {
		n, _ := strconv.Atoi(parts[i+1]) // 0 if the unit is missing
		sum += time.Duration(n) * unit
	}
	return sum
}

// event returns the event without times.
func (c *component) event() Event {
	e := Event{
		UID: c.text("UID"), Title: strings.Join(strings.Fields(c.text("SUMMARY")), " "), Description: c.description(),
		Location: c.text("LOCATION"), Categories: c.kinds,
		Canceled: strings.EqualFold(c.text("STATUS"), "CANCELLED"),
	}
	if u, err := url.Parse(c.one["URL"].value); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
		e.URL = u.String()
	}
	for _, address := range []string{c.one["CONFERENCE"].value, c.one["X-GOOGLE-CONFERENCE"].value,
		c.one["X-MICROSOFT-SKYPETEAMSMEETINGURL"].value, e.Location} {
		e.Conference = cmp.Or(e.Conference, HTTPSOnly(address))
	}
	if e.Conference == e.Location {
		e.Location = ""
	}
	e.Lat, e.Lng = ParseGeo(c.one["GEO"].value)
	return e
}

// ParseGeo parses a GEO: latitude and longitude; nil if it is malformed. 0;0 is what programs write for no place.
func ParseGeo(text string) (lat, lng *float64) {
	first, second, _ := strings.Cut(strings.ReplaceAll(text, `\`, ""), ";")
	a, aErr := strconv.ParseFloat(first, 64)
	b, bErr := strconv.ParseFloat(second, 64)
	if aErr != nil || bErr != nil || !(math.Abs(a) <= 90 && math.Abs(b) <= 180) || a == 0 && b == 0 {
		return nil, nil
	}
	return &a, &b
}

// calendar resolves the times of all events.
func (r *reader) calendar() Calendar {
	result := Calendar{Name: r.name}
	x := expander{to: r.options.Now.AddDate(0, 0, r.options.Days)}
	masters := map[string]*component{}
	for _, c := range r.events {
		if _, changed := c.one["RECURRENCE-ID"]; !changed {
			masters[c.text("UID")] = c
		}
	}
	changed := map[string]bool{} // UID and Recurrence of occurrences that an event of their own replaces
	var all []Event
	for _, c := range r.events {
		if p, is := c.one["RECURRENCE-ID"]; is {
			e := r.single(c)
			if m, problem := r.moment(p, p.value); problem == "" {
				if master := masters[e.UID]; master != nil {
					m = master.aligned(m)
				}
				e.Recurrence = recurrenceID(m.at())
			}
			changed[e.UID+"\n"+e.Recurrence] = true
			all = append(all, e)
		}
	}
	for _, c := range r.events {
		if _, is := c.one["RECURRENCE-ID"]; !is {
			for _, e := range r.series(&x, c) {
				if !changed[e.UID+"\n"+e.Recurrence] {
					all = append(all, e)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Event) int {
		return cmp.Or(a.Start.Compare(b.Start), strings.Compare(a.UID, b.UID), strings.Compare(a.Recurrence, b.Recurrence))
	})
	for _, e := range all {
		switch {
		case e.Problem == "" && e.IsOver(r.options.Now):
			result.Past++
		case len(result.Events) == r.options.Max:
			result.More++
		default:
			result.Events = append(result.Events, e)
		}
	}
	return result
}

func recurrenceID(at time.Time) string { return at.UTC().Format("20060102T150405Z") }

// single returns an event without its rules.
func (r *reader) single(c *component) Event {
	e := c.event()
	first, problem := r.moment(c.one["DTSTART"], c.one["DTSTART"].value)
	if e.Problem = problem; problem == "" {
		e.setTimes(first.at(), first, c.length(first), r.zone)
	}
	return e
}

// series returns the occurrences of an event; the event itself if it does not repeat.
func (r *reader) series(x *expander, c *component) []Event {
	e := r.single(c)
	if e.Problem != "" || len(c.rules) == 0 && len(c.moments("RDATE")) == 0 {
		return []Event{e}
	}
	first, _ := r.moment(c.one["DTSTART"], c.one["DTSTART"].value) // single has parsed it
	starts, err := x.occurrences(c, first)
	if err != nil {
		e.Problem = NoRule
		return []Event{e}
	}
	length := c.length(first)
	all := make([]Event, len(starts))
	for i, at := range starts {
		all[i] = e
		all[i].Recurrence = recurrenceID(at)
		all[i].setTimes(at, first, length, r.zone)
	}
	return all
}

// setTimes sets the times of an event that starts at a time and whose first occurrence has this form. zone is that of the calendar.
func (e *Event) setTimes(at time.Time, first moment, length time.Duration, zone *time.Location) {
	e.Start = at.UTC()
	if length > 0 {
		e.End = e.Start.Add(length)
		if first.isDate { // whole days, of which some have 23 or 25 hours
			e.End = recurrence.Instant(localIn(at, first.zone).Add(length), first.zone)
		}
	}
	switch {
	case first.zone != time.UTC:
		e.Zone = first.zone.String()
	case zone != nil && e.Lat == nil: // else the zone of the place
		e.Zone = zone.String()
	}
}
