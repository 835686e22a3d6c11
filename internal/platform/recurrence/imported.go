package recurrence

import (
	"errors"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// maxImported is the length of an imported rule in bytes.
const maxImported = 512

var errImported = errors.New("must be a rule that chooses days")

// ParseImported reads a rule of another program: with FREQ from DAILY to YEARLY and any BY parts for months, days of months and weekdays,
// without the limits of Parse. The caller limits how many dates it computes.
func ParseImported(text string) (Rule, error) {
	option, err := rrule.StrToROption(text)
	if len(text) > maxImported || err != nil || option.Freq > rrule.DAILY || !onlyDays(option) {
		return Rule{}, errImported
	}
	r := Rule{options: *option, until: option.Until}
	r.options.Dtstart, r.options.Until = time.Time{}, end
	if _, err := rrule.NewRRule(r.options); err != nil {
		return Rule{}, errImported
	}
	_, value, _ := strings.Cut(strings.ToUpper(text), "UNTIL=")
	value, _, _ = strings.Cut(value, ";")
	if r.untilLocal = !strings.HasSuffix(value, "Z"); !r.until.IsZero() && !strings.Contains(value, "T") {
		r.until = r.until.Add(24*time.Hour - time.Second) // a date includes the whole day
	}
	return r, nil
}

// onlyDays reports whether a rule chooses days by month, day and weekday only, as calendars do.
func onlyDays(o *rrule.ROption) bool {
	return len(o.Byyearday) == 0 && len(o.Byweekno) == 0 && len(o.Byeaster) == 0 &&
		len(o.Byhour) == 0 && len(o.Byminute) == 0 && len(o.Bysecond) == 0
}

// IsYearly reports whether FREQ is YEARLY.
func (r Rule) IsYearly() bool { return r.options.Freq == rrule.YEARLY }
