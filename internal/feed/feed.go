// Package feed recommends events to one reader and stores feed preferences
// (specification §4.9, contract §8).
//
// A feed contains every event of GET /events that the reader's preferences allow, each
// once. It begins with the best of a limited number of candidates. The filler
// follows: all other events in the order of their start. A feed is computed when it
// is read; nothing is stored for it.
package feed

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/geo"
	"moothall/internal/platform/text"
)

// Reasons is a set of reasons why a feed shows an event (contract §4.1
// feed_context.reasons).
type Reasons uint8

// The reasons, in the order in which a card names them.
const (
	FollowedOrganizer Reasons = 1 << iota
	FollowedGoing
	FollowedRepost
	InterestMatch
	NearYou
	CityMatch
)

const day = 24 * time.Hour

// reasons are the names and weights of the reasons. A weight is a duration: the reason
// ranks an event like another one that starts that much earlier. The number of
// participants has no weight: it would have to leave out incognito participants, and
// events would move between pages.
var reasons = []struct {
	reason Reasons
	name   string
	weight time.Duration
}{
	{FollowedOrganizer, "followed_organizer", 60 * day},
	{FollowedGoing, "followed_going", 45 * day},
	{FollowedRepost, "followed_repost", 30 * day},
	{InterestMatch, "interest_match", 14 * day},
	{NearYou, "near_you", 10 * day},
	{CityMatch, "city_match", 10 * day},
}

// Weights of a picture and of coordinates.
const (
	pictureWeight  = 12 * time.Hour
	locationWeight = 6 * time.Hour
)

func (r Reasons) has(reason Reasons) bool { return r&reason != 0 }

// Names returns the names of the reasons, in their order.
func (r Reasons) Names() (names []string) {
	for _, x := range reasons {
		if r.has(x.reason) {
			names = append(names, x.name)
		}
	}
	return names
}

func (r Reasons) weight() (weight time.Duration) {
	for _, x := range reasons {
		if r.has(x.reason) {
			weight += x.weight
		}
	}
	return weight
}

// Item is one event of a feed.
type Item struct {
	Card    event.Card
	Reasons Reasons
}

// Page is one page of a feed; Next is nil on the last one.
type Page struct {
	Items []Item
	Next  *string
}

// reader is the reader of a feed with their preferences.
type reader struct {
	viewer   domain.Viewer
	near     *geo.Circle // nil: no coordinates were set
	city     string      // folded, empty when there is none
	likes    []string    // folded categories: interests and preferred ones
	mutes    []string    // folded categories
	price    string      // event.Free, event.Paid or empty
	followed bool        // the feed uses the activity of followed people
	follows  int         // number of followed people, at most maxFollows
}

// defaultRadiusKm is the radius of near when only coordinates were set.
const defaultRadiusKm = 50

func newReader(v domain.Viewer, p Preferences, b background) reader {
	r := reader{
		viewer: v, followed: p.IncludeFollowed, follows: b.follows,
		likes: folded(slices.Concat(b.interests, p.Categories)), mutes: folded(p.MutedCategories),
	}
	if p.City != nil {
		r.city = text.Fold(*p.City)
	}
	if p.Price != anyPrice {
		r.price = p.Price
	}
	if p.Lat != nil {
		r.near = &geo.Circle{Lat: *p.Lat, Lng: *p.Lng, RadiusKm: defaultRadiusKm}
		if p.RadiusKm != nil {
			r.near.RadiusKm = *p.RadiusKm
		}
	}
	return r
}

func folded(list []string) []string {
	var all []string
	for _, s := range list {
		if s = text.Fold(s); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// containsFolded reports whether the category is one of the folded ones.
func containsFolded(categories []string, category *string) bool {
	return category != nil && len(categories) > 0 && slices.Contains(categories, text.Fold(*category))
}

// reasons returns the reasons of an event: those for which it was found, and those of
// its card and organizer. A reader's own events have none.
func (r reader) reasons(c event.Card, found Reasons, followed bool) Reasons {
	if !r.viewer.SignedIn() || c.OrganizerID == r.viewer.UserID {
		return 0
	}
	if r.followed && followed {
		found |= FollowedOrganizer
	}
	if !found.has(InterestMatch) && containsFolded(r.likes, c.Category) {
		found |= InterestMatch
	}
	if !found.has(NearYou) && r.near != nil && c.Lat != nil && r.near.DistanceKm(*c.Lat, *c.Lng) <= r.near.RadiusKm {
		found |= NearYou
	}
	if !found.has(CityMatch) && r.city != "" && c.City != nil && text.Fold(*c.City) == r.city {
		found |= CityMatch
	}
	return found
}

// candidate is an event that may rank first; only its key was read.
type candidate struct {
	key     int64         // starts_key
	reasons Reasons       // for which it was found
	bonus   time.Duration // the weights of its picture and coordinates
	score   int64         // the start minus all weights
}

// rank sorts candidates: those with a reason first, then by score. The order
// does not depend on the time.
func rank(found map[int64]candidate) []candidate {
	all := slices.Collect(maps.Values(found))
	for i, c := range all {
		all[i].score = c.key - int64(c.reasons.weight()+c.bonus)
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(-cmp.Compare(min(a.reasons, 1), min(b.reasons, 1)), cmp.Compare(a.score, b.score), cmp.Compare(a.key, b.key))
	})
	return all
}
