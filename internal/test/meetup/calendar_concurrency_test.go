package meetup_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// guest is an invitee of one round.
type guest struct {
	*apptest.Client
	event, invite string
}

// act makes one request that changes the guest's participation.
func (g guest) act(kind int) *apptest.Reply {
	answers := []string{"accepted", "accepted", "tentative", "declined"}
	switch {
	case kind < 4:
		return g.Patch("/events/"+g.event+"/rsvp", apptest.Fields{"status": answers[kind]})
	case kind < 8:
		return g.Patch("/calendar/invites/"+g.invite, apptest.Fields{"status": answers[kind-4]})
	default:
		return g.Delete("/events/" + g.event + "/join")
	}
}

// check compares participation, invitation, invite and entry of the guest.
func (g guest) check(t *testing.T, canceled bool) (going bool) {
	t.Helper()
	page := g.Get("/events/" + g.event).Want(200)
	invite := g.Get("/calendar/invites/" + g.invite).Want(200)
	answer, entry := page.Text("viewer_invitation_status"), statuses(g.Client)[g.event]
	going = page.Get("viewer_participation_status") == "going"
	want := map[string]string{"accepted": "confirmed", "tentative": "tentative", "declined": "canceled", "pending": ""}[answer]
	switch {
	case answer == "pending" && going: // invited again while going
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

var seatsStmt = db.SQL("calendar_test.seats", `
	SELECT (SELECT COUNT(*) FROM participants WHERE status = 'going'), (SELECT CAST(COALESCE(SUM(n), 0) AS BIGINT) FROM event_slots)`)

// TestConcurrentAnswersAgree lets guests concurrently answer through the event and the
// calendar, leave, and be invited again, while the event changes its capacity and is
// canceled.
func TestConcurrentAnswersAgree(t *testing.T) {
	const guests, hands, acts = 6, 3, 6
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		names := make([]string, guests)
		for i := range names {
			names[i] = fmt.Sprint("guest", i)
			a.As(names[i])
		}
		for round := range testutil.Rounds(3, 100) { // each adds an entry, and statuses reads 100
			seed := rand.Uint64()
			capacity := 2 + round%guests
			event := org.Publish(apptest.Fields{"visibility": "private", "capacity": capacity})
			all := make([]guest, guests)
			for i, name := range names {
				invite := org.Post("/events/"+event+"/invitations", apptest.Fields{"email": apptest.Email(name)}).Want(201).Text("calendar_invite_id")
				all[i] = guest{a.As(name), event, invite}
			}
			canceledEvent := round%3 == 2
			var done sync.WaitGroup
			for hand := range guests * hands {
				done.Go(func() {
					dice := rand.New(rand.NewPCG(seed, uint64(hand)))
					g := all[hand%guests]
					g.Client = g.On(hand)
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
					org.On(dice.IntN(3)).Post("/events/"+event+"/invitations", apptest.Fields{"email": apptest.Email(names[dice.IntN(guests)])})
					org.Patch("/events/"+event, apptest.Fields{"capacity": capacity + dice.IntN(2)})
				}
				if canceledEvent {
					org.Post("/events/"+event+"/cancel", nil).Want(200)
				}
			})
			done.Wait()
			count := 0
			for _, g := range all {
				if g.check(t, canceledEvent) {
					count++
				}
			}
			page := org.Get("/events/" + event).Want(200)
			if n := int(page.Number("participant_count")); n != count || n > int(page.Number("event.capacity")) {
				t.Errorf("%d participants, participant_count %d, capacity %v", count, n, page.Number("event.capacity"))
			}
			var going, seats int64
			if err := a.DB.One(t.Context(), seatsStmt).Scan(&going, &seats); err != nil || going != seats {
				t.Errorf("%d participants, %d seats taken, %v", going, seats, err)
			}
			if t.Failed() {
				t.Fatalf("round %d, seed %d", round, seed)
			}
		}
	}, apptest.StartAt(apptest.Today))
}
