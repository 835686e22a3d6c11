package event_test

import (
	"testing"

	"moothall/internal/event"
)

func TestAverage(t *testing.T) {
	for _, row := range []struct {
		reviews, stars int64
		want           float64
	}{{1, 5, 5}, {3, 14, 4.67}, {3, 13, 4.33}, {8, 35, 4.38}, {200, 201, 1.01}, {400, 401, 1}, {7, 7, 1}, {1_000_000_000, 4_995_000_000, 5}} {
		if got := (event.Rating{Reviews: row.reviews, Stars: row.stars}).Average(); got == nil || *got != row.want {
			t.Errorf("%d stars in %d reviews: %v, want %v", row.stars, row.reviews, got, row.want)
		}
	}
	if got := (event.Rating{}).Average(); got != nil {
		t.Errorf("no reviews: %v", *got)
	}
}
