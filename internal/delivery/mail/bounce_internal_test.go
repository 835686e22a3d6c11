package mail

import (
	"testing"
	"time"
)

// TestSoftBouncesCountByDay counts at most one soft bounce a day, within a week.
func TestSoftBouncesCountByDay(t *testing.T) {
	const day = 24 * time.Hour
	for _, row := range []struct {
		name  string
		after []time.Duration // the first one
		want  bool
	}{
		{"once", []time.Duration{0}, false},
		{"three times in a day", []time.Duration{0, time.Hour, day - 1}, false},
		{"on two days", []time.Duration{0, day, day + time.Hour}, false},
		{"on three days", []time.Duration{0, day, 2 * day}, true},
		{"every six hours", []time.Duration{0, day / 4, day / 2, day * 3 / 4, day, day * 5 / 4, day * 3 / 2, day * 7 / 4}, false},
		{"the third after a week", []time.Duration{0, 6 * day, 7 * day}, true},
		{"the third after more than a week", []time.Duration{0, 6 * day, 7*day + 1}, false},
		{"once a week", []time.Duration{0, 8 * day, 16 * day, 24 * day}, false},
	} {
		start := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
		var b bounces
		for _, after := range row.after {
			b = b.after(soft, start.Add(after))
		}
		if (b.suppressedAt != nil) != row.want {
			t.Errorf("%s: %+v", row.name, b)
		}
	}
}
