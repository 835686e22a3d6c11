package browser

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/maptest"
)

// moderated makes mod a moderator.
var moderated = append([]apptest.Option{apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("mod"))}, settings...)

// TestModerationIsForModerators opens the queue as each kind of visitor.
func TestModerationIsForModerators(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		a.As("ann").Post("/reports", apptest.Fields{"target_type": "user", "target_id": a.As("ben").UserID,
			"reason": "spam"}).Want(http.StatusCreated)
		visitor(t, a).open("/moderation").redirects(t, "/login?return_to=%2Fmoderation")
		signedIn(t, a, "ann").open("/moderation").want(t, http.StatusForbidden, "You may not do this", "not", "Advertising or spam",
			`href="/moderation"`)
		signedIn(t, a, "mod").open("/moderation").want(t, http.StatusOK, "Advertising or spam", `href="/moderation"`,
			personOf(a.As("ben")), personOf(a.As("ann")), `<span class="visually-hidden">1 open</span>`)
	}, moderated...)
}

// TestModeratorsSeeWhetherTheMapHasStreets stores streets while the service runs.
func TestModeratorsSeeWhetherTheMapHasStreets(t *testing.T) {
	streets := filepath.Join(t.TempDir(), "streets.pmtiles")
	a := apptest.New(t, db.SQLite, append([]apptest.Option{apptest.Setting("MAP_TILES", streets)}, moderated...)...)
	moderator := signedIn(t, a, "mod")
	moderator.open("/moderation").want(t, http.StatusOK, "moothall map fetch")
	if err := os.WriteFile(streets, maptest.City(12), 0o600); err != nil {
		t.Fatal(err)
	}
	a.Clock.Set(apptest.Today.Add(time.Minute))
	moderator.open("/moderation").want(t, http.StatusOK, "not", "moothall map fetch")
}

// TestModeratorDecides reports an event, a user and a review by the form, and decides on each.
func TestModeratorDecides(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, mod := a.As("org"), a.As("ann"), signedIn(t, a, "mod")
		over := org.Publish(apptest.Fields{"starts_at": apptest.Today.Add(time.Minute), "ends_at": apptest.Today.Add(2 * time.Minute)})
		next := org.Publish(apptest.Fields{"title": "Free money", "starts_at": apptest.Today.AddDate(0, 0, 3)})
		ann.Join(over)
		a.As("ben").Join(over)
		a.Clock.Advance(5 * time.Minute)
		review := ann.Post("/events/"+over+"/reviews", apptest.Fields{"rating": 1, "body": "<b>Awful</b>"}).Want(http.StatusCreated).Text("id")
		post := org.Post("/events/"+over+"/posts", apptest.Fields{"body": "Buy <b>now</b>"}).Want(http.StatusCreated).Text("id")
		message := org.Post("/events/"+over+"/messages", apptest.Fields{"body": "Call me"}).Want(http.StatusCreated).Text("id")
		group, groupPage := groupOf(org, nil)
		for _, c := range []struct {
			target, id, on, shown, decision string
			after                           func(t *testing.T)
		}{
			{"event", next, "/events/" + next, "Free money", "resolved cancel_event", func(t *testing.T) {
				visitor(t, a).open("/events/"+next).want(t, http.StatusOK, "Canceled")
			}},
			{"review", review, "/events/" + over, "&lt;b&gt;Awful&lt;/b&gt;", "resolved hide_content", func(t *testing.T) {
				visitor(t, a).open("/events/"+over).want(t, http.StatusOK, "not", "Awful")
			}},
			{"post", post, "/events/" + over, "Buy &lt;b&gt;now&lt;/b&gt;", "resolved hide_content", func(t *testing.T) {
				visitor(t, a).open("/events/"+over).want(t, http.StatusOK, "not", "Buy")
			}},
			{"message", message, "/events/" + over + "/chat", "Call me", "resolved hide_content", func(t *testing.T) {
				signedIn(t, a, "ben").open("/events/"+over+"/chat").want(t, http.StatusOK, "not", "Call me")
			}},
			{"group", group, groupPage, groupPage, "resolved suspend_group", func(t *testing.T) {
				visitor(t, a).open(groupPage).want(t, http.StatusNotFound)
				report := between(mod.open("/moderation?status=resolved&target_type=group").Body, `id="report-`, `"`)
				page := "/moderation?report=" + report
				mod.submit("updateReport", page, url.Values{"report_id": {report}, "decision": {"open"}}).redirects(t, "/moderation")
				mod.open(page).want(t, http.StatusOK, "end the suspension of the group", "not", "resolved suspend_group")
				mod.submit("updateReport", page, url.Values{"report_id": {report}, "decision": {"resolved restore_group"}}).redirects(t, "/moderation")
				visitor(t, a).open(groupPage).want(t, http.StatusOK)
			}},
			{"user", org.UserID, personOf(org), personOf(org), "resolved suspend_user", func(t *testing.T) {
				signedIn(t, a, "ann").open("/users/"+org.UserID).want(t, http.StatusNotFound)
			}},
		} {
			t.Run(c.target, func(t *testing.T) {
				form := "/report?" + url.Values{"target_type": {c.target}, "target_id": {c.id}, "return_to": {c.on}}.Encode()
				ben := signedIn(t, a, "ben")
				ben.open(c.on).want(t, http.StatusOK, "target_id="+c.id)
				ben.submit("createReport", form, url.Values{"target_type": {c.target}, "target_id": {c.id}, "reason": {"fraud"}}).want(t, http.StatusOK,
					"The moderators will look at it", `href="`+c.on+`"`)
				queue := mod.open("/moderation?target_type=" + c.target)
				queue.want(t, http.StatusOK, "Fraud", c.shown, "not", "Save the decision")
				report := between(queue.Body, `id="report-`, `"`)
				page := "/moderation?report=" + report
				mod.open(page).want(t, http.StatusOK, "Save the decision", `value="`+c.decision+`"`)
				mod.submit("updateReport", page, url.Values{"report_id": {report}, "decision": {"open"}}).want(t, http.StatusUnprocessableEntity,
					"Please check what you have entered")
				mod.submit("updateReport", page, url.Values{"report_id": {report}, "decision": {c.decision}, "note": {"Seen"}}).redirects(t,
					"/moderation")
				mod.open("/moderation?status=open").want(t, http.StatusOK, "not", report)
				mod.open("/moderation?status=resolved&report="+report).want(t, http.StatusOK, report, "Open again")
				c.after(t)
			})
		}
	}, moderated...)
}

// TestReportNeedsTargetAndSession checks the form of a report for other addresses and visitors.
func TestReportNeedsTargetAndSession(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ben := a.As("ben").UserID
		visitor(t, a).open("/report?target_type=user&target_id="+ben).redirects(t,
			"/login?"+url.Values{"return_to": {"/report?target_type=user&target_id=" + ben}}.Encode())
		ann := signedIn(t, a, "ann")
		ann.open("/report?target_type=planet&target_id="+ben).want(t, http.StatusNotFound)
		ann.open("/report?target_type=user&target_id="+ben+"&return_to=//evil.example").want(t, http.StatusOK, "Report this person", "not",
			"evil.example/")
		ann.submit("createReport", "/report?target_type=event", url.Values{"target_type": {"event"}, "target_id": {ben},
			"reason": {"spam"}}).want(t, http.StatusUnprocessableEntity, "It is no longer here")
	}, settings...)
}
