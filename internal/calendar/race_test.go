package calendar_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

// everywhere runs a race on each engine, and with three instances of the
// service on one PostgreSQL.
func everywhere(t *testing.T, race func(t *testing.T, a *apptest.App, instances int)) {
	for _, where := range []struct {
		name      string
		engine    db.Engine
		instances int
	}{{"sqlite", db.SQLite, 1}, {"postgresql", db.PostgreSQL, 1}, {"three instances", db.PostgreSQL, 3}} {
		t.Run(where.name, func(t *testing.T) {
			t.Parallel()
			race(t, apptest.New(t, where.engine, apptest.Instances(where.instances), apptest.StartAt(today)), where.instances)
		})
	}
}

// rounds is how often a race is run: more with RSVP_ROUNDS in the environment.
func rounds(t *testing.T) int {
	t.Helper()
	text := os.Getenv("RSVP_ROUNDS")
	if text == "" {
		return 3
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// guest is somebody invited to the event of one round.
type guest struct {
	*apptest.Client
	event, invite string
}

// act does one of the things that change a guest's part in the event.
func (g guest) act(kind int) *apptest.Reply {
	answers := []string{"accepted", "accepted", "tentative", "declined"}
	switch {
	case kind < 4:
		return g.Patch("/events/"+g.event+"/rsvp", fields{"status": answers[kind]})
	case kind < 8:
		return g.Patch("/calendar/invites/"+g.invite, fields{"status": answers[kind-4]})
	default:
		return g.Delete("/events/" + g.event + "/join")
	}
}

// agree holds everything that is known of a guest's part together.
func (g guest) agree(t *testing.T, canceled bool) (going bool) {
	t.Helper()
	page := g.Get("/events/" + g.event).Want(200)
	invite := g.Get("/calendar/invites/" + g.invite).Want(200)
	answer, entry := page.Text("viewer_invitation_status"), statuses(g.Client)[g.event]
	going = page.Get("viewer_participation_status") == "going"
	want := map[string]string{"accepted": "confirmed", "tentative": "tentative", "declined": "canceled", "pending": ""}[answer]
	switch {
	case answer == "pending" && going: // asked anew while going
		want = "confirmed"
	case answer == "pending" && page.Get("viewer_participation_status") == "left":
		want = "canceled"
	}
	if canceled && want != "" {
		want = "canceled"
	}
	if invite.Text("status") != answer || entry != want || answer != "pending" && going != (answer == "accepted") {
		t.Errorf("going %v, the invitation %s, the calendar invite %s, the entry %q", going, answer, invite.Text("status"), entry)
	}
	return going
}

var seatsStmt = db.SQL("attendance.test_seats", `
	SELECT (SELECT COUNT(*) FROM participants WHERE status = 'going'), (SELECT CAST(COALESCE(SUM(n), 0) AS BIGINT) FROM event_slots)`)

// TestEveryDoorAgrees has guests answer by both doors, leave, be asked anew,
// and the event change its capacity and be called off, all at once.
func TestEveryDoorAgrees(t *testing.T) {
	const guests, hands, acts = 6, 3, 6
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		org := a.As("org")
		names := make([]string, guests)
		for i := range names {
			names[i] = fmt.Sprint("guest", i)
			a.As(names[i])
		}
		for round := range rounds(t) {
			seed := rand.Uint64()
			capacity := 2 + round%guests
			event := published(org, fields{"visibility": "private", "capacity": capacity})
			all := make([]guest, guests)
			for i, name := range names {
				invite := org.Post("/events/"+event+"/invitations", fields{"email": apptest.Email(name)}).Want(201).Text("calendar_invite_id")
				all[i] = guest{a.As(name), event, invite}
			}
			calledOff := round%3 == 2
			var done sync.WaitGroup
			for hand := range guests * hands {
				done.Go(func() {
					dice := rand.New(rand.NewPCG(seed, uint64(hand)))
					g := all[hand%guests]
					g.Client = g.On(hand % instances)
					for range acts {
						if reply := g.act(dice.IntN(10)); reply.Status != 200 && reply.Status != 403 && reply.Status != 404 {
							t.Errorf("%d %s", reply.Status, reply.Body)
						}
					}
				})
			}
			done.Go(func() {
				dice := rand.New(rand.NewPCG(seed, 1000))
				for range acts {
					org.On(dice.IntN(instances)).Post("/events/"+event+"/invitations", fields{"email": apptest.Email(names[dice.IntN(guests)])})
					org.Patch("/events/"+event, fields{"capacity": capacity + dice.IntN(2)})
				}
				if calledOff {
					org.Post("/events/"+event+"/cancel", nil).Want(200)
				}
			})
			done.Wait()
			count := 0
			for _, g := range all {
				if g.agree(t, calledOff) {
					count++
				}
			}
			page := org.Get("/events/" + event).Want(200)
			if n := int(page.Number("participant_count")); n != count || n > int(page.Number("event.capacity")) {
				t.Errorf("%d are going, %d are counted, %v may", count, n, page.Number("event.capacity"))
			}
			var going, seats int64
			if err := a.DB.One(t.Context(), seatsStmt).Scan(&going, &seats); err != nil || going != seats {
				t.Errorf("%d are going, %d seats are taken, %v", going, seats, err)
			}
			if t.Failed() {
				t.Fatalf("round %d, seed %d", round, seed)
			}
		}
	})
}
