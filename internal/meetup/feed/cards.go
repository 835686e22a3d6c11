package feed

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"moothall/internal/meetup/event"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
)

// show returns the cards of the keys that the feed may show, in their order: at least enough of them, unless there are fewer.
// It first reads only that many cards, because readers may usually see all of them.
func (r reader) show(ctx context.Context, now time.Time, enough int, keys []int64,
	mayShow func(*event.ListedCard) bool) (shown []event.ShownCard, err error) {
	for step := enough; len(keys) > 0 && len(shown) < enough; step *= 2 {
		n := min(len(keys), step)
		cards, err := r.Cards.Get(ctx, keys[:n]...)
		if err != nil {
			return nil, err
		}
		cards = slices.DeleteFunc(cards, func(c *event.ListedCard) bool { return !mayShow(c) })
		next, err := event.Show(ctx, r.DB, r.viewer, cards)
		if err != nil {
			return nil, err
		}
		shown, keys = append(shown, next...), keys[n:]
	}
	limitByCards(ctx, shown, now)
	return shown, nil
}

// mayShow reports whether the reader's preferences allow an event. c is nil if the event
// is no longer listed.
func (r reader) mayShow(c *event.ListedCard, at cursor, now time.Time) bool {
	return c != nil && c.OverAt.After(now) && !c.PublishedAt.After(at.moment) && !slices.Contains(r.mutes, c.Category) &&
		(r.price == "" || (r.price == event.Paid) == c.Paid)
}

// maxTried limits how many cards of ranked events are read, even if the reader may not
// see some of them.
const maxTried = 100

// best returns the cards of ranked events by their keys: limit cards and, when there
// are more, at least one look-ahead card. A reader's own events are not ranked.
func (r reader) best(ctx context.Context, at cursor, now time.Time, limit int, keys []int64) ([]event.ShownCard, error) {
	return r.show(ctx, now, limit+1, keys[:min(len(keys), maxTried)], func(c *event.ListedCard) bool {
		return r.mayShow(c, at, now) && (!r.viewer.SignedIn() || c.OrganizerID != r.viewer.UserID)
	})
}

// nextKeys is the number of keys of nextStmt.
const nextKeys = 128

// nextStmt returns the keys of the next listed events between two bounds.
var nextStmt = db.SQL("feed.next", `
	SELECT e.starts_key FROM events e
		WHERE e.listed AND e.starts_key > (SELECT CAST($1 AS BIGINT)) AND e.starts_key <= (SELECT CAST($2 AS BIGINT))
		ORDER BY e.starts_key LIMIT `+strconv.Itoa(nextKeys))

func (r reader) next(ctx context.Context, after, upTo int64) ([]int64, error) {
	return db.Values[int64](ctx, r.DB, nextStmt, after, upTo)
}

// maxFiller limits how many keys a page of the filler reads. If the reader's preferences
// allow few of them, the page is short.
const maxFiller = 2000

// filler returns up to n events of the filler from the cursor on, the position after
// them, and whether there may be more.
func (r reader) filler(ctx context.Context, at cursor, now time.Time,
	n int) (cards []event.ShownCard, to fillerPosition, more bool, err error) {
	to = at.filler
	for read := 0; ; {
		after, upTo := to.bounds(at.moment)
		keys, err := r.next(ctx, after, upTo)
		if err != nil {
			return nil, to, false, err
		}
		found, err := r.show(ctx, now, n+1-len(cards), at.notShown(keys), func(c *event.ListedCard) bool { return r.mayShow(c, at, now) })
		if err != nil {
			return nil, to, false, err
		}
		if cards = append(cards, found...); len(cards) > n {
			return cards[:n], to.following(cards[:n], at.moment), true, nil
		}
		switch read += len(keys); {
		case len(keys) == nextKeys:
			to.after = keys[nextKeys-1]
		case to.begun:
			return cards, to, false, nil
		default:
			to = fillerPosition{begun: true}
		}
		if read > maxFiller {
			return cards, to, true, nil
		}
	}
}

// following returns the position after the last card, or the same one if there is none.
func (p fillerPosition) following(cards []event.ShownCard, moment time.Time) fillerPosition {
	if len(cards) == 0 {
		return p
	}
	last := cards[len(cards)-1].StartsKey
	return fillerPosition{begun: last <= moment.UnixNano(), after: last}
}

// bounds returns the bounds of the keys that remain in the section of the position.
func (p fillerPosition) bounds(moment time.Time) (after, upTo int64) {
	if p.begun {
		return max(p.after, event.OldestKey(moment)), moment.UnixNano()
	}
	return max(p.after, moment.UnixNano()), math.MaxInt64
}

func categoryTerms(categories []string) []int64 {
	var terms []int64
	for _, category := range categories {
		terms = append(terms, postings.TermID(postings.CategoryTerm(category)))
	}
	return terms
}

// A page is valid until one of its events is over. It is also valid only until an event
// that may be on it begins, because the event then moves to the end of the filler. For
// the feed an event begins at the time of its key, within the second of its start.

// limitByCandidates limits the validity of a page by its candidates.
func limitByCandidates(ctx context.Context, found map[int64]candidate, now time.Time) {
	first := int64(math.MaxInt64)
	for key := range found {
		if key > now.UnixNano() {
			first = min(first, key)
		}
	}
	cache.Until(ctx, event.KeyTime(first))
}

// limitByCards limits the validity of a page by the cards that were read.
func limitByCards(ctx context.Context, cards []event.ShownCard, now time.Time) {
	for _, c := range cards {
		cache.Until(ctx, c.OverAt)
		if begins := event.KeyTime(c.StartsKey); begins.After(now) {
			cache.Until(ctx, begins)
		}
	}
}
