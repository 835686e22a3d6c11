package meetup_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/discovery"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/geo"
	"moothall/internal/test/apptest"
	"moothall/internal/test/eventtest"
	"moothall/internal/test/testutil"
)

// TestFilterCombinationsAgreeWithBruteForce pages through every combination of
// filters with a low limit of postings, and compares with checking every event.
func TestFilterCombinationsAgreeWithBruteForce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		viewer := userOf(t, a.As("viewer"))
		a.As("viewer").Block(a.As("hidden"))
		hidden := userOf(t, a.As("hidden"))
		events := mixedEvents([]domain.UserID{userOf(t, a.As("org")), hidden}, testutil.Rounds(200, 400))
		insertEvents(t, a, events)
		service := &discovery.Service{DB: a.DB, Clock: a.Clock.Now, Cards: event.NewListedCards(nil, a.DB, ""), MaxScanned: 30}
		shorter := 0
		for i, f := range combinations() {
			if !a.Gets(i) {
				continue
			}
			for _, v := range []domain.Viewer{{}, {UserID: viewer}} {
				var want []domain.EventID
				for _, e := range events {
					if matches(f, e) && !(v.SignedIn() && e.OrganizerID == hidden) {
						want = append(want, e.ID)
					}
				}
				found, short := allPages(t, service, v, f)
				if shorter += short; !slices.Equal(found, want) {
					t.Errorf("%s finds %d events, brute force %d", describe(f), len(found), len(want))
				}
			}
		}
		if shorter == 0 {
			t.Error("no search reached its limit of postings")
		}
	}, apptest.StartAt(apptest.Today))
}

// allPages follows the cursor of a filter, and counts the short pages before the
// last one.
func allPages(t *testing.T, s *discovery.Service, v domain.Viewer, f discovery.Filter) (found []domain.EventID, short int) {
	t.Helper()
	for {
		p, err := s.List(t.Context(), v, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range p.Cards {
			found = append(found, c.ID)
		}
		if p.Next == nil {
			return found, short
		}
		if len(p.Cards) < f.Limit {
			short++
		}
		f.After = p.Next
	}
}

func userOf(t *testing.T, c *apptest.Client) domain.UserID {
	t.Helper()
	id, err := domain.ParseID[domain.UserKind](c.UserID)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// mixedEvents returns events of a few words, places, categories and prices, in the order of the list.
func mixedEvents(organizers []domain.UserID, n int) []event.Event {
	random := rand.New(rand.NewPCG(7, 8))
	events := make([]event.Event, n)
	for i := range events {
		start := apptest.Today.Add(time.Duration(i/3+1) * time.Hour)
		category, price := []string{"Games", "Dance"}[random.IntN(2)], []string{event.Free, event.Paid}[random.IntN(2)]
		fields := event.Fields{
			Title: []string{"alpha", "alpha beta", "beta", "alps gamma"}[random.IntN(4)], Category: &category, Price: price,
			StartsAt: start, Timezone: "UTC", Visibility: "public", DateMode: "fixed",
		}
		if random.IntN(4) > 0 {
			city, lat, lng := []string{"Moscow", "Berlin"}[random.IntN(2)], 55+random.Float64(), 37+random.Float64()
			fields.City, fields.Lat, fields.Lng = &city, &lat, &lng
		}
		events[i] = event.Event{
			ID: domain.NewID[domain.EventKind](apptest.Today), OrganizerID: organizers[random.IntN(len(organizers))], Status: "published",
			StartsKey: start.UnixNano() + int64(i+1), CreatedAt: apptest.Today, UpdatedAt: apptest.Today, PublishedAt: &apptest.Today,
			Fields: fields,
		}
	}
	return events
}

func insertEvents(t *testing.T, a *apptest.App, events []event.Event) {
	t.Helper()
	if err := eventtest.Insert(t.Context(), a.DB, apptest.Today, events); err != nil {
		t.Fatal(err)
	}
}

func combinations() (all []discovery.Filter) {
	city, category, from, to := "moscow", "GAMES", apptest.Today.Add(20*time.Hour), apptest.Today.Add(90*time.Hour)
	circle, box := &geo.Circle{Lat: 55.5, Lng: 37.5, RadiusKm: 20}, &geo.Box{West: 37.3, South: 55.2, East: 37.9, North: 55.7}
	for _, place := range []discovery.Filter{{}, {Circle: circle}, {Box: box, Placed: true}, {Circle: circle, Box: box, Placed: true},
		{Placed: true}} {
		for _, query := range []string{"", "alpha", "alpha beta", "al", "gamma beta", "al be", "gmama"} {
			for bits := range 16 {
				f := discovery.Filter{Query: query, Circle: place.Circle, Box: place.Box, Placed: place.Placed, Limit: 20}
				if bits&1 != 0 {
					f.City = &city
				}
				if bits&2 != 0 {
					f.Category = &category
				}
				if bits&4 != 0 {
					f.Price = event.Paid
				}
				if bits&8 != 0 {
					f.From, f.To = &from, &to
				}
				all = append(all, f)
			}
		}
	}
	return all
}

// matches checks an event against a filter of combinations.
func matches(f discovery.Filter, e event.Event) bool {
	placed, text := e.Lat != nil, " "+e.Title+" "+strings.ToLower(*e.Category)
	if placed {
		text += " " + strings.ToLower(*e.City)
	}
	for word := range strings.FieldsSeq(strings.ReplaceAll(f.Query, "gmama", "gamma")) {
		if !strings.Contains(text, " "+word) {
			return false
		}
	}
	switch {
	case f.City != nil && (e.City == nil || !strings.EqualFold(*e.City, *f.City)),
		f.Category != nil && !strings.EqualFold(*e.Category, *f.Category),
		f.Price != "" && e.Price != f.Price,
		f.From != nil && e.StartsAt.Before(*f.From), f.To != nil && e.StartsAt.After(*f.To),
		(f.Placed || f.Circle != nil) && !placed,
		f.Circle != nil && haversineKm(f.Circle.Lat, f.Circle.Lng, *e.Lat, *e.Lng) > f.Circle.RadiusKm,
		f.Box != nil && (*e.Lat < f.Box.South || *e.Lat > f.Box.North || *e.Lng < f.Box.West || *e.Lng > f.Box.East):
		return false
	}
	return true
}

// describe returns a filter for messages.
func describe(f discovery.Filter) string {
	return fmt.Sprintf("%q, city %t, category %t, price %q, dates %t, circle %t, box %t",
		f.Query, f.City != nil, f.Category != nil, f.Price, f.From != nil, f.Circle != nil, f.Box != nil)
}
