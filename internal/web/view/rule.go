package view

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall/api/gen"
)

// localLayout is the format of gen.LocalDateTime.
const localLayout = "2006-01-02T15:04:05"

// Local returns a local date and time, as if in UTC.
func Local(t gen.LocalDateTime) time.Time {
	local, _ := time.Parse(localLayout, string(t)) // the contract says the format
	return local
}

// RuleData is a rule that the visitor chooses, for a first date.
type RuleData struct {
	Rule    string // RRULE
	Choices []RuleChoice
	chosen  string   // the name of the choice, weekdays or custom
	days    []string // of the choice weekdays: codes such as TU; the weekday of the first date is always one of them
	every   string   // of the choice weekdays: every how many weeks
	custom  string   // the rule that the visitor has entered
	until   string   // the last day, such as 2026-12-31; empty: none
}

// RuleChoice is a rule in plain words. Its name is the same for every first date.
type RuleChoice struct{ name, rule, text string }

// The names of the choices that need more than one click.
const (
	weekdays = "weekdays"
	custom   = "custom"
)

// maxWeeks is the largest number of weeks from which a visitor chooses.
const maxWeeks = 8

var weekdayCodes = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// untilLayout is the format of UNTIL (RFC 5545, section 3.3.5).
const untilLayout = "20060102T150405Z"

// newRule returns the choices for a first date in a zone. The address of the page says what is chosen. If it does not, the current rule is
// chosen. Without a current rule, it is the first choice.
func newRule(p *Page, start time.Time, zone, current string) RuleData {
	d, first := RuleData{Choices: p.ruleChoices(start)}, weekdayCodes[start.Weekday()]
	if query := p.URL.Query(); query.Has("repeat") || current == "" {
		d.chosen, d.custom = query.Get("repeat"), strings.ToUpper(strings.TrimSpace(query.Get("custom")))
		d.days, d.every, d.until = query["day"], query.Get("every"), query.Get("until")
	} else {
		d.choose(current, first, zone)
	}
	if !slices.Contains(d.days, first) {
		d.days = append(d.days, first)
	}
	switch d.chosen {
	case weekdays:
		d.Rule = weeklyRule(d.every, d.days)
	case custom:
		d.Rule = d.custom
	default:
		i := max(0, slices.IndexFunc(d.Choices, func(c RuleChoice) bool { return c.name == d.chosen }))
		d.chosen, d.Rule = d.Choices[i].name, d.Choices[i].rule
	}
	if last, err := time.ParseInLocation(time.DateOnly, d.until, In(start, zone).Location()); err == nil {
		d.Rule += ";UNTIL=" + last.AddDate(0, 0, 1).Add(-time.Second).UTC().Format(untilLayout)
	}
	return d
}

// ruleChoices returns the rules of one click for a first date.
func (p *Page) ruleChoices(start time.Time) []RuleChoice {
	code := weekdayCodes[start.Weekday()]
	choice := func(name, rule string) RuleChoice { return RuleChoice{name, rule, p.ruleOn(name, start.Weekday())} }
	choices := []RuleChoice{choice("weekly", "FREQ=WEEKLY;BYDAY="+code), choice("second", "FREQ=WEEKLY;INTERVAL=2;BYDAY="+code)}
	if week := (start.Day() + 6) / 7; week < 5 {
		c := choice(fmt.Sprint("month", week), fmt.Sprintf("FREQ=MONTHLY;BYDAY=%d%s", week, code))
		c.name = "month"
		choices = append(choices, c)
	}
	if start.AddDate(0, 0, 7).Month() != start.Month() {
		choices = append(choices, choice("last", "FREQ=MONTHLY;BYDAY=-1"+code))
	}
	return choices
}

// weeklyRule returns a rule for days of the week.
func weeklyRule(every string, days []string) string {
	rule := "FREQ=WEEKLY"
	if n, err := strconv.Atoi(every); err == nil && n > 1 && n <= maxWeeks {
		rule += ";INTERVAL=" + strconv.Itoa(n)
	}
	known := slices.DeleteFunc(slices.Clone(weekdayCodes), func(code string) bool { return !slices.Contains(days, code) })
	return rule + ";BYDAY=" + strings.Join(known, ",")
}

