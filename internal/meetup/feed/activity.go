package feed

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/post"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
)

// Activities is the cache of the activity of people, for the feeds of their followers.
type Activities = cache.Entries[activityKey, *activity]

// activityKey names the activity of a user for the feeds that began in one hour.
type activityKey struct {
	user domain.UserID
	hour int64 // since 1970
}

// entryKey has the hour in place of the first bytes of the id, which are a time. The last bytes of an id are random.
func (k activityKey) entryKey() cache.EntryKey {
	key := cache.IDKey(k.user)
	binary.BigEndian.PutUint32(key[:], uint32(k.hour))
	return key
}

func hourOf(moment time.Time) int64 { return moment.Unix() / int64(time.Hour/time.Second) }

// activity is what a user organizes, joined publicly and reposted. It has a few more of each than a feed reads, which are
// for the rest of the hour.
type activity struct {
	organized       []int64 // keys of listed events, the next one first
	going, reposted []deed  // the newest first
	entities        []db.Entity
}

// deed is a public join or a repost.
type deed struct {
	at  int64 // time in microseconds
	key int64 // of the event; 0 if it is not listed, or the post is deleted
}

// Numbers of events that a feed reads of each followed user.
const (
	organizedEach = 3
	goingEach     = 4
	repostedEach  = 3
)

// Entities implements cache.Value.
func (a *activity) Entities() []db.Entity { return a.entities }

// Bytes implements cache.Value.
func (a *activity) Bytes() int {
	return 120 + 8*len(a.organized) + 16*(len(a.going)+len(a.reposted)) + 44*len(a.entities)
}

// activitiesShare is the share of the memory of all caches.
const activitiesShare = 0.05

// activitiesStmt returns the activity of the users $1, for the feeds of one hour: $2 is its start as a key, $3 its end.
var activitiesStmt = db.SQL("feed.activities", `
	SELECT e.organizer_id, `+bit(FollowedOrganizer)+`, CAST(0 AS BIGINT), e.starts_key, e.id, TRUE
		FROM ids($1) AS l CROSS JOIN events e
		WHERE e.organizer_id = l.value AND e.listed AND e.starts_key > $2
		AND e.starts_key <= `+nth("events", "x.organizer_id = l.value AND x.listed AND x.starts_key > $2", "starts_key", 2*organizedEach)+`
	UNION ALL SELECT p.user_id, `+bit(FollowedGoing)+`, p.joined_at, e.starts_key, e.id, e.listed
		FROM ids($1) AS l CROSS JOIN participants p CROSS JOIN events e
		WHERE p.user_id = l.value AND `+isPublic("p")+` AND p.joined_at < $3
		AND p.joined_at >= `+nth("participants", "x.user_id = l.value AND x.joined_at < $3 AND "+isPublic("x"),
	"joined_at DESC", 2*goingEach)+`
		AND e.id = p.event_id
	UNION ALL SELECT r.user_id, `+bit(FollowedRepost)+`, r.created_at, e.starts_key, e.id, e.listed AND p.deleted_at IS NULL
		FROM ids($1) AS l CROSS JOIN reposts r CROSS JOIN posts p CROSS JOIN events e
		WHERE r.user_id = l.value AND r.created_at < $3
		AND r.created_at >= `+nth("reposts", "x.user_id = l.value AND x.created_at < $3", "created_at DESC", 2*repostedEach)+`
		AND p.id = r.post_id AND e.id = p.event_id`)

// isPublic returns the condition that the participants row p is public.
func isPublic(p string) string { return p + `.status = 'going' AND ` + p + `.visibility = 'public'` }

// NewActivities returns a cache of the activity in a database. m may be nil.
func NewActivities(m *cache.Memory, d *db.DB) *Activities {
	return cache.NewEntries(m, "activities", activitiesShare, activityKey.entryKey,
		func(ctx context.Context, keys []activityKey) (map[activityKey]*activity, error) {
			return readActivities(ctx, d, keys)
		})
}

