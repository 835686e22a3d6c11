package feed

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Parameters of candidatesStmt.
const (
	followerParam = "$1" // the reader; the zero id if the feed ignores followed people
	momentParam   = "$2" // of the feed: it leaves out later changes
	fromParam     = "$3" // the exclusive lower bound of the keys of coming events
	offsetParam   = "$4" // of the first followed person in the batch of this hour
)

// candidatesStmt returns a batch of followed people, and the keys of events in the reader's city, categories and circle: the next
// ones, a limited number of each. An event may come from several branches. The statement that reads its card checks whether the
// reader may see it. A block ends follows, so followed people are never blocked.
var candidatesStmt = db.SQL("feed.candidates", `
	SELECT close.id, CAST(0 AS BIGINT), 0, CAST(0 AS BIGINT) FROM (
		SELECT f.followed_id AS id FROM follows f WHERE f.follower_id = `+followerParam+` AND f.created_at <= `+momentParam+`
		ORDER BY f.followed_id LIMIT `+strconv.Itoa(followedBatch)+` OFFSET (SELECT CAST(`+offsetParam+` AS BIGINT))) AS close
	UNION ALL SELECT NULL, starts_key, `+bit(CityMatch)+`, 0 FROM (`+nextPostings("event_terms", "term_id", "$5", 30)+`
		ORDER BY d.starts_key LIMIT 30) AS city
	UNION ALL SELECT NULL, starts_key, `+bit(InterestMatch)+`, 0 FROM (`+nextPostings("event_terms", "term_id", "$6", 15)+`
		ORDER BY d.starts_key LIMIT 30) AS liked
	UNION ALL SELECT NULL, starts_key, `+bit(NearYou)+`, leaf FROM (`+nextPostings("event_cells", "cell", "$7", 15)+`
		ORDER BY d.starts_key LIMIT 60) AS near`)

// bit returns a reason as an SQL literal.
func bit(r Reasons) string { return strconv.Itoa(int(r)) }

// nth returns SQL that selects a bound of the first n rows of a table x: the column by
// which they are ordered, in the n-th row. If there are fewer rows, it is a bound
// beyond all rows.
func nth(table, where, order string, n int) string {
	column, descending := strings.CutSuffix(order, " DESC")
	beyond := int64(math.MaxInt64)
	if descending {
		beyond = 0
	}
	return fmt.Sprintf(`COALESCE((SELECT x.%[1]s FROM %[2]s x WHERE %[3]s ORDER BY x.%[4]s LIMIT 1 OFFSET %[5]d), %[6]d)`,
		column, table, where, order, n-1, beyond)
}

// nextPostings returns SQL that selects the next n events of each of several posting
// lists.
func nextPostings(table, key, lists string, n int) string {
	return `SELECT d.* FROM unseen_ints(` + lists + `) AS l CROSS JOIN ` + table + ` d
		WHERE d.` + key + ` = l.value AND d.starts_key > ` + fromParam + `
		AND d.starts_key <= ` + nth(table, "x."+key+" = l.value AND x.starts_key > "+fromParam, "starts_key", n)
}

// candidates returns the events that may rank first, by key: those with a reason
// and, if these are few, the next events.
func (r reader) candidates(ctx context.Context, at cursor) (candidates, error) {
	found := candidates{events: make(map[int64]candidate, maxRanked)}
	if r.viewer.SignedIn() {
		if err := r.addReasons(ctx, at, &found); err != nil {
			return found, err
		}
	}
	if len(found.events) >= maxRanked {
		return found, nil
	}
	return found, r.addSoon(ctx, at, found)
}

// addReasons adds the events with a reason, and the followed people.
func (r reader) addReasons(ctx context.Context, at cursor, found *candidates) error {
	isNear := func(int64) bool { return true }
	if r.near != nil {
		isNear = r.near.Leaves()
	}
	var followed *domain.UserID
	var key, leaf int64
	var reason int
	for row, err := range r.DB.Query(ctx, candidatesStmt, r.candidateArgs(at)...) {
		if err == nil {
			err = row.Scan(&followed, &key, &reason, &leaf)
		}
		switch {
		case err != nil:
			return err
		case followed != nil:
			found.people = append(found.people, *followed)
		case leaf == 0 || isNear(leaf):
			found.add(key, Reasons(reason))
		}
	}
	return r.addFollowed(ctx, at, *found)
}

// addSoon adds the next events to the candidates.
func (r reader) addSoon(ctx context.Context, at cursor, found candidates) error {
	keys, err := r.next(ctx, at.moment.UnixNano(), math.MaxInt64)
	if err != nil {
		return err
	}
	cards, err := r.Cards.Get(ctx, keys[:min(len(keys), maxRanked)]...)
	for _, c := range cards {
		if c == nil || c.PublishedAt.After(at.moment) {
			continue
		}
		if _, known := found.events[c.StartsKey]; known {
			continue
		}
		next := candidate{key: c.StartsKey}
		if c.Pictured {
			next.bonus += pictureWeight
		}
		if c.Lat != nil {
			next.bonus += locationWeight
		}
		found.events[c.StartsKey] = next
	}
	return err
}

// candidateArgs returns the arguments of candidatesStmt.
func (r reader) candidateArgs(at cursor) []any {
	var user domain.UserID
	if r.followed {
		user = r.viewer.UserID
	}
	var cities, cells []int64
	if r.city != 0 {
		cities = []int64{r.city}
	}
	if r.near != nil {
		cells = r.near.Cells()
	}
	return []any{user, at.moment, at.moment.UnixNano(), followedOffset(r.follows, at.moment), cities, r.likes, cells}
}

// A feed reads the activity of followedBatch followed people. For readers who follow
// more, it uses another batch every hour, out of the first maxFollows people.
const (
	followedBatch = 24
	maxFollows    = 5000
)

// followedOffset returns the offset of this hour's batch of n followed people. All
// batches are full, so neighbouring ones may overlap. Each person is in a batch.
func followedOffset(n int, moment time.Time) int {
	batches := (n + followedBatch - 1) / followedBatch
	if batches < 2 {
		return 0
	}
	return int(hourOf(moment)%int64(batches)) * (n - followedBatch) / (batches - 1)
}
