package ical

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"moothall/internal/platform/recurrence"
)

// windowsZones has the names of time zones in Windows and their IANA zones: windowsZones.xml of the Unicode CLDR, territory 001.
//
//go:embed windows_zones.txt
var windowsZones string

// zonesOfWindows returns the IANA zones of the names in Windows, in the order of the file.
var zonesOfWindows = sync.OnceValue(func() (all []*time.Location) {
	for line := range strings.Lines(windowsZones) {
		_, zone, _ := strings.Cut(strings.TrimSpace(line), "\t")
		all = append(all, loadZone(zone))
	}
	return all
})

// byWindowsName maps names of Windows, in lower case, to IANA zones.
var byWindowsName = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(windowsZones) {
		name, zone, _ := strings.Cut(strings.TrimSpace(line), "\t")
		all[strings.ToLower(name)] = zone
	}
	return all
})

var zoneName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$`)

// loadZone returns the zone with an IANA name; nil if there is none.
func loadZone(name string) *time.Location {
	if len(name) > 64 || !zoneName.MatchString(name) || name == "Local" {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return zone
}

// FindZone returns the zone with a name in a program: an IANA name, also behind a prefix like "/example.org/2026a/", or a name
// of Windows. It returns nil for another name.
func FindZone(name string) *time.Location {
	name = strings.Trim(strings.TrimSpace(name), `"/`)
	if zone := loadZone(name); zone != nil {
		return zone
	}
	if windows, ok := byWindowsName()[strings.ToLower(name)]; ok {
		return loadZone(windows)
	}
	segments := strings.Split(name, "/")
	for n := min(3, len(segments)-1); n >= 2; n-- {
		if zone := loadZone(strings.Join(segments[len(segments)-n:], "/")); zone != nil {
			return zone
		}
	}
	return nil
}

// zoneDefinition is a VTIMEZONE.
type zoneDefinition struct {
	id, location string // TZID, X-LIC-LOCATION
	observances  []observance
}

// observance is a STANDARD or DAYLIGHT: an offset, and when it begins in the time before.
type observance struct {
	offset time.Duration
	begins time.Time // as if in UTC
	rule   string    // RRULE; may be empty
}

// find returns the zone that a definition means: the one it names, or one of the candidates with the same offsets in the year
// after now. It returns nil if there is none. It adds to rules those that it has expanded.
func (d zoneDefinition) find(candidates []*time.Location, now time.Time, rules *int) *time.Location {
	if zone := FindZone(d.location); zone != nil {
		return zone
	}
	if len(d.observances) == 0 {
		return nil
	}
	var samples []time.Time
	for week := range 53 { // clocks change at night before a Sunday
		sunday := time.Date(now.Year(), now.Month(), now.Day()-int(now.Weekday())+7*week, 0, 0, 0, 0, time.UTC)
		for _, hours := range []int{0, 1, 2, 3, 84} {
			samples = append(samples, sunday.Add(time.Duration(hours)*time.Hour+30*time.Minute))
		}
	}
	offsets := d.offsets(samples, rules)
	for _, zone := range candidates {
		if zone != nil && slices.EqualFunc(samples, offsets, func(at time.Time, offset time.Duration) bool {
			_, seconds := recurrence.Instant(at, zone).In(zone).Zone()
			return time.Duration(seconds)*time.Second == offset
		}) {
			return zone
		}
	}
	return nil
}

// offsets returns the offsets at local times: those of the observances that have begun last.
func (d zoneDefinition) offsets(at []time.Time, rules *int) []time.Duration {
	offsets, latest := make([]time.Duration, len(at)), make([]time.Time, len(at))
	for _, o := range d.observances {
		for _, begins := range o.beginnings(at[0], at[len(at)-1], rules) {
			for i := range at {
				if !begins.After(at[i]) && begins.After(latest[i]) {
					offsets[i], latest[i] = o.offset, begins
				}
			}
		}
	}
	return offsets
}

// beginnings returns when an observance begins: its first time, and those of its rule from a year before from.
func (o observance) beginnings(from, to time.Time, rules *int) []time.Time {
	all := []time.Time{o.begins}
	rule, err := recurrence.ParseImported(o.rule)
	if err != nil || !rule.IsYearly() || *rules >= maxZoneRules {
		return all
	}
	*rules++
	// The rules of zones are yearly, so a later year with the same date begins as well. It saves the years since 1601.
	start := o.begins
	if old := from.Year() - 2 - start.Year(); old > 0 {
		start = start.AddDate(old, 0, 0)
	}
	for d := range rule.Dates(start, time.UTC) {
		if len(all) > maxBeginnings || d.Local.After(to) {
			break
		}
		all = append(all, d.Local)
	}
	return all
}

const (
	maxBeginnings = 10
	maxZoneRules  = 100 // of one file; one without any date takes 10 ms
)

// localIn returns the local time of an instant, as if in UTC.
func localIn(at time.Time, zone *time.Location) time.Time {
	_, offset := at.In(zone).Zone()
	return at.UTC().Add(time.Duration(offset) * time.Second)
}
