package service_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/discovery"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/geo"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/eventtest"
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

// fillWorld stores events of organizers all over the world.
func fillWorld(b *testing.B, d *db.DB, organizers, each int) []domain.UserID {
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
					Lat: new(rand.Float64()*140 - 70), Lng: new(rand.Float64()*360 - 180),
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

func insertUsers(b *testing.B, d *db.DB, users []domain.UserID) {
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
func blocking(b *testing.B, d *db.DB, users []domain.UserID) domain.Viewer {
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
