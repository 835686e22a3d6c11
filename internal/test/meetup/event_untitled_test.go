package meetup_test

import (
	"slices"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

// TestUntitledDraftIsCanceled changes a draft without a title after six days. It is canceled seven days later, and a draft with a
// title stays.
func TestUntitledDraftIsCanceled(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		create := func(changes apptest.Fields) string {
			return "/events/" + org.Post("/events", chess(changes)).Want(201).Text("event.id")
		}
		untitled := create(apptest.Fields{"title": nil, "untitled": true, "city": "Moscow", "starts_at": "2026-06-30T16:00:00Z"})
		titled := create(nil)
		later := func(days int) {
			a.Clock.Advance(time.Duration(days) * 24 * time.Hour)
			a.RunJobs()
			org = a.SignIn(apptest.Email("org"))
		}
		later(6)
		org.Patch(untitled, apptest.Fields{"description": "Bring a board."}).Want(200)
		later(6)
		if e := org.Get(untitled).Want(200); e.Text("event.status") != "draft" || e.Text("event.title") != "" {
			t.Errorf("after six days without a change: %s", e.Body)
		}
		later(1)
		if e := org.Get(untitled).Want(200); e.Text("event.status") != "canceled" || e.Get("event.description") != nil ||
			e.Get("location.city") != nil {
			t.Errorf("after seven days: %s", e.Body)
		}
		a.Anonymous().Get(untitled).WantError(404, "not_found")
		for _, days := range []int{0, 30} {
			later(days)
			for _, role := range []string{"hosting", "draft", "past"} {
				if got := myTitles(t, org, role, 100); slices.Contains(got, "") {
					t.Errorf("%s after %d days: %q", role, days, got)
				}
			}
		}
		if e := org.Get(titled).Want(200); e.Text("event.status") != "draft" {
			t.Errorf("a draft with a title: %s", e.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestUntitledDraftWaitsForTitle refuses to show a draft without a title to others.
func TestUntitledDraftWaitsForTitle(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		a.As("ann")
		org, ann := a.As("org"), apptest.Fields{"email": apptest.Email("ann")}
		untitled := chess(apptest.Fields{"title": nil, "untitled": true, "visibility": "private"})
		draft := "/events/" + org.Post("/events", untitled).Want(201).Text("event.id")
		org.Post(draft+"/invitations", ann).WantError(403, "forbidden")
		org.Post(draft+"/publish", nil).WantError(403, "forbidden")
		org.Patch(draft, apptest.Fields{"title": "Chess"}).Want(200)
		org.Post(draft+"/invitations", ann).Want(201)
		org.Post(draft+"/publish", nil).Want(200)
	}, apptest.StartAt(apptest.Today))
}
