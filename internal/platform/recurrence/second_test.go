package recurrence

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// recurring is a rule with the dates that another library finds.
type recurring struct {
	Rule  string   `json:"rule"`
	Start string   `json:"start"` // local
	Zone  string   `json:"zone"`
	N     int      `json:"n"`
	Dates []string `json:"dates,omitempty"` // moments
}

const golden = "testdata/dates.jsonl"

// TestRulesEqualRecordedDates compares a sample of rules with the dates that dateutil found. The test below writes it with UPDATE.
func TestRulesEqualRecordedDates(t *testing.T) {
	recorded, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for line := range bytes.Lines(recorded) {
		var c recurring
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		compared++
		if _, moments := c.dates(t); strings.Join(moments, " ") != strings.Join(c.Dates, " ") {
			t.Errorf("%s from %s in %s:\n%s\nwant\n%s", c.Rule, c.Start, c.Zone, moments, c.Dates)
		}
	}
	if compared < 300 {
		t.Errorf("compared only %d rules", compared)
	}
}

// TestRulesEqualOtherLibraries compares 20,000 rules in all zones, and both changes of the clock in each, with the libraries of
// scripts/recurrence.sh: dateutil finds moments, ical.js local times.
func TestRulesEqualOtherLibraries(t *testing.T) {
	python, icaljs := os.Getenv("TEST_DATEUTIL"), os.Getenv("TEST_ICALJS")
	if python == "" || icaljs == "" {
		t.Skip("needs dateutil and ical.js: scripts/recurrence.sh runs it")
	}
	random := rand.New(rand.NewPCG(31, 2026)) // the same rules in each run
	var cases []recurring
	zones := allZones(t)
	for _, zone := range zones {
		cases = append(cases, aroundChanges(t, zone)...)
		for range 20_000/len(zones) + 1 {
			cases = append(cases, randomRule(t, random, zone))
		}
	}
	moments := run(t, cases, python, "testdata/second/dateutil_dates.py")
	found := run(t, slices.DeleteFunc(slices.Clone(cases), recurring.onlyDateutil), "node", filepath.Join(icaljs, "icaljs_dates.mjs"))
	locals := make([][]string, len(cases))
	wrong := 0
	for i, c := range cases {
		ownLocals, ownMoments := c.dates(t)
		if c.onlyDateutil() {
			locals[i] = ownLocals
		} else {
			locals[i], found = found[0], found[1:]
		}
		if strings.Contains(c.Rule, "UNTIL") { // dateutil compares where it ends
			locals[i] = locals[i][:min(len(locals[i]), len(ownLocals))]
		}
		if strings.Contains(c.Rule, "YEARLY") && strings.Contains(c.Start, "-02-29") {
			locals[i] = ownLocals // ical.js takes March 1 in other years, although RFC 5545 ignores dates that do not exist
		}
		for _, other := range []struct {
			name      string
			own, want []string
		}{{"dateutil", ownMoments, moments[i]}, {"ical.js", ownLocals, locals[i]}} {
			if strings.Join(other.own, " ") != strings.Join(other.want, " ") {
				if wrong++; wrong < 20 {
					t.Errorf("%s from %s in %s:\n%s\n%s finds\n%s", c.Rule, c.Start, c.Zone, other.own, other.name, other.want)
				}
			}
		}
	}
	t.Logf("compared %d rules in %d zones, %d differ", len(cases), len(zones), wrong)
	if os.Getenv("UPDATE") != "" && wrong == 0 {
		record(t, cases, moments)
	}
}

// dates returns the local times and the moments of the first dates.
func (c recurring) dates(t *testing.T) (locals, moments []string) {
	t.Helper()
	r, err := Parse(c.Rule)
	if err != nil {
		t.Fatal(c.Rule, err)
	}
	s, err := New(r, local(t, c.Start), zoneNamed(t, c.Zone))
	if err != nil {
		t.Fatal(c, err)
	}
	for _, d := range s.From(time.Time{}, c.N) {
		if d.Local.Year() == end.Year() { // of which the other libraries return nothing
			break
		}
		locals = append(locals, d.Local.Format(Layout))
		moments = append(moments, d.At.Format("2006-01-02T15:04:05Z"))
	}
	return locals, moments
}

// onlyDateutil reports whether only dateutil checks a rule, because ical.js finds wrong dates of such rules. Of yearly rules with BY parts:
// January 19, 2026 for BYDAY=53MO, and only the month of the start with BYMONTHDAY. Of daily rules: none ever for BYMONTHDAY=-1.
func (c recurring) onlyDateutil() bool {
	_, monthDays, _ := strings.Cut(c.Rule, "BYMONTHDAY=")
	monthDays, _, _ = strings.Cut(monthDays, ";")
	return strings.Contains(c.Rule, "YEARLY") && strings.Contains(c.Rule, "BY") ||
		strings.Contains(c.Rule, "DAILY") && strings.Contains(monthDays, "-")
}