// choose chooses a rule, for a first date on a weekday.
func (d *RuleData) choose(rule, weekday, zone string) {
	parts := ruleParts(rule)
	until, err := time.Parse(untilLayout, parts["UNTIL"])
	delete(parts, "UNTIL")
	parts["BYDAY"] = cmp.Or(parts["BYDAY"], weekday)
	d.days, d.every = strings.Split(parts["BYDAY"], ","), parts["INTERVAL"]
	is := func(other string) bool { return maps.EqualFunc(ruleParts(other), parts, sameValues) }
	i := slices.IndexFunc(d.Choices, func(c RuleChoice) bool { return is(c.rule) })
	switch {
	case i >= 0:
		d.chosen = d.Choices[i].name
	case is(weeklyRule(d.every, d.days)):
		d.chosen = weekdays
	default:
		d.chosen, d.custom = custom, rule
	}
	if d.chosen != custom && err == nil {
		d.until = In(until, zone).Format(time.DateOnly)
	}
}

// sameValues reports whether two parts list the same values, in any order.
func sameValues(a, b string) bool {
	return slices.Equal(slices.Sorted(strings.SplitSeq(a, ",")), slices.Sorted(strings.SplitSeq(b, ",")))
}

// ruleParts returns the values of the parts of a rule by their names.
func ruleParts(rule string) map[string]string {
	parts := map[string]string{"INTERVAL": "1"}
	for part := range strings.SplitSeq(rule, ";") {
		name, value, _ := strings.Cut(part, "=")
		parts[name] = value
	}
	return parts
}

// weeks returns how often a weekly rule repeats.
func (p *Page) weeks(n int) string {
	if n == 1 {
		return p.T("series.every_week")
	}
	return p.T("series.every_weeks", "Count", strconv.Itoa(n))
}

// ruleOn returns the text of a rule for a weekday.
func (p *Page) ruleOn(name string, day time.Weekday) string {
	return strings.Split(p.T("series.rule."+name), "|")[day]
}

// RuleText returns a rule in plain words, such as "Every second Thursday, 10 times"; empty for one that has no words.
func (p *Page) RuleText(s *gen.EventSeries) string {
	parts := ruleParts(s.Rrule)
	rule := p.frequency(parts, Local(s.StartsAt))
	if rule == "" {
		return ""
	}
	if count := parts["COUNT"]; count != "" {
		return p.T("series.rule.count", "Rule", rule, "Count", count)
	}
	if until, err := time.Parse(untilLayout, parts["UNTIL"]); err == nil {
		return p.T("series.rule.until", "Rule", rule, "Date", p.Date(In(until, s.Timezone)))
	}
	return rule
}

// frequency returns the parts of a rule besides its end in plain words.
func (p *Page) frequency(parts map[string]string, start time.Time) string {
	interval := parts["INTERVAL"]
	every := func(name string, arguments ...any) string {
		if interval == "1" {
			return p.T("series.rule."+name, arguments...)
		}
		return p.T("series.rule."+name+"s", append(arguments, "Count", interval)...)
	}
	days, monthDay := parts["BYDAY"], parts["BYMONTHDAY"]
	if parts["BYSETPOS"] != "" {
		return ""
	}
	switch frequency := parts["FREQ"]; {
	case frequency == "DAILY" && days == "" && monthDay == "":
		return every("day")
	case frequency == "YEARLY" && days == "" && monthDay == "":
		return every("year")
	case frequency == "WEEKLY":
		return p.weekly(interval, cmp.Or(days, weekdayCodes[start.Weekday()]), every)
	case frequency == "MONTHLY" && days == "":
		day, err := strconv.Atoi(cmp.Or(monthDay, strconv.Itoa(start.Day())))
		if day == -1 {
			return every("month_end")
		}
		if err == nil && day > 0 {
			return every("month_day", "Day", strconv.Itoa(day))
		}
	case frequency == "MONTHLY" && monthDay == "" && interval == "1":
		return p.monthly(days)
	}
	return ""
}

// weekly returns a weekly rule in words. days are codes such as TU,TH.
func (p *Page) weekly(interval, days string, every func(name string, arguments ...any) string) string {
	var names []string
	for day, code := range weekdayCodes {
		if slices.Contains(strings.Split(days, ","), code) {
			names = append(names, p.names("date.weekdays", day))
			if name := map[string]string{"1": "weekly", "2": "second"}[interval]; days == code && name != "" {
				return p.ruleOn(name, time.Weekday(day))
			}
		}
	}
	return every("week", "Days", strings.Join(names, ", "))
}

// monthly returns a monthly rule on a day such as 1FR or -1FR in words; empty for any other.
func (p *Page) monthly(days string) string {
	for day, code := range weekdayCodes {
		switch ordinal, is := strings.CutSuffix(days, code); {
		case is && ordinal == "-1":
			return p.ruleOn("last", time.Weekday(day))
		case is && len(ordinal) == 1 && ordinal >= "1" && ordinal <= "4":
			return p.ruleOn("month"+ordinal, time.Weekday(day))
		}
	}
	return ""
}
