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

// Parameters of candidatesStmt.
const (
	followerParam = "$1" // the reader; the zero id if the feed ignores followed people
	momentParam   = "$2" // of the feed: it leaves out later changes
	fromParam     = "$3" // the exclusive lower bound of the keys of coming events
	offsetParam   = "$4" // of the first followed person in the batch of this hour
)

// candidatesStmt returns the keys of events that have a reason: events of a batch of
// followed people, and the next events in the reader's city, categories and circle.
// Each branch reads a limited number of rows. An event may come from several
// branches. The statement that reads its card checks whether the reader may see it. A
// block ends follows, so followed people are never blocked.
var candidatesStmt = db.SQL("feed.candidates", `
	WITH close AS MATERIALIZED (
		SELECT f.followed_id AS id FROM follows f WHERE f.follower_id = `+followerParam+` AND f.created_at <= `+momentParam+`
		ORDER BY f.followed_id LIMIT `+strconv.Itoa(followedBatch)+` OFFSET (SELECT CAST(`+offsetParam+` AS BIGINT)))
	SELECT starts_key, `+bit(CityMatch)+` FROM (`+nextPostings("event_terms", "term_id", "$5", 30)+` ORDER BY d.starts_key LIMIT 30) AS city
	UNION ALL SELECT starts_key, `+bit(InterestMatch)+` FROM (`+nextPostings("event_terms", "term_id", "$6", 15)+` ORDER BY d.starts_key LIMIT 30) AS liked
	UNION ALL SELECT starts_key, `+bit(NearYou)+` FROM (`+nextPostings("event_cells", "cell", "$7", 15)+`
		AND `+postings.InCircle("d", "$8", "$9", "$10", "$11")+` ORDER BY d.starts_key LIMIT 30) AS near
	UNION ALL SELECT starts_key, `+bit(FollowedOrganizer)+` FROM (
		SELECT e.starts_key FROM close c CROSS JOIN events e
		WHERE e.organizer_id = c.id AND e.listed AND e.starts_key > `+fromParam+`
		AND e.starts_key <= `+nth("events", "x.organizer_id = c.id AND x.listed AND x.starts_key > "+fromParam, "starts_key", 3)+`
		ORDER BY e.starts_key LIMIT 40) AS organized
	UNION ALL SELECT e.starts_key, `+bit(FollowedGoing)+` FROM (
		SELECT p.event_id FROM close c CROSS JOIN participants p
		WHERE p.user_id = c.id AND `+isPublic("p")+`
		AND p.joined_at >= `+nth("participants", "x.user_id = c.id AND "+isPublic("x"), "joined_at DESC", 4)+`
		ORDER BY p.joined_at DESC LIMIT 24) AS g CROSS JOIN events e
		WHERE e.id = g.event_id AND e.starts_key > `+fromParam+` AND e.listed
	UNION ALL SELECT e.starts_key, `+bit(FollowedRepost)+` FROM (
		SELECT r.post_id FROM close c CROSS JOIN reposts r
		WHERE r.user_id = c.id AND r.created_at <= `+momentParam+`
		AND r.created_at >= `+nth("reposts", "x.user_id = c.id AND x.created_at <= "+momentParam, "created_at DESC", 3)+`
		ORDER BY r.created_at DESC LIMIT 8) AS s CROSS JOIN posts p CROSS JOIN events e
		WHERE p.id = s.post_id AND e.id = p.event_id AND e.starts_key > `+fromParam+` AND e.listed`)

// soonStmt returns the next events, and whether they have a picture and
// coordinates.
var soonStmt = db.SQL("feed.soon", `
	SELECT e.starts_key, e.image_url IS NOT NULL, e.lat IS NOT NULL FROM events e
	WHERE e.listed AND e.starts_key > $1 AND e.published_at <= $2 ORDER BY e.starts_key LIMIT `+strconv.Itoa(maxRanked))

// bit returns a reason as an SQL literal.
func bit(r Reasons) string { return strconv.Itoa(int(r)) }

// isPublic returns the condition that the participants row p is public at moment.
func isPublic(p string) string {
	return p + `.status = 'going' AND ` + p + `.visibility = 'public' AND ` + p + `.joined_at <= ` + momentParam
}

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
	return `SELECT d.starts_key FROM ints(` + lists + `) AS l CROSS JOIN ` + table + ` d
		WHERE d.` + key + ` = l.value AND d.starts_key > ` + fromParam + `
		AND d.starts_key <= ` + nth(table, "x."+key+" = l.value AND x.starts_key > "+fromParam, "starts_key", n)
}

// candidates returns the events that may rank first, by key: those with a reason
// and, if these are few, the next events.
func (r reader) candidates(ctx context.Context, q db.Querier, at cursor) (map[int64]candidate, error) {
	found := map[int64]candidate{}
	if r.viewer.SignedIn() {
		for row, err := range q.Query(ctx, candidatesStmt, r.candidateArgs(at)...) {
			var key int64
			var reason int
			if err == nil {
				err = row.Scan(&key, &reason)
			}
			if err != nil {
				return nil, err
			}
			found[key] = candidate{key: key, reasons: found[key].reasons | Reasons(reason)}
		}
	}
	if len(found) >= maxRanked {
		return found, nil
	}
	return found, addSoon(ctx, q, at, found)
}

// addSoon adds the next events to the candidates.
func addSoon(ctx context.Context, q db.Querier, at cursor, found map[int64]candidate) error {
	for row, err := range q.Query(ctx, soonStmt, at.moment.UnixNano(), at.moment) {
		var key int64
		var pictured, located bool
		if err == nil {
			err = row.Scan(&key, &pictured, &located)
		}
		if err != nil {
			return err
		}
		if _, known := found[key]; known {
			continue
		}
		c := candidate{key: key}
		if pictured {
			c.bonus += pictureWeight
		}
		if located {
			c.bonus += locationWeight
		}
		found[key] = c
	}
	return nil
}

// candidateArgs returns the arguments of candidatesStmt.
func (r reader) candidateArgs(at cursor) []any {
	var user domain.UserID
	if r.followed {
		user = r.viewer.UserID
	}
	var cities, cells []int64
	if r.city != "" {
		cities = []int64{postings.TermID(postings.CityTerm(r.city))}
	}
	var chord geo.Chord
	if r.near != nil {
		cells, chord = r.near.Cells(), r.near.Chord()
	}
	return []any{
		user, at.moment, at.moment.UnixNano(), followedOffset(r.follows, at.moment),
		cities, categoryTerms(r.likes), cells, chord.X, chord.Y, chord.Z, chord.Squared,
	}
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
	return int(moment.Unix()/int64(time.Hour/time.Second)%int64(batches)) * (n - followedBatch) / (batches - 1)
}
