package meetup_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
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

var seatsAgreeStmt = db.SQL("attendance.test_seats", `
	SELECT (SELECT CAST(COALESCE(SUM(party), 0) AS BIGINT) FROM participants WHERE status = 'going'),
		(SELECT CAST(COALESCE(SUM(n), 0) AS BIGINT) FROM event_slots),
		(SELECT CAST(COALESCE(SUM(party), 0) AS BIGINT) FROM seat_holds), (SELECT CAST(COALESCE(SUM(held), 0) AS BIGINT) FROM event_slots),
		(SELECT COUNT(*) FROM seat_holds h WHERE NOT EXISTS (SELECT 1 FROM waitlist_entries w
			WHERE w.event_id = h.event_id AND w.user_id = h.user_id AND w.status = 'offered' AND w.party = h.party))
		+ (SELECT COUNT(*) FROM waitlist_entries w WHERE w.status = 'offered' AND NOT EXISTS (SELECT 1 FROM seat_holds h
			WHERE w.event_id = h.event_id AND w.user_id = h.user_id)),
		(SELECT COUNT(*) FROM event_slots WHERE n + held + kept > cap AND cap > 0)`)

// seatsAgree fails the test unless the seat rows agree with participants, holds and entries, and no row is oversold.
func seatsAgree(t *testing.T, a *apptest.App) {
	t.Helper()
	var going, n, holds, held, alone, oversold int64
	if err := a.DB.One(t.Context(), seatsAgreeStmt).Scan(&going, &n, &holds, &held, &alone, &oversold); err != nil {
		t.Fatal(err)
	}
	if going != n || holds != held || alone != 0 || oversold != 0 {
		t.Fatalf("%d go, %d are counted; %d are held, %d are counted; %d holds or offers have no partner; %d rows are oversold",
			going, n, holds, held, alone, oversold)
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
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
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
