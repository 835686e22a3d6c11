package meetup_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

var today = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// moderators makes mod and mia moderators.
var moderators = apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("mod")+","+apptest.Email("mia"))

// moderationPublished creates an event that ends in five minutes.
func moderationPublished(c *apptest.Client, changes apptest.Fields) string {
	body := apptest.Fields{"title": "Chess in the park", "starts_at": "2026-06-01T09:05:00Z", "city": "Moscow"}
	maps.Copy(body, changes)
	id := c.Post("/events", body).Want(201).Text("event.id")
	c.Post("/events/"+id+"/publish", nil).Want(200)
	return id
}

// upcoming creates an event that starts tomorrow.
func upcoming(c *apptest.Client) string {
	return moderationPublished(c, apptest.Fields{"starts_at": "2026-06-02T09:00:00Z"})
}

// reviewed creates an event that guests attend, with their visibility, and review. It
// returns the event and the ids of the reviews.
func reviewed(a *apptest.App, org *apptest.Client, guests map[string]string) (event string, reviews map[string]string) {
	event, reviews = moderationPublished(org, nil), map[string]string{}
	for who, visibility := range guests {
		a.As(who).Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": visibility}).Want(200)
	}
	a.Clock.Advance(6 * time.Minute)
	for who := range guests {
		reviews[who] = a.As(who).Post("/events/"+event+"/reviews", apptest.Fields{"rating": 1, "body": "Bad"}).Want(201).Text("id")
	}
	return event, reviews
}

func report(c *apptest.Client, kind, target string) *apptest.Reply {
	return c.Post("/reports", apptest.Fields{"target_type": kind, "target_id": target, "reason": "spam"})
}

func move(c *apptest.Client, report string, body apptest.Fields) *apptest.Reply {
	return c.Patch("/admin/reports/"+report, body)
}

