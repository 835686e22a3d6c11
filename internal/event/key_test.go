package event

import (
	"testing"
	"time"

	"moothall/api/gen"
)

func TestKeys(t *testing.T) {
	start := time.Date(2026, 12, 5, 16, 0, 0, 0, time.UTC)
	for range 1000 {
		key := keyOf(start, newTie())
		if !keyTime(key).Truncate(time.Second).Equal(start) {
			t.Fatalf("the key %d is not of its second", key)
		}
		if key <= keysFrom(start) || key > keysUpTo(start) || key <= keysAfter(start) {
			t.Fatalf("the key %d lies outside its second", key)
		}
		if key > keysAfter(keyTime(key)) {
			t.Fatalf("a page after the key %d would repeat it", key)
		}
	}
	if next := keyOf(start.Add(time.Second), newTie()); next <= keysUpTo(start) {
		t.Fatalf("the next second's key %d lies in this second", next)
	}
}

// FuzzCursor holds that a page begins exactly behind the key that its cursor
// stands for, and that a plain date-time means from that second on.
func FuzzCursor(f *testing.F) {
	for _, s := range []string{"2026-12-05T16:00:00Z", "2026-12-05T16:00:00.000000001Z", "2099-12-31T23:59:59.999999999+23:59", "2000-01-01T00:00:00Z", "2026-12-05T16:00:00.1234567891Z"} {
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
		after := keysAfter(at)
		if at.Nanosecond() == 0 {
			if keyOf(at, newTie()) <= after || keyOf(at.Add(-time.Second), newTie()) > after {
				t.Errorf("%q does not mean from that second on", cursor)
			}
			return
		}
		again := keyTime(after).Format(time.RFC3339Nano)
		if gen.CheckTime(again) != nil || !keyTime(after).Equal(at) {
			t.Errorf("%q stands for the key %d, whose cursor is %q", cursor, after, again)
		}
	})
}
