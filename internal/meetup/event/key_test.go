package event_test

import (
	"testing"
	"time"

	"moothall/api/gen"
	"moothall/internal/meetup/event"
)

// TestKeysStayWithinTheirSecond compares random keys with the bounds of lists.
func TestKeysStayWithinTheirSecond(t *testing.T) {
	start := time.Date(2026, 12, 5, 16, 0, 0, 0, time.UTC)
	for range 1000 {
		key := event.RandomKey(start)
		if !event.KeyTime(key).Truncate(time.Second).Equal(start) {
			t.Fatalf("the key %d is not of its second", key)
		}
		if key <= event.KeysFrom(start) || key > event.KeysUpTo(start) || key <= event.KeysAfter(start) {
			t.Fatalf("the key %d lies outside its second", key)
		}
		if key > event.KeysAfter(event.KeyTime(key)) {
			t.Fatalf("a page after the key %d would repeat it", key)
		}
	}
	if next := event.RandomKey(start.Add(time.Second)); next <= event.KeysUpTo(start) {
		t.Fatalf("the next second's key %d lies in this second", next)
	}
}

// FuzzCursor expects that a page begins directly after the key of its cursor,
// and that a plain date-time means from that second on.
func FuzzCursor(f *testing.F) {
	for _, s := range []string{"2026-12-05T16:00:00Z", "2026-12-05T16:00:00.000000001Z", "2099-12-31T23:59:59.999999999+23:59",
		"2000-01-01T00:00:00Z", "2026-12-05T16:00:00.1234567891Z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		if gen.CheckTime(cursor) != nil {
			return
		}
		at, err := time.Parse(time.RFC3339Nano, cursor)
		if err != nil {
			t.Fatalf("%q: %v", cursor, err)
		}
		after := event.KeysAfter(at)
		if at.Nanosecond() == 0 {
			if event.RandomKey(at) <= after || event.RandomKey(at.Add(-time.Second)) > after {
				t.Errorf("%q does not mean from that second on", cursor)
			}
			return
		}
		again := event.KeyTime(after).Format(time.RFC3339Nano)
		if gen.CheckTime(again) != nil || !event.KeyTime(after).Equal(at) {
			t.Errorf("%q stands for the key %d, whose cursor is %q", cursor, after, again)
		}
	})
}