// TestReportFollowsPolicy checks the row "report" of the policy and the table of contract
// §6.
func TestReportFollowsPolicy(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, blocked := a.As("org"), a.As("ann"), a.As("blocked")
		over, reviews := reviewed(a, org, map[string]string{"guest": "public", "secret": "incognito"})
		private := moderationPublished(org, apptest.Fields{"visibility": "private"})
		org.Post("/users/"+blocked.UserID+"/block", nil).Want(200)
		for _, guest := range []string{"guest", "secret"} {
			a.As(guest).Post("/users/"+a.As("foe").UserID+"/block", nil).Want(200)
		}
		about := func(kind, target string, more apptest.Fields) apptest.Fields {
			body := apptest.Fields{"target_type": kind, "target_id": target, "reason": "spam"}
			maps.Copy(body, more)
			return body
		}
		const unknown = "01890a5d-ac96-774b-bcce-b302099a8057"
		for _, row := range []struct {
			who, what string
			body      any
			status    int
		}{
			{"ann", "an event", about("event", over, nil), 201},
			{"ann", "a user", about("user", org.UserID, apptest.Fields{"comment": nil}), 201},
			{"ann", "a review", about("review", reviews["guest"], apptest.Fields{"reason": "other", "comment": " Rude "}), 201},
			{"ann", "a hidden event", about("event", private, nil), 404},
			{"org", "their own private event", about("event", private, nil), 201},
			{"ann", "an unknown event", about("event", unknown, nil), 404},
			{"ann", "an unknown user", about("user", unknown, nil), 404},
			{"ann", "an unknown review", about("review", unknown, nil), 404},
			{"ann", "a user as an event", about("event", org.UserID, nil), 404},
			{"blocked", "who blocks them", about("user", org.UserID, nil), 404},
			{"blocked", "an event of who blocks them", about("event", over, nil), 404},
			{"blocked", "a review of a hidden event", about("review", reviews["guest"], nil), 404},
			{"foe", "a review by who blocks them", about("review", reviews["guest"], nil), 404},
			{"foe", "a review without a name", about("review", reviews["secret"], nil), 201},
			{"org", "who they block", about("user", blocked.UserID, nil), 201},
			{"ann", "herself", about("user", ann.UserID, nil), 400},
			{"ann", "for another reason, without a comment", about("event", over, apptest.Fields{"reason": "other"}), 400},
			{"ann", "for another reason, with a blank comment", about("event", over, apptest.Fields{"reason": "other", "comment": "  "}), 400},
			{"ann", "for an unknown reason", about("event", over, apptest.Fields{"reason": "boring"}), 400},
			{"ann", "an unknown kind", about("planet", over, nil), 400},
			{"ann", "no id", about("event", "1", nil), 400},
			{"ann", "with a status", about("event", over, apptest.Fields{"status": "open"}), 400},
			{"ann", "with a null status", about("event", over, apptest.Fields{"status": nil}), 400},
			{"ann", "with an action", about("event", over, apptest.Fields{"action": "none"}), 400},
			{"ann", "in the name of another user", about("event", over, apptest.Fields{"reporter_user_id": org.UserID}), 400},
			{"ann", "with an unknown field", about("event", over, apptest.Fields{"mood": "bad"}), 201},
			{"nobody", "an event", about("event", over, nil), 401},
		} {
			t.Run(row.who+" "+row.what, func(t *testing.T) {
				client := a.Anonymous()
				if row.who != "nobody" {
					client = a.As(row.who)
				}
				reply := client.In(t).Post("/reports", row.body).Want(row.status)
				if row.status == 201 && (reply.Text("reporter_user_id") != client.UserID || reply.Text("status") != "open" ||
					reply.Get("resolved_by_user_id") != nil) {
					t.Errorf("reported: %s", reply.Body)
				}
			})
		}
		wrong := ann.With("Accept", "application/problem+json").Post("/reports",
			about("event", over, apptest.Fields{"status": "open", "action": 1})).Want(400)
		if wrong.Text("errors.0.pointer") != "/status" || wrong.Text("errors.1.pointer") != "/action" {
			t.Errorf("not every wrong field is named: %s", wrong.Body)
		}
	}, apptest.StartAt(today))
}

// TestRepeatedReportReturnsOpenOne repeats a report while it is open, and after it was
// closed.
func TestRepeatedReportReturnsOpenOne(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, mod := a.As("ann"), a.As("mod")
		event := upcoming(a.As("org"))
		first := report(ann, "event", event).Want(201)
		if again := report(ann, "event", event).Want(201); string(again.Body) != string(first.Body) {
			t.Errorf("reported again: %s, before %s", again.Body, first.Body)
		}
		id := first.Text("id")
		if other := report(a.As("ben"), "event", event).Want(201); other.Text("id") == id {
			t.Error("two users share a report")
		}
		move(mod, id, apptest.Fields{"status": "dismissed"}).Want(200)
		second := report(ann, "event", event).Want(201).Text("id")
		if second == id {
			t.Error("a new report returned the dismissed one")
		}
		move(mod, id, apptest.Fields{"status": "open"}).WantError(409, "conflict")
		move(mod, second, apptest.Fields{"status": "resolved"}).Want(200)
		if reopened := move(mod, id, apptest.Fields{"status": "open"}).Want(200); reopened.Get("report.resolved_at") != nil ||
			reopened.Get("report.resolved_by_user_id") != nil {
			t.Errorf("reopened: %s", reopened.Body)
		}
	}, apptest.StartAt(today), moderators)
}

