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
	"moothall/internal/platform/geo"
	"moothall/internal/postings"
)

// Parameters of foundStmt.
const (
	follower = "$1" // the reader, or nobody when what followed people do does not count
	moment   = "$2" // of the feed: what came later is left out
	from     = "$3" // the starts_key after which events are to come
	turn     = "$4" // the place of the first followed person whose turn it is
)

// foundStmt gathers the events that have a reason to stand at the top, by their
// keys alone, each branch bounded: what the followed people do whose turn it is,
// and the next events in the reader's city, categories and place. Whether the
// reader may see an event is asked when it is read. An event may come from
// several branches. Nobody follows whom they block or are blocked by.
var foundStmt = db.SQL("feed.found", `
	WITH close AS MATERIALIZED (
		SELECT f.followed_id AS id FROM follows f WHERE f.follower_id = `+follower+` AND f.created_at <= `+moment+`
		ORDER BY f.followed_id LIMIT `+strconv.Itoa(atOnce)+` OFFSET (SELECT CAST(`+turn+` AS BIGINT)))
	SELECT starts_key, `+is(CityMatch)+` FROM (`+nextPosted("event_terms", "term_id", "$5", 30)+` ORDER BY d.starts_key LIMIT 30) AS city
	UNION ALL SELECT starts_key, `+is(InterestMatch)+` FROM (`+nextPosted("event_terms", "term_id", "$6", 15)+` ORDER BY d.starts_key LIMIT 30) AS liked
	UNION ALL SELECT starts_key, `+is(NearYou)+` FROM (`+nextPosted("event_cells", "cell", "$7", 15)+`
		AND `+postings.InCircle("d", "$8", "$9", "$10", "$11")+` ORDER BY d.starts_key LIMIT 30) AS near
	UNION ALL SELECT starts_key, `+is(FollowedOrganizer)+` FROM (
		SELECT e.starts_key FROM close c CROSS JOIN events e
		WHERE e.organizer_id = c.id AND e.listed AND e.starts_key > `+from+`
		AND e.starts_key <= `+nth("events", "x.organizer_id = c.id AND x.listed AND x.starts_key > "+from, "starts_key", 3)+`
		ORDER BY e.starts_key LIMIT 40) AS organized
	UNION ALL SELECT e.starts_key, `+is(FollowedGoing)+` FROM (
		SELECT p.event_id FROM close c CROSS JOIN participants p
		WHERE p.user_id = c.id AND `+openly("p")+`
		AND p.joined_at >= `+nth("participants", "x.user_id = c.id AND "+openly("x"), "joined_at DESC", 4)+`
		ORDER BY p.joined_at DESC LIMIT 24) AS g CROSS JOIN events e
		WHERE e.id = g.event_id AND e.starts_key > `+from+` AND e.listed
	UNION ALL SELECT e.starts_key, `+is(FollowedRepost)+` FROM (
		SELECT r.post_id FROM close c CROSS JOIN reposts r
		WHERE r.user_id = c.id AND r.created_at <= `+moment+`
		AND r.created_at >= `+nth("reposts", "x.user_id = c.id AND x.created_at <= "+moment, "created_at DESC", 3)+`
		ORDER BY r.created_at DESC LIMIT 8) AS s CROSS JOIN posts p CROSS JOIN events e
		WHERE p.id = s.post_id AND e.id = p.event_id AND e.starts_key > `+from+` AND e.listed`)

// soonStmt gives the next events of all, and how they look.
var soonStmt = db.SQL("feed.soon", `
	SELECT e.starts_key, e.image_url IS NOT NULL, e.lat IS NOT NULL FROM events e
	WHERE e.listed AND e.starts_key > $1 AND e.published_at <= $2 ORDER BY e.starts_key LIMIT `+strconv.Itoa(mostRanked))

// is gives a reason as a column.
func is(r Reasons) string { return strconv.Itoa(int(r)) }

