package ical

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
)

// Errors of Read. Their texts are for the user who chose the file.
var (
	ErrNotCalendar = errors.New("must be an iCalendar file")
	ErrIncomplete  = errors.New("must be a complete iCalendar file")
	ErrTooMany     = errors.New("must have at most 10000 events")
)

const (
	maxDepth  = 8      // of nested components
	maxEvents = 10_000 // with all past ones
)

// Calendar is what Read has found.
type Calendar struct {
	Name   string  // may be empty
	Events []Event // by start; those without one are the first
	Past   int     // how many others are over
	More   int     // how many others come later
}

// Options say what Read returns.
type Options struct {
	Now  time.Time      // events that are over by then are only counted
	Days int            // from now: rules are expanded for these days
	Max  int            // the number of events
	Zone *time.Location // of times without one, unless the file names it; nil: unknown
}

// component is a VEVENT: the properties that Read uses, the first of each, but all of rules, dates and categories.
type component struct {
	one   map[string]property
	dates []property // EXDATE, RDATE
	rules []string   // RRULE
	kinds []string   // CATEGORIES
	times *reader    // resolves times
}

// reader collects the components of a file.
type reader struct {
	options     Options
	stack       []string // names of the open components
	seen        bool     // a VCALENDAR has begun
	name        string
	zone        *time.Location // of times without one; nil: unknown
	events      []*component
	definitions map[string]*zoneDefinition
	zones       map[string]*time.Location // by TZID, as found
	current     *zoneDefinition
	zoneRules   int // expanded so far
}

// used are the properties of a VEVENT that a component has once.
var used = []string{"UID", "RECURRENCE-ID", "DTSTART", "DTEND", "DURATION", "SUMMARY", "DESCRIPTION", "X-ALT-DESC", "LOCATION", "GEO",
	"URL", "STATUS", "CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL"}

// Read reads the events of an iCalendar file (RFC 5545). It takes time and memory in proportion to the file, and expands rules
// within limits. What is wrong with a single event is its Problem.
func Read(data []byte, o Options) (Calendar, error) {
	r := &reader{options: o, zone: o.Zone, definitions: map[string]*zoneDefinition{}, zones: map[string]*time.Location{}}
	for p := range properties(data) {
		if err := r.read(p); err != nil {
			return Calendar{}, err
		}
	}
	switch {
	case !r.seen:
		return Calendar{}, ErrNotCalendar
	case len(r.stack) > 0:
		return Calendar{}, ErrIncomplete
	}
	return r.calendar(), nil
}

func (r *reader) read(p property) error {
	switch p.name {
	case "BEGIN":
		return r.begin(strings.ToUpper(strings.TrimSpace(p.value)))
	case "END":
		last := len(r.stack) - 1
		if last < 0 || r.stack[last] != strings.ToUpper(strings.TrimSpace(p.value)) {
			return ErrIncomplete
		}
		r.stack = r.stack[:last]
		return nil
	}
	switch strings.Join(r.stack, "/") {
	case "":
		if !r.seen {
			return ErrNotCalendar
		}
	case "VCALENDAR":
		r.readCalendar(p)
	case "VCALENDAR/VEVENT":
		r.events[len(r.events)-1].read(p)
	case "VCALENDAR/VTIMEZONE", "VCALENDAR/VTIMEZONE/STANDARD", "VCALENDAR/VTIMEZONE/DAYLIGHT":
		r.readZone(p)
	}
	return nil
}

func (r *reader) begin(name string) error {
	if len(r.stack) == 0 && name != "VCALENDAR" {
		return ErrNotCalendar
	}
	if len(r.stack) == maxDepth {
		return ErrIncomplete
	}
	r.seen, r.stack = true, append(r.stack, name)
	if len(r.stack) == 2 && name == "VEVENT" {
		if len(r.events) == maxEvents {
			return ErrTooMany
		}
		r.events = append(r.events, &component{one: map[string]property{}, times: r})
	}
	if len(r.stack) == 2 && name == "VTIMEZONE" {
		r.current = &zoneDefinition{}
	}
	if len(r.stack) == 3 && r.stack[1] == "VTIMEZONE" && len(r.current.observances) < maxObservances {
		r.current.observances = append(r.current.observances, observance{})
	}
	return nil
}

// maxObservances is the number of observances of a zone; those beyond it overwrite the last one.
const maxObservances = 200

func (r *reader) readCalendar(p property) {
	switch p.name {
	case "X-WR-CALNAME", "NAME":
		r.name = cmp.Or(r.name, p.text())
	case "X-WR-TIMEZONE", "TIMEZONE-ID":
		if zone := FindZone(p.value); zone != nil {
			r.zone = zone
		}
	}
}

func (r *reader) readZone(p property) {
	var last *observance
	if n := len(r.current.observances); n > 0 {
		last = &r.current.observances[n-1]
	}
	switch {
	case p.name == "TZID":
		r.current.id = p.value
		r.definitions[p.value] = r.current
	case p.name == "X-LIC-LOCATION":
		r.current.location = p.value
	case last == nil || len(r.stack) < 3:
	case p.name == "TZOFFSETTO":
		last.offset = parseOffset(p.value)
	case p.name == "DTSTART":
		last.begins, _ = time.Parse("20060102T150405", p.value)
	case p.name == "RRULE":
		last.rule = p.value
	}
}

// parseOffset parses an offset like +0100; 0 if it is malformed.
func parseOffset(text string) time.Duration {
	for _, layout := range []string{"-0700", "-070000"} {
		if at, err := time.Parse(layout, text); err == nil {
			_, seconds := at.Zone()
			return time.Duration(seconds) * time.Second
		}
	}
	return 0
}

// zoneOf returns the zone with a TZID; nil if it is unknown.
func (r *reader) zoneOf(id string) *time.Location {
	zone, known := r.zones[id]
	if known {
		return zone
	}
	zone = FindZone(id)
	if definition := r.definitions[id]; zone == nil && definition != nil && len(r.zones) < maxZones {
		candidates := append([]*time.Location{r.zone}, zonesOfWindows()...)
		zone = definition.find(candidates, r.options.Now, &r.zoneRules)
	}
	r.zones[id] = zone
	return zone
}

// maxZones is the number of zones that are found by their definitions. Each takes about a millisecond.
const maxZones = 100

func (c *component) read(p property) {
	switch p.name {
	case "RRULE":
		c.rules = append(c.rules, p.value)
	case "EXDATE", "RDATE":
		c.dates = append(c.dates, p)
	case "CATEGORIES":
		c.kinds = append(c.kinds, p.texts()...)
	default:
		if _, again := c.one[p.name]; !again && slices.Contains(used, p.name) {
			c.one[p.name] = p
		}
	}
}

func (c *component) text(name string) string { return c.one[name].text() }
