package event

import (
	"testing"
	"time"
)

func TestKeys(t *testing.T) {
	start := time.Date(2026, 12, 5, 16, 0, 0, 0, time.UTC)
	for range 1000 {
		key := newKey(start)
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
	if next := newKey(start.Add(time.Second)); next <= keysUpTo(start) {
		t.Fatalf("the next second's key %d lies in this second", next)
	}
}
