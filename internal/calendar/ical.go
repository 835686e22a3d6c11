package calendar

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// What of RFC 5545 a feed needs is little: lines that are folded, texts that are
// escaped, instants in UTC. Two parsers of others prove it.

// writer writes content lines (RFC 5545 §3.1).
type writer struct{ bytes.Buffer }

// write gives items as an iCalendar object (RFC 5545), the same bytes for the
// same items. A feed has a name.
func (o FeedOptions) write(items []item, name string) []byte {
	var w writer
	w.line("BEGIN", "VCALENDAR")
	w.line("VERSION", "2.0")
	w.line("PRODID", "-//Moothall//Moothall//EN")
	w.line("CALSCALE", "GREGORIAN")
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

// statuses are the words of RFC 5545 for the states of an entry.
var statuses = map[string]string{Confirmed: "CONFIRMED", Tentative: "TENTATIVE", Canceled: "CANCELLED"}

// event writes one entry. Its UID is its id, the same wherever it is met.
func (o FeedOptions) event(w *writer, i item) {
	w.line("BEGIN", "VEVENT")
	w.line("UID", i.ID.String())
	w.line("SEQUENCE", fmt.Sprint(i.sequence))
	w.instant("DTSTAMP", i.UpdatedAt) // without a METHOD: when it was changed last
	w.instant("CREATED", i.CreatedAt)
	w.instant("LAST-MODIFIED", i.UpdatedAt)
	w.line("STATUS", statuses[i.Status()])
	w.times(i)
	w.text("SUMMARY", i.Title)
	w.optional("DESCRIPTION", i.words())
	w.optional("LOCATION", i.place())
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
		w.line("URL", o.WebOrigin+"/events/"+i.EventID.String())
	}
	w.line("END", "VEVENT")
}

// times writes instants in UTC, which are right in every zone, and the days of
// an all-day entry as they are called where it lies. Its last day is the one in
// which it ends; the end that is written is the day after (RFC 5545 §3.6.1).
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

// words are description, address of the conference and notes in one text, as
// far as there are any.
func (i item) words() string { return joined("\n\n", i.description, i.conference, i.Notes) }

func (i item) place() string { return joined(", ", i.LocationText, i.city) }

func joined(by string, parts ...*string) string {
	var some []string
	for _, p := range parts {
		if p != nil && *p != "" {
			some = append(some, *p)
		}
	}
	return strings.Join(some, by)
}

// longestLine is how many bytes a line may have; the rest follows on lines that
// begin with a space.
const longestLine = 75

// line writes a property whose value stands as it is. Folding never parts a
// character.
func (w *writer) line(name, value string) {
	rest, room := name+":"+value, longestLine
	for len(rest) > room {
		cut := room
		for !utf8.RuneStart(rest[cut]) {
			cut--
		}
		w.WriteString(rest[:cut] + "\r\n ")
		rest, room = rest[cut:], longestLine-1
	}
	w.WriteString(rest + "\r\n")
}

// escapes are those of TEXT values (RFC 5545 §3.3.11).
var escapes = strings.NewReplacer(`\`, `\\`, `;`, `\;`, `,`, `\,`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`)

func (w *writer) text(name, value string) {
	w.line(name, strings.Map(withoutControls, escapes.Replace(value)))
}

// withoutControls drops what no TEXT may hold.
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
