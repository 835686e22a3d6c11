package feed

import (
	"context"
	"time"

	"moothall/internal/platform/respcache"
)

// A page of a feed holds until one of its events is over, or one that may stand
// on it begins: those that have begun come last. By the keys, by which the feed
// tells them apart, an event begins at a moment of the second of its start.

// keepFound tells how long the candidates stay what they are.
func keepFound(ctx context.Context, found map[int64]candidate, now time.Time) {
	var until time.Time
	for key := range found {
		if begins := time.Unix(0, key); begins.After(now) && (until.IsZero() || begins.Before(until)) {
			until = begins
		}
	}
	respcache.ValidBetween(ctx, now, until)
}

// keepLines tells how long the cards that were read stay where they are.
func keepLines(ctx context.Context, lines []line, now time.Time) {
	respcache.ValidBetween(ctx, now, time.Time{})
	for _, l := range lines {
		respcache.ValidBetween(ctx, now, l.NextExpiry(now))
		if begins := time.Unix(0, l.StartsKey); begins.After(now) {
			respcache.ValidBetween(ctx, now, begins)
		}
	}
}
