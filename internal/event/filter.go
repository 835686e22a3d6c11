package event

import (
	"cmp"
	"slices"
	"time"

	"moothall/internal/domain"
)

// Filter says which events a list asks for (specification §4.5); what is nil
// or empty does not restrict. All parts hold together.
type Filter struct {
	Query       string // words and prefixes, whatever their case or accents
	City        *string
	Category    *string
	Price       string // Free, Paid or empty
	Circle      *Circle
	Box         *Box
	Placed      bool // only events with coordinates
	Organizer   *domain.UserID
	Participant *domain.UserID // incognito attendance only for the participant
	From, To    *time.Time     // bounds of the start, both inclusive
	After       *time.Time     // the cursor: the place in the order after which the page begins
	Limit       int            // 1..100
	Zoom        *int           // of a web map, 0..20: clusters are wanted too
}

// looksUp reports whether there are words or attributes to look up first.
func (f Filter) looksUp() bool { return f.Query != "" || f.City != nil || f.Category != nil }

// personal reports whether the events of one person are asked for, which are few.
func (f Filter) personal() bool { return f.Organizer != nil || f.Participant != nil }

// lowest is the exclusive lower bound of the keys that can be on the page. An
// event that has not ended cannot have begun earlier than the longest ago.
func (f Filter) lowest(now time.Time) int64 {
	bound := keysFrom(now.Add(-longest))
	if f.From != nil {
		bound = max(bound, keysFrom(*f.From))
	}
	if f.After != nil {
		bound = max(bound, keysAfter(*f.After))
	}
	return bound
}

// group is one word or attribute of a filter: the terms any of which satisfies
// it, and an estimate of how many events have one.
type group struct {
	terms []int64
	df    int64
}

// plan is how a filter is answered: the posting lists to walk in time order,
// and those that every event found must be in as well.
type plan struct {
	drive []int64   // terms whose lists are walked; nil when terms do not drive
	cells []int64   // cells of the searched place; nil when there is none
	must  [][]int64 // of each, an event needs one term
	empty bool      // a word or attribute that no event has
}

// fewEnough is the length below which the list of a term is walked rather
// than a place's: it is short whatever else must be checked.
const fewEnough = 2000

// arrange chooses what to walk: the rarest term, unless there is a place and
// even the rarest term is common, or a person's events are asked for.
func arrange(f Filter, groups []group) plan {
	p := plan{cells: f.covering()}
	if f.Placed && p.cells == nil && len(groups) == 0 {
		p.cells = world.cells()
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(a.df, b.df) })
	for i, g := range groups {
		if len(g.terms) == 0 {
			return plan{empty: true}
		}
		if i == 0 && !f.personal() && (p.cells == nil || g.df < fewEnough) {
			p.drive = g.terms
			continue
		}
		p.must = append(p.must, g.terms)
	}
	return p
}

// covering gives the cells of the searched place: of the circle or of the box,
// whichever is smaller.
func (f Filter) covering() []int64 {
	switch {
	case f.Circle != nil && (f.Box == nil || f.Circle.region().CapBound().Radius() < f.Box.region().CapBound().Radius()):
		return f.Circle.Cells()
	case f.Box != nil:
		return f.Box.cells()
	default:
		return nil
	}
}
