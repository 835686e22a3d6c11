package meetup_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/eventtest"
)

// waitlisted publishes an event with a waiting list for some people, which guests fill.
func waitlisted(a *apptest.App, capacity int, mode string, changes apptest.Fields) (path string) {
	fields := apptest.Fields{"capacity": capacity, "waitlist": mode, "max_party_size": 4, "starts_at": "2026-06-10T16:00:00Z"}
	maps.Copy(fields, changes)
	path = "/events/" + a.As("org").Publish(fields)
	for i := range capacity {
		a.As(fmt.Sprint("full", i)).Post(path+"/join", nil).Want(200)
	}
	return path
}

// entryOf returns the status of a user's entry and its position, such as "waiting 1".
func entryOf(c *apptest.Client, path string) string {
	entry := c.Get(path + "/waitlist").Want(200)
	if position := entry.Get("position"); position != nil {
		return fmt.Sprint(entry.Text("status"), " ", position)
	}
	return entry.Text("status")
}

// seatsAgree fails the test unless the seat rows agree with participants, holds and entries, and no row is oversold.
func seatsAgree(t *testing.T, a *apptest.App) {
	t.Helper()
	if wrong, err := eventtest.WrongSeats(t.Context(), a.DB); err != nil || wrong != "" {
		t.Fatal(wrong, err)
	}
}

// nobodyWaitsBesideSeats fails the test unless the waiting lists are right after the jobs have run.
func nobodyWaitsBesideSeats(t *testing.T, a *apptest.App) {
	t.Helper()
	seatsAgree(t, a)
	if wrong, err := eventtest.WrongLists(t.Context(), a.DB); err != nil || wrong != "" {
		t.Error(wrong, err)
	}
}

// TestWaitlistPromotes fills an event, and lets people wait, leave and move up.
func TestWaitlistPromotes(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		path := waitlisted(a, 3, "automatic", nil)
		ann, ben, cleo := a.As("ann"), a.As("ben"), a.As("cleo")
		if seen := ann.Get(path); seen.Get("viewer_can_wait") != true || seen.Get("viewer_can_join") != false || seen.Number("seats_left") != 0 {
			t.Errorf("the full event shows %s", seen.Body)
		}
		ann.Post(path+"/join", nil).WantError(403, "forbidden")
		first := ann.Post(path+"/waitlist", apptest.Fields{"party_size": 2}).Want(201)
		if again := ann.Post(path+"/waitlist", nil).Want(201); string(again.Body) != string(first.Body) {
			t.Errorf("a repetition changed %s to %s", first.Body, again.Body)
		}
		ben.Post(path+"/waitlist", apptest.Fields{"participation_visibility": "incognito"}).Want(201)
		cleo.Post(path+"/waitlist", nil).Want(201)
		if got := entryOf(ann, path) + entryOf(ben, path) + entryOf(cleo, path); got != "waiting 1waiting 2waiting 3" {
			t.Errorf("the list is %s", got)
		}
		if n := ann.Get(path).Number("waitlist_count"); n != 3 {
			t.Errorf("%v wait", n)
		}

		a.As("full0").Delete(path + "/join").Want(200)
		a.As("stranger").Post(path+"/join", nil).WantError(403, "forbidden") // the seat is kept
		a.RunJobs()
		if got := entryOf(ann, path) + entryOf(ben, path) + entryOf(cleo, path); got != "waiting 1joinedwaiting 2" {
			t.Errorf("after one seat: %s", got)
		}
		if seen := ben.Get(path); seen.Text("viewer_participation_visibility") != "incognito" {
			t.Errorf("ben goes %s", seen.Body)
		}
		seatsAgree(t, a)

		a.As("full1").Delete(path + "/join").Want(200)
		a.RunJobs()
		if got := entryOf(ann, path) + entryOf(cleo, path); got != "waiting 1joined" {
			t.Errorf("after two seats: %s", got)
		}
		a.As("full2").Delete(path + "/join").Want(200)
		a.RunJobs() // one seat fits nobody who waits, so it is free
		if n := ann.Get(path).Number("seats_left"); n != 1 {
			t.Errorf("%v seats are left", n)
		}
		ann.Post(path+"/waitlist", apptest.Fields{"party_size": 1}).WantError(403, "forbidden") // event_not_full
		ben.Delete(path + "/join").Want(200)
		a.RunJobs()
		if got := entryOf(ann, path); got != "joined" {
			t.Errorf("after enough seats: %s", got)
		}
		if seen := ann.Get(path); seen.Number("viewer_party_size") != 2 || seen.Number("participant_count") != 3 {
			t.Errorf("in the end %s", seen.Body)
		}
		seatsAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestWaitlistOffers accepts, misses and gives up offers.
func TestWaitlistOffers(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		path := waitlisted(a, 0, "offer", apptest.Fields{"capacity": 2, "waitlist_offer_minutes": 60})
		ann, ben, full := a.As("ann"), a.As("ben"), a.As("full")
		full.Post(path+"/join", apptest.Fields{"party_size": 2}).Want(200)
		ann.Post(path+"/waitlist", apptest.Fields{"party_size": 2}).Want(201)
		ben.Post(path+"/waitlist", nil).Want(201)
		full.Delete(path + "/join").Want(200)
		a.RunJobs()
		if got := entryOf(ann, path) + entryOf(ben, path); got != "offeredwaiting 1" {
			t.Fatalf("two seats: %s", got)
		}
		if seen := ann.Get(path); seen.Text("viewer_waitlist.offer_expires_at") != "2026-06-01T13:00:00Z" || seen.Number("seats_left") != 0 {
			t.Errorf("ann sees %s", seen.Body)
		}
		ann.Post(path+"/waitlist", apptest.Fields{"party_size": 3}).WantError(403, "forbidden")
		ben.Post(path+"/join", nil).WantError(403, "forbidden")
		ann.Post(path+"/waitlist", apptest.Fields{"party_size": 1}).Want(201) // gives one seat to ben
		a.RunJobs()
		if got := entryOf(ben, path); got != "offered" {
			t.Errorf("ben %s", got)
		}
		seatsAgree(t, a)
		if joined := ann.Post(path+"/join", nil).Want(200); joined.Number("party_size") != 1 {
			t.Errorf("ann joined %s", joined.Body)
		}
		for missed := 1; missed <= 3; missed++ {
			a.Clock.Advance(time.Hour)
			ben = a.SignIn(apptest.Email("ben"))
			ben.Post(path+"/join", apptest.Fields{"party_size": 2}).WantError(403, "forbidden")
			a.RunJobs() // the offer has ended; nobody else waits
			want := "offered"
			if missed == 3 {
				want = "expired"
			}
			if got := entryOf(ben, path); got != want {
				t.Fatalf("missed %d: %s", missed, got)
			}
			a.Clock.Advance(5 * time.Second)
		}
		if n := ben.Get(path).Number("seats_left"); n != 1 {
			t.Errorf("%v seats are left", n)
		}
		seatsAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}
