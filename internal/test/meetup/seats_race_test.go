package meetup_test

import (
	"fmt"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// several is a row of docs/concurrency.md: requests about the seats of one event that run at the same time.
type several struct {
	name  string
	event apptest.Fields
	given func(r seatRace)
	acts  []func(r seatRace) *apptest.Reply
	after func(r seatRace) // when the jobs have run
}

// seatRace is one event and its people.
type seatRace struct {
	t     *testing.T
	a     *apptest.App
	round int
	path  string
	ids   map[string]string // of entries and participants, by the names of their users
}

// as signs in a user of this event, on any instance.
func (r seatRace) as(name string) *apptest.Client {
	return r.a.As(fmt.Sprint(name, r.round)).On(r.round + len(name))
}

func (r seatRace) join(name string) *apptest.Reply  { return r.as(name).Post(r.path+"/join", nil) }
func (r seatRace) leave(name string) *apptest.Reply { return r.as(name).Delete(r.path + "/join") }
func (r seatRace) wait(name string) *apptest.Reply  { return r.as(name).Post(r.path+"/waitlist", nil) }
func (r seatRace) cancel() *apptest.Reply           { return r.as("org").Post(r.path+"/cancel", nil).Want(200) }

// nobodyIsLeft fails the test if an entry, a request or a hold of the event is active.
func nobodyIsLeft(r seatRace) {
	if n := r.a.Count(activeStmt, id(r.t, r.path[len("/events/"):])); n != 0 {
		r.t.Errorf("%d entries, requests or holds are active", n)
	}
}

var activeStmt = db.SQL("attendance.test_active", `
	SELECT (SELECT COUNT(*) FROM waitlist_entries WHERE event_id = $1 AND status IN ('waiting', 'offered'))
		+ (SELECT COUNT(*) FROM join_requests WHERE event_id = $1 AND status = 'pending')
		+ (SELECT COUNT(*) FROM seat_holds WHERE event_id = $1)`)

var severalAtOnce = []several{
	{
		"approval, block, cancel", apptest.Fields{"join_policy": "approval", "capacity": 1, "waitlist": "automatic"},
		func(r seatRace) { r.ids["ann"] = r.join("ann").Want(200).Text("id") },
		[]func(r seatRace) *apptest.Reply{
			func(r seatRace) *apptest.Reply {
				return r.as("org").On(r.round).Post(r.path+"/participants/"+r.ids["ann"]+"/approve", nil)
			},
			func(r seatRace) *apptest.Reply {
				return r.as("ann").Post("/users/"+r.as("org").UserID+"/block", nil).Want(200)
			},
			func(r seatRace) *apptest.Reply { return r.cancel() },
		},
		nobodyIsLeft,
	},
	{
		"offer, leave, cancel", apptest.Fields{"capacity": 1, "waitlist": "offer"},
		func(r seatRace) {
			r.join("ann").Want(200)
			r.ids["ben"] = r.wait("ben").Want(201).Text("id")
		},
		[]func(r seatRace) *apptest.Reply{
			func(r seatRace) *apptest.Reply {
				return r.as("org").On(r.round).Post(r.path+"/waitlist/entries/"+r.ids["ben"]+"/offer", nil)
			},
			func(r seatRace) *apptest.Reply { return r.leave("ann") },
			func(r seatRace) *apptest.Reply { return r.cancel() },
		},
		func(r seatRace) {
			nobodyIsLeft(r)
			if n := told(r.as("ben"), "event_canceled"); n != 1 {
				r.t.Errorf("who waits is notified of the cancellation %d times", n)
			}
		},
	},
	{
		"end of the list, leave, wait", apptest.Fields{"capacity": 1, "waitlist": "automatic"},
		func(r seatRace) {
			r.join("ann").Want(200)
			r.wait("ben").Want(201)
			r.wait("cleo").Want(201)
		},
		[]func(r seatRace) *apptest.Reply{
			func(r seatRace) *apptest.Reply {
				return r.as("org").On(r.round).Patch(r.path, apptest.Fields{"waitlist": "off"}).Want(200)
			},
			func(r seatRace) *apptest.Reply { return r.leave("ann") },
			func(r seatRace) *apptest.Reply { return r.wait("late") },
		},
		func(r seatRace) {
			nobodyIsLeft(r)
			for _, name := range []string{"ben", "cleo"} {
				if c := r.as(name); told(c, "waitlist_joined")+told(c, "waitlist_expired") != 1 {
					r.t.Errorf("who waited is notified of %s", kinds(c))
				}
			}
		},
	},
	{
		"dealing, leave, wait, join, removal, capacity, block, deletion", apptest.Fields{"capacity": 3, "waitlist": "automatic"},
		func(r seatRace) {
			for i := range 3 {
				r.ids[fmt.Sprint("guest", i)] = r.join(fmt.Sprint("guest", i)).Want(200).Text("id")
			}
			for i := range 7 {
				r.ids[fmt.Sprint("waits", i)] = r.wait(fmt.Sprint("waits", i)).Want(201).Text("id")
			}
		},
		[]func(r seatRace) *apptest.Reply{
			func(r seatRace) *apptest.Reply { return r.leave("guest0") },
			func(r seatRace) *apptest.Reply {
				return r.as("org").Delete(r.path + "/participants/" + r.ids["guest1"]).Want(204)
			},
			func(r seatRace) *apptest.Reply { return r.as("guest2").Delete("/me").Want(204) },
			func(r seatRace) *apptest.Reply { return r.as("waits0").Delete("/me").Want(204) },
			func(r seatRace) *apptest.Reply {
				return r.as("org").Post("/users/"+r.as("waits1").UserID+"/block", nil).Want(200)
			},
			func(r seatRace) *apptest.Reply {
				return r.as("org").Delete(r.path + "/waitlist/entries/" + r.ids["waits2"]).Want(204)
			},
			func(r seatRace) *apptest.Reply { return r.as("waits3").Delete(r.path + "/waitlist").Want(204) },
			func(r seatRace) *apptest.Reply { return r.join("late") },
			func(r seatRace) *apptest.Reply { return r.wait("latest") },
			func(r seatRace) *apptest.Reply {
				return r.as("org").On(r.round+2).Patch(r.path, apptest.Fields{"capacity": 4})
			},
		},
		func(seatRace) {},
	},
}

// racesAtOnce is how many events race at the same time: few enough that the service refuses no request.
const racesAtOnce = 3

// TestSeatsBesideEndings runs the requests of each row at once, for several events at the same time. Afterwards the counts of seats are
// right, nobody waits beside seats that fit, and nothing of a canceled event is left. There is no deadlock.
func TestSeatsBesideEndings(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		for i, row := range severalAtOnce {
			for n := range testutil.Rounds(1, 40) {
				row.race(t, a, 1000*i+racesAtOnce*n)
				if t.Failed() {
					t.Fatalf("after round %d of %s", n, row.name)
				}
			}
		}
		if a.Engine() == db.PostgreSQL && a.Count(deadlocksStmt) != 0 {
			t.Errorf("%d deadlocks", a.Count(deadlocksStmt))
		}
	}, apptest.StartAt(apptest.Today))
}

// race runs the requests of the row for events with numbers from first on.
func (row several) race(t *testing.T, a *apptest.App, first int) {
	races := make([]seatRace, racesAtOnce)
	for n := range races {
		r := seatRace{t: t, a: a, round: first + n, ids: map[string]string{}}
		r.path = "/events/" + r.as("org").Publish(row.event)
		row.given(r)
		for _, name := range []string{"ann", "late", "latest"} {
			r.as(name) // signs in before the race
		}
		races[n] = r
	}
	apptest.Concurrently(len(races)*len(row.acts), func(n int) {
		if reply := row.acts[n%len(row.acts)](races[n/len(row.acts)]); reply.Status >= 500 {
			t.Errorf("%d %s", reply.Status, reply.Body)
		}
	})
	a.RunJobs()
	nobodyWaitsBesideSeats(t, a)
	for _, r := range races {
		row.after(r)
	}
}
