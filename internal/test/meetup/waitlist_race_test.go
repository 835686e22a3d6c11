package meetup_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/eventtest"
	"moothall/internal/test/testutil"
)

// fillList makes new users wait for seats of an event, in parties of one to three.
func fillList(t *testing.T, a *apptest.App, path string, n int) {
	t.Helper()
	event := id(t, path[len("/events/"):])
	err := a.DB.InTx(t.Context(), func(tx db.Tx) error {
		for i := range n {
			user := domain.RandomID[any]()
			tx.Queue(t.Context(), attendanceAddUserStmt, user)
			tx.Queue(t.Context(), fillRaceStmt, event, user, i+1, 1+i%3)
		}
		tx.Queue(t.Context(), markWaitingStmt, event)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

var (
	fillRaceStmt = db.SQL("attendance.test_fill_race", `
		INSERT INTO waitlist_entries (event_id, user_id, id, status, party, visibility, missed, place, created_at, updated_at)
		VALUES ($1, $2, $2, 'waiting', $4, 'public', 0, $3, 1, 1)`)
	markWaitingStmt = db.SQL("attendance.test_mark_waiting", `UPDATE event_slots SET waiting = TRUE WHERE event_id = $1`)
)

// TestWaitlistBesideEverything lets guests leave, join, wait and give up at once, with hundreds of others in the list, while the
// organizer changes the capacity. Nobody waits beside a seat that fits, and nobody pushes in.
func TestWaitlistBesideEverything(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		waiting := testutil.Rounds(60, 500)
		for _, mode := range []string{"automatic", "offer"} {
			guests := a.Crowd()
			path := "/events/" + a.As("org").Publish(apptest.Fields{"capacity": apptest.Crowd, "max_party_size": 3, "waitlist": mode,
				"starts_at": "2026-06-20T16:00:00Z"})
			for _, guest := range guests {
				guest.Post(path+"/join", nil).Want(200)
			}
			fillList(t, a, path, waiting)
			apptest.Concurrently(2*apptest.Crowd+1, func(i int) {
				switch {
				case i == 2*apptest.Crowd:
					for n := range 3 {
						a.As("org").Patch(path, apptest.Fields{"capacity": apptest.Crowd + 2*n}).Want(200)
					}
				case i%2 == 0:
					guests[i/2].Delete(path + "/join").Want(200)
				default:
					guest := a.As(fmt.Sprint("late", i/2)).On(i)
					if guest.Post(path+"/join", nil).Status == 403 {
						guest.Post(path+"/waitlist", apptest.Fields{"party_size": 1 + i%3})
					}
					if i%5 == 0 {
						guest.Delete(path + "/waitlist")
					}
				}
			})
			a.RunJobs()
			nobodyWaitsBesideSeats(t, a)
			if log := a.Log(); strings.Contains(log, `"level":"ERROR"`) {
				t.Errorf("%s: the log has errors", mode)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestWaitlistKeepsPace lets 50 guests leave and 50 others join in each second, for ten seconds, with 500 others in the list. There is no
// deadlock, and the list is right soon after the last guest has left. A busy machine may refuse requests, which are then repeated.
func TestWaitlistKeepsPace(t *testing.T) {
	testutil.OnlyLong(t)
	const each, seconds, waiting = 50, 10, 500
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		for _, mode := range []string{"automatic", "offer"} {
			path := "/events/" + a.As("org").Publish(apptest.Fields{"capacity": each * seconds, "max_party_size": 3, "waitlist": mode,
				"starts_at": "2099-06-20T16:00:00Z"})
			guests, late := make([]*apptest.Client, each*seconds), make([]*apptest.Client, each*seconds)
			for i := range guests {
				guests[i], late[i] = a.As(fmt.Sprint("guest", i)).On(i).Allow5xx(), a.As(fmt.Sprint("late", i)).On(i+1).Allow5xx()
				guests[i].Post(path+"/join", nil).Want(200)
			}
			fillList(t, a, path, waiting)
			var refused atomic.Int64
			repeat := func(send func() *apptest.Reply) *apptest.Reply {
				for {
					reply := send()
					if reply.Status != 503 {
						return reply
					}
					refused.Add(1)
					time.Sleep(time.Second) // Retry-After
				}
			}
			times, began := make([]time.Duration, 2*each*seconds), time.Now()
			apptest.Concurrently(2*each*seconds, func(i int) {
				due := began.Add(time.Duration(i) * time.Second / (2 * each))
				time.Sleep(time.Until(due)) // the pace of the load
				defer func() { times[i] = time.Since(due) }()
				if i%2 == 0 {
					repeat(func() *apptest.Reply { return guests[i/2].Delete(path + "/join") }).Want(200)
				} else if repeat(func() *apptest.Reply { return late[i/2].Post(path+"/join", nil) }).Status == 403 {
					terms := apptest.Fields{"party_size": 1 + i%3}
					repeat(func() *apptest.Reply { return late[i/2].Post(path+"/waitlist", terms) })
				}
			})
			took := time.Since(began)
			testutil.Until(t, "the list", func() bool {
				wrong, err := eventtest.WrongLists(t.Context(), a.DB)
				return err == nil && wrong == ""
			})
			right := time.Since(began) - took
			slices.Sort(times)
			t.Logf("%s: %d leaves and joins in %v, half of them within %v, the slowest in %v, %d times refused; "+
				"the list was right %v after the last one", mode, len(times), took, times[len(times)/2], times[len(times)-1], refused.Load(), right)
			nobodyWaitsBesideSeats(t, a)
		}
		if a.Engine() == db.PostgreSQL && a.Count(deadlocksStmt) != 0 {
			t.Errorf("%d deadlocks", a.Count(deadlocksStmt))
		}
		if log := a.Log(); strings.Contains(log, `"level":"ERROR"`) {
			t.Error("the log has errors")
		}
	})
}
