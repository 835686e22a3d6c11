package meetup_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

// discussed is an event with a post, a comment by author and a message by author; the reporter goes, too.
type discussed struct {
	event, post string
	ids         map[string]string // of post, comment and message
}

func discuss(org, author, reporter *apptest.Client) discussed {
	d := discussed{event: org.Publish(nil), ids: map[string]string{}}
	for _, c := range []*apptest.Client{author, reporter} {
		c.Post("/events/"+d.event+"/join", nil).Want(200)
	}
	d.post, d.ids["post"] = postWrite(org, d.event, "Bad post")
	d.ids["comment"] = comment(author, d.post, "Bad comment", "")
	messages := "/events/" + d.event + "/messages"
	author.Post(messages, apptest.Fields{"body": "Private before"}).Want(201)
	d.ids["message"] = author.Post(messages, apptest.Fields{"body": "Bad message"}).Want(201).Text("id")
	author.Post(messages, apptest.Fields{"body": "Private after"}).Want(201)
	return d
}

// TestContentIsReportedByThoseWhoSeeIt is the row "report" of the policy for posts, comments and messages.
func TestContentIsReportedByThoseWhoSeeIt(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, author := a.As("org"), a.As("author")
		d := discuss(org, author, a.As("guest"))
		a.As("enemy").Post("/events/"+d.event+"/join", nil).Want(200)
		author.Block(a.As("enemy"))
		org.Block(a.As("foe"))
		for _, row := range []struct {
			who, kind string
			status    int
		}{
			{"guest", "post", 201}, {"guest", "comment", 201}, {"guest", "message", 201},
			{"stranger", "post", 201}, {"stranger", "comment", 201},
			{"stranger", "message", 404}, // is not in the chat
			{"enemy", "post", 201},
			{"enemy", "comment", 404}, {"enemy", "message", 404}, // the author blocks them
			{"foe", "post", 404}, {"foe", "comment", 404}, {"foe", "message", 404}, // the organizer blocks them
		} {
			report(a.As(row.who).In(t), row.kind, d.ids[row.kind]).Want(row.status)
		}
		for _, kind := range []string{"post", "comment", "message"} {
			report(a.As("guest"), kind, unknown).WantError(404, "not_found")
			report(a.As("guest"), kind, d.event).WantError(404, "not_found")
		}
		author.Delete(d.post + "/comments/" + d.ids["comment"]).Want(204)
		report(a.As("late"), "comment", d.ids["comment"]).WantError(404, "not_found")
		org.Delete(d.post).Want(204)
		report(a.As("late"), "post", d.ids["post"]).WantError(404, "not_found")
	}, apptest.StartAt(today))
}

// TestReportHasTextAsItWas edits and deletes what was reported. Moderators see the reported text, who wrote and who reported it,
// and nothing else of the chat.
func TestReportHasTextAsItWas(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, author, guest, mod := a.As("org"), a.As("author"), a.As("guest"), a.As("mod")
		d := discuss(org, author, guest)
		for _, kind := range []string{"post", "comment", "message"} {
			report(guest, kind, d.ids[kind]).Want(201)
			a.Clock.Advance(time.Second)
		}
		report(guest, "user", author.UserID).Want(201)
		author.Patch(d.post+"/comments/"+d.ids["comment"], apptest.Fields{"body": "Good comment"}).Want(200)
		report(guest, "comment", d.ids["comment"]).Want(201) // returns the first one, with its text
		org.Delete(d.post).Want(204)
		queue := mod.Get("/admin/reports").Want(200)
		for i, want := range []struct {
			kind, author string
			text         any
		}{{"post", org.UserID, "Bad post"}, {"comment", author.UserID, "Bad comment"}, {"message", author.UserID, "Bad message"},
			{"user", author.UserID, nil}} {
			at := fmt.Sprintf("items.%d.", i)
			if queue.Text(at+"target_type") != want.kind || queue.Get(at+"text") != want.text || queue.Text(at+"target.user_id") != want.author ||
				queue.Text(at+"reporter.user_id") != guest.UserID {
				t.Errorf("report %d of %s: %s", i, want.kind, queue.Body)
			}
		}
		if queue.Len("items") != 4 || bytes.Contains(queue.Body, []byte("Private")) {
			t.Errorf("moderators see more than was reported: %s", queue.Body)
		}
		mod.Get("/events/"+d.event+"/messages").WantError(403, "forbidden")
		author.Delete("/me").Want(204)
		queue = mod.Get("/admin/reports?target_type=message").Want(200)
		if queue.Get("items.0.text") != nil || queue.Get("items.0.target") != nil {
			t.Errorf("the text of a deleted account is left: %s", queue.Body)
		}
		guest.Delete("/me").Want(204)
		if queue = mod.Get("/admin/reports").Want(200); queue.Get("items.0.reporter") != nil {
			t.Errorf("the name of a deleted account is left: %s", queue.Body)
		}
	}, apptest.StartAt(today), moderators)
}