// readActivities reads the activity of several users for the same hour.
func readActivities(ctx context.Context, q db.Querier, keys []activityKey) (map[activityKey]*activity, error) {
	found := make(map[activityKey]*activity, len(keys))
	users, hour := make([]domain.UserID, len(keys)), keys[0].hour
	for i, k := range keys {
		users[i] = k.user
		found[k] = &activity{entities: []db.Entity{user.Activity.Of(k.user)}}
	}
	start := time.Unix(0, 0).Add(time.Duration(hour) * time.Hour)
	var who domain.UserID
	var reason int
	var d deed
	var id domain.EventID
	var listed bool
	for row, err := range q.Query(ctx, activitiesStmt, users, start.UnixNano(), start.Add(time.Hour)) {
		if err == nil {
			err = row.Scan(&who, &reason, &d.at, &d.key, &id, &listed)
		}
		if err != nil {
			return nil, err
		}
		found[activityKey{who, hour}].add(Reasons(reason), d, id, listed)
	}
	for _, a := range found {
		slices.Sort(a.organized)
		newestFirst(a.going)
		newestFirst(a.reposted)
	}
	return found, nil
}

// add adds a row of activitiesStmt.
func (a *activity) add(reason Reasons, d deed, id domain.EventID, listed bool) {
	if !listed {
		d.key = 0
	}
	switch reason { //nolint:exhaustive // others name no followed person
	case FollowedOrganizer: // each change of an event is one of its organizer's activity
		a.organized = append(a.organized, d.key)
	case FollowedGoing:
		a.going = append(a.going, d)
		a.entities = append(a.entities, event.Content.Of(id))
	case FollowedRepost:
		a.reposted = append(a.reposted, d)
		a.entities = append(a.entities, event.Content.Of(id), post.Posts.Of(id))
	}
}

func newestFirst(deeds []deed) {
	slices.SortFunc(deeds, func(a, b deed) int { return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(a.key, b.key)) })
}

// addFollowed adds the events of followed people to the candidates.
func (r reader) addFollowed(ctx context.Context, at cursor, found candidates) error {
	keys := make([]activityKey, len(found.people))
	for i, id := range found.people {
		keys[i] = activityKey{id, hourOf(at.moment)}
	}
	all, err := r.Activities.Get(ctx, keys...)
	if err != nil {
		return err
	}
	var organized []int64
	var going, reposted []deed
	from := at.moment.UnixNano()
	for _, a := range all {
		next := a.organized[firstAfter(a.organized, from):]
		organized = append(organized, next[:min(len(next), organizedEach)]...)
		going = appendUntil(going, a.going, at.moment, goingEach)
		reposted = appendUntil(reposted, a.reposted, at.moment, repostedEach)
	}
	slices.Sort(organized)
	for _, key := range organized[:min(len(organized), 40)] {
		found.add(key, FollowedOrganizer)
	}
	found.addNewest(going, 24, from, FollowedGoing)
	found.addNewest(reposted, 8, from, FollowedRepost)
	return nil
}

// firstAfter returns the index of the first of the sorted keys that is larger than from.
func firstAfter(keys []int64, from int64) int {
	i, _ := slices.BinarySearch(keys, from+1)
	return i
}

// appendUntil appends the newest n of the sorted deeds that were done at a moment or before.
func appendUntil(list, deeds []deed, moment time.Time, n int) []deed {
	i := slices.IndexFunc(deeds, func(d deed) bool { return d.at <= moment.UnixMicro() })
	if i < 0 {
		return list
	}
	return append(list, deeds[i:min(len(deeds), i+n)]...)
}

// addNewest adds the coming events of the newest n deeds.
func (c candidates) addNewest(deeds []deed, n int, from int64, reason Reasons) {
	newestFirst(deeds)
	for _, d := range deeds[:min(len(deeds), n)] {
		if d.key > from {
			c.add(d.key, reason)
		}
	}
}
