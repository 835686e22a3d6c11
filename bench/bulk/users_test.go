package bulk

import (
	"fmt"
	"testing"

	"moothall/bench/dataset"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestUsersAreFound searches the users through the service.
func TestUsersAreFound(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	users := make([]dataset.User, 60)
	for i := range users {
		username := fmt.Sprintf("old%02d", i)
		users[i] = dataset.User{ID: domain.NewID[domain.UserKind](a.Clock.Now()), Email: username + "@example.org", DisplayName: "Old",
			Username: username, City: "Oslo", CreatedAt: a.Clock.Now()}
	}
	if err := Users(t.Context(), a.DB, users); err != nil {
		t.Fatal(err)
	}
	for search, want := range map[string]int{"": 60, "q=old": 60, "city=oslo": 60, "q=old&city=oslo": 60, "q=old+old5&city=oslo": 10} {
		if found := a.Anonymous().Get("/users/profiles?limit=100&" + search).Want(200).Len("items"); found != want {
			t.Errorf("%s: %d users, want %d", search, found, want)
		}
	}
}
