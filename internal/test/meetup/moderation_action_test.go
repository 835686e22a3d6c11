package meetup_test

import (
	"fmt"
	"slices"
	"testing"

	"moothall/internal/core/user"
	"moothall/internal/identity/session"
	"moothall/internal/meetup/account"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestActionMustFitTarget checks which action fits which target, and that an action
// requires the status resolved.
func TestActionMustFitTarget(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		mod, ann := a.As("mod"), a.As("ann")
		fits := map[string][]string{
			"event":  {"none", "warn_user", "cancel_event", "suspend_user"},
			"user":   {"none", "warn_user", "suspend_user"},
			"review": {"none", "warn_user", "hide_content", "suspend_user"},
		}
		over, reviews := reviewed(a, a.As("host"), map[string]string{"guest": "public", "second": "public"})
		for i, action := range []string{"none", "warn_user", "hide_content", "cancel_event", "suspend_user"} {
			author := []string{"guest", "second"}[i/4] // a suspended one cannot be reported again
			for kind, target := range map[string]string{
				"event": upcoming(a.As(fmt.Sprint("org", i))), "user": a.As(fmt.Sprint("troll", i)).UserID, "review": reviews[author],
			} {
				if kind == "review" && i == 3 { // this review is hidden already
					target = reviews["second"]
				}
				id := report(ann, kind, target).Want(201).Text("id")
				if action != "none" {
					move(mod, id, apptest.Fields{"status": "in_review", "action": action}).WantError(400, "invalid_request")
					move(mod, id, apptest.Fields{"status": "dismissed", "action": action}).WantError(400, "invalid_request")
				}
				before := records(t, a)
				reply := move(mod, id, apptest.Fields{"status": "resolved", "action": action})
				if !slices.Contains(fits[kind], action) {
					reply.WantError(400, "invalid_request")
					if records(t, a) != before {
						t.Errorf("%s of a %s was refused, but recorded", action, kind)
					}
					move(mod, id, apptest.Fields{"status": "dismissed"}).Want(200)
					continue
				}
				if reply.Want(200); reply.Text("action.action") != action || reply.Text("action.report_id") != id {
					t.Errorf("%s of a %s: %s", action, kind, reply.Body)
				}
			}
		}
		id := report(ann, "event", over).Want(201).Text("id")
		move(mod, id, apptest.Fields{"status": "resolved", "action": "cancel_event"}).WantError(400, "invalid_request")
		move(mod, id, apptest.Fields{"status": "resolved", "action": "eat_cake"}).WantError(400, "invalid_request")
	}, apptest.StartAt(today), moderators)
}

// TestCancelEventAction cancels an event as its organizer would.
func TestCancelEventAction(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, guest := a.As("ann"), a.As("guest")
		id := upcoming(a.As("org"))
		guest.Post("/events/"+id+"/join", nil).Want(200)
		reported := report(ann, "event", id).Want(201).Text("id")
		move(a.As("mod"), reported, apptest.Fields{"status": "resolved", "action": "cancel_event"}).Want(200)
		if status := guest.Get("/events/" + id).Want(200).Text("event.status"); status != "canceled" {
			t.Errorf("the event is %s", status)
		}
		if found := guest.Get("/events?city=Moscow").Want(200).Len("items"); found != 0 {
			t.Errorf("%d events are found", found)
		}
		a.As("late").Post("/events/"+id+"/join", nil).WantError(403, "forbidden")
		a.RunJobs()
		expectNotified(t, guest, "event_canceled")
		expectNotified(t, ann, "report_updated")
		expectNotified(t, a.As("org"), "event_joined")
	}, apptest.StartAt(today), moderators)
}

// expectNotified waits until a user has notifications of these kinds, in alphabetical
// order, because background workers write some of them.
func expectNotified(t *testing.T, c *apptest.Client, want ...string) {
	t.Helper()
	testutil.Until(t, fmt.Sprint("notifications ", want), func() bool { return slices.Equal(moderationNotifications(t, c), want) })
}

