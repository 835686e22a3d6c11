package coord_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/coord"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

func TestReminders(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := published(org, nil)
		path := "/events/" + event + "/reminders"
		never := org.Get(path).Want(200)
		wantReminders(t, never, `false [1440,60] ["in_app"]`)
		if never.Get("updated_at") != nil || never.Get("updated_by_user_id") != nil || never.Text("event_id") != event {
			t.Errorf("never set: %s", never.Body)
		}
		if same := org.Patch(path, fields{}).Want(200); string(same.Body) != string(never.Body) {
			t.Errorf("an empty change: %s", same.Body)
		}
		var stands string // the answer of the last change
		for _, row := range []struct {
			name string
			body any
			want string // enabled, offsets and channels, or the status of the refusal
		}{
			{"enabled without offsets", fields{"enabled": true, "offsets_minutes": []int{}}, "400"},
			{"enabled", fields{"enabled": true}, `true [1440,60] ["in_app"]`},
			{"again", fields{"enabled": true}, "same"},
			{"nothing", fields{}, "same"},
			{"the offsets are ordered", fields{"offsets_minutes": []int{5, 40320, 60, 90, 7}}, `true [40320,90,60,7,5] ["in_app"]`},
			{"no offsets while enabled", fields{"offsets_minutes": []int{}}, "400"},
			{"an offset twice", fields{"offsets_minutes": []int{60, 60}}, "400"},
			{"six offsets", fields{"offsets_minutes": []int{10, 20, 30, 40, 50, 60}}, "400"},
			{"too soon", fields{"offsets_minutes": []int{4}}, "400"},
			{"too early", fields{"offsets_minutes": []int{40321}}, "400"},
			{"half a minute", `{"offsets_minutes":[7.5]}`, "400"},
			{"null", `{"offsets_minutes":null}`, "400"},
			{"an unknown channel", fields{"channels": []string{"sms"}}, "400"},
			{"a channel twice", fields{"channels": []string{"push", "push"}}, "400"},
			{"channels", fields{"channels": []string{"push", "email"}}, `true [40320,90,60,7,5] ["push","email"]`},
			{"off", fields{"enabled": false, "offsets_minutes": []int{}}, `false [] ["push","email"]`},
			{"on again", fields{"enabled": true}, "400"},
			{"no channels", fields{"channels": []string{}}, `false [] []`},
		} {
			t.Run(row.name, func(t *testing.T) {
				a.Clock.Advance(time.Second)
				reply := org.In(t).Patch(path, row.body)
				switch row.want {
				case "400":
					reply.WantError(400, "invalid_request")
				case "same":
					if string(reply.Want(200).Body) != stands {
						t.Errorf("%s, was %s", reply.Body, stands)
					}
				default:
					wantReminders(t, reply.Want(200), row.want)
					if moment(t, reply.Text("updated_at")) != a.Clock.Now() || reply.Text("updated_by_user_id") != org.UserID {
						t.Errorf("changed: %s", reply.Body)
					}
					stands = string(reply.Body)
				}
				if now := org.In(t).Get(path).Want(200); stands != "" && string(now.Body) != stands {
					t.Errorf("read: %s, was %s", now.Body, stands)
				}
			})
		}
	}, apptest.StartAt(today))
}

func wantReminders(t *testing.T, reply *apptest.Reply, want string) {
	t.Helper()
	var is struct {
		Enabled  json.RawMessage `json:"enabled"`
		Offsets  json.RawMessage `json:"offsets_minutes"`
		Channels json.RawMessage `json:"channels"`
	}
	if err := json.Unmarshal(reply.Body, &is); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join([]string{string(is.Enabled), string(is.Offsets), string(is.Channels)}, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestAccount exports what a person has written and voted for, and forgets
// it: votes are gone, messages stay in their places, empty.
func TestAccount(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := published(org, fields{"date_mode": "vote"})
		join(ann, event)
		first := option(org, event, "2026-06-06T16:00:00Z")
		ann.Post("/events/"+event+"/date-options/"+first+"/votes", nil).Want(200)
		org.Post("/events/"+event+"/date-options/"+first+"/votes", nil).Want(200)
		sent := ann.Post("/events/"+event+"/messages", fields{"body": "I am ill.", "client_message_id": first}).Want(201)
		say(org, event, "Get well!")
		org.Patch("/events/"+event+"/reminders", fields{"enabled": true}).Want(200)

		user := parse[domain.UserKind](t, ann.UserID)
		wantExport := func(id domain.UserID, parts ...string) {
			t.Helper()
			value, err := coord.Export(t.Context(), a.DB, id)
			if err != nil {
				t.Fatal(err)
			}
			encoded, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range parts {
				if !strings.Contains(string(encoded), part) {
					t.Errorf("the export lacks %s: %s", part, encoded)
				}
			}
		}
		wantExport(user, `"option_id":"`+first+`"`, `"id":"`+sent.Text("id")+`"`, `"body":"I am ill."`, `"reminders":[]`, `"date_options":[]`)
		wantExport(parse[domain.UserKind](t, org.UserID), `"id":"`+first+`"`, `"offsets_minutes":[1440,60]`, `"body":"Get well!"`)

		for range 2 {
			a.Clock.Advance(time.Minute)
			if err := a.DB.InTx(t.Context(), func(tx db.Tx) error { return coord.Erase(t.Context(), tx, user, a.Clock.Now()) }); err != nil {
				t.Fatal(err)
			}
		}
		wantExport(user, `"date_votes":[]`, `"messages":[]`)
		wantListed(t, org, event, "06-06 1+")
		chat := org.Get("/events/" + event + "/messages").Want(200)
		if chat.Len("items") != 2 || chat.Text("items.1.body") != "" || chat.Text("items.1.created_at") != sent.Text("created_at") ||
			chat.Text("items.1.deleted_at") != "2026-06-01T12:01:00Z" || chat.Text("items.0.body") != "Get well!" {
			t.Errorf("the chat: %s", chat.Body)
		}
		if own := ann.Get("/events/" + event + "/messages").Want(200); own.Get("items.1.client_message_id") != nil {
			t.Errorf("the client's id is kept: %s", own.Body)
		}
	}, apptest.StartAt(today))
}
