package ical_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/ical"
)

var (
	now    = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	berlin = ical.FindZone("Europe/Berlin")
)

func options() ical.Options { return ical.Options{Now: now, Days: 366, Max: 500, Zone: berlin} }

// summary writes an event as one line: its start in UTC, its length, zone, title, place and problem.
func summary(e ical.Event) string {
	length := ""
	if !e.End.IsZero() {
		length = e.End.Sub(e.Start).String()
	}
	state := string(e.Problem)
	if e.Canceled {
		state = "canceled"
	}
	return strings.Join([]string{e.Start.Format("2006-01-02T15:04"), length, e.Zone, e.Title, e.Location, state}, "|")
}

// TestReadCalendarsOfPrograms reads calendars of the forms that programs write.
func TestReadCalendarsOfPrograms(t *testing.T) {
	for name, want := range map[string]string{
		"google": `
2026-12-03T18:00|3h0m0s|Europe/Berlin|Board games|Café Lima, Oranienstr. 12, 10999 Berlin|
2026-12-05T17:00|1h0m0s|Europe/Berlin|Called off||canceled
2026-12-17T19:00|3h0m0s|Europe/Berlin|Board games, later|Café Lima, Oranienstr. 12, 10999 Berlin|
2026-12-24T18:00|3h0m0s|Europe/Berlin|Board games|Café Lima, Oranienstr. 12, 10999 Berlin|
2027-01-01T23:00|48h0m0s|Europe/Berlin|New year's hike||`,
		"outlook": `
2026-12-04T17:30|1h30m0s|Europe/Berlin|Buchclub|Raum 3|
2026-12-07T23:00|1h30m0s|America/New_York|Call with New York||`,
		"apple": `
2026-12-06T08:00|1h0m0s|Europe/Berlin|Sonntagslauf|Tempelhofer Feld
Columbiadamm 10, 12101 Berlin, Germany|
2026-12-08T18:00|2h0m0s|Europe/Berlin|Stammtisch||
2027-01-03T08:00|1h0m0s|Europe/Berlin|Sonntagslauf|Tempelhofer Feld
Columbiadamm 10, 12101 Berlin, Germany|
2027-02-07T08:00|1h0m0s|Europe/Berlin|Sonntagslauf|Tempelhofer Feld
Columbiadamm 10, 12101 Berlin, Germany|`,
		"nextcloud": `
2026-12-12T13:00|4h0m0s|Europe/Vienna|Repair café||
2026-12-19T13:00|4h0m0s|Europe/Vienna|Repair café||`,
		"meetup": `
2026-12-09T18:00|2h30m0s|Europe/Berlin|Go meetup #50|Workshop (Some Street 5, Berlin, Germany)|`,
		"mobilizon": `
2026-12-13T10:00|2h0m0s||Planting day|Stadtgarten, Wien|`,
	} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", "samples", name+".ics"))
			if err != nil {
				t.Fatal(err)
			}
			c, err := ical.Read(data, options())
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, e := range c.Events {
				got.WriteString("\n" + summary(e))
			}
			if got.String() != want {
				t.Errorf("read%s\nwant%s", got.String(), want)
			}
		})
	}
}