// moderationNotifications returns the kinds of a user's notifications, without the request for a
// review, which is sent some time after the end of an event. It checks that no
// notification names the moderator.
func moderationNotifications(t *testing.T, c *apptest.Client) (kinds []string) {
	t.Helper()
	list := c.Get("/notifications").Want(200)
	for i := range list.Len("items") {
		kind := list.Text(fmt.Sprintf("items.%d.kind", i))
		if (kind == "report_updated" || kind == "moderation_warning") && list.Get(fmt.Sprintf("items.%d.actor", i)) != nil {
			t.Errorf("a notification names the moderator: %s", list.Body)
		}
		if kind != "event_completed" {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// TestHideContentAction hides a review and removes it from the average for good. Only
// its author still sees it.
func TestHideContentAction(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, guest, mod := a.As("org"), a.As("guest"), a.As("mod")
		event, reviews := reviewed(a, org, map[string]string{"guest": "public", "other": "public"})
		path := "/events/" + event + "/reviews"
		a.As("other").Post(path, apptest.Fields{"rating": 5}).Want(201)
		reported := report(org, "review", reviews["guest"]).Want(201).Text("id")
		move(mod, reported, apptest.Fields{"status": "resolved", "action": "hide_content"}).Want(200)
		for _, who := range []string{"org", "guest", "other", "stranger", "mod"} {
			page := a.As(who).Get(path).Want(200)
			if page.Len("items") != 1 || page.Number("average_rating") != 5 || page.Number("review_count") != 1 {
				t.Errorf("%s sees %s", who, page.Body)
			}
		}
		if own := guest.Get(path); own.Text("viewer_review.id") != reviews["guest"] {
			t.Errorf("the author has %s", own.Body)
		}
		guest.Post(path, apptest.Fields{"rating": 1, "body": "Still bad"}).Want(201)
		if page := org.Get(path); page.Len("items") != 1 || page.Number("average_rating") != 5 {
			t.Errorf("writing it again made it visible: %s", page.Body)
		}
		report(a.As("stranger"), "review", reviews["guest"]).WantError(404, "not_found")
		queue := mod.Get("/admin/reports").Want(200)
		if queue.Text("items.0.target.body") != "Still bad" {
			t.Errorf("the moderator does not see the hidden review: %s", queue.Body)
		}
	}, apptest.StartAt(today), moderators)
}

// TestWarnUserAction notifies the responsible user: the reported user, the organizer of
// the event, the author of the review.
func TestWarnUserAction(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, mod := a.As("ann"), a.As("mod")
		_, reviews := reviewed(a, a.As("host"), map[string]string{"guest": "incognito"})
		for kind, target := range map[string]string{"event": upcoming(a.As("org")), "user": a.As("troll").UserID, "review": reviews["guest"]} {
			reported := report(ann, kind, target).Want(201).Text("id")
			move(mod, reported, apptest.Fields{"status": "resolved", "action": "warn_user"}).Want(200)
		}
		for _, who := range []string{"org", "troll", "guest"} {
			expectNotified(t, a.As(who), "moderation_warning")
		}
		expectNotified(t, ann, "report_updated", "report_updated", "report_updated")
		expectNotified(t, a.As("host"), "event_joined", "event_review")
	}, apptest.StartAt(today), moderators)
}

// TestSuspendUserAction ends the sessions of an organizer, refuses new ones and hides
// the user and their events, until the account is restored.
func TestSuspendUserAction(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, mod := a.As("org"), a.As("ann"), a.As("mod")
		id, unlisted := upcoming(org),
			org.Post("/events", apptest.Fields{"title": "Draft", "starts_at": "2026-06-02T09:00:00Z"}).Want(201).Text("event.id")
		elsewhere := a.SignIn(apptest.Email("org"))
		listed := func() int { return ann.Get("/events?city=Moscow").Want(200).Len("items") }
		if listed() != 1 {
			t.Fatal("the event is not found")
		}
		for range 2 { // the second time it does nothing
			reported := report(ann, "event", id).Want(201).Text("id")
			move(mod, reported, apptest.Fields{"status": "resolved", "action": "suspend_user"}).Want(200)
		}
		for _, c := range []*apptest.Client{org, elsewhere} {
			c.Get("/me").WantError(401, "unauthorized")
			c.Post("/events/"+unlisted+"/publish", nil).WantError(401, "unauthorized")
		}
		a.Anonymous().Post("/auth/refresh", apptest.Fields{"refresh_token": org.RefreshToken}).WantError(401, "unauthorized")
		ann.Get("/users/"+org.UserID+"/profile").WantError(404, "not_found")
		report(ann, "user", org.UserID).WantError(404, "not_found")
		if listed() != 0 || ann.Get("/events?q=chess").Want(200).Len("items") != 0 {
			t.Error("the event of a suspended organizer is listed")
		}
		ann.Get("/events/" + id).Want(200) // by its id

		accounts := account.Service{
			DB: a.DB, Clock: a.Clock.Now, Users: &user.Service{DB: a.DB, Clock: a.Clock.Now},
			Sessions: &session.Service{DB: a.DB, Clock: a.Clock.Now},
		}
		if err := accounts.Restore(t.Context(), userID(t, org)); err != nil {
			t.Fatal(err)
		}
		if listed() != 1 {
			t.Error("the event of a restored organizer is not listed")
		}
		org.Get("/me").WantError(401, "unauthorized")
		back := a.SignIn(apptest.Email("org"))
		if back.UserID != org.UserID || back.Post("/events/"+unlisted+"/publish", nil).Want(200).Text("event.status") != "published" {
			t.Error("the restored organizer cannot publish")
		}
	}, apptest.StartAt(today), moderators)
}

// TestDeletedTargetTakesNoAction checks that a report on a deleted account can still be
// closed without an action.
func TestDeletedTargetTakesNoAction(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, mod, troll := a.As("ann"), a.As("mod"), a.As("troll")
		reported := report(ann, "user", troll.UserID).Want(201).Text("id")
		troll.Delete("/me").Want(204)
		if queue := mod.Get("/admin/reports").Want(200); queue.Len("items") != 1 || queue.Get("items.0.target") != nil {
			t.Errorf("the queue has %s", queue.Body)
		}
		for _, action := range []string{"warn_user", "suspend_user"} {
			move(mod, reported, apptest.Fields{"status": "resolved", "action": action}).WantError(400, "invalid_request")
		}
		ann.Delete("/me").Want(204)
		move(mod, reported, apptest.Fields{"status": "resolved"}).Want(200)
		queue := mod.Get("/admin/reports?status=resolved").Want(200)
		if queue.Len("items") != 1 || queue.Get("items.0.reporter_user_id") != nil {
			t.Errorf("without its reporter: %s", queue.Body)
		}
	}, apptest.StartAt(today), moderators)
}
