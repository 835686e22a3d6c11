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
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/geo"
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

// Page is one page of a feed; Next is nil on the last one.
type Page struct {
	Cards   []event.ShownCard
	Reasons []Reasons // of each card
	Next    *string
}

// reader is the reader of a feed with their preferences.
type reader struct {
	*Service
	viewer   domain.Viewer
	near     *geo.Circle // nil: no coordinates were set
	city     int64       // id of its term, 0 when there is none
	likes    []int64     // ids of the terms of categories: interests and preferred ones
	mutes    []int64     // ids of the terms of categories
	price    string      // event.Free, event.Paid or empty
	followed bool        // the feed uses the activity of followed people
	follows  int         // number of followed people, at most maxFollows
}

// defaultRadiusKm is the radius of near when only coordinates were set.
const defaultRadiusKm = 50

func newReader(s *Service, v domain.Viewer, p Preferences, b background) reader {
	r := reader{
		Service: s, viewer: v, followed: p.IncludeFollowed, follows: b.follows,
		likes: categoryTerms(slices.Concat(b.interests, p.Categories)), mutes: categoryTerms(p.MutedCategories),
	}
	if p.City != nil {
		r.city = postings.TermID(postings.CityTerm(*p.City))
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

// reasons returns the reasons of an event: those for which it was found, and those of
// its card and organizer. A reader's own events have none.
func (r reader) reasons(c event.ShownCard, found Reasons, followed bool) Reasons {
	if !r.viewer.SignedIn() || c.OrganizerID == r.viewer.UserID {
		return 0
	}
	if r.followed && followed {
		found |= FollowedOrganizer
	}
	if slices.Contains(r.likes, c.Category) {
		found |= InterestMatch
	}
	if r.near != nil && c.Lat != nil && r.near.Contains(*c.Lat, *c.Lng) {
		found |= NearYou
	}
	if r.city != 0 && c.City == r.city {
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

// candidates are the events that may rank first.
type candidates struct {
	events map[int64]candidate // by key
	people []domain.UserID     // the batch of followed people
}

// add adds a reason to an event.
func (c candidates) add(key int64, reason Reasons) {
	c.events[key] = candidate{key: key, reasons: c.events[key].reasons | reason}
}

// rank returns the keys of candidates: those with a reason first, then by score. The
// order does not depend on the time.
func rank(found map[int64]candidate) []int64 {
	all := slices.AppendSeq(make([]candidate, 0, len(found)), maps.Values(found))
	for i, c := range all {
		all[i].score = c.key - int64(c.reasons.weight()+c.bonus)
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(-cmp.Compare(min(a.reasons, 1), min(b.reasons, 1)), cmp.Compare(a.score, b.score), cmp.Compare(a.key, b.key))
	})
	keys := make([]int64, len(all))
	for i, c := range all {
		keys[i] = c.key
	}
	return keys
}