// calendar returns a file with one event of these lines.
func calendar(lines ...string) []byte {
	return []byte("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
}

// TestReadEventsOfOneFile has a rule of the format in each row.
func TestReadEventsOfOneFile(t *testing.T) {
	for name, row := range map[string]struct {
		lines []string
		want  string
	}{
		"folded inside a character": {[]string{"DTSTART:20261201T100000Z", "SUMMARY:caf\xc3\r\n \xa9"}, "2026-12-01T10:00||Europe/Berlin|café||"},
		"Latin letters of Windows":  {[]string{"DTSTART:20261201T100000Z", "SUMMARY:caf\xe9"}, "2026-12-01T10:00||Europe/Berlin|café||"},
		"quoted-printable":          {[]string{"DTSTART:20261201T100000Z", "SUMMARY;ENCODING=QUOTED-PRINTABLE:caf=C3=A9"}, "2026-12-01T10:00||Europe/Berlin|café||"},
		"a colon in a parameter":    {[]string{"DTSTART:20261201T100000Z", `SUMMARY;ALTREP="http://a:b;c,d":x`}, "2026-12-01T10:00||Europe/Berlin|x||"},
		"escapes":                   {[]string{"DTSTART:20261201T100000Z", `SUMMARY:a\, b\; c\\d`}, `2026-12-01T10:00||Europe/Berlin|a, b; c\d||`},
		"a zone of Windows":         {[]string{"DTSTART;TZID=Russian Standard Time:20261201T100000"}, "2026-12-01T07:00||Europe/Moscow|||"},
		"a zone with a prefix":      {[]string{"DTSTART;TZID=/citadel.org/20260101_1/Asia/Tokyo:20261201T100000"}, "2026-12-01T01:00||Asia/Tokyo|||"},
		"an unknown zone":           {[]string{"DTSTART;TZID=Nowhere:20261201T100000"}, "0001-01-01T00:00|||||zone"},
		"no start":                  {[]string{"SUMMARY:x"}, "0001-01-01T00:00|||x||start"},
		"an impossible date":        {[]string{"DTSTART:20261301T100000Z"}, "0001-01-01T00:00|||||start"},
		"a parameter without value": {[]string{"DTSTART;TZID=X"}, "0001-01-01T00:00|||||start"},
		"a skipped time":            {[]string{"DTSTART;TZID=Europe/Berlin:20270328T023000"}, "2027-03-28T01:30||Europe/Berlin|||"},
		"a repeated time":           {[]string{"DTSTART;TZID=Europe/Berlin:20271031T023000"}, "2027-10-31T00:30||Europe/Berlin|||"},
		"a day of 23 hours":         {[]string{"DTSTART;VALUE=DATE:20270328"}, "2027-03-27T23:00|23h0m0s|Europe/Berlin|||"},
		"a rule of seconds":         {[]string{"DTSTART:20261201T100000Z", "RRULE:FREQ=SECONDLY"}, "2026-12-01T10:00||Europe/Berlin|||rule"},
		"a rule of hours":           {[]string{"DTSTART:20261201T100000Z", "RRULE:FREQ=DAILY;BYHOUR=1,2,3"}, "2026-12-01T10:00||Europe/Berlin|||rule"},
		"a duration of weeks":       {[]string{"DTSTART:20261201T100000Z", "DURATION:P1W"}, "2026-12-01T10:00|168h0m0s|Europe/Berlin|||"},
		"an end before the start":   {[]string{"DTSTART:20261201T100000Z", "DTEND:20261201T090000Z"}, "2026-12-01T10:00||Europe/Berlin|||"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := ical.Read(calendar(row.lines...), options())
			if err != nil || len(c.Events) != 1 || summary(c.Events[0]) != row.want {
				t.Errorf("read %+v, %v, want %q", c.Events, err, row.want)
			}
		})
	}
}

func TestReadTextsOfHTML(t *testing.T) {
	for text, want := range map[string]string{
		"a < b & c > d": "a < b & c > d",
		"<p>One</p><p>Two<br>three</p><ul><li>four</li></ul>": "One\n\nTwo\nthree\n\n- four",
		`see <a href="https://example.org/x">this</a>`:        "see this (https://example.org/x)",
		`<a href="javascript:alert(1)">x</a>`:                 "x",
		"<style>p{}</style><script>alert(1)</script><b>x</b>": "x",
		"Q&amp;A": "Q&A",
	} {
		if got := ical.PlainText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestReadRefusesHostileFiles has files that other parsers take minutes for, or panic at.
func TestReadRefusesHostileFiles(t *testing.T) {
	events := func(n int) string { return strings.Repeat("BEGIN:VEVENT\nEND:VEVENT\n", n) }
	for name, row := range map[string]struct {
		data string
		want error
	}{
		"empty":        {"", ical.ErrNotCalendar},
		"HTML":         {"<!doctype html><p>BEGIN:VCALENDAR", ical.ErrNotCalendar},
		"a card":       {"BEGIN:VCARD\nEND:VCARD\n", ical.ErrNotCalendar},
		"gzip":         {"\x1f\x8b\x08\x00BEGIN:VCALENDAR", ical.ErrNotCalendar},
		"cut off":      {"BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:2026", ical.ErrIncomplete},
		"crossed ends": {"BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\nEND:VEVENT\n", ical.ErrIncomplete},
		"deep":         {"BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VEVENT\n", 100_000), ical.ErrIncomplete},
		"many events":  {"BEGIN:VCALENDAR\n" + events(1_000_000) + "END:VCALENDAR\n", ical.ErrTooMany},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ical.Read([]byte(row.data), options()); !errors.Is(err, row.want) {
				t.Errorf("%v, want %v", err, row.want)
			}
		})
	}
}

