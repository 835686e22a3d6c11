package meetup_test

import (
	"fmt"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestSocialProofOfFewAndMany checks followed and blocked participants of a small and of a
// large event, which are found in different ways.
func TestSocialProofOfFewAndMany(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		viewer, friend, hidden, blocked := a.As("viewer"), a.As("friend"), a.As("hidden"), a.As("blocked")
		viewer.Follow(friend)
		viewer.Follow(hidden)
		viewer.Block(blocked)
		for _, guests := range []int{0, 96, 97, 120} { // the limit is 100, with friend, blocked and viewer
			path := "/events/" + a.As("org").Publish(nil)
			addGuests(t, a, path, guests)
			friend.Post(path+"/join", nil).Want(200)
			hidden.Post(path+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
			blocked.Post(path+"/join", nil).Want(200)
			viewer.Post(path+"/join", nil).Want(200)

			seen := viewer.Get(path).Want(200)
			if seen.Number("social_proof.followed_going_count") != 1 || seen.Text("social_proof.followed_going.0.user_id") != friend.UserID {
				t.Errorf("with %d guests: %s", guests, seen.Body)
			}
			for i := range seen.Len("social_proof.participants_preview") {
				if seen.Text(fmt.Sprintf("social_proof.participants_preview.%d.user_id", i)) == blocked.UserID {
					t.Errorf("with %d guests, a blocked participant is shown: %s", guests, seen.Body)
				}
			}
		}
	}, apptest.StartAt(apptest.Today))
}

var (
	addGuestStmt = db.SQL("test.add_guest", `
		INSERT INTO participants (event_id, user_id, id, status, visibility, slot, joined_at, created_at, updated_at)
		VALUES ($1, $2, $3, 'going', 'public', 0, $4, $4, $4)`)
	countGuestsStmt = db.SQL("test.count_guests", `INSERT INTO event_slots (event_id, slot, n) VALUES ($1, 0, $2)`)
)

// addGuests adds new users who go to an event publicly.
func addGuests(t *testing.T, a *apptest.App, path string, n int) {
	t.Helper()
	id, err := domain.ParseID[domain.EventKind](path[len("/events/"):])
	if err != nil {
		t.Fatal(err)
	}
	now := a.Clock.Now()
	err = a.DB.InTx(t.Context(), func(tx db.Tx) error {
		for i := range n {
			guest := domain.NewID[domain.UserKind](now)
			tx.Queue(t.Context(), postAddUserStmt, guest, now)
			tx.Queue(t.Context(), addProfileStmt, guest, fmt.Sprintf("guest%d_%d", n, i), now)
			tx.Queue(t.Context(), addGuestStmt, id, guest, domain.NewID[domain.ParticipantKind](now), now)
		}
		if n > 0 {
			tx.Queue(t.Context(), countGuestsStmt, id, n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
