package delivery_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

func TestManageWebhooks(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, _ *receiver) {
		org, bob := a.As("org"), a.As("bob")
		keyed := org.With("Idempotency-Key", "hook-1")
		body := apptest.Fields{"url": "https://EXAMPLE.com/in#part", "kinds": []string{"attendance.joined"}}
		made := keyed.Post("/me/webhooks", body).Want(http.StatusCreated)
		if again := keyed.Post("/me/webhooks", body).Want(http.StatusCreated); string(again.Body) != string(made.Body) {
			t.Errorf("%s, repeated %s", made.Body, again.Body)
		}
		if made.Text("url") != "https://example.com/in" || made.Text("status") != "pending" || !strings.HasPrefix(made.Text("secret"), "whsec_") {
			t.Errorf("%s", made.Body)
		}
		path := "/me/webhooks/" + made.Text("id")
		for _, text := range []string{string(org.Get(path).Want(200).Body), string(org.Get("/me/webhooks").Want(200).Body), a.Log(),
			string(org.Get("/me/export").Body)} {
			if strings.Contains(text, made.Text("secret")) {
				t.Error("the secret is shown again")
			}
		}
		changed := org.Patch(path, apptest.Fields{"kinds": []string{"event.canceled", "date.selected"}, "include_incognito": true,
			"status": "paused"}).Want(200)
		if changed.Text("kinds.1") != "date.selected" || changed.Get("include_incognito") != true || changed.Text("status") != "paused" ||
			changed.Text("url") != made.Text("url") {
			t.Errorf("%s", changed.Body)
		}
		org.Post(path+"/test", nil).WantError(403, "forbidden")
		org.Post(path+"/replay", apptest.Fields{"message_id": made.Text("id")}).WantError(403, "forbidden")
		for _, call := range []func() *apptest.Reply{
			func() *apptest.Reply { return bob.Get(path) },
			func() *apptest.Reply { return bob.Patch(path, apptest.Fields{"status": "active"}) },
			func() *apptest.Reply { return bob.Post(path+"/rotate-secret", nil) },
			func() *apptest.Reply { return bob.Post(path+"/test", nil) },
			func() *apptest.Reply { return bob.Post(path+"/replay", apptest.Fields{"message_id": made.Text("id")}) },
			func() *apptest.Reply { return bob.Get(path + "/deliveries") },
			func() *apptest.Reply { return bob.Delete(path) },
			func() *apptest.Reply {
				return bob.Post("/me/webhooks", apptest.Fields{"url": "https://example.com/", "kinds": all, "event_id": org.Publish(nil)})
			},
		} {
			call().WantError(http.StatusNotFound, "not_found")
		}
		org.Delete(path).Want(http.StatusNoContent)
		org.Delete(path).WantError(http.StatusNotFound, "not_found")
		for range 20 {
			hook(bob, "/", nil)
		}
		bob.Post("/me/webhooks", body).WantError(http.StatusForbidden, "forbidden")
		bob.Delete("/me").Want(http.StatusNoContent)
		if a.Count(countStmt) != 0 {
			t.Error("the webhooks of a deleted account are left")
		}
	})
}

var (
	countStmt          = db.SQL("webhook_test.count", `SELECT COUNT(*) FROM webhooks`)
	messagesStmt       = db.SQL("webhook_test.messages", `SELECT COUNT(*) FROM webhook_messages WHERE kind <> 'challenge'`)
	webhookSuspendStmt = db.SQL("webhook_test.suspend", `UPDATE users SET suspended_at = $2 WHERE id = $1`)
	restoreStmt        = db.SQL("webhook_test.restore", `UPDATE users SET suspended_at = NULL WHERE id = $1`)
	webhookDiedStmt    = db.SQL("webhook_test.died", `UPDATE webhook_messages SET attempts = 0, due_at = $1`)
)