// TestReadSurvivesHostileLines has lines that are long, or refer to themselves. The event beside them is read.
func TestReadSurvivesHostileLines(t *testing.T) {
	const long = 1 << 20
	for name, line := range map[string]string{
		"a long parameter":       "X-A;P=" + strings.Repeat("x", long) + ":1",
		"many parameters":        "X-A" + strings.Repeat(";P=x", long/4) + ":1",
		"many values":            "X-A;P=" + strings.Repeat("x,", long/2) + "x:1",
		"an open quote":          `X-A;P="` + strings.Repeat("x", long) + ":1",
		"many folds":             "X-A:" + strings.Repeat("\r\n x", long/4),
		"a long rule":            "RRULE:FREQ=DAILY;BYMONTHDAY=" + strings.Repeat("1,", long/2) + "1",
		"a rule without an end":  "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
		"an event in itself":     "RECURRENCE-ID:20261201T100000Z\r\nRELATED-TO:2",
		"a zone of the zone":     "BEGIN:VTIMEZONE\r\nTZID:A\r\nBEGIN:STANDARD\r\nDTSTART;TZID=A:20260101T000000\r\nEND:STANDARD\r\nEND:VTIMEZONE",
		"many excluded dates":    "EXDATE:" + strings.Repeat("20260101T000000Z,", long/17),
		"control characters":     "COMMENT:" + strings.Repeat("\x00\x01\x7f", long/3),
		"invalid UTF-8":          "COMMENT:" + strings.Repeat("\xff\xfe", long/2),
		"a picture in the field": "ATTACH;ENCODING=BASE64;VALUE=BINARY:" + strings.Repeat("QUJD", long/4),
	} {
		t.Run(name, func(t *testing.T) {
			data := calendar("DTSTART:20261201T100000Z", "SUMMARY:Hostile", line, "END:VEVENT", "BEGIN:VEVENT", "UID:2",
				"DTSTART:20261202T100000Z", "SUMMARY:Beside")
			c, err := ical.Read(data, options())
			if err != nil || len(c.Events) == 0 || c.Events[len(c.Events)-1].Title != "Beside" {
				t.Errorf("%d events, %v", len(c.Events), err)
			}
		})
	}
}

// BenchmarkRead prints the time for hostile files of 2 MiB in relation to that of a usual one of the same size.
func BenchmarkRead(b *testing.B) {
	const size = 2 << 20
	event := func(i int, lines string) string {
		return fmt.Sprintf("BEGIN:VEVENT\nUID:%d\nDTSTART:20261201T100000Z\n%sEND:VEVENT\n", i, lines)
	}
	fill := func(lines string) []byte {
		var out bytes.Buffer
		out.WriteString("BEGIN:VCALENDAR\n")
		for i := 0; out.Len() < size-100_000 && i < 9_000; i++ {
			out.WriteString(event(i, lines))
		}
		out.WriteString("END:VCALENDAR\n")
		return out.Bytes()
	}
	usual := "SUMMARY:A meeting\nDESCRIPTION:" + strings.Repeat("words ", 40) + "\n"
	file := fill(usual)
	floor := time.Duration(1 << 62)
	for range 5 {
		began := time.Now()
		_, _ = ical.Read(file, options())
		floor = min(floor, time.Since(began))
	}
	for name, data := range map[string][]byte{
		"parameters": calendar("DTSTART;" + strings.Repeat("X=y,", size/4) + `z:20261201T100000Z`),
		"folds":      calendar("SUMMARY:" + strings.Repeat("\n a", size/3)),
		"daily":      fill("RRULE:FREQ=DAILY\n"),
		"no dates":   fill("RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30\n"),
		"old":        bytes.ReplaceAll(fill("RRULE:FREQ=DAILY\n"), []byte("20261201"), []byte("19000101")),
		"tags":       calendar("DTSTART:20261201T100000Z", "DESCRIPTION:"+strings.Repeat("<p>", size/3)),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, _ = ical.Read(data, options())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(floor), "x-usual")
		})
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/samples/*.ics")
	if err != nil || len(files) == 0 {
		f.Fatal("no samples", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ical.Read(data, options())
		if len(c.Events) > 500 || err != nil && len(c.Events) > 0 {
			t.Errorf("%d events, %v", len(c.Events), err)
		}
		for _, e := range c.Events {
			if e.Problem == "" && (e.Start.IsZero() || !e.End.IsZero() && !e.End.After(e.Start) || e.Start.Location() != time.UTC) {
				t.Errorf("event %+v", e)
			}
		}
	})
}
