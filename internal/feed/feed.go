// Package feed is the room of the feed: events that are worth a look for one
// reader, and what readers say they prefer (specification §4.9, contract §8).
//
// The feed holds every event of the plain list that the reader's preferences
// allow, each once. It begins with the best of a bounded number of candidates
// and goes on with all the others in the order of their start. Nothing is
// stored for a feed: it is worked out when it is read.
package feed

import (
	"slices"
	"time"

	"moothall/internal/event"
	"moothall/internal/meet"
	"moothall/internal/text"
)

// Reason is why an event stands in a feed (contract §4.1 feed_context.reasons).
type Reason string

// The reasons, in the order in which a card names them.
const (
	FollowedOrganizer Reason = "followed_organizer"
	FollowedGoing     Reason = "followed_going"
	FollowedRepost    Reason = "followed_repost"
	InterestMatch     Reason = "interest_match"
	NearYou           Reason = "near_you"
	CityMatch         Reason = "city_match"
)

// Item is one event of a feed.
type Item struct {
	Card    event.Card
	Reasons []Reason
}

// Page is one page of a feed; Next is nil on the last.
type Page struct {
	Items []Item
	Next  *string
}

// reader is who reads a feed, and what their preferences come to.
type reader struct {
	viewer   meet.Viewer
	place    *event.Circle // what counts as near
	city     string        // folded, empty when there is none
	likes    []string      // folded categories: interests and preferred ones
	mutes    []string      // folded categories
	price    string        // event.Free, event.Paid or empty
	followed bool          // what followed people do counts
}

// usualRadiusKm is what counts as near when only a place was set.
const usualRadiusKm = 50

func newReader(v meet.Viewer, p Preferences, interests []string) reader {
	r := reader{
		viewer: v, followed: p.IncludeFollowed,
		likes: folded(slices.Concat(interests, p.Categories)), mutes: folded(p.MutedCategories),
	}
	if p.City != nil {
		r.city = text.Fold(*p.City)
	}
	if p.Price != anyPrice {
		r.price = p.Price
	}
	if p.Lat != nil {
		r.place = &event.Circle{Lat: *p.Lat, Lng: *p.Lng, RadiusKm: usualRadiusKm}
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

// candidate is what is known of an event before its card is read.
type candidate struct {
	id        meet.EventID
	key       int64 // starts_key
	organizer meet.UserID
	category  *string
	city      *string
	lat, lng  *float64
	price     string
	pictured  bool

	followedOrganizer, followedGoing, followedRepost bool
}

// in reports whether the category is one of the folded ones.
func (c candidate) in(categories []string) bool {
	return c.category != nil && slices.Contains(categories, text.Fold(*c.category))
}

// refuses reports whether the preferences keep the event out of the feed.
func (r reader) refuses(c candidate) bool {
	return r.price != "" && c.price != r.price || c.in(r.mutes)
}

// reasons says why the reader may care for the event. One's own events need no
// reason.
func (r reader) reasons(c candidate) []Reason {
	if !r.viewer.SignedIn() || c.organizer == r.viewer.UserID {
		return nil
	}
	var reasons []Reason
	add := func(reason Reason, holds bool) {
		if holds {
			reasons = append(reasons, reason)
		}
	}
	add(FollowedOrganizer, c.followedOrganizer)
	add(FollowedGoing, c.followedGoing)
	add(FollowedRepost, c.followedRepost)
	add(InterestMatch, c.in(r.likes))
	add(NearYou, r.place != nil && c.lat != nil && r.place.DistanceKm(*c.lat, *c.lng) <= r.place.RadiusKm)
	add(CityMatch, r.city != "" && c.city != nil && text.Fold(*c.city) == r.city)
	return reasons
}

// worth is what a reason is worth: the event stands where one without it would
// that starts so much sooner. How many people go is left out: it would have to
// count the open ones alone, and would move events between two pages.
var worth = map[Reason]time.Duration{
	FollowedOrganizer: 60 * day,
	FollowedGoing:     45 * day,
	FollowedRepost:    30 * day,
	InterestMatch:     14 * day,
	NearYou:           10 * day,
	CityMatch:         10 * day,
}

// A picture and a place on the map are worth something, too.
const (
	day           = 24 * time.Hour
	pictureWorth  = 12 * time.Hour
	locationWorth = 6 * time.Hour
)

// ranked is a candidate with its place in the order.
type ranked struct {
	candidate
	reasons []Reason
	at      int64 // the start, moved ahead by what the event is worth
}

// rank puts candidates in order: those with a reason first, then by start and
// worth. The order depends on nothing else, not even on the time.
func (r reader) rank(candidates []candidate) []ranked {
	all := make([]ranked, len(candidates))
	for i, c := range candidates {
		all[i] = ranked{candidate: c, reasons: r.reasons(c), at: c.key}
		for _, reason := range all[i].reasons {
			all[i].at -= int64(worth[reason])
		}
		if c.pictured {
			all[i].at -= int64(pictureWorth)
		}
		if c.lat != nil {
			all[i].at -= int64(locationWorth)
		}
	}
	slices.SortFunc(all, ranked.compare)
	return all
}
