package discovery

import (
	"cmp"
	"slices"
	"time"

	"github.com/golang/geo/s2"

	"moothall/internal/domain"
	"moothall/internal/event"
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
	Participant *domain.UserID // incognito attendance only for the participant
	From, To    *time.Time     // bounds of the start, both inclusive
	After       *time.Time     // the cursor: the page begins after it
	Limit       int            // 1..100
	Zoom        *int           // of a web map, 0..20: the page has clusters
}

// hasTerms reports whether the filter has words or attributes, whose terms must
// be read first.
func (f Filter) hasTerms() bool { return f.Query != "" || f.City != nil || f.Category != nil }

// personal reports whether the filter selects the few events of one person.
func (f Filter) personal() bool { return f.Organizer != nil || f.Participant != nil }

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

// plan says which posting lists a search scans in time order, and in which other lists
// an event must occur.
type plan struct {
	scanned []int64   // terms whose lists are scanned; nil: cells or events are scanned
	cells   []int64   // cells that cover the circle, the box or the world; nil: none are needed
	groups  [][]int64 // an event needs one term of each
	empty   bool      // no event has one of the words or attributes
}

// shortList is the length below which the list of a term is scanned instead of the
// lists of cells.
const shortList = 2000

// newPlan returns the plan of a search. The plan scans the lists of the rarest group of
// terms, with two exceptions: it scans the events of a person if the filter names one,
// and the cells of a region if even the rarest group is common.
func newPlan(f Filter, groups []group) plan {
	p := plan{cells: f.covering()}
	if f.Placed && p.cells == nil && len(groups) == 0 {
		p.cells = geo.World.Cells()
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(a.df, b.df) })
	for i, g := range groups {
		if len(g.terms) == 0 {
			return plan{empty: true}
		}
		if i == 0 && !f.personal() && (p.cells == nil || g.df < shortList) {
			p.scanned = g.terms
			continue
		}
		p.groups = append(p.groups, g.terms)
	}
	return p
}