// TestEveryChangeSendsMessage causes every kind of message.
func TestEveryChangeSendsMessage(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, r *receiver) {
		org, ann := a.As("org"), a.As("ann")
		ignored := org.Publish(nil)
		secret := hook(org, "/all", nil).Text("secret")
		hook(org, "/one", apptest.Fields{"event_id": ignored, "kinds": []string{"event.canceled"}})
		event := org.Publish(apptest.Fields{"starts_at": a.Clock.Now().Add(time.Hour), "ends_at": a.Clock.Now().Add(2 * time.Hour)})
		org.Patch("/events/"+event, apptest.Fields{"title": "Go"}).Want(200)
		ann.Join(event)
		ann.Join(event)
		post := org.Post("/events/"+event+"/posts", apptest.Fields{"body": "News"}).Want(201).Text("id")
		ann.Post("/events/"+event+"/posts/"+post+"/comments", apptest.Fields{"body": "Well"}).Want(201)
		org.Delete("/events/" + event + "/posts/" + post).Want(204)
		ann.Delete("/events/" + event + "/join").Want(200)
		ann.Join(event)
		private := org.Publish(apptest.Fields{"visibility": "private"})
		org.Post("/events/"+private+"/invitations", apptest.Fields{"email": "ann@example.org"}).Want(201)
		ann.Patch("/events/"+private+"/rsvp", apptest.Fields{"status": "accepted"}).Want(200)
		hosts := "/events/" + private + "/hosts"
		org.Post(hosts, apptest.Fields{"user_id": ann.UserID}).Want(200)
		ann.Patch(hosts+"/"+ann.UserID, apptest.Fields{"status": "active"}).Want(200)
		ann.Delete(hosts + "/" + ann.UserID).Want(204)
		vote := org.Publish(nil)
		org.Patch("/events/"+vote+"/date-mode", apptest.Fields{"date_mode": "vote"})
		option := org.Post("/events/"+vote+"/date-options", apptest.Fields{"starts_at": a.Clock.Now().Add(50 * time.Hour)}).Want(201).Text("id")
		org.Post("/events/"+vote+"/date-options/"+option+"/select", nil).Want(200)
		org.Post("/events/"+vote+"/cancel", nil).Want(200)
		a.Clock.Advance(3 * time.Hour)
		a.RunJobs()
		ann = a.SignIn(apptest.Email("ann"))
		ann.Post("/events/"+event+"/reviews", apptest.Fields{"rating": 5}).Want(201)
		a.RunJobs()

		got := r.messages("/all")
		var kinds []string
		sequences := map[any]map[any]string{} // the ids of messages by event and sequence
		for _, m := range got {
			kinds = append(kinds, m.Type)
			wantSigned(t, m, secret, true)
			id := m.Data["event_id"]
			if sequences[id] == nil {
				sequences[id] = map[any]string{}
			}
			sequence := m.Data["sequence"]
			if first := sequences[id][sequence]; first != "" && first != m.Header.Get("Webhook-Id") { // the same message may come twice
				t.Errorf("two messages have sequence %v", sequence)
			}
			sequences[id][sequence] = m.Header.Get("Webhook-Id")
			switch m.Type {
			case "attendance.joined":
				if p, _ := m.Data["participant"].(map[string]any); p["user_id"] != ann.UserID || m.Data["participant_count"] != 1.0 {
					t.Errorf("%s", m.Body)
				}
			case "invitation.answered":
				if m.Data["status"] != "accepted" || m.Data["event_id"] != private {
					t.Errorf("%s", m.Body)
				}
			}
			if m.Header.Get("User-Agent") != "Moothall webhooks" || m.Header.Get("Content-Type") != "application/json" ||
				m.Header.Get("Cookie") != "" {
				t.Errorf("header %v", m.Header)
			}
		}
		for _, kind := range all {
			if !slices.Contains(kinds, kind) {
				t.Errorf("no message %s in %s", kind, kinds)
			}
		}
		if n := len(sequences[event]); n != 11 || sequences[event][0.0] == "" || sequences[event][10.0] == "" {
			t.Errorf("%d messages about the event: %v", n, sequences[event])
		}
		if len(r.messages("/one")) != 0 {
			t.Error("a webhook of one event got messages about others")
		}
	})
}

// TestCanceledUntitledDraftSendsMessage leaves a draft without a title for a week.
func TestCanceledUntitledDraftSendsMessage(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, r *receiver) {
		org := a.As("org")
		hook(org, "/canceled", apptest.Fields{"kinds": []string{"event.canceled"}})
		draft := org.Draft(apptest.Fields{"title": nil, "untitled": true})
		a.RunJobs()
		a.Clock.Advance(7 * 24 * time.Hour)
		a.RunJobs() // cancels the draft
		a.RunJobs() // sends the message
		got := r.messages("/canceled")
		if len(got) == 0 || got[0].Type != "event.canceled" || got[0].Data["event_id"] != draft {
			t.Errorf("messages about %s: %v", draft, got)
		}
	})
}

