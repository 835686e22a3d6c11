package coord_test

import (
	"strings"
	"testing"
	"time"

	"moothall/internal/apptest"
)

// TestWhoMayDoWhat is the part of policy.md "Doing something" that this room
// answers: for everybody who can stand to a private event in some way, in
// every state of it.
func TestWhoMayDoWhat(t *testing.T) {
	const date, note = `{"starts_at":"2026-06-07T16:00:00Z"}`, `{"body":"hello"}`
	operations := []struct {
		name, method, path string
		body               any
		ok                 int
		who                string // who may
		in                 string // states in which they may, others are 403
	}{
		{"set the mode", "PATCH", "/date-mode", `{"mode":"vote"}`, 204, "org", "draft published"},
		{"add an option", "POST", "/date-options", date, 201, "org", "draft published"},
		{"list the options", "GET", "/date-options", nil, 200, "org pending accepted declined tentative", "draft published canceled completed"},
		{"vote", "POST", "/date-options/{option}/votes", nil, 200, "org pending accepted tentative", "draft published"},
		{"withdraw a vote", "DELETE", "/date-options/{option}/votes", nil, 204, "org pending accepted tentative", "draft published"},
		{"read the chat", "GET", "/messages", nil, 200, "org accepted tentative", "draft published canceled completed"},
		{"write in the chat", "POST", "/messages", note, 201, "org accepted tentative", "published canceled completed"},
		{"enter the chat", "GET", "/ws", nil, 200, "org accepted tentative", "draft published canceled completed"},
		{"read the reminders", "GET", "/reminders", nil, 200, "org accepted tentative", "draft published canceled completed"},
		{"change the reminders", "PATCH", "/reminders", `{"enabled":true}`, 200, "org", "draft published"},
		{"select an option", "POST", "/date-options/{option}/select", nil, 200, "org", "draft published"},
	}
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		block(t, a, a.As("blocked"), a.As("org"))
		for _, state := range []string{"draft", "published", "canceled", "completed"} {
			t.Run(state, func(t *testing.T) {
				event, option := cast(t, a, state)
				if state == "completed" {
					a.Clock.Advance(4 * time.Hour)
				}
				for _, op := range operations {
					path := "/events/" + event + strings.ReplaceAll(op.path, "{option}", option)
					for _, who := range []string{"nobody", "stranger", "blocked", "pending", "accepted", "declined", "tentative", "org"} {
						want := 403
						switch {
						case who == "nobody":
							want = 401
						case who == "stranger" || who == "blocked":
							want = 404
						case strings.Contains(op.who, who) && strings.Contains(op.in, state):
							want = op.ok
						}
						client := a.Anonymous()
						if who != "nobody" {
							client = a.As(who)
						}
						if got := client.In(t).Do(op.method, path, op.body); got.Status != want {
							t.Errorf("%s may %s: %d %s, want %d", who, op.name, got.Status, got.Body, want)
						}
					}
				}
			})
		}
	}, apptest.StartAt(today), longSessions)
}

// TestRefusalsInOrder puts 404 before 400 before 403, and an option of another
// event is no option.
func TestRefusalsInOrder(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		open := published(org, fields{"date_mode": "vote"})
		hidden := published(org, fields{"date_mode": "vote", "visibility": "private"})
		elsewhere := option(org, hidden, "2026-06-06T16:00:00Z")
		canceled := published(org, nil)
		org.Post("/events/"+canceled+"/cancel", nil).Want(200)
		const unknown = "01890a5d-ac96-774b-bcce-b302099a8057"
		for _, row := range []struct {
			name, who, method, path string
			body                    any
			status                  int
		}{
			{"a wrong body for a hidden event", "ann", "POST", hidden + "/messages", `{}`, 404},
			{"an empty message for a hidden event", "ann", "POST", hidden + "/messages", `{"body":" "}`, 404},
			{"an empty message from outside the chat", "ann", "POST", open + "/messages", `{"body":" "}`, 400},
			{"a message from outside the chat", "ann", "POST", open + "/messages", `{"body":"x"}`, 403},
			{"an unknown mode for a hidden event", "ann", "PATCH", hidden + "/date-mode", `{"mode":"VOTE"}`, 404},
			{"an unknown mode", "ann", "PATCH", open + "/date-mode", `{"mode":"VOTE"}`, 400},
			{"a date that ends before it begins", "ann", "POST", open + "/date-options", `{"starts_at":"2026-06-07T16:00:00Z","ends_at":"2026-06-07T15:00:00Z"}`, 400},
			{"a date from a guest", "ann", "POST", open + "/date-options", `{"starts_at":"2026-06-07T16:00:00Z"}`, 403},
			{"a date for a canceled event", "org", "POST", canceled + "/date-options", `{"starts_at":"2026-06-07T16:00:00Z"}`, 403},
			{"a wrong date for a canceled event", "org", "POST", canceled + "/date-options", `{"starts_at":"1999-06-07T16:00:00Z"}`, 400},
			{"reminders without offsets", "ann", "PATCH", open + "/reminders", `{"enabled":true,"offsets_minutes":[]}`, 400},
			{"reminders from a guest", "ann", "PATCH", open + "/reminders", `{"enabled":true}`, 403},
			{"a vote for an option of another event", "org", "POST", open + "/date-options/" + elsewhere + "/votes", nil, 404},
			{"no vote for an option of another event", "org", "DELETE", open + "/date-options/" + elsewhere + "/votes", nil, 404},
			{"selecting an option of another event", "org", "POST", open + "/date-options/" + elsewhere + "/select", nil, 404},
			{"selecting an unknown option as a guest", "ann", "POST", open + "/date-options/" + unknown + "/select", nil, 404},
			{"an unknown event", "org", "GET", unknown + "/date-options", nil, 404},
			{"a malformed option", "org", "POST", open + "/date-options/1/votes", nil, 404},
		} {
			t.Run(row.name, func(t *testing.T) {
				a.As(row.who).In(t).Do(row.method, "/events/"+row.path, row.body).Want(row.status)
			})
		}
	}, apptest.StartAt(today))
}
