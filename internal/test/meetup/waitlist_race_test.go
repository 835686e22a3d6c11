package meetup_test

import (
	"fmt"
	"strings"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
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

	// besideSeatStmt counts parties that wait although they fit into the seats that are free or kept.
	besideSeatStmt = db.SQL("attendance.test_beside_seat", `
		SELECT COUNT(*) FROM waitlist_entries w JOIN users u ON u.id = w.user_id JOIN events e ON e.id = w.event_id
		WHERE w.status = 'waiting' AND e.status = 'published' AND e.waitlist <> 'off' AND u.suspended_at IS NULL
			AND w.party <= (SELECT e.capacity - SUM(s.n + s.held) FROM event_slots s WHERE s.event_id = w.event_id)`)
	// pushedInStmt counts entries that got seats although an earlier one with a party as small still waits.
	pushedInStmt = db.SQL("attendance.test_pushed_in", `
		SELECT COUNT(*) FROM waitlist_entries w JOIN waitlist_entries b ON b.event_id = w.event_id AND b.place < w.place AND b.party <= w.party
		WHERE w.status IN ('joined', 'offered') AND b.status = 'waiting'`)
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
			seatsAgree(t, a)
			if n := a.Count(besideSeatStmt); n != 0 {
				t.Errorf("%s: %d parties wait beside seats", mode, n)
			}
			if n := a.Count(pushedInStmt); n != 0 {
				t.Errorf("%s: %d entries pushed in", mode, n)
			}
			if log := a.Log(); strings.Contains(log, `"level":"ERROR"`) {
				t.Errorf("%s: the log has errors", mode)
			}
		}
	}, apptest.StartAt(apptest.Today))
}
