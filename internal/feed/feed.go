// Package feed is the room of the feed: events that are worth a look for one
// reader, and what readers say they prefer (specification §4.9, contract §8).
//
// The feed holds every event of the plain list that the reader's preferences
// allow, each once. It begins with the best of a bounded number of candidates
// and goes on with all the others in the order of their start. Nothing is
// stored for a feed: it is worked out when it is read.
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

// Reasons is a set of reasons for which an event stands in a feed (contract §4.1
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

// reasons are the names of the reasons and what each is worth: the event stands
// where one without it would that starts so much sooner. How many people go is
// left out: it would have to count the open ones alone, and would move events
// between two pages.
var reasons = []struct {
	is    Reasons
	name  string
	worth time.Duration
}{
	{FollowedOrganizer, "followed_organizer", 60 * day},
	{FollowedGoing, "followed_going", 45 * day},
	{FollowedRepost, "followed_repost", 30 * day},
	{InterestMatch, "interest_match", 14 * day},
	{NearYou, "near_you", 10 * day},
	{CityMatch, "city_match", 10 * day},
}

// A picture and a place on the map are worth something, too.
const (
	pictureWorth  = 12 * time.Hour
	locationWorth = 6 * time.Hour
)

func (r Reasons) has(reason Reasons) bool { return r&reason != 0 }

// Names gives the names of the reasons, in their order.
func (r Reasons) Names() (names []string) {
	for _, reason := range reasons {
		if r.has(reason.is) {
			names = append(names, reason.name)
		}
	}
	return names
}

func (r Reasons) worth() (worth time.Duration) {
	for _, reason := range reasons {
		if r.has(reason.is) {
			worth += reason.worth
		}
	}
	return worth
}

// Item is one event of a feed.
type Item struct {
	Card    event.Card
	Reasons Reasons
}

// Page is one page of a feed; Next is nil on the last.
type Page struct {
	Items []Item
	Next  *string
}

// reader is who reads a feed, and what their preferences come to.
type reader struct {
	viewer   domain.Viewer
	place    *geo.Circle // what counts as near
	city     string      // folded, empty when there is none
	likes    []string    // folded categories: interests and preferred ones
	mutes    []string    // folded categories
	price    string      // event.Free, event.Paid or empty
	followed bool        // what followed people do counts
	follows  int         // how many people are followed, at most mostFollows
}

// usualRadiusKm is what counts as near when only a place was set.
const usualRadiusKm = 50

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
		r.place = &geo.Circle{Lat: *p.Lat, Lng: *p.Lng, RadiusKm: usualRadiusKm}
		if p.RadiusKm != nil {
			r.place.RadiusKm = *p.RadiusKm
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

// in reports whether the category is one of the folded ones.
func in(categories []string, category *string) bool {
	return category != nil && len(categories) > 0 && slices.Contains(categories, text.Fold(*category))
}

// reasons gives the reasons for which the event was found, and those that its
// card and following its organizer add. One's own events need none.
func (r reader) reasons(c event.Card, found Reasons, followed bool) Reasons {
	if !r.viewer.SignedIn() || c.OrganizerID == r.viewer.UserID {
		return 0
	}
	if r.followed && followed {
		found |= FollowedOrganizer
	}
	if !found.has(InterestMatch) && in(r.likes, c.Category) {
		found |= InterestMatch
	}
	if !found.has(NearYou) && r.place != nil && c.Lat != nil && r.place.DistanceKm(*c.Lat, *c.Lng) <= r.place.RadiusKm {
		found |= NearYou
	}
	if !found.has(CityMatch) && r.city != "" && c.City != nil && text.Fold(*c.City) == r.city {
		found |= CityMatch
	}
	return found
}

// candidate is an event that may stand at the top: nothing more of it was read.
type candidate struct {
	key     int64   // starts_key
	reasons Reasons // for which it was found
	looks   time.Duration
	at      int64 // the start, moved ahead by what the event is worth
}

// rank puts candidates in order: those with a reason first, then by start and
// worth. The order depends on nothing else, not even on the time.
func rank(found map[int64]candidate) []candidate {
	all := slices.Collect(maps.Values(found))
	for i, c := range all {
		all[i].at = c.key - int64(c.reasons.worth()+c.looks)
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(-cmp.Compare(min(a.reasons, 1), min(b.reasons, 1)), cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key))
	})
	return all
}
