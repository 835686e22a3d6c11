// Package ical reads and writes iCalendar objects (RFC 5545).
package ical

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"
)

// Writer writes one iCalendar object. The zero value is ready to use. Equal calls produce
// equal bytes.
type Writer struct{ buffer bytes.Buffer }

// Begin starts the object.
func (w *Writer) Begin() {
	w.Line("BEGIN", "VCALENDAR")
	w.Line("VERSION", "2.0")
	w.Line("PRODID", "-//Moothall//Moothall//EN")
	w.Line("CALSCALE", "GREGORIAN")
}

// Feed says that the object is a feed with a name, which programs read once an hour.
func (w *Writer) Feed(name string) {
	w.Text("NAME", name)
	w.Text("X-WR-CALNAME", name)
	w.Line("REFRESH-INTERVAL;VALUE=DURATION", "PT1H")
	w.Line("X-PUBLISHED-TTL", "PT1H")
}

// End ends the object and returns it.
func (w *Writer) End() []byte {
	w.Line("END", "VCALENDAR")
	return w.buffer.Bytes()
}

// maxLine is the longest line in bytes; the rest follows in lines that start with a
// space.
const maxLine = 75

// Line writes a property without escaping its value (RFC 5545 §3.1). It never folds inside a
// character.
func (w *Writer) Line(name, value string) {
	rest, limit := name+":"+value, maxLine
	for len(rest) > limit {
		cut := limit
		for !utf8.RuneStart(rest[cut]) {
			cut--
		}
		w.buffer.WriteString(rest[:cut] + "\r\n ")
		rest, limit = rest[cut:], maxLine-1
	}
	w.buffer.WriteString(rest + "\r\n")
}

// escapes are the escapes of TEXT values (RFC 5545 §3.3.11).
var escapes = strings.NewReplacer(`\`, `\\`, `;`, `\;`, `,`, `\,`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`)

// Text writes a property whose value is a TEXT. It escapes the value.
func (w *Writer) Text(name, value string) {
	w.Line(name, WithoutControls(escapes.Replace(value)))
}

// Optional writes a TEXT property unless its value is empty.
func (w *Writer) Optional(name, value string) {
	if value != "" {
		w.Text(name, value)
	}
}

// Instant writes a time in UTC, in whole seconds.
func (w *Writer) Instant(name string, t time.Time) {
	w.Line(name, t.UTC().Format("20060102T150405Z"))
}

// WithoutControls removes control characters, which TEXT must not contain.
func WithoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, text)
}
