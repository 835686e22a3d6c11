package feed

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"moothall/internal/access"
	"moothall/internal/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/respcache"
	"moothall/internal/postings"
)

// part is a part of a feed: the ranked events, and the filler in two parts, first
// events that have not begun, then those that have.
type part int

const (
	ranked part = iota
	coming
	begun
)

// shape is what the text of a statement for cards depends on.
type shape struct {
	part                     part
	signedIn, priced, longer bool
}

// defaultLimit is the default length of a page. Longer pages have a statement of
// their own.
const defaultLimit = 20

var cardsStmts = func() map[shape]*db.Stmt {
	all := map[shape]*db.Stmt{}
	for i := range 24 {
		s := shape{part: part(i % 3), signedIn: i/3&1 != 0, priced: i/6&1 != 0, longer: i/12 != 0}
		if s.signedIn || !s.priced {
			all[s] = db.SQL("feed.cards_"+strconv.Itoa(i), s.text())
		}
	}
	return all
}()

// text returns the statement. Its parameters are in the order of read.
func (s shape) text() string {
	params := 0
	param := func() string { params++; return "$" + strconv.Itoa(params) }
	now, moment := param(), param()
	from, where, order := `events e`, ``, `e.starts_key`
	switch s.part {
	case ranked:
		from, where, order = `ints(`+param()+`) AS l CROSS JOIN events e`, `e.starts_key = l.value`, `l.ord`
	case coming:
		where = `e.starts_key > ` + param()
	case begun:
		where = `e.starts_key > ` + param() + ` AND e.starts_key <= ` + param()
	}
	if s.part != ranked {
		where += fmt.Sprintf(` AND e.starts_key %% %d NOT IN (SELECT value FROM ints(%s) AS l)`, second, param())
	}
	viewer, followed, rows := access.Anonymous, `FALSE`, defaultLimit
	if s.signedIn {
		viewer = param()
		followed = `EXISTS (SELECT 1 FROM follows w WHERE w.follower_id = ` + viewer + ` AND w.followed_id = e.organizer_id AND w.created_at <= ` + moment + `)`
		where += ` AND NOT EXISTS (SELECT 1 FROM event_terms t WHERE t.starts_key = e.starts_key AND t.term_id IN (SELECT value FROM ints(` + param() + `) AS l))`
	}
	if s.signedIn && s.part == ranked {
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

// line is a card, and whether the reader follows its organizer.
type line struct {
	event.Card
	followed bool
}

func scanLine(row db.Row, l *line) error { return event.ScanCard(row, &l.Card, &l.followed) }

// read returns the cards of one part of a feed: limit and, when there are more,
// at least one look-ahead card. bounds are the arguments of that part.
func (r reader) read(ctx context.Context, q db.Querier, p part, at cursor, now time.Time, limit int, bounds ...any) ([]line, error) {
	s := shape{part: p, signedIn: r.viewer.SignedIn(), priced: r.price != "", longer: limit > defaultLimit}
	args := append([]any{now, at.moment}, bounds...)
	if s.signedIn {
		args = append(args, r.viewer.UserID, categoryTerms(r.mutes))
	}
	if s.priced {
		args = append(args, r.price)
	}
	lines, err := db.All(ctx, q, scanLine, cardsStmts[s], args...)
	if err != nil {
		return nil, err
	}
	limitByLines(ctx, lines, now)
	return lines, nil
}

// maxTried limits the cards of ranked events that are read when the reader may
// not see some of them.
const maxTried = 100

// best returns the cards of ranked events by their keys: limit and, when there
// are more, at least one look-ahead card. Usually the reader may see all of
// them, so it does not read more at first.
func (r reader) best(ctx context.Context, q db.Querier, at cursor, now time.Time, limit int, keys []int64) (best []line, err error) {
	keys = keys[:min(len(keys), maxTried)]
	for first := min(len(keys), limit+1); len(keys) > 0 && len(best) <= limit; first = len(keys) {
		lines, err := r.read(ctx, q, ranked, at, now, limit, keys[:first])
		if err != nil {
			return nil, err
		}
		best, keys = append(best, lines...), keys[first:]
	}
	return best, nil
}

// filler returns up to n events of the filler from the cursor on, and whether
// there are more.
func (r reader) filler(ctx context.Context, q db.Querier, at cursor, now time.Time, n int) (lines []line, more bool, err error) {
	for from := at.filler; ; from = (fillerPosition{begun: true}) {
		p, bounds := from.bounds(at.moment)
		found, err := r.read(ctx, q, p, at, now, n, append(bounds, at.shownTies())...)
		if err != nil {
			return nil, false, err
		}
		lines = append(lines, found...)
		if len(lines) > n {
			return lines[:n], true, nil
		}
		if from.begun {
			return lines, false, nil
		}
	}
}

// bounds returns the part of the position, and the bounds of the keys that are
// left of it.
func (p fillerPosition) bounds(moment time.Time) (part, []any) {
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

// A page is valid until one of its events is over, or until an event that may be
// on it begins and moves to the end of the filler. For the feed an event begins
// at the time of its key, within the second of its start.

// limitByCandidates limits the validity of a page by its candidates.
func limitByCandidates(ctx context.Context, found map[int64]candidate, now time.Time) {
	respcache.ValidBetween(ctx, now, time.Time{})
	for key := range found {
		validUntil(ctx, event.KeyTime(key), now)
	}
}

// limitByLines limits the validity of a page by the cards that were read.
func limitByLines(ctx context.Context, lines []line, now time.Time) {
	respcache.ValidBetween(ctx, now, time.Time{})
	for _, l := range lines {
		respcache.ValidBetween(ctx, now, l.NextExpiry(now))
		validUntil(ctx, event.KeyTime(l.StartsKey), now)
	}
}

func validUntil(ctx context.Context, begins, now time.Time) {
	if begins.After(now) {
		respcache.ValidBetween(ctx, now, begins)
	}
}