// allZones returns the names of all zones of the data in ZONEINFO.
func allZones(t *testing.T) (zones []string) {
	t.Helper()
	list, err := os.Open(filepath.Join(os.Getenv("ZONEINFO"), "..", "zones"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	for lines := bufio.NewScanner(list); lines.Scan(); {
		if name := lines.Text(); name != "Factory" {
			zones = append(zones, name)
		}
	}
	if len(zones) < 590 {
		t.Fatalf("only %d zones", len(zones))
	}
	return zones
}

// aroundChanges returns daily rules at the local times that a change of the clock in 2027 skips or repeats.
func aroundChanges(t *testing.T, zone string) (cases []recurring) {
	at := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC).In(zoneNamed(t, zone))
	for {
		_, change := at.ZoneBounds()
		if change.IsZero() || change.Year() > 2027 {
			return cases
		}
		_, before := change.Add(-time.Second).Zone()
		_, after := change.Zone()
		first := change.UTC().Add(time.Duration(min(before, after)) * time.Second)
		for _, into := range []time.Duration{0, 15 * time.Minute, 59*time.Minute + 59*time.Second, time.Hour} {
			start := first.Add(into).AddDate(0, 0, -1)
			cases = append(cases, recurring{Rule: "FREQ=DAILY", Start: start.Format(Layout), Zone: zone, N: 3})
		}
		at = change
	}
}

var days = []string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}

// randomRule returns a rule of the permitted subset that begins at its first date.
func randomRule(t *testing.T, random *rand.Rand, zone string) recurring {
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	some := func(item func() string) string { // one to three different items
		items := map[string]bool{}
		for range 1 + random.IntN(3) {
			items[item()] = true
		}
		var list []string
		for i := range items {
			list = append(list, i)
		}
		return strings.Join(list, ",")
	}
	day := func() string { return pick(days...) }
	monthDay := func() string { return pick("1", "13", "15", "28", "29", "30", "31", "-1", "-3") }
	ordinal := func() string { return pick("1", "2", "3", "4", "5", "-1", "-2") + day() }
	weekOfYear := func() string { return pick("1", "2", "20", "52", "53", "-1", "-10", "-53") + day() }
	for {
		rule := pick("FREQ=DAILY", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY="+some(day), "FREQ=MONTHLY",
			"FREQ=MONTHLY;BYMONTHDAY="+some(monthDay), "FREQ=MONTHLY;BYDAY="+some(ordinal),
			"FREQ=MONTHLY;BYDAY="+some(day)+";BYSETPOS="+pick("1", "2", "-1"), "FREQ=YEARLY",
			"FREQ=DAILY;BYDAY="+some(day), "FREQ=DAILY;BYMONTHDAY="+some(monthDay),
			"FREQ=DAILY;BYDAY="+some(day)+";BYMONTHDAY="+some(monthDay), "FREQ=DAILY;BYDAY="+some(day)+";BYSETPOS="+pick("1", "-1"),
			"FREQ=YEARLY;BYDAY="+some(day), "FREQ=YEARLY;BYDAY="+some(weekOfYear), "FREQ=YEARLY;BYMONTHDAY="+some(monthDay),
			"FREQ=YEARLY;BYDAY="+some(day)+";BYMONTHDAY="+some(monthDay),
			"FREQ=YEARLY;BYDAY="+some(day)+";BYSETPOS="+pick("1", "2", "-1"))
		if random.IntN(2) == 0 {
			rule += fmt.Sprintf(";INTERVAL=%d", 1+random.IntN(4))
		}
		start := time.Date(2026+random.IntN(3), time.Month(1+random.IntN(12)), 1+random.IntN(31), random.IntN(24), 15*random.IntN(4), 0, 0,
			time.UTC)
		switch random.IntN(3) {
		case 0:
			rule += fmt.Sprintf(";COUNT=%d", 1+random.IntN(10))
		case 1:
			rule += ";UNTIL=" + start.AddDate(0, random.IntN(24), 0).Format("20060102T150405Z")
		}
		r, err := Parse(rule)
		if err != nil {
			t.Fatal(rule, err)
		}
		_, err = New(r, start, zoneNamed(t, zone))
		if first, found := errors.AsType[StartError](err); found {
			start = first.Next
			_, err = New(r, start, zoneNamed(t, zone))
		}
		if err == nil {
			return recurring{Rule: rule, Start: start.Format(Layout), Zone: zone, N: 12}
		}
	}
}

// run passes the cases to a program and returns what it writes.
func run(t *testing.T, cases []recurring, name string, args ...string) [][]string {
	t.Helper()
	var input bytes.Buffer
	for _, c := range cases {
		if err := json.NewEncoder(&input).Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(t.Context(), name, args...)
	command.Stdin, command.Stderr = &input, os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatal(name, err)
	}
	var all [][]string
	for line := range bytes.Lines(output) {
		var dates []string
		if err := json.Unmarshal(line, &dates); err != nil {
			t.Fatal(err)
		}
		all = append(all, dates)
	}
	if len(all) != len(cases) {
		t.Fatalf("%s answered %d of %d cases", name, len(all), len(cases))
	}
	return all
}

// recordedZones are zones whose rules all machines know, however old their data about zones.
var recordedZones = []string{"Europe/Berlin", "Europe/London", "Europe/Moscow", "America/New_York", "Australia/Sydney",
	"Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Auckland", "Pacific/Chatham"}

// record writes the cases of some zones.
func record(t *testing.T, cases []recurring, moments [][]string) {
	t.Helper()
	var sample bytes.Buffer
	for i, c := range cases {
		if !slices.Contains(recordedZones, c.Zone) {
			continue
		}
		c.Dates = moments[i]
		if err := json.NewEncoder(&sample).Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(golden, sample.Bytes(), 0o644); err != nil { // not secret
		t.Fatal(err)
	}
}
