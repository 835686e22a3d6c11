package feed

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"moothall/internal/db"
	"moothall/internal/event"
)

// The rest of a feed is every event that the reader's preferences allow, in
// the order of start: first what is to come, then what has begun and goes on.

// restRows is how many events one statement reads: enough for the longest page,
// one more, and the ranked events that were shown before.
const restRows = 100 + 1 + mostRanked

// shape is what the text of a statement depends on.
type shape struct{ priced, muted, begun bool }

var restStmts = func() map[shape]*db.Stmt {
	all := map[shape]*db.Stmt{}
	for i := range 8 {
		s := shape{priced: i&1 != 0, muted: i&2 != 0, begun: i&4 != 0}
		all[s] = db.SQL("feed.rest_"+strconv.Itoa(i), s.text())
	}
	return all
}()

// text takes the parameters that every shape has, and then those of its own.
func (s shape) text() string {
	where, params := known+` AND e.starts_key > `+from, 5
	add := func(asked bool, condition string) {
		if asked {
			params++
			where += ` AND ` + fmt.Sprintf(condition, "$"+strconv.Itoa(params))
		}
	}
	add(s.begun, `e.starts_key <= %s`)
	add(s.priced, `e.price = %s`)
	add(s.muted, `NOT EXISTS (SELECT 1 FROM event_terms t WHERE t.starts_key = e.starts_key AND t.term_id IN (SELECT value FROM ints(%s) AS l))`)
	return factsOf("FALSE", "FALSE") + ` FROM events e WHERE ` + where + ` ORDER BY e.starts_key LIMIT ` + strconv.Itoa(restRows)
}

// rest gives up to n events of the rest from a position on that the feed has
// not shown among the ranked ones, and whether there are more.
func (r reader) rest(ctx context.Context, q db.Querier, at place, now time.Time, n int) (found []candidate, more bool, err error) {
	for rest := at.rest; ; rest = (position{begun: true}) {
		part, err := r.part(ctx, q, at.moment, now, rest)
		if err != nil {
			return nil, false, err
		}
		part = slices.DeleteFunc(part, func(c candidate) bool { return at.has(c.id) })
		found = append(found, part...)
		if len(found) > n {
			return found[:n], true, nil
		}
		if rest.begun {
			return found, false, nil
		}
	}
}

// part gives the next events of one part of the rest.
func (r reader) part(ctx context.Context, q db.Querier, moment, now time.Time, p position) ([]candidate, error) {
	s := shape{priced: r.price != "", muted: len(r.mutes) > 0, begun: p.begun}
	after := p.after
	if after == 0 && p.begun {
		after = event.OldestKey(moment)
	} else if after == 0 {
		after = moment.UnixNano()
	}
	args := []any{r.viewer.UserID, now, moment, after, r.follower()}
	if s.begun {
		args = append(args, moment.UnixNano())
	}
	if s.priced {
		args = append(args, r.price)
	}
	if s.muted {
		args = append(args, categoryTerms(r.mutes))
	}
	found, err := db.All(ctx, q, scanCandidate, restStmts[s], args...)
	if err != nil {
		return nil, fmt.Errorf("feed.rest: %w", err)
	}
	return found, nil
}

func categoryTerms(categories []string) []int64 {
	var terms []int64
	for _, category := range categories {
		terms = append(terms, event.CategoryTerm(category))
	}
	return terms
}
