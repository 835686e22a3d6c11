// Package recurrence finds the dates of a recurrence rule in the local time of a place (RFC 5545).
package recurrence

import (
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/teambition/rrule-go"
)

// end is after the last date of every rule.
var end = time.Date(2099, 12, 30, 23, 59, 59, 0, time.UTC)

// Layout is the format of a local date and time without a zone.
const Layout = "2006-01-02T15:04:05"

// Date is one date of a rule.
type Date struct {
	Local time.Time // the date and time on a clock of the place, as if in UTC
	At    time.Time // the moment, in UTC
}

// Schedule is a rule with its first date in a zone.
type Schedule struct {
	rule  Rule
	start time.Time // local
	zone  *time.Location
}

// ErrEnded is returned for a rule that has no date from its start on.
var ErrEnded = errors.New("must have a date")

// StartError says that a rule does not begin at its start. Next is its first date, local.
type StartError struct{ Next time.Time }

// Error implements error.
func (e StartError) Error() string {
	return fmt.Sprintf("must be a date of the rule; the next one is %s", e.Next.Format(Layout))
}

// New returns a schedule that begins at start, a local date and time in whole seconds. Returns StartError if that is not a date of the
// rule, ErrEnded if the rule has no date, and an error about the rule if its UNTIL is more than five years later.
func New(r Rule, start time.Time, zone *time.Location) (*Schedule, error) {
	s := &Schedule{rule: r, start: start, zone: zone}
	if !r.until.IsZero() && r.until.After(start.AddDate(maxYears, 0, 0)) {
		return nil, fmt.Errorf("must have UNTIL at most %d years after the first date", maxYears)
	}
	first := s.From(start, 1)
	if len(first) == 0 {
		return nil, ErrEnded
	}
	if !first[0].Local.Equal(start) {
		return nil, StartError{first[0].Local}
	}
	return s, nil
}

// From returns the first dates whose local time is from or later, at most n. There are fewer if the rule ends, and none after
// 2099.
func (s *Schedule) From(from time.Time, n int) (dates []Date) {
	if from.Before(s.start) {
		from = s.start
	}
	for d := range s.rule.Dates(s.start, s.zone) {
		if len(dates) == n {
			break
		}
		if !d.Local.Before(from) {
			dates = append(dates, d)
		}
	}
	return dates
}

// Dates returns the dates of a rule from a local start on. The start itself is a date only if the rule matches it. None is after 2099.
func (r Rule) Dates(start time.Time, zone *time.Location) iter.Seq[Date] {
	options := r.options
	options.Dtstart = start
	options.Until = end // also of a rule without dates
	rule, err := rrule.NewRRule(options)
	if err != nil {
		panic(err) // Parse and ParseImported check all that NewRRule checks
	}
	return func(yield func(Date) bool) {
		next := rule.Iterator()
		for local, more := next(); more; local, more = next() {
			d := Date{local, Instant(local, zone)}
			if r.ends(d) || !yield(d) {
				return
			}
		}
	}
}

// ends reports whether a date is after UNTIL.
func (r Rule) ends(d Date) bool {
	if r.untilLocal {
		return !r.until.IsZero() && d.Local.After(r.until)
	}
	return !r.until.IsZero() && d.At.After(r.until)
}

// Has reports whether a local date and time is a date of the schedule.
func (s *Schedule) Has(local time.Time) bool {
	first := s.From(local, 1)
	return len(first) == 1 && first[0].Local.Equal(local)
}

// Instant returns the moment at which a clock of the place shows a local date and time. The clock shows a time twice when it is set back:
// the first counts. It never shows a time that it skips: this counts with the offset before the change (RFC 5545 §3.3.5).
func Instant(local time.Time, zone *time.Location) time.Time {
	offsetAt := func(t time.Time) time.Duration {
		_, seconds := t.In(zone).Zone()
		return time.Duration(seconds) * time.Second
	}
	before := offsetAt(local.Add(-24 * time.Hour))
	first := local.Add(-before)
	if after := offsetAt(first); after != before {
		if later := local.Add(-after); offsetAt(later) == after {
			return later
		}
	}
	return first
}

// Gaps returns the months of a monthly rule, like 2027-02, or the years of a yearly one, that lie between the first and the last of some
// consecutive dates and have no date, because the day does not exist in them.
func (s *Schedule) Gaps(dates []Date) []string {
	gaps := []string{}
	if len(dates) == 0 {
		return gaps
	}
	layout, years, months := "2006-01", 0, max(1, s.rule.options.Interval)
	switch s.rule.options.Freq {
	case rrule.MONTHLY:
	case rrule.YEARLY:
		layout, years, months = "2006", months, 0
	default:
		return gaps
	}
	have := map[string]bool{}
	for _, d := range dates {
		have[d.Local.Format(layout)] = true
	}
	first, last := dates[0].Local, dates[len(dates)-1].Local
	period := time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC)
	for ; period.Before(last); period = period.AddDate(years, months, 0) {
		if name := period.Format(layout); !have[name] {
			gaps = append(gaps, name)
		}
	}
	return gaps
}
