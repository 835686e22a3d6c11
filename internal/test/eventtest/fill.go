package eventtest

import (
	"fmt"
	"testing"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

var topics = []string{"Chess", "Jazz and wine", "Morning run", "Wine and stories"}

// Fill stores users, and published events that start one after the other within a month. Users
// organize them in turn.
func Fill(t testing.TB, d *db.DB, now time.Time, users, events int) {
	t.Helper()
	organizers := make([]domain.UserID, users)
	err := d.InTx(t.Context(), func(tx db.Tx) error {
		service := user.Service{DB: d, Clock: func() time.Time { return now }}
		for i := range organizers {
			email, err := user.ParseEmail(fmt.Sprintf("organizer%d@example.org", i))
			if err == nil {
				organizers[i], err = service.FindOrCreateByEmail(t.Context(), tx, email, true, now)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all := make([]event.Event, events)
	for i := range all {
		start := now.Add(time.Hour + time.Duration(i)*30*24*time.Hour/time.Duration(events)).Truncate(time.Second)
		all[i] = event.Event{
			ID: domain.NewID[domain.EventKind](now), OrganizerID: organizers[i%users], Status: "published", StartsKey: start.UnixNano() + int64(i+1),
			CreatedAt: now, UpdatedAt: now, PublishedAt: &now,
			Fields: event.Fields{
				Title: fmt.Sprint(topics[i%len(topics)], " ", i), Category: new("games"), City: new("Berlin"), StartsAt: start, Timezone: "UTC",
				Visibility: "public", DateMode: event.DateFixed, Price: event.Free, Lat: new(52.4 + float64(i%100)/500), Lng: new(13.4),
			},
		}
	}
	if err := Insert(t.Context(), d, now, all); err != nil {
		t.Fatal(err)
	}
	if err := d.Analyze(t.Context()); err != nil {
		t.Fatal(err)
	}
}
