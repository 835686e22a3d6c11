package feed

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"moothall/internal/access"
	"moothall/internal/event"
	"moothall/internal/platform/db"
	"moothall/internal/postings"
)

// A feed has three parts: its top, which is ranked, and every other event that
// the reader's preferences allow in the order of start, first what is to come,
// then what has begun and goes on.
type part int

const (
	top part = iota
	coming
	begun
)

// shape is what the text of a statement that reads cards depends on.
type shape struct {
	part                     part
	signedIn, priced, longer bool
}

// usualPage is how many events a page has when the client does not say; a longer
// one is read by another statement.
const usualPage = 20

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

// text takes the parameters in the order of args.
func (s shape) text() string {
	params := 0
	param := func() string { params++; return "$" + strconv.Itoa(params) }
	now, moment := param(), param()
	from, where, order := `events e`, ``, `e.starts_key`
	switch s.part {
	case top:
		from, where, order = `ints(`+param()+`) AS l CROSS JOIN events e`, `e.starts_key = l.value`, `l.ord`
	case coming:
		where = `e.starts_key > ` + param()
	case begun:
		where = `e.starts_key > ` + param() + ` AND e.starts_key <= ` + param()
	}
	if s.part != top {
		where += fmt.Sprintf(` AND e.starts_key %% %d NOT IN (SELECT value FROM ints(%s) AS l)`, second, param())
	}
	viewer, followed, rows := access.Anonymous, `FALSE`, usualPage
	if s.signedIn {
		viewer = param()
		followed = `EXISTS (SELECT 1 FROM follows w WHERE w.follower_id = ` + viewer + ` AND w.followed_id = e.organizer_id AND w.created_at <= ` + moment + `)`
		where += ` AND NOT EXISTS (SELECT 1 FROM event_terms t WHERE t.starts_key = e.starts_key AND t.term_id IN (SELECT value FROM ints(` + param() + `) AS l))`
	}
	if s.signedIn && s.part == top {
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

// read gives the cards of one part of a feed: limit and, when there are more, at
// least one more. parts are the parameters of that part.
func (r reader) read(ctx context.Context, q db.Querier, p part, at place, now time.Time, limit int, parts ...any) ([]line, error) {
	s := shape{part: p, signedIn: r.viewer.SignedIn(), priced: r.price != "", longer: limit > usualPage}
	args := append([]any{now, at.moment}, parts...)
	if s.signedIn {
		args = append(args, r.viewer.UserID, categoryTerms(r.mutes))
	}
	if s.priced {
		args = append(args, r.price)
	}
	lines, err := db.All(ctx, q, scanLine, cardsStmts[s], args...)
	if err != nil {
		return nil, fmt.Errorf("feed.cards: %w", err)
	}
	keepLines(ctx, lines, now)
	return lines, nil
}

// mostTried is of how many ranked events the cards are read at most when some of
// them are not for the reader.
const mostTried = 100

// best gives the cards of the ranked events with these keys: limit and, when
// there are more, at least one more. As a rule all are for the reader, so no
// more are read at first.
func (r reader) best(ctx context.Context, q db.Querier, at place, now time.Time, limit int, keys []int64) (best []line, err error) {
	keys = keys[:min(len(keys), mostTried)]
	for first := min(len(keys), limit+1); len(keys) > 0 && len(best) <= limit; first = len(keys) {
		lines, err := r.read(ctx, q, top, at, now, limit, keys[:first])
		if err != nil {
			return nil, err
		}
		best, keys = append(best, lines...), keys[first:]
	}
	return best, nil
}

// rest gives up to n events of the rest from where the place is, and whether
// there are more.
func (r reader) rest(ctx context.Context, q db.Querier, at place, now time.Time, n int) (lines []line, more bool, err error) {
	for from := at.rest; ; from = (position{begun: true}) {
		p, bounds := from.bounds(at.moment)
		found, err := r.read(ctx, q, p, at, now, n, append(bounds, at.marks())...)
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

// bounds gives the part in which the position is, and the keys between which the
// part goes on.
func (p position) bounds(moment time.Time) (part, []any) {
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
