package ical

import (
	"errors"
	"slices"
	"time"

	"moothall/internal/platform/recurrence"
)

// Limits of the rules of one file. A rule without any date takes 0.1 s, and 1,000 dates take 0.1 ms.
const (
	maxDates      = 200_000 // of all rules, past ones included
	maxEmptyRules = 5       // which have no date
)

var errRule = errors.New("ical: unsupported rule")

// expander expands the rules of one file within the limits.
type expander struct {
	to           time.Time // occurrences start before
	dates, empty int       // so far
}

// expand returns the starts by a rule that begins at a local time, which is given as if in UTC. It returns errRule for a rule that is
// malformed, unsupported or beyond the limits.
func (x *expander) expand(text string, begins time.Time, zone *time.Location) (starts []time.Time, err error) {
	rule, err := recurrence.ParseImported(text)
	if err != nil || x.empty >= maxEmptyRules {
		return nil, errRule
	}
	found := false
	for d := range rule.Dates(begins, zone) {
		found = true
		if !d.At.Before(x.to) {
			break
		}
		if x.dates++; x.dates > maxDates {
			return nil, errRule
		}
		starts = append(starts, d.At)
	}
	if !found {
		x.empty++
	}
	return starts, nil
}

// occurrences returns the starts of an event: that of the event, those of its rules, and RDATE without EXDATE. They are sorted.
func (x *expander) occurrences(e *component, first moment) ([]time.Time, error) {
	all := []time.Time{first.at()}
	for _, rule := range e.rules {
		starts, err := x.expand(rule, first.local, first.zone)
		if err != nil {
			return nil, err
		}
		all = append(all, starts...)
	}
	for _, m := range e.moments("RDATE") {
		all = append(all, m.at())
	}
	slices.SortFunc(all, time.Time.Compare)
	all = slices.CompactFunc(all, time.Time.Equal)
	excluded := map[int64]bool{}
	for _, m := range e.moments("EXDATE") {
		excluded[m.at().Unix()] = true
	}
	return slices.DeleteFunc(all, func(at time.Time) bool { return excluded[at.Unix()] || !at.Before(x.to) }), nil
}
