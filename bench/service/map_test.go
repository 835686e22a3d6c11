package service_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/discovery"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/geo"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/eventtest"
	"moothall/internal/test/testutil"
)

var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// BenchmarkWorldMap reads a map of the world with 80,000 events as viewers with different
// numbers of blocks. Each organizer has ten events.
func BenchmarkWorldMap(b *testing.B) {
	for _, engine := range dbtest.Engines {
		d := dbtest.Open(b, engine)
		organizers := fillWorld(b, d, 8000, 10)
		s := &discovery.Service{DB: d, Clock: func() time.Time { return now }, Cards: event.NewListedCards(nil, d, "")}
		for _, blocks := range []int{0, 1, 100, 4000} {
			viewer := blocking(b, d, organizers[:blocks])
			b.Run(fmt.Sprint(engine, " with ", blocks, " blocks"), func(b *testing.B) {
				for b.Loop() {
					f := discovery.Filter{Box: &geo.Box{South: -80, West: -180, North: 80, East: 180}, Placed: true, Limit: 20, Zoom: new(2)}
					if page, err := s.List(b.Context(), viewer, f); err != nil || len(page.Clusters) == 0 {
						b.Fatal(page, err)
					}
				}
			})
		}
	}
}

// TestMapAndListAgree compares the map and all pages of the list among 100,000 events (20,000 in the short form), in boxes
// and circles of all sizes: the map begins with the same events in the same order, and its areas count all of them: each has fewer events than an
// area reads. They are in step for a viewer with blocks, too.
func TestMapAndListAgree(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			d := dbtest.Open(t, engine)
			organizers := fillWorld(t, d, testutil.Rounds(2000, 10_000), 10)
			s := &discovery.Service{DB: d, Clock: func() time.Time { return now }, Cards: event.NewListedCards(nil, d, "")}
			random, counted := rand.New(rand.NewPCG(1, 2)), 0
			for _, viewer := range []domain.Viewer{{}, blocking(t, d, organizers[:100])} {
				for _, size := range []float64{1, 3, 10, 30} { // degrees
					for range testutil.Rounds(5, 25) {
						lat, lng := random.Float64()*120-60, random.Float64()*320-160
						box := &geo.Box{South: lat, West: lng, North: lat + size, East: math.Remainder(lng+2*size, 360)}
						circle := &geo.Circle{Lat: lat, Lng: lng, RadiusKm: min(size*20, 500)}
						for _, f := range []discovery.Filter{{Box: box}, {Circle: circle}, {Box: box, Circle: circle}} {
							counted += compareMap(t, s, viewer, f)
						}
					}
				}
			}
			if counted == 0 {
				t.Error("no area counted its events")
			}
		})
	}
}

// compareMap compares the map of an area with its list, and returns the number of events that its areas count.
func compareMap(t *testing.T, s *discovery.Service, viewer domain.Viewer, f discovery.Filter) (counted int) {
	t.Helper()
	f.Placed, f.Limit = true, 100
	onMap := f
	onMap.Zoom = new(6)
	page, err := s.List(t.Context(), viewer, onMap)
	if err != nil {
		t.Fatal(err)
	}
	var listed []domain.EventID
	for {
		list, err := s.List(t.Context(), viewer, f)
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, idsOf(list.Cards)...)
		if list.Next == nil {
			break
		}
		f.After = list.Next
	}
	if drawn := idsOf(page.Cards); !slices.Equal(drawn, listed[:len(drawn)]) || len(drawn) < min(f.Limit, len(listed)) && page.Next == nil {
		t.Errorf("box %v, circle %v: the map has %d events that are not the first of the list's %d", f.Box, f.Circle, len(drawn), len(listed))
	}
	for _, c := range page.Clusters {
		if c.Count == 100 { // as many as an area counts
			return 0
		}
		counted += int(c.Count)
	}
	if counted != len(listed) {
		t.Errorf("box %v, circle %v: the areas of the map count %d events, the list has %d", f.Box, f.Circle, counted, len(listed))
	}
	return counted
}

func idsOf(cards []event.ShownCard) (ids []domain.EventID) {
	for _, c := range cards {
		ids = append(ids, c.ID)
	}
	return ids
}

// fillWorld stores events of organizers all over the world, as many on each square kilometre.
func fillWorld(b testing.TB, d *db.DB, organizers, each int) []domain.UserID {
	b.Helper()
	users := make([]domain.UserID, organizers)
	var events []event.Event
	for i := range users {
		users[i] = domain.RandomID[domain.UserKind]()
		for range each {
			n := len(events)
			start := now.Add(time.Duration(n%10_000) * time.Hour)
			events = append(events, event.Event{
				ID: domain.NewID[domain.EventKind](now), OrganizerID: users[i], Status: "published", StartsKey: start.UnixNano() + int64(n+1),
				CreatedAt: now, UpdatedAt: now, PublishedAt: &now,
				Fields: event.Fields{
					Title: "Chess", StartsAt: start, Timezone: "UTC", Visibility: "public", DateMode: "fixed", Price: event.Free,
					Lat: new(math.Asin(rand.Float64()*1.9-0.95) * 180 / math.Pi), Lng: new(rand.Float64()*360 - 180),
				},
			})
		}
	}
	rand.Shuffle(len(users), func(i, k int) { users[i], users[k] = users[k], users[i] })
	insertUsers(b, d, users)
	if err := eventtest.Insert(b.Context(), d, now, events); err != nil {
		b.Fatal(err)
	}
	if err := d.Analyze(b.Context()); err != nil {
		b.Fatal(err)
	}
	return users
}

func insertUsers(b testing.TB, d *db.DB, users []domain.UserID) {
	b.Helper()
	_, err := d.Bulk(b.Context(), "users", []string{"id", "email_verified", "test_profile", "created_at"}, func(yield func([]any) bool) {
		for _, u := range users {
			if !yield([]any{u, false, false, now}) {
				return
			}
		}
	})
	if err != nil {
		b.Fatal(err)
	}
}

// blocking returns a viewer who blocks users.
func blocking(b testing.TB, d *db.DB, users []domain.UserID) domain.Viewer {
	b.Helper()
	viewer := domain.RandomID[domain.UserKind]()
	insertUsers(b, d, []domain.UserID{viewer})
	_, err := d.Bulk(b.Context(), "blocks", []string{"blocker_id", "blocked_id", "id", "created_at"}, func(yield func([]any) bool) {
		for _, u := range users {
			if !yield([]any{viewer, u, domain.RandomID[domain.BlockKind](), now}) {
				return
			}
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	return domain.Viewer{UserID: viewer}
}