// TestEveryEndOfParticipationSendsMessage ends a participation in every way.
func TestEveryEndOfParticipationSendsMessage(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, r *receiver) {
		org := a.As("org")
		hook(org, "/left", apptest.Fields{"kinds": []string{"attendance.left"}})
		for _, c := range []struct {
			name  string
			end   func(guest *apptest.Client, event string)
			named bool
		}{
			{"leaves", func(guest *apptest.Client, event string) { guest.Delete("/events/" + event + "/join").Want(200) }, true},
			{"declines", func(guest *apptest.Client, event string) {
				guest.Patch("/events/"+event+"/rsvp", apptest.Fields{"status": "declined"}).Want(200)
			}, true},
			{"blocks", func(guest *apptest.Client, _ string) { guest.Block(org) }, false},
			{"blocked", func(guest *apptest.Client, _ string) { org.Block(guest) }, false},
			{"deleted", func(guest *apptest.Client, _ string) { guest.Delete("/me").Want(204) }, false},
		} {
			guest, event := a.As(c.name), org.Publish(apptest.Fields{"visibility": "private"})
			org.Post("/events/"+event+"/invitations", apptest.Fields{"email": apptest.Email(c.name)}).Want(201)
			guest.Patch("/events/"+event+"/rsvp", apptest.Fields{"status": "accepted"}).Want(200)
			c.end(guest, event)
			a.RunJobs()
			var got []received
			for _, m := range r.messages("/left") {
				if m.Data["event_id"] == event {
					got = append(got, m)
				}
			}
			if len(got) != 1 || got[0].Data["participant_count"] != 0.0 || (got[0].Data["participant"] != nil) != c.named {
				t.Errorf("%s: %d messages: %v", c.name, len(got), got)
			}
		}
	})
}

// TestEveryChangeOfAnEventIsAnUpdate changes what PATCH /events/{event_id} does not.
func TestEveryChangeOfAnEventIsAnUpdate(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, r *receiver) {
		org := a.As("org")
		hook(org, "/updated", apptest.Fields{"kinds": []string{"event.updated"}})
		event := org.Publish(nil)
		org.Patch("/events/"+event+"/date-mode", apptest.Fields{"mode": "vote"}).Want(204)
		org.Put("/events/"+event+"/cover", apptest.Pixel).Want(200)
		org.Delete("/events/" + event + "/cover").Want(204)
		a.RunJobs()
		if n := len(r.messages("/updated")); n != 3 {
			t.Errorf("%d messages about 3 changes", n)
		}
	})
}

// TestIncognitoIsNotNamed checks who is named, at the moment of sending.
func TestIncognitoIsNotNamed(t *testing.T) {
	each(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, r *receiver) {
		org := a.As("org")
		hook(org, "/default", nil)
		hook(org, "/incognito", apptest.Fields{"include_incognito": true})
		event := org.Publish(nil)
		r.respond(http.StatusInternalServerError)
		join := func(name, visibility string) *apptest.Client {
			c := a.As(name)
			c.Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": visibility}).Want(200)
			return c
		}
		incognito, open, later, blocker := join("ina", "incognito"), join("ann", "public"), join("lea", "public"), join("bea", "public")
		a.RunJobs()
		later.Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		blocker.Block(org)
		r.respond(0)
		for _, m := range r.messages("/default") {
			if strings.Contains(string(m.Body), incognito.UserID) {
				t.Errorf("named: %s", m.Body)
			}
		}
		failed := len(r.messages("/default"))
		failedIncognito := len(r.messages("/incognito"))
		a.Clock.Advance(5 * time.Second)
		a.RunJobs()
		named := func(all []received) (ids []string) {
			for _, m := range all {
				if m.Type == "attendance.joined" {
					if p, ok := m.Data["participant"].(map[string]any); ok {
						ids = append(ids, fmt.Sprint(p["user_id"]))
					} else if _, ok := m.Data["participant"]; !ok || m.Data["participant_count"] == nil {
						t.Errorf("%s", m.Body)
					}
				}
			}
			slices.Sort(ids)
			return ids
		}
		if got := named(r.messages("/default")[failed:]); !slices.Equal(got, []string{open.UserID}) {
			t.Errorf("named by default: %s", got)
		}
		want := []string{incognito.UserID, open.UserID, later.UserID}
		slices.Sort(want)
		if got := named(r.messages("/incognito")[failedIncognito:]); !slices.Equal(got, want) {
			t.Errorf("named with include_incognito: %s", got)
		}
	})
}