// openly is the condition that the participants row shows its user to others.
func openly(p string) string {
	return p + `.status = 'going' AND ` + p + `.visibility = 'public' AND ` + p + `.joined_at <= ` + moment
}

// nth is the column of the n-th row of a table x, or what no row reaches when
// there are fewer: the bound within which are the first n.
func nth(table, where, order string, n int) string {
	column, descending := strings.CutSuffix(order, " DESC")
	beyond := int64(math.MaxInt64)
	if descending {
		beyond = 0
	}
	return fmt.Sprintf(`COALESCE((SELECT x.%[1]s FROM %[2]s x WHERE %[3]s ORDER BY x.%[4]s LIMIT 1 OFFSET %[5]d), %[6]d)`,
		column, table, where, order, n-1, beyond)
}

// nextPosted walks each of several posting lists for its next n events.
func nextPosted(table, key, lists string, n int) string {
	return `SELECT d.starts_key FROM ints(` + lists + `) AS l CROSS JOIN ` + table + ` d
		WHERE d.` + key + ` = l.value AND d.starts_key > ` + from + `
		AND d.starts_key <= ` + nth(table, "x."+key+" = l.value AND x.starts_key > "+from, "starts_key", n)
}

// candidates gives the events that may stand at the top of the reader's feed, by
// their keys: those with a reason, and the next ones of all when these are few.
func (r reader) candidates(ctx context.Context, q db.Querier, at place) (map[int64]candidate, error) {
	found := map[int64]candidate{}
	if r.viewer.SignedIn() {
		for row, err := range q.Query(ctx, foundStmt, r.whatToFind(at)...) {
			var key int64
			var reason int
			if err == nil {
				err = row.Scan(&key, &reason)
			}
			if err != nil {
				return nil, fmt.Errorf("feed.found: %w", err)
			}
			found[key] = candidate{key: key, reasons: found[key].reasons | Reasons(reason)}
		}
	}
	if len(found) >= mostRanked {
		return found, nil
	}
	return found, addSoon(ctx, q, at, found)
}

// addSoon adds the next events of all to what was found.
func addSoon(ctx context.Context, q db.Querier, at place, found map[int64]candidate) error {
	for row, err := range q.Query(ctx, soonStmt, at.moment.UnixNano(), at.moment) {
		var key int64
		var pictured, located bool
		if err == nil {
			err = row.Scan(&key, &pictured, &located)
		}
		if err != nil {
			return fmt.Errorf("feed.soon: %w", err)
		}
		if _, known := found[key]; known {
			continue
		}
		c := candidate{key: key}
		if pictured {
			c.looks += pictureWorth
		}
		if located {
			c.looks += locationWorth
		}
		found[key] = c
	}
	return nil
}

// whatToFind gives the arguments of foundStmt.
func (r reader) whatToFind(at place) []any {
	var whose domain.UserID
	if r.followed {
		whose = r.viewer.UserID
	}
	var cities, cells []int64
	if r.city != "" {
		cities = []int64{postings.TermID(postings.CityTerm(r.city))}
	}
	var around geo.Chord
	if r.place != nil {
		cells, around = r.place.Cells(), r.place.Chord()
	}
	return []any{
		whose, at.moment, at.moment.UnixNano(), whoseTurn(r.follows, at.moment),
		cities, categoryTerms(r.likes), cells, around.X, around.Y, around.Z, around.Squared,
	}
}

// A feed looks at so many followed people at once. Who follows more has them take
// turns, others every hour; of very many, the first mostFollows take part.
const (
	atOnce      = 24
	mostFollows = 5000
)

// whoseTurn gives the place of the first of n people whose turn it is. Turns are
// spread evenly: each has atOnce people, and everybody has one.
func whoseTurn(n int, moment time.Time) int {
	turns := (n + atOnce - 1) / atOnce
	if turns < 2 {
		return 0
	}
	return int(moment.Unix()/int64(time.Hour/time.Second)%int64(turns)) * (n - atOnce) / (turns - 1)
}
