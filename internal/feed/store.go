package feed

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"moothall/internal/access"
	"moothall/internal/db"
	"moothall/internal/event"
	"moothall/internal/meet"
)

// Parameters of the statements below.
const (
	viewer   = "$1"
	now      = "$2"
	moment   = "$3" // of the feed: what came later is left out
	from     = "$4" // the starts_key after which events are to come
	follower = "$5" // the viewer, or nobody when what followed people do does not count
)

// factsOf reads a candidate from the events row e.
func factsOf(going, reposted string) string {
	return `SELECT e.id, e.starts_key, e.organizer_id, e.category, e.city, e.lat, e.lng, e.price, e.image_url IS NOT NULL,
		EXISTS (SELECT 1 FROM follows w WHERE w.follower_id = ` + follower + ` AND w.followed_id = e.organizer_id AND w.created_at <= ` + moment + `),
		` + going + `, ` + reposted
}

func scanCandidate(row db.Row, c *candidate) error {
	return row.Scan(&c.id, &c.key, &c.organizer, &c.category, &c.city, &c.lat, &c.lng, &c.price, &c.pictured,
		&c.followedOrganizer, &c.followedGoing, &c.followedRepost)
}

// known is the condition that a feed of the moment shows the events row e.
var known = access.InDiscovery("e", viewer, now) + ` AND e.published_at <= ` + moment

// candidatesStmt gathers the events that have a reason to stand at the top, each
// branch bounded: what the followed people do who last did something, and the
// next events in the reader's city, categories and cells of the map. An event
// may come from several branches.
var candidatesStmt = db.SQL("feed.candidates", `
	WITH close AS MATERIALIZED (
		SELECT n.id FROM (
			SELECT f.followed_id AS id, COALESCE(CASE WHEN d.joined_at > d.acted_at THEN d.joined_at ELSE d.acted_at END, 0)
			FROM follows f LEFT JOIN open_deeds d ON d.user_id = f.followed_id
			WHERE f.follower_id = `+follower+` AND f.created_at <= `+moment+` ORDER BY 2 DESC, 1 LIMIT 40) AS n
		WHERE `+access.NotBlocked("n.id", viewer)+`),
	posted AS (
		SELECT starts_key FROM (`+nextPosted("event_terms", "term_id", "$6", 30)+` LIMIT 30) AS city
		UNION SELECT starts_key FROM (`+nextPosted("event_terms", "term_id", "$7", 15)+` LIMIT 30) AS liked
		UNION SELECT starts_key FROM (`+nextPosted("event_cells", "cell", "$8", 30)+` LIMIT 30) AS near
		UNION SELECT starts_key FROM (
			SELECT e.starts_key FROM close c CROSS JOIN events e
			WHERE e.organizer_id = c.id AND e.listed AND e.starts_key > `+from+`
			AND e.starts_key <= `+nth("events", "x.organizer_id = c.id AND x.listed AND x.starts_key > "+from, "starts_key", 3)+`
			ORDER BY e.starts_key LIMIT 40) AS organized)
	`+factsOf("FALSE", "FALSE")+` FROM posted CROSS JOIN events e WHERE e.starts_key = posted.starts_key AND `+known+`
	UNION ALL `+factsOf("TRUE", "FALSE")+` FROM (
		SELECT p.event_id FROM close c CROSS JOIN participants p
		WHERE p.user_id = c.id AND `+openly("p")+`
		AND p.joined_at >= `+nth("participants", "x.user_id = c.id AND "+openly("x"), "joined_at DESC", 8)+`
		ORDER BY p.joined_at DESC LIMIT 40) AS g CROSS JOIN events e
		WHERE e.id = g.event_id AND e.starts_key > `+from+` AND `+known+`
	UNION ALL `+factsOf("FALSE", "TRUE")+` FROM (
		SELECT r.post_id FROM close c CROSS JOIN reposts r
		WHERE r.user_id = c.id AND r.created_at <= `+moment+`
		AND r.created_at >= `+nth("reposts", "x.user_id = c.id AND x.created_at <= "+moment, "created_at DESC", 3)+`
		ORDER BY r.created_at DESC LIMIT 40) AS s CROSS JOIN posts p CROSS JOIN events e
		WHERE p.id = s.post_id AND e.id = p.event_id AND e.starts_key > `+from+` AND `+known)

// soonStmt gives the next events of all.
var soonStmt = db.SQL("feed.soon", factsOf("FALSE", "FALSE")+` FROM events e
	WHERE e.starts_key > `+from+` AND `+known+` ORDER BY e.starts_key LIMIT 60`)

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
		AND d.starts_key <= ` + nth(table, "x."+key+" = l.value AND x.starts_key > "+from, "starts_key", n) + `
		ORDER BY d.starts_key`
}

// candidates gives each event once, in no order, that is a candidate for the
// top of the reader's feed: those with a reason, and the next ones when these
// are few.
func (r reader) candidates(ctx context.Context, q db.Querier, at place, now time.Time) ([]candidate, error) {
	args := []any{r.viewer.UserID, now, at.moment, at.moment.UnixNano(), r.follower()}
	var found []candidate
	if r.viewer.SignedIn() {
		var err error
		if found, err = db.All(ctx, q, scanCandidate, candidatesStmt, append(args, r.lists()...)...); err != nil {
			return nil, fmt.Errorf("feed.candidates: %w", err)
		}
		found = slices.DeleteFunc(once(found), r.refuses)
	}
	if len(found) >= mostRanked {
		return found, nil
	}
	soon, err := db.All(ctx, q, scanCandidate, soonStmt, args...)
	if err != nil {
		return nil, fmt.Errorf("feed.soon: %w", err)
	}
	return once(append(found, slices.DeleteFunc(soon, r.refuses)...)), nil
}

// lists are the posting lists of the reader's city, categories and place.
func (r reader) lists() []any {
	var cities, cells []int64
	if r.city != "" {
		cities = []int64{event.CityTerm(r.city)}
	}
	if r.place != nil {
		cells = r.place.Cells()
	}
	return []any{cities, categoryTerms(r.likes), cells}
}

// follower is whose follows count.
func (r reader) follower() meet.UserID {
	if !r.followed {
		return meet.UserID{}
	}
	return r.viewer.UserID
}

// once merges the rows of one event.
func once(found []candidate) []candidate {
	place := make(map[meet.EventID]int, len(found))
	var all []candidate
	for _, c := range found {
		i, seen := place[c.id]
		if !seen {
			place[c.id] = len(all)
			all = append(all, c)
			continue
		}
		all[i].followedGoing = all[i].followedGoing || c.followedGoing
		all[i].followedRepost = all[i].followedRepost || c.followedRepost
	}
	return all
}
