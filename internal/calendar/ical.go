package calendar

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// writer writes content lines (RFC 5545 §3.1).
type writer struct{ bytes.Buffer }

// write returns items as an iCalendar object (RFC 5545). Equal items produce equal
// bytes, so that the ETag stays. name is the name of a feed; empty for a single event.
func (o FeedOptions) write(items []item, name string) []byte {
	var w writer
	w.begin()
	if name != "" {
		w.text("NAME", name)
		w.text("X-WR-CALNAME", name)
		w.line("REFRESH-INTERVAL;VALUE=DURATION", "PT1H")
		w.line("X-PUBLISHED-TTL", "PT1H")
	}
	for _, i := range items {
		o.event(&w, i)
	}
	w.line("END", "VCALENDAR")
	return w.Bytes()
}

// begin starts an iCalendar object.
func (w *writer) begin() {
	w.line("BEGIN", "VCALENDAR")
	w.line("VERSION", "2.0")
	w.line("PRODID", "-//Moothall//Moothall//EN")
	w.line("CALSCALE", "GREGORIAN")
}

// statuses are the RFC 5545 names of the statuses of an entry.
var statuses = map[string]string{Confirmed: "CONFIRMED", Tentative: "TENTATIVE", Canceled: "CANCELLED"}

// event writes one entry. Its UID is its id, so that it is the same in every feed.
func (o FeedOptions) event(w *writer, i item) {
	w.line("BEGIN", "VEVENT")
	w.line("UID", i.ID.String())
	w.line("SEQUENCE", fmt.Sprint(i.sequence))
	w.instant("DTSTAMP", i.UpdatedAt) // without a METHOD: the time of the last change
	w.instant("CREATED", i.CreatedAt)
	w.instant("LAST-MODIFIED", i.UpdatedAt)
	w.line("STATUS", statuses[i.Status()])
	w.times(i)
	w.details(i, o.WebOrigin)
	w.line("END", "VEVENT")
}

// details writes what the entry is about. webOrigin is that of the web client.
func (w *writer) details(i item, webOrigin string) {
	w.text("SUMMARY", i.Title)
	w.optional("DESCRIPTION", i.fullDescription())
	w.optional("LOCATION", i.location())
	if i.lat != nil && i.lng != nil {
		w.line("GEO", fmt.Sprintf("%.6f;%.6f", *i.lat, *i.lng))
	}
	if i.category != nil {
		w.text("CATEGORIES", *i.category)
	}
	if i.conference != nil {
		w.line("CONFERENCE;VALUE=URI", *i.conference)
	}
	if i.EventID != nil {
		w.line("URL", webOrigin+"/events/"+i.EventID.String())
	}
}

// times writes the start and the end: in UTC, and for all-day entries as dates in the
// zone of the entry. DTEND is the day after the last day (RFC 5545 §3.6.1).
func (w *writer) times(i item) {
	if !i.AllDay {
		w.instant("DTSTART", i.StartsAt)
		if i.overAt.After(i.StartsAt) {
			w.instant("DTEND", i.overAt)
		}
		return
	}
	zone := zoneOf(i.Timezone)
	last := i.StartsAt
	if i.EndsAt != nil {
		last = i.EndsAt.Add(-time.Microsecond)
	}
	w.line("DTSTART;VALUE=DATE", i.StartsAt.In(zone).Format("20060102"))
	w.line("DTEND;VALUE=DATE", dayAfter(last, zone).Format("20060102"))
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

// maxLine is the longest line in bytes; the rest follows in lines that start with a
// space.
const maxLine = 75

// line writes a property without escaping its value. It never folds inside a
// character.
func (w *writer) line(name, value string) {
	rest, limit := name+":"+value, maxLine
	for len(rest) > limit {
		cut := limit
		for !utf8.RuneStart(rest[cut]) {
			cut--
		}
		w.WriteString(rest[:cut] + "\r\n ")
		rest, limit = rest[cut:], maxLine-1
	}
	w.WriteString(rest + "\r\n")
}

// escapes are the escapes of TEXT values (RFC 5545 §3.3.11).
var escapes = strings.NewReplacer(`\`, `\\`, `;`, `\;`, `,`, `\,`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`)

func (w *writer) text(name, value string) {
	w.line(name, strings.Map(withoutControls, escapes.Replace(value)))
}

// withoutControls removes control characters, which TEXT must not contain.
func withoutControls(r rune) rune {
	if r < ' ' && r != '\t' || r == 0x7f {
		return -1
	}
	return r
}

func (w *writer) optional(name, value string) {
	if value != "" {
		w.text(name, value)
	}
}

func (w *writer) instant(name string, t time.Time) { w.line(name, t.UTC().Format("20060102T150405Z")) }
