package discovery

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/golang/geo/s2"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/geo"
)

// Filter selects the events of a list (specification §4.5). A nil or empty
// field does not restrict; an event must match all the others.
type Filter struct {
	Query       string // words and prefixes; case and accents do not matter
	City        *string
	Category    *string
	Price       string // event.Free, event.Paid or empty
	Circle      *geo.Circle
	Box         *geo.Box
	Placed      bool // only events with coordinates
	Organizer   *domain.UserID
	Group       *domain.GroupID // a public one
	Participant *domain.UserID  // incognito attendance only for the participant
	From, To    *time.Time      // bounds of the start, both inclusive
	After       *time.Time      // the cursor: the page begins after it
	Limit       int             // 1..100
	Zoom        *int            // of a web map, 0..20: the page has clusters
}

// lowerBound returns the exclusive lower bound of the keys on the page.
func (f Filter) lowerBound(now time.Time) int64 {
	bound := event.OldestKey(now)
	if f.From != nil {
		bound = max(bound, event.KeysFrom(*f.From))
	}
	if f.After != nil {
		bound = max(bound, event.KeysAfter(*f.After))
	}
	return bound
}

// upperBound returns the inclusive upper bound of the keys on the page.
func (f Filter) upperBound() int64 {
	if f.To == nil {
		return math.MaxInt64
	}
	return event.KeysUpTo(*f.To)
}

// leafTest returns a function that reports whether a leaf cell may be in circle and box.
func (f Filter) leafTest() func(leaf int64) bool {
	inBox, inCircle := func(int64) bool { return true }, func(int64) bool { return true }
	if f.Box != nil {
		inBox = f.Box.Leaves()
	}
	if f.Circle != nil {
		inCircle = f.Circle.Leaves()
	}
	return func(leaf int64) bool { return inCircle(leaf) && inBox(leaf) }
}

// region returns the area of the filter: its box, else its circle, else the world.
func (f Filter) region() s2.Region {
	switch {
	case f.Box != nil:
		return f.Box.Region()
	case f.Circle != nil:
		return f.Circle.Region()
	default:
		return geo.World.Region()
	}
}

// matches reports whether a card has the fields of the filter, which may have changed
// since its posting was read. c is nil if the event is no longer listed.
func (f Filter) matches(c *event.ListedCard, now time.Time) bool {
	return c != nil && c.OverAt.After(now) && (f.Price == "" || (f.Price == event.Paid) == c.Paid) &&
		(f.Organizer == nil || c.OrganizerID == *f.Organizer) && (f.Group == nil || c.Group != nil && c.Group.ID == *f.Group) &&
		f.contains(c.Lat, c.Lng)
}

// contains reports whether circle and box contain a place, nil if there is none.
func (f Filter) contains(lat, lng *float64) bool {
	if lat == nil {
		return !f.Placed && f.Circle == nil && f.Box == nil
	}
	return (f.Circle == nil || f.Circle.Contains(*lat, *lng)) && (f.Box == nil || f.Box.Contains(*lat, *lng))
}

// covering returns the cells of the smaller one of circle and box, or nil when the
// filter has neither.
func (f Filter) covering() []int64 {
	switch {
	case f.Circle != nil && (f.Box == nil || f.Circle.Region().CapBound().Radius() < f.Box.Region().CapBound().Radius()):
		return f.Circle.Cells()
	case f.Box != nil:
		return f.Box.Cells()
	default:
		return nil
	}
}

// group is one word or attribute of a filter.
type group struct {
	terms []int64 // an event needs one of them
	df    int64   // estimated number of events that have one
}

// plan says where a search finds keys, and which terms the events must have.
type plan struct {
	source  source
	scanned [][]int64 // the group whose lists are the source, if they are
	groups  [][]int64 // the other groups: an event needs one term of each
	empty   bool      // no event has one of the words or attributes
}

// shortList is the length below which the list of a term is scanned instead of the
// lists of cells.
const shortList = 500

// newPlan returns the plan of a search. It scans the lists of the rarest group of
// terms, with two exceptions: it scans the events of a person or group if the filter names one,
// and the cells of a region if even the rarest group is common.
func newPlan(f Filter, v domain.Viewer, groups []group) (p plan) {
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(a.df, b.df) })
	for _, g := range groups {
		p.groups = append(p.groups, g.terms)
		p.empty = p.empty || len(g.terms) == 0
	}
	cells := f.covering()
	switch {
	case f.Participant != nil:
		p.source = participantSource(*f.Participant, v)
	case f.Group != nil:
		p.source = source{kind: ofGroup, args: []any{*f.Group}}
	case f.Organizer != nil:
		p.source = source{kind: ofOrganizer, args: []any{*f.Organizer}}
	case len(groups) > 0 && (cells == nil || groups[0].df < shortList):
		p.source, p.scanned, p.groups = listSource(ofTerms, p.groups[0]), p.groups[:1:1], p.groups[1:]
	case cells != nil:
		p.source = listSource(ofCells, cells)
	case f.Placed:
		p.source = listSource(ofCells, geo.World.Cells())
	default:
		p.source = source{kind: ofAll}
	}
	return p
}
