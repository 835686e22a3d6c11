package view

import (
	"cmp"
	"fmt"
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
	chosen  string // the name of the choice, or custom
	custom  string // the rule that the visitor has entered
}

// RuleChoice is a rule in plain words. Its name is the same for every first date.
type RuleChoice struct{ name, rule, text string }

// custom is the name of the choice of any other rule.
const custom = "custom"

var weekdayCodes = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// newRule returns the choices for a first date. The address of the page names the chosen one. If it names none, the current rule is chosen:
// as the choice with the same words (RuleText), else as a custom rule. Without a current rule, the first choice is chosen.
func newRule(p *Page, start time.Time, current, words string) RuleData {
	code := weekdayCodes[start.Weekday()]
	choice := func(name, rule string) RuleChoice { return RuleChoice{name, rule, p.ruleOn(name, start.Weekday())} }
	d := RuleData{Choices: []RuleChoice{
		choice("weekly", "FREQ=WEEKLY;BYDAY="+code),
		choice("second", "FREQ=WEEKLY;INTERVAL=2;BYDAY="+code),
	}}
	if week := (start.Day() + 6) / 7; week < 5 {
		c := choice(fmt.Sprint("month", week), fmt.Sprintf("FREQ=MONTHLY;BYDAY=%d%s", week, code))
		c.name = "month"
		d.Choices = append(d.Choices, c)
	}
	if start.AddDate(0, 0, 7).Month() != start.Month() {
		d.Choices = append(d.Choices, choice("last", "FREQ=MONTHLY;BYDAY=-1"+code))
	}
	query := p.URL.Query()
	d.chosen, d.custom = query.Get("repeat"), strings.ToUpper(strings.TrimSpace(query.Get("custom")))
	if d.chosen == "" && current != "" {
		d.chosen, d.custom = custom, current
		if i := slices.IndexFunc(d.Choices, func(c RuleChoice) bool { return c.text == words }); i >= 0 {
			d.chosen, d.custom = d.Choices[i].name, ""
		}
	}
	if d.chosen == custom {
		d.Rule = d.custom
		return d
	}
	i := max(0, slices.IndexFunc(d.Choices, func(c RuleChoice) bool { return c.name == d.chosen }))
	d.chosen, d.Rule = d.Choices[i].name, d.Choices[i].rule
	return d
}

// ruleOn returns the text of a rule for a weekday.
func (p *Page) ruleOn(name string, day time.Weekday) string {
	return strings.Split(p.T("series.rule."+name), "|")[day]
}

// RuleText returns a rule in plain words, such as "Every second Thursday, 10 times"; empty for one that has no words.
func (p *Page) RuleText(s *gen.EventSeries) string {
	parts := map[string]string{}
	for part := range strings.SplitSeq(s.Rrule, ";") {
		name, value, _ := strings.Cut(part, "=")
		parts[name] = value
	}
	rule := p.frequency(parts, Local(s.StartsAt))
	if rule == "" {
		return ""
	}
	if count := parts["COUNT"]; count != "" {
		return p.T("series.rule.count", "Rule", rule, "Count", count)
	}
	if until, err := time.Parse("20060102T150405Z", parts["UNTIL"]); err == nil {
		return p.T("series.rule.until", "Rule", rule, "Date", p.Date(In(until, s.Timezone)))
	}
	return rule
}

// frequency returns the parts of a rule besides its end in plain words.
func (p *Page) frequency(parts map[string]string, start time.Time) string {
	interval := cmp.Or(parts["INTERVAL"], "1")
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
