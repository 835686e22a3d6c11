package meetup_test

import (
	"sync/atomic"
	"testing"

	"moothall/internal/test/apptest"
)

// TestParties joins an event for ten people with companions. Each step is one request and what the details count afterwards.
func TestParties(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := "/events/" + org.Publish(apptest.Fields{"capacity": 10, "max_party_size": 4})
		type fields = apptest.Fields
		for _, step := range []struct {
			what, who    string
			method, path string
			body         any
			status       int
			reason       string // of a 403, or the pointer of a 400
			party        any    // of the actor, nil if they are not going
			going, left  float64
		}{
			{"alone by default", "ann", "POST", "/join", nil, 200, "", 1.0, 1, 9},
			{"grows", "ann", "POST", "/join", fields{"party_size": 4}, 200, "", 4.0, 4, 6},
			{"a repeated join changes nothing", "ann", "POST", "/join", nil, 200, "", 4.0, 4, 6},
			{"with companions at once", "ben", "POST", "/join", fields{"party_size": 3, "participation_visibility": "incognito"}, 200, "", 3.0, 7, 3},
			{"larger than the event allows", "cleo", "POST", "/join", fields{"party_size": 5}, 400, "/party_size", nil, 7, 3},
			{"larger than the contract allows", "cleo", "POST", "/join", fields{"party_size": 11}, 400, "/party_size", nil, 7, 3},
			{"nobody", "cleo", "POST", "/join", fields{"party_size": 0}, 400, "/party_size", nil, 7, 3},
			{"larger than what is free", "cleo", "POST", "/join", fields{"party_size": 4}, 403, "event_full", nil, 7, 3},
			{"growth beyond what is free", "ben", "POST", "/join", fields{"party_size": 4}, 200, "", 4.0, 8, 2},
			{"shrinks", "ann", "POST", "/join", fields{"party_size": 2}, 200, "", 2.0, 6, 4},
			{"takes all that is left", "cleo", "POST", "/join", fields{"party_size": 4}, 200, "", 4.0, 10, 0},
			{"growth of a full event", "ann", "POST", "/join", fields{"party_size": 3, "participation_visibility": "incognito"}, 403, "event_full", 2.0, 10, 0},
			{"a capacity below the people going", "org", "PATCH", "", fields{"capacity": 9}, 400, "/capacity", nil, 10, 0},
			{"smaller parties from now on", "org", "PATCH", "", fields{"max_party_size": 2}, 200, "", nil, 10, 0},
			{"a party that was larger shrinks", "cleo", "POST", "/join", fields{"party_size": 3}, 200, "", 3.0, 9, 1},
			{"and cannot grow again", "cleo", "POST", "/join", fields{"party_size": 4}, 400, "/party_size", 3.0, 9, 1},
			{"all leave together", "ben", "DELETE", "/join", nil, 200, "", nil, 5, 5},
			{"alone again", "ben", "POST", "/join", nil, 200, "", 1.0, 6, 4},
			{"a price for parties", "org", "PATCH", "", fields{"price": "paid", "price_amount": 500, "price_currency": "RUB"}, 400, "/max_party_size", nil, 6, 4},
		} {
			t.Run(step.what, func(t *testing.T) {
				who := a.As(step.who).In(t)
				reply := who.With("Accept", "application/problem+json").Do(step.method, path+step.path, step.body).Want(step.status)
				switch step.status {
				case 403:
					if got := reply.Text("reason"); got != step.reason {
						t.Errorf("refused because of %s", got)
					}
				case 400:
					if got := reply.Text("errors.0.pointer"); got != step.reason {
						t.Errorf("refused %s", got)
					}
				}
				seen := who.Get(path).Want(200)
				if seen.Get("viewer_party_size") != step.party || seen.Number("participant_count") != step.going ||
					seen.Number("seats_left") != step.left {
					t.Errorf("party %v, %v going, %v left; want %v, %v, %v", seen.Get("viewer_party_size"), seen.Get("participant_count"),
						seen.Get("seats_left"), step.party, step.going, step.left)
				}
			})
		}
		attendanceAgree(t, a)
		if items := org.Get(path + "/participants").Want(200); items.Len("items") != 3 {
			t.Errorf("the organizer lists %s", items.Body)
		}
		if left := a.As("cleo").Get("/me/export").Want(200).Get("attendance.attendance.0.party_size"); left != 3.0 {
			t.Errorf("the export has a party of %v", left)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestInvitedGuestsBringCompanions accepts an invitation for several people.
func TestInvitedGuestsBringCompanions(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := private(org, apptest.Fields{"capacity": 3, "max_party_size": 3})
		attendanceInvite(org, event, "ann").Want(201)
		rsvp := func(body apptest.Fields) *apptest.Reply { return ann.Patch("/events/"+event+"/rsvp", body) }
		rsvp(apptest.Fields{"status": "accepted", "party_size": 4}).WantError(400, "invalid_request")
		rsvp(apptest.Fields{"status": "accepted", "party_size": 3}).Want(200)
		rsvp(apptest.Fields{"status": "accepted"}).Want(200)
		if n := attendanceCount(ann, event); n != 3 {
			t.Errorf("%d are going", n)
		}
		rsvp(apptest.Fields{"status": "declined"}).Want(200)
		if n := attendanceCount(ann, event); n != 0 {
			t.Errorf("%d are going", n)
		}
		attendanceAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestPartiesAreNeverSplit lets parties of one to five join, grow, shrink and leave at once. A party that is refused does not fit.
func TestPartiesAreNeverSplit(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org, guests := a.As("org"), a.Crowd()
		for _, capacity := range []int{5, 3 * apptest.Crowd / 2, 2 * apptest.Crowd} {
			event := org.Publish(apptest.Fields{"capacity": capacity, "max_party_size": 5})
			join := "/events/" + event + "/join"
			var refused atomic.Int64
			refused.Store(6)
			apptest.Concurrently(apptest.Crowd, func(i int) {
				party := int64(1 + i%5)
				if guests[i].Post(join, apptest.Fields{"party_size": party}).Status == 403 {
					for old := refused.Load(); party < old && !refused.CompareAndSwap(old, party); old = refused.Load() {
					}
				}
			})
			if going := attendanceCount(org, event); going > capacity || int64(capacity-going) >= refused.Load() {
				t.Errorf("%d of %d seats are taken, but a party of %d was refused", going, capacity, refused.Load())
			}
			apptest.Concurrently(apptest.Crowd, func(i int) {
				guests[i].Post(join, apptest.Fields{"party_size": 1 + (i+2)%5})
				if n := attendanceCount(guests[i], event); n > capacity {
					t.Errorf("%d are going to an event for %d", n, capacity)
				}
				if i%3 == 0 {
					guests[i].Delete(join)
				}
			})
			for _, guest := range guests {
				guest.Delete(join)
			}
			if going := attendanceCount(org, event); going != 0 {
				t.Errorf("%d are going in the end", going)
			}
			for i := range capacity / 5 { // each finds seats of one row, or gathers them
				guests[i].Post(join, apptest.Fields{"party_size": 5}).Want(200)
			}
		}
		attendanceAgree(t, a)
	}, apptest.StartAt(apptest.Today))
}
