package meetup_test

import (
	"fmt"
	"sync"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

var textsLeftStmt = db.SQL("account_test.texts_left", `
	SELECT COUNT(*) FROM events WHERE organizer_id = $1 AND (status <> 'canceled' OR published_at IS NOT NULL OR title <> ''
		OR city IS NOT NULL)`)

// TestDeletionRacesWritesOfEvents deletes accounts while requests of the same user create,
// change and publish events. No event is left, whichever commits last.
func TestDeletionRacesWritesOfEvents(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		stranger := a.As("stranger")
		for round := range testutil.Rounds(25, 1000) {
			leaver := a.As(fmt.Sprintf("leaver%d", round))
			body := apptest.Fields{"title": "Tea at my place", "city": "Moscow", "starts_at": "2026-06-05T16:00:00Z"}
			draft := func() string { return leaver.Post("/events", body).Want(201).Text("event.id") }
			published, changed := draft(), draft()
			var mu sync.Mutex
			ids := []string{published, changed}
			apptest.Concurrently(6, func(i int) {
				c := leaver.On(i)
				switch i {
				case 0:
					c.Delete("/me").Want(204)
				case 1:
					c.Post("/events/"+published+"/publish", nil)
				case 2:
					c.Patch("/events/"+changed, apptest.Fields{"title": "Tea with me", "city": "Kazan"})
				default:
					if created := c.Post("/events", body); created.Status == 201 {
						mu.Lock()
						ids = append(ids, created.Text("event.id"))
						mu.Unlock()
					}
				}
			})
			for i, id := range ids {
				stranger.On(i).Get("/events/"+id).WantError(404, "not_found")
			}
			if n := a.Count(textsLeftStmt, leaver.ID()); n != 0 {
				t.Fatalf("round %d: %d events of a deleted account are left", round, n)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestDeletionRacesJoins deletes accounts while a guest joins their event. The event is
// canceled for a guest who joined before, and gone for everybody else.
func TestDeletionRacesJoins(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		guest := a.As("guest")
		for round := range testutil.Rounds(25, 1000) {
			leaver := a.As(fmt.Sprintf("leaver%d", round))
			id := leaver.Publish(nil)
			var joined *apptest.Reply
			apptest.Concurrently(2, func(i int) {
				if i == 0 {
					leaver.On(1).Delete("/me").Want(204)
				} else {
					joined = guest.On(2).Post("/events/"+id+"/join", nil)
				}
			})
			if got := guest.Get("/events/" + id); joined.Status == 200 && got.Want(200).Text("event.status") != "canceled" || joined.Status != 200 &&
				got.Status != 404 {
				t.Fatalf("round %d: %d after a join with %d: %s", round, got.Status, joined.Status, got.Body)
			}
		}
	}, apptest.StartAt(apptest.Today))
}
