package calendar

import (
	"fmt"
	"strings"
	"time"

	"moothall/internal/core/address"
	"moothall/internal/platform/ical"
)

// writer writes entries.
type writer struct{ ical.Writer }

// write returns items as an iCalendar object (RFC 5545). Equal items produce equal
// bytes, so that the ETag stays. name is the name of a feed; empty for a single event.
func (o FeedOptions) write(items []item, name string) []byte {
	var w writer
	w.Begin()
	if name != "" {
		w.Feed(name)
	}
	for _, i := range items {
		o.event(&w, i)
	}
	return w.End()
}

// statuses are the RFC 5545 names of the statuses of an entry.
var statuses = map[string]string{Confirmed: "CONFIRMED", Tentative: "TENTATIVE", Canceled: "CANCELLED"}

// event writes one entry. Its UID is its id, so that it is the same in every feed.
func (o FeedOptions) event(w *writer, i item) {
	w.Line("BEGIN", "VEVENT")
	w.Line("UID", i.ID.String())
	w.Line("SEQUENCE", fmt.Sprint(i.sequence))
	w.Instant("DTSTAMP", i.UpdatedAt) // without a METHOD: the time of the last change
	w.Instant("CREATED", i.CreatedAt)
	w.Instant("LAST-MODIFIED", i.UpdatedAt)
	w.Line("STATUS", statuses[i.Status()])
	w.times(i)
	w.details(i, o.Pages)
	w.Line("END", "VEVENT")
}

// details writes what the entry is about.
func (w *writer) details(i item, pages address.Pages) {
	w.Text("SUMMARY", i.Title)
	w.Optional("DESCRIPTION", i.fullDescription())
	w.Optional("LOCATION", i.location())
	if i.lat != nil && i.lng != nil {
		w.Line("GEO", fmt.Sprintf("%.6f;%.6f", *i.lat, *i.lng))
	}
	if i.category != nil {
		w.Text("CATEGORIES", *i.category)
	}
	if i.conference != nil {
		w.Line("CONFERENCE;VALUE=URI", *i.conference)
	}
	if i.EventID != nil {
		w.Line("URL", pages.Event(i.address()))
	}
}

// times writes the start and the end: in UTC, and for all-day entries as dates in the
// zone of the entry. DTEND is the day after the last day (RFC 5545 §3.6.1).
func (w *writer) times(i item) {
	if !i.AllDay {
		w.Instant("DTSTART", i.StartsAt)
		if i.overAt.After(i.StartsAt) {
			w.Instant("DTEND", i.overAt)
		}
		return
	}
	zone := zoneOf(i.Timezone)
	last := i.StartsAt
	if i.EndsAt != nil {
		last = i.EndsAt.Add(-time.Microsecond)
	}
	w.Line("DTSTART;VALUE=DATE", i.StartsAt.In(zone).Format("20060102"))
	w.Line("DTEND;VALUE=DATE", nextDay(last, zone).Format("20060102"))
}

// fullDescription returns the description, the conference link and the notes.
func (i item) fullDescription() string {
	return joinNonEmpty("\n\n", i.description, i.conference, i.Notes)
}

func (i item) location() string { return joinNonEmpty(", ", i.LocationText, i.city) }

func joinNonEmpty(separator string, parts ...*string) string {
	var some []string
	for _, p := range parts {
		if p != nil && *p != "" {
			some = append(some, *p)
		}
	}
	return strings.Join(some, separator)
}
