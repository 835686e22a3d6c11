package feed

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"moothall/internal/access"
	"moothall/internal/event"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/postings"
)

// section is a section of a feed: the ranked events, then the filler. The filler has
// two sections: first the events that have not begun, then the events that have.
type section int

const (
	ranked section = iota
	coming
	begun
)

// shape is everything that the text of a statement for cards depends on.
type shape struct {
	section                  section
	signedIn, priced, longer bool
}

// defaultLimit is the default length of a page. Longer pages have their own statement.
const defaultLimit = 20

var cardsStmts = func() map[shape]*db.Stmt {
	all := map[shape]*db.Stmt{}
	for i := range 24 {
		s := shape{section: section(i % 3), signedIn: i/3&1 != 0, priced: i/6&1 != 0, longer: i/12 != 0}
		if s.signedIn || !s.priced {
			all[s] = db.SQL("feed.cards_"+strconv.Itoa(i), s.text())
		}
	}
	return all
}()

// text returns the text of the statement. Its parameters are in the order of the
// arguments in read.
func (s shape) text() string {
	params := 0
	param := func() string { params++; return "$" + strconv.Itoa(params) }
	now, moment := param(), param()
	from, where, order := `events e`, ``, `e.starts_key`
	switch s.section {
	case ranked:
		from, where, order = `ints(`+param()+`) AS l CROSS JOIN events e`, `e.starts_key = l.value`, `l.ord`
	case coming:
		where = `e.starts_key > ` + param()
	case begun:
		where = `e.starts_key > ` + param() + ` AND e.starts_key <= ` + param()
	}
	if s.section != ranked {
		where += fmt.Sprintf(` AND e.starts_key %% %d NOT IN (SELECT value FROM ints(%s) AS l)`, second, param())
	}
	viewer, followed, rows := access.Anonymous, `FALSE`, defaultLimit
	if s.signedIn {
		viewer = param()
		followed = `EXISTS (SELECT 1 FROM follows w WHERE w.follower_id = ` + viewer + ` AND w.followed_id = e.organizer_id AND w.created_at <= ` + moment + `)`
		where += ` AND NOT EXISTS (SELECT 1 FROM event_terms t WHERE t.starts_key = e.starts_key AND t.term_id IN (SELECT value FROM ints(` + param() + `) AS l))`
	}
	if s.signedIn && s.section == ranked {
		where += ` AND e.organizer_id <> ` + viewer
	}
	if s.priced {
		where += ` AND e.price = ` + param()
	}
	if s.longer {
		rows = 100
	}
	return event.SelectCards(viewer, now, followed, from) + ` WHERE ` + where + ` AND ` + access.InDiscovery("e", viewer, now) +
		` AND e.published_at <= ` + moment + ` ORDER BY ` + order + ` LIMIT ` + strconv.Itoa(rows+1)
}

// feedCard is a card, and whether the reader follows its organizer.
type feedCard struct {
	event.Card
	followed bool
}

func scanFeedCard(row db.Row, c *feedCard) error { return event.ScanCard(row, &c.Card, &c.followed) }

// read returns the cards of one section of a feed: limit cards and, when there are
// more, at least one look-ahead card. bounds are the arguments of that section.
func (r reader) read(ctx context.Context, q db.Querier, p section, at cursor, now time.Time, limit int, bounds ...any) ([]feedCard, error) {
	s := shape{section: p, signedIn: r.viewer.SignedIn(), priced: r.price != "", longer: limit > defaultLimit}
	args := append([]any{now, at.moment}, bounds...)
	if s.signedIn {
		args = append(args, r.viewer.UserID, categoryTerms(r.mutes))
	}
	if s.priced {
		args = append(args, r.price)
	}
	cards, err := db.All(ctx, q, scanFeedCard, cardsStmts[s], args...)
	if err != nil {
		return nil, err
	}
	limitByCards(ctx, cards, now)
	return cards, nil
}

// maxTried limits how many cards of ranked events are read, even if the reader may not
// see some of them.
const maxTried = 100

// best returns the cards of ranked events by their keys: limit cards and, when there
// are more, at least one look-ahead card. It first reads only that many, because
// readers may usually see all of them.
func (r reader) best(ctx context.Context, q db.Querier, at cursor, now time.Time, limit int, keys []int64) (best []feedCard, err error) {
	keys = keys[:min(len(keys), maxTried)]
	for first := min(len(keys), limit+1); len(keys) > 0 && len(best) <= limit; first = len(keys) {
		cards, err := r.read(ctx, q, ranked, at, now, limit, keys[:first])
		if err != nil {
			return nil, err
		}
		best, keys = append(best, cards...), keys[first:]
	}
	return best, nil
}

// filler returns up to n events of the filler from the cursor on, and whether
// there are more.
func (r reader) filler(ctx context.Context, q db.Querier, at cursor, now time.Time, n int) (cards []feedCard, more bool, err error) {
	for from := at.filler; ; from = (fillerPosition{begun: true}) {
		p, bounds := from.bounds(at.moment)
		found, err := r.read(ctx, q, p, at, now, n, append(bounds, at.shownTies())...)
		if err != nil {
			return nil, false, err
		}
		cards = append(cards, found...)
		if len(cards) > n {
			return cards[:n], true, nil
		}
		if from.begun {
			return cards, false, nil
		}
	}
}

// bounds returns the section of the position, and the bounds of its remaining keys.
func (p fillerPosition) bounds(moment time.Time) (section, []any) {
	after := p.after
	switch {
	case after == 0 && p.begun:
		after = event.OldestKey(moment)
	case after == 0:
		after = moment.UnixNano()
	}
	if p.begun {
		return begun, []any{after, moment.UnixNano()}
	}
	return coming, []any{after}
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
	cache.Until(ctx, time.Time{})
	for key := range found {
		validUntil(ctx, event.KeyTime(key), now)
	}
}

// limitByCards limits the validity of a page by the cards that were read.
func limitByCards(ctx context.Context, cards []feedCard, now time.Time) {
	cache.Until(ctx, time.Time{})
	for _, c := range cards {
		cache.Until(ctx, c.NextExpiry(now))
		validUntil(ctx, event.KeyTime(c.StartsKey), now)
	}
}

func validUntil(ctx context.Context, begins, now time.Time) {
	if begins.After(now) {
		cache.Until(ctx, begins)
	}
}
