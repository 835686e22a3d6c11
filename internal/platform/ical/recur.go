package ical

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"moothall/internal/platform/recurrence"
)

// Limits of the rules of one file. A rule without any date takes 0.1 s, and 1,000 dates take 0.1 ms.
const (
	maxRule       = 512     // bytes
	maxDates      = 200_000 // of all rules, past ones included
	maxEmptyRules = 5       // which have no date
)

var errRule = errors.New("ical: unsupported rule")

// expander expands the rules of one file within the limits.
type expander struct {
	to           time.Time // occurrences start before
	dates, empty int       // so far
}

// expand returns the local times of a rule that begins at a local time. Times are given as if in UTC. until is what UNTIL means
// in that zone. It returns errRule for a rule that is malformed, unsupported or beyond the limits.
func (x *expander) expand(text string, begins time.Time, zone *time.Location) ([]time.Time, error) {
	option, err := rrule.StrToROption(text)
	if len(text) > maxRule || err != nil || option.Freq > rrule.DAILY || !onlyDays(option) || x.empty >= maxEmptyRules {
		return nil, errRule
	}
	option.Dtstart = begins
	if !option.Until.IsZero() {
		option.Until = untilIn(text, option.Until, zone)
	}
	rule, err := rrule.NewRRule(*option)
	if err != nil {
		return nil, errRule
	}
	var all []time.Time
	next, to := rule.Iterator(), localIn(x.to, zone)
	for {
		at, ok := next()
		if !ok && len(all) == 0 {
			x.empty++
		}
		if !ok || !at.Before(to) {
			return all, nil
		}
		if x.dates++; x.dates > maxDates {
			return nil, errRule
		}
		all = append(all, at)
	}
}

// onlyDays reports whether a rule chooses days by month, day and weekday only, as calendars do.
func onlyDays(o *rrule.ROption) bool {
	return len(o.Byyearday) == 0 && len(o.Byweekno) == 0 && len(o.Byeaster) == 0 &&
		len(o.Byhour) == 0 && len(o.Byminute) == 0 && len(o.Bysecond) == 0
}

// untilIn returns the last local time of a rule with UNTIL. A date includes the whole day.
func untilIn(text string, until time.Time, zone *time.Location) time.Time {
	_, value, _ := strings.Cut(strings.ToUpper(text), "UNTIL=")
	value, _, _ = strings.Cut(value, ";")
	switch {
	case !strings.Contains(value, "T"):
		return until.Add(24*time.Hour - time.Second)
	case strings.HasSuffix(value, "Z"):
		return localIn(until, zone)
	}
	return until
}

// occurrences returns the starts of an event: that of the event, those of its rules, and RDATE without EXDATE. They are sorted.
func (x *expander) occurrences(e *component, first moment) ([]time.Time, error) {
	all := []time.Time{first.at()}
	for _, rule := range e.rules {
		locals, err := x.expand(rule, first.local, first.zone)
		if err != nil {
			return nil, err
		}
		for _, local := range locals {
			all = append(all, recurrence.Instant(local, first.zone))
		}
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
