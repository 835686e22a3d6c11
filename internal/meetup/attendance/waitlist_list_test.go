package attendance

import (
	"testing"
	"time"

	"moothall/internal/meetup/event"
)

// TestOfferEnds is the table of when offers end. All times are those of Berlin.
func TestOfferEnds(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 3, day, hour, minute, 0, 0, berlin) }
	for _, row := range []struct {
		name              string
		now, starts, want time.Time
		minutes           int64
	}{
		{"by day", at(2, 9, 0), at(10, 18, 0), at(2, 21, 0), 720},
		{"late in the evening", at(2, 22, 0), at(10, 18, 0), at(3, 9, 0), 60},
		{"just before the night", at(2, 21, 59), at(10, 18, 0), at(2, 22, 59), 60},
		{"after midnight", at(3, 1, 30), at(10, 18, 0), at(3, 9, 0), 60},
		{"just before the morning", at(3, 7, 59), at(10, 18, 0), at(3, 9, 0), 60},
		{"in the morning", at(3, 8, 0), at(10, 18, 0), at(3, 9, 0), 60},
		{"at night, on the day before", at(2, 23, 0), at(3, 18, 0), at(3, 0, 0), 60},
		{"until the start", at(3, 12, 0), at(3, 18, 0), at(3, 18, 0), 720},
		{"in the night in which the clocks change", at(28, 23, 0), at(31, 18, 0), at(29, 9, 0), 60},
	} {
		l := list{startsAt: row.starts, timezone: "Europe/Berlin", minutes: row.minutes}
		if got := l.offerEnd(row.now); !got.Equal(row.want) {
			t.Errorf("%s: %v, want %v", row.name, got.In(berlin), row.want)
		}
	}
}

// TestWhoIsPromoted is the table of which lists promote, and which offer.
func TestWhoIsPromoted(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		mode string
		paid bool
		in   time.Duration // until the start
		want bool
	}{
		{event.WaitlistAutomatic, false, 49 * time.Hour, true},
		{event.WaitlistAutomatic, false, 48 * time.Hour, false},
		{event.WaitlistAutomatic, true, 49 * time.Hour, false},
		{event.WaitlistOffer, false, 49 * time.Hour, false},
	} {
		if got := (list{mode: row.mode, paid: row.paid, startsAt: now.Add(row.in)}).promotes(now); got != row.want {
			t.Errorf("%+v: %t", row, got)
		}
	}
}
