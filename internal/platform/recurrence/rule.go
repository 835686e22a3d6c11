package recurrence

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// The limits of a rule.
const (
	MaxLength   = 300 // bytes of the text
	maxInterval = 52
	maxCount    = 366
	maxYears    = 5 // from the first date to UNTIL
)

// frequencies are the values of FREQ.
var frequencies = map[string]struct {
	freq       rrule.Frequency
	maxOrdinal int // of BYDAY; 0: none
}{
	"DAILY":   {rrule.DAILY, 0},
	"WEEKLY":  {rrule.WEEKLY, 0},
	"MONTHLY": {rrule.MONTHLY, 5},
	"YEARLY":  {rrule.YEARLY, 53},
}

var weekdays = map[string]rrule.Weekday{
	"MO": rrule.MO, "TU": rrule.TU, "WE": rrule.WE, "TH": rrule.TH, "FR": rrule.FR, "SA": rrule.SA, "SU": rrule.SU,
}

// Rule is a recurrence rule of the permitted subset: FREQ is DAILY, WEEKLY, MONTHLY or YEARLY; the other parts are INTERVAL, BYDAY,
// BYMONTHDAY, BYSETPOS, and COUNT or UNTIL.
type Rule struct {
	options    rrule.ROption // without a start and without UNTIL
	until      time.Time     // the last moment at which a date may begin; zero: none
	untilLocal bool          // until is a local time, as if in UTC
}

// Parse reads the value of an RRULE (RFC 5545 §3.3.10). The error says in a sentence without a subject what is wrong.
func Parse(text string) (Rule, error) {
	if len(text) > MaxLength {
		return Rule{}, fmt.Errorf("must be at most %d characters long", MaxLength)
	}
	parts := map[string]string{}
	for part := range strings.SplitSeq(text, ";") {
		name, value, ok := strings.Cut(part, "=")
		if !ok || value == "" {
			return Rule{}, errors.New("must be parts like FREQ=WEEKLY, with semicolons between them")
		}
		if _, twice := parts[name]; twice {
			return Rule{}, fmt.Errorf("must have %s once", name)
		}
		if !slices.Contains(partNames, name) {
			return Rule{}, errors.New("must have only these parts: " + strings.Join(partNames, ", "))
		}
		parts[name] = value
	}
	return build(parts)
}

// partNames are the parts of a rule.
var partNames = []string{"FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYSETPOS", "COUNT", "UNTIL"}

func build(parts map[string]string) (r Rule, err error) {
	f, known := frequencies[parts["FREQ"]]
	if !known {
		return Rule{}, errors.New("must have FREQ=DAILY, WEEKLY, MONTHLY or YEARLY")
	}
	r.options.Freq, r.options.Wkst = f.freq, rrule.MO
	numbers := []struct {
		name string
		max  int
		to   *int
	}{{"INTERVAL", maxInterval, &r.options.Interval}, {"COUNT", maxCount, &r.options.Count}}
	for _, n := range numbers {
		if *n.to, err = number(n.name, parts[n.name], 1, n.max); err != nil {
			return Rule{}, err
		}
	}
	if r.options.Byweekday, err = list("BYDAY", parts["BYDAY"], func(day string) (rrule.Weekday, error) {
		return weekday(day, f.maxOrdinal)
	}); err != nil {
		return Rule{}, err
	}
	lists := []struct {
		name string
		max  int
		to   *[]int
	}{{"BYMONTHDAY", 31, &r.options.Bymonthday}, {"BYSETPOS", 366, &r.options.Bysetpos}}
	for _, l := range lists {
		if *l.to, err = list(l.name, parts[l.name], func(n string) (int, error) { return signed(l.name, n, l.max) }); err != nil {
			return Rule{}, err
		}
	}
	if until := parts["UNTIL"]; until != "" {
		if r.until, err = time.Parse("20060102T150405Z", until); err != nil {
			return Rule{}, errors.New("must have UNTIL in UTC, like 20271231T225959Z")
		}
	}
	return r, r.check(parts)
}

// check refuses parts that do not go together.
func (r Rule) check(parts map[string]string) error {
	switch {
	case parts["COUNT"] != "" && parts["UNTIL"] != "":
		return errors.New("must have COUNT or UNTIL, not both")
	case r.options.Freq == rrule.WEEKLY && parts["BYMONTHDAY"] != "":
		return errors.New("must not have BYMONTHDAY with FREQ=WEEKLY")
	case parts["BYSETPOS"] != "" && parts["BYDAY"] == "" && parts["BYMONTHDAY"] == "":
		return errors.New("must have BYDAY or BYMONTHDAY with BYSETPOS")
	default:
		return nil
	}
}

// number reads an optional number; 0 if there is none.
func number(name, value string, least, most int) (int, error) {
	if value == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most || value[0] == '+' {
		return 0, fmt.Errorf("must have %s from %d to %d", name, least, most)
	}
	return n, nil
}

// signed reads a number up to most that counts from the beginning or, if negative, from the end.
func signed(name, value string, most int) (int, error) {
	n, err := number(name, strings.TrimPrefix(value, "+"), -most, most)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("must have %s from 1 to %d, or negative", name, most)
	}
	return n, nil
}

// weekday reads a day such as TH, or with an ordinal such as -1TH.
func weekday(value string, maxOrdinal int) (rrule.Weekday, error) {
	name := value[max(0, len(value)-2):]
	day, known := weekdays[name]
	if !known {
		return day, errors.New("must have BYDAY with MO, TU, WE, TH, FR, SA, SU")
	}
	ordinal := strings.TrimSuffix(value, name)
	if ordinal == "" {
		return day, nil
	}
	if maxOrdinal == 0 {
		return day, errors.New("must have BYDAY without numbers, unless FREQ is MONTHLY or YEARLY")
	}
	n, err := signed("the numbers of BYDAY", ordinal, maxOrdinal)
	return day.Nth(n), err
}

// list reads optional items with commas between them, none twice.
func list[T comparable](name, value string, read func(string) (T, error)) (items []T, err error) {
	if value == "" {
		return nil, nil
	}
	for text := range strings.SplitSeq(value, ",") {
		item, err := read(text)
		if err != nil {
			return nil, err
		}
		if slices.Contains(items, item) {
			return nil, fmt.Errorf("must have each value of %s once", name)
		}
		items = append(items, item)
	}
	return items, nil
}
