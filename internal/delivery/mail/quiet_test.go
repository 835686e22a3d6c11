package mail

import (
	"testing"
	"time"
)

func at(t *testing.T, text string) time.Time {
	t.Helper()
	parsed, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// TestQuietHours covers both changes of the clock. In Berlin 2:00 to 3:00 does not exist on
// 2026-03-29 and occurs twice on 2026-10-25. In Beirut 0:00 to 1:00 does not exist on
// 2026-03-29.
func TestQuietHours(t *testing.T) {
	for _, row := range []struct {
		name, zone string
		from, to   int // minutes after midnight
		now, want  string
	}{
		{"before", "Europe/Berlin", 22 * 60, 8 * 60, "2026-06-01T19:59:59Z", ""},
		{"from their begin", "Europe/Berlin", 22 * 60, 8 * 60, "2026-06-01T20:00:00Z", "2026-06-02T06:00:00Z"},
		{"after midnight", "Europe/Berlin", 22 * 60, 8 * 60, "2026-06-02T05:59:59Z", "2026-06-02T06:00:00Z"},
		{"at their end", "Europe/Berlin", 22 * 60, 8 * 60, "2026-06-02T06:00:00Z", ""},
		{"by day", "Europe/Berlin", 12 * 60, 14 * 60, "2026-06-02T11:30:00Z", "2026-06-02T12:00:00Z"},
		{"by day, at night", "Europe/Berlin", 12 * 60, 14 * 60, "2026-06-02T23:30:00Z", ""},
		{"a short night", "Europe/Berlin", 22 * 60, 8 * 60, "2026-03-28T23:00:00Z", "2026-03-29T06:00:00Z"},
		{"a long night", "Europe/Berlin", 22 * 60, 8 * 60, "2026-10-24T23:00:00Z", "2026-10-25T07:00:00Z"},
		{"end in the skipped hour", "Europe/Berlin", 60, 150, "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z"},
		{"end in the hour that occurs twice", "Europe/Berlin", 60, 150, "2026-10-25T00:10:00Z", "2026-10-25T00:30:00Z"},
		{"begin in the hour that occurs twice", "Europe/Berlin", 150, 240, "2026-10-25T00:40:00Z", "2026-10-25T03:00:00Z"},
		{"end in a skipped midnight", "Asia/Beirut", 20 * 60, 30, "2026-03-28T20:00:00Z", "2026-03-28T22:00:00Z"},
	} {
		t.Run(row.name, func(t *testing.T) {
			zone, err := time.LoadLocation(row.zone)
			if err != nil {
				t.Fatal(err)
			}
			until, quiet := settings{quietFrom: &row.from, quietTo: &row.to}.quietUntil(at(t, row.now), zone)
			switch {
			case quiet != (row.want != ""):
				t.Errorf("quiet: %t until %v", quiet, until)
			case quiet && !until.Equal(at(t, row.want)):
				t.Errorf("until %v, want %s", until, row.want)
			}
		})
	}
}

func TestNextDigest(t *testing.T) {
	for _, row := range []struct {
		name, zone string
		hour       int
		weekdays   []int
		now, want  string
	}{
		{"later today", "Europe/Berlin", 8, nil, "2026-06-01T05:59:59Z", "2026-06-01T06:00:00Z"},
		{"not now", "Europe/Berlin", 8, nil, "2026-06-01T06:00:00Z", "2026-06-02T06:00:00Z"},
		{"on Monday", "Europe/Berlin", 8, []int{1}, "2026-06-01T06:00:00Z", "2026-06-08T06:00:00Z"},
		{"on Friday and Sunday", "Europe/Berlin", 8, []int{5, 7}, "2026-06-06T06:00:00Z", "2026-06-07T06:00:00Z"},
		{"after the clock goes forward", "Europe/Berlin", 8, nil, "2026-03-28T12:00:00Z", "2026-03-29T06:00:00Z"},
		{"after the clock goes back", "Europe/Berlin", 8, nil, "2026-10-24T12:00:00Z", "2026-10-25T07:00:00Z"},
		{"in the skipped hour", "Europe/Berlin", 2, nil, "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"},
		{"in the hour that occurs twice", "Europe/Berlin", 2, nil, "2026-10-24T12:00:00Z", "2026-10-25T00:00:00Z"},
		{"once in the hour that occurs twice", "Europe/Berlin", 2, nil, "2026-10-25T00:00:00Z", "2026-10-26T01:00:00Z"},
		{"at a skipped midnight", "Asia/Beirut", 0, nil, "2026-03-28T12:00:00Z", "2026-03-28T22:00:00Z"},
	} {
		t.Run(row.name, func(t *testing.T) {
			zone, err := time.LoadLocation(row.zone)
			if err != nil {
				t.Fatal(err)
			}
			s := settings{digestHour: &row.hour}
			if row.weekdays != nil {
				bits := bitsOf(row.weekdays)
				s.digestDay = &bits
			}
			if got := s.nextDigest(at(t, row.now), zone); !got.Equal(at(t, row.want)) {
				t.Errorf("%v, want %s", got, row.want)
			}
		})
	}
}
