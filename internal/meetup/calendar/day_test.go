package calendar

import (
	"testing"
	"time"
)

// TestNextDayAfterClockChange checks days that do not have 24 hours or do not begin at
// midnight, because of clock changes.
func TestNextDayAfterClockChange(t *testing.T) {
	for _, row := range []struct{ zone, at, next string }{
		{"UTC", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"},
		{"Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-29T22:00:00Z"},
		{"Europe/Berlin", "2026-10-25T12:00:00Z", "2026-10-25T23:00:00Z"},
		{"America/Santiago", "2026-09-05T16:00:00Z", "2026-09-06T04:00:00Z"}, // 24:00 is 1:00 of the next day
		{"America/Santiago", "2026-04-04T16:00:00Z", "2026-04-05T04:00:00Z"}, // 23:00 comes twice
		{"America/Havana", "2026-03-07T17:00:00Z", "2026-03-08T05:00:00Z"},   // the same, from 0:00
		{"America/Havana", "2026-10-31T16:00:00Z", "2026-11-01T04:00:00Z"},   // 0:00 comes twice
		{"Africa/Cairo", "2026-04-23T12:00:00Z", "2026-04-23T22:00:00Z"},
		{"Atlantic/Azores", "2026-10-24T12:00:00Z", "2026-10-25T00:00:00Z"},
	} {
		zone, err := time.LoadLocation(row.zone)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, row.at)
		if err != nil {
			t.Fatal(err)
		}
		next := nextDay(at, zone)
		if got := next.UTC().Format(time.RFC3339); got != row.next {
			t.Errorf("%s in %s: the next day begins at %s, want %s", row.at, row.zone, got, row.next)
		}
		if got, want := next.In(zone).Format("20060102"), at.In(zone).AddDate(0, 0, 1).Format("20060102"); got != want {
			t.Errorf("%s in %s: the next day is %s, want %s", row.at, row.zone, got, want)
		}
	}
}
