package meetup_test

import (
	"fmt"
	"testing"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
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
			importGuests(t, a, path, guests)
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

// importGuests adds new users who go to an event publicly.
func importGuests(t *testing.T, a *apptest.App, path string, n int) {
	t.Helper()
	id, err := domain.ParseID[domain.EventKind](path[len("/events/"):])
	if err != nil {
		t.Fatal(err)
	}
	now := a.Clock.Now()
	users, going := make([]user.Imported, n), make([]attendance.Guest, n)
	for i := range users {
		name := fmt.Sprintf("guest%d_%d", n, i)
		email, err := user.ParseEmail(name + "@example.org")
		if err != nil {
			t.Fatal(err)
		}
		users[i] = user.Imported{UserID: domain.NewID[domain.UserKind](now), Email: email, DisplayName: name, Username: name, CreatedAt: now}
		going[i] = attendance.Guest{UserID: users[i].UserID, Visibility: attendance.Public, At: now}
	}
	if err := user.Import(t.Context(), a.DB, users); err != nil {
		t.Fatal(err)
	}
	if err := attendance.Import(t.Context(), a.DB, []attendance.Attendance{{EventID: id, Going: going}}); err != nil {
		t.Fatal(err)
	}
}
