package meetup_test

import (
	"bufio"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

// change is a clock change of a zone.
type change struct {
	zone *time.Location
	at   time.Time
}

// changesOf returns the clock changes of a zone in the year after Today.
func changesOf(zone *time.Location) (all []change) {
	offset := func(t time.Time) int { _, seconds := t.In(zone).Zone(); return seconds }
	for hour := apptest.Today; hour.Before(apptest.Today.AddDate(1, 0, 0)); hour = hour.Add(time.Hour) {
		if next := hour.Add(time.Hour); offset(hour) != offset(next) {
			all = append(all, change{zone, next})
		}
	}
	return all
}

// tenZones returns ten zones that have two clock changes a year.
func tenZones(t *testing.T) (zones []*time.Location) {
	t.Helper()
	file, err := os.Open("../../platform/geo/testdata/cities.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	seen := map[string]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		columns := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(lines.Text(), "#") || len(columns) < 5 || seen[columns[4]] {
			continue
		}
		seen[columns[4]] = true
		zone, err := time.LoadLocation(columns[4])
		if err != nil {
			t.Fatal(err)
		}
		if len(changesOf(zone)) == 2 {
			zones = append(zones, zone)
		}
	}
	slices.SortFunc(zones, func(a, b *time.Location) int { // far apart ones first: those of each offset
		return strings.Compare(apptest.Today.In(a).Format("04-07:00"), apptest.Today.In(b).Format("04-07:00"))
	})
	if len(zones) < 10 {
		t.Fatalf("only %d zones", len(zones))
	}
	var ten []*time.Location
	for i := range 10 {
		ten = append(ten, zones[i*(len(zones)-1)/9])
	}
	return ten
}

const wallClock = "2006-01-02 15:04:05"

// TestClockChanges checks events and entries around both clock changes of ten zones: they
// keep their time, and two other parsers and another zone database show the same local
// time.
func TestClockChanges(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		feed := ann.Post("/calendar/feed", nil).Want(201).Text("url")
		zones, walls, days := map[string]string{}, map[string]string{}, map[string]string{}
		instants := map[string]time.Time{}
		for _, zone := range tenZones(t) {
			for _, c := range changesOf(zone) {
				for _, after := range []time.Duration{-time.Minute, 0, 90 * time.Minute} {
					at := c.at.Add(after).In(zone)
					body := apptest.Fields{"starts_at": at.Format(time.RFC3339), "ends_at": at.Add(2 * time.Hour).Format(time.RFC3339),
						"timezone": zone.String()}
					for _, id := range []string{ann.Publish(body), dinner(ann, body)} {
						zones[id], walls[id], instants[id] = zone.String(), at.Format(wallClock), at
					}
				}
				id := dayOf(t, ann, c)
				days[id] = c.at.In(zone).Format(time.DateOnly)
			}
		}
		ics := calendarRead(a, feed).Want(200)
		wellFormed(t, ics.Body)
		for parser, events := range parse(t, ics.Body, zones) {
			if len(events) != 10*2*7 {
				t.Errorf("%s reads %d events", parser, len(events))
			}
			for id, wall := range walls {
				e := events[id]
				start, err := time.Parse(time.RFC3339, e.Start)
				if err != nil || !start.Equal(instants[id]) || calendarText(e.Wall) != wall ||
					calendarText(e.End) != instants[id].Add(2*time.Hour).UTC().Format("2006-01-02T15:04:05.000Z") {
					t.Errorf("%s, %s: %s reads %+v, want %s", zones[id], wall, parser, e, instants[id])
				}
			}
			for id, day := range days {
				if e := events[id]; !e.AllDay || e.Start != day {
					t.Errorf("%s reads %+v as %s", parser, e, day)
				}
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// dayOf creates an all-day entry on the day of a clock change, which does not have
// 24 hours.
func dayOf(t *testing.T, c *apptest.Client, change change) string {
	t.Helper()
	year, month, day := change.at.In(change.zone).Date()
	begins, ends := time.Date(year, month, day, 0, 0, 0, 0, change.zone), time.Date(year, month, day+1, 0, 0, 0, 0, change.zone)
	if ends.Sub(begins) == 24*time.Hour {
		t.Errorf("%s has 24 hours in %s", begins, change.zone)
	}
	id := dinner(c, apptest.Fields{"starts_at": begins.Format(time.RFC3339), "all_day": true, "timezone": change.zone.String()})
	for from, want := range map[time.Time]bool{ends: true, ends.Add(time.Second): false} {
		query := url.Values{"from": {from.Format(time.RFC3339)}, "to": {from.Add(time.Second).Format(time.RFC3339)}, "limit": {"100"}}
		if got := strings.Contains(string(c.Get("/calendar/entries?"+query.Encode()).Want(200).Body), id); got != want {
			t.Errorf("%s: the list from %s contains the day: %v", change.zone, from, got)
		}
	}
	return id
}