// TestActionsOnContent hides what was written, and warns and suspends its author.
func TestActionsOnContent(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		mod := a.As("mod")
		for i, kind := range []string{"post", "comment", "message"} {
			org, guest := a.As(fmt.Sprint("org", i)), a.As(fmt.Sprint("guest", i))
			author := a.As(fmt.Sprint("author", i))
			d := discuss(org, author, guest)
			responsible := author
			if kind == "post" {
				responsible = org
			}
			shown := func() bool {
				body := guest.Get("/events/" + d.event + "/posts").Want(200).Body
				body = append(body, guest.Get("/events/"+d.event+"/messages").Want(200).Body...)
				return bytes.Contains(body, []byte("Bad "+kind))
			}
			act := func(action string, status int) {
				t.Helper()
				id := report(guest, kind, d.ids[kind]).Want(201).Text("id")
				move(mod, id, apptest.Fields{"status": "resolved", "action": action}).Want(status)
				if status != 200 {
					move(mod, id, apptest.Fields{"status": "dismissed"}).Want(200)
				}
			}
			act("cancel_event", 400)
			act("warn_user", 200)
			if !shown() {
				t.Errorf("a warning hid the %s", kind)
			}
			reported := report(guest, kind, d.ids[kind]).Want(201).Text("id")
			act("hide_content", 200)
			if shown() {
				t.Errorf("the hidden %s is shown", kind)
			}
			report(guest, kind, d.ids[kind]).WantError(404, "not_found")
			move(mod, reported, apptest.Fields{"status": "open"}).Want(200)
			move(mod, reported, apptest.Fields{"status": "resolved", "action": "hide_content"}).Want(200) // does nothing
			move(mod, reported, apptest.Fields{"status": "open"}).Want(200)
			a.RunJobs()
			if kinds := moderationNotifications(t, responsible); !slices.Contains(kinds, "moderation_warning") {
				t.Errorf("%s: the author has %v", kind, kinds)
			}
			move(mod, reported, apptest.Fields{"status": "resolved", "action": "suspend_user"}).Want(200)
			responsible.Get("/me").WantError(401, "unauthorized")
		}
	}, apptest.StartAt(today), moderators, apptest.Setting("RATE_LIMITS", "off"))
}

// TestOpenReportsAreCounted counts those that no moderator has begun with.
func TestOpenReportsAreCounted(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		mod, ann := a.As("mod"), a.As("ann")
		count := func() int { return int(mod.Get("/admin/reports/open-count").Want(200).Number("open_count")) }
		if n := count(); n != 0 {
			t.Errorf("%d reports before the first", n)
		}
		first := report(ann, "user", a.As("ben").UserID).Want(201).Text("id")
		report(ann, "user", a.As("cleo").UserID).Want(201)
		if n := count(); n != 2 {
			t.Errorf("%d open reports, want 2", n)
		}
		move(mod, first, apptest.Fields{"status": "in_review"}).Want(200)
		if n := count(); n != 1 {
			t.Errorf("%d open reports, want 1", n)
		}
		ann.Get("/admin/reports/open-count").WantError(403, "forbidden")
		a.Anonymous().Get("/admin/reports/open-count").WantError(401, "unauthorized")
	}, apptest.StartAt(today), moderators)
}