// TestMoveFollowsStates checks the table of statuses of contract §6. Each successful move
// writes one record.
func TestMoveFollowsStates(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		mod, event := a.As("mod"), upcoming(a.As("org"))
		allowed := map[string][]string{
			"open": {"in_review", "resolved", "dismissed"}, "in_review": {"open", "resolved", "dismissed"},
			"resolved": {"open"}, "dismissed": {"open"},
		}
		moved, reporters := 0, 0
		for _, from := range slices.Sorted(maps.Keys(allowed)) {
			for _, to := range slices.Sorted(maps.Keys(allowed)) {
				reporters++
				id := report(a.As(fmt.Sprint("reporter", reporters)), "event", event).Want(201).Text("id")
				if from != "open" {
					move(mod, id, apptest.Fields{"status": from}).Want(200)
					moved++
				}
				reply := move(mod, id, apptest.Fields{"status": to, "note": " Seen "})
				if !slices.Contains(allowed[from], to) {
					reply.WantError(400, "invalid_request")
					continue
				}
				moved++
				reply.Want(200)
				if reply.Text("report.status") != to || reply.Text("action.from_status") != from || reply.Text("action.to_status") != to ||
					reply.Text("action.moderator_user_id") != mod.UserID || reply.Text("action.note") != "Seen" || reply.Text("action.action") != "none" {
					t.Errorf("%s to %s: %s", from, to, reply.Body)
				}
				if final := to == "resolved" || to == "dismissed"; final != (reply.Get("report.resolved_by_user_id") == mod.UserID) {
					t.Errorf("%s to %s: resolved by %v", from, to, reply.Get("report.resolved_by_user_id"))
				}
			}
		}
		if n := records(t, a); n != moved {
			t.Errorf("%d moves wrote %d records", moved, n)
		}
	}, apptest.StartAt(today), moderators)
}

var recordsStmt = db.SQL("moderation.test_records", `SELECT COUNT(*) FROM moderation_actions`)

func records(t *testing.T, a *apptest.App) (n int) {
	t.Helper()
	if err := a.DB.One(t.Context(), recordsStmt).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestOnlyModeratorsMoveReports checks that all other users are refused, even the
// reporter and the target.
func TestOnlyModeratorsMoveReports(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		id := report(a.As("ann"), "event", upcoming(org)).Want(201).Text("id")
		for _, who := range []string{"ann", "org", "stranger"} {
			a.As(who).Get("/admin/reports").WantError(403, "forbidden")
			move(a.As(who), id, apptest.Fields{"status": "dismissed"}).WantError(403, "forbidden")
			move(a.As(who), "01890a5d-ac96-774b-bcce-b302099a8057", apptest.Fields{"status": "dismissed"}).WantError(403, "forbidden")
			move(a.As(who), id, apptest.Fields{"status": "forgotten"}).WantError(400, "invalid_request")
		}
		a.Anonymous().Get("/admin/reports").WantError(401, "unauthorized")
		move(a.Anonymous(), id, apptest.Fields{"status": "dismissed"}).WantError(401, "unauthorized")
		move(a.As("mod"), "01890a5d-ac96-774b-bcce-b302099a8057", apptest.Fields{"status": "dismissed"}).WantError(404, "not_found")
		if n := records(t, a); n != 0 {
			t.Errorf("%d records of refused moves", n)
		}
	}, apptest.StartAt(today), moderators)
}

var changesStmts = []*db.Stmt{
	db.SQL("moderation.test_update", `UPDATE moderation_actions SET action = 'none'`),
	db.SQL("moderation.test_delete", `DELETE FROM moderation_actions`),
}

// TestAuditRecordsAreImmutable checks that the database rejects changes of records.
func TestAuditRecordsAreImmutable(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		id := report(a.As("ann"), "event", upcoming(a.As("org"))).Want(201).Text("id")
		move(a.As("mod"), id, apptest.Fields{"status": "dismissed"}).Want(200)
		for _, stmt := range changesStmts {
			if _, err := a.DB.Exec(t.Context(), stmt); err == nil {
				t.Errorf("%s changed the audit trail", stmt.Name())
			}
		}
		if records(t, a) != 1 {
			t.Error("the record is gone")
		}
	}, apptest.StartAt(today), moderators)
}
