package meetup_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/reminder"
	"moothall/internal/test/apptest"
)

func TestReminders(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		path := "/events/" + event + "/reminders"
		never := org.Get(path).Want(200)
		wantReminders(t, never, `false [1440,60] ["in_app"]`)
		if never.Get("updated_at") != nil || never.Get("updated_by_user_id") != nil || never.Text("event_id") != event {
			t.Errorf("never set: %s", never.Body)
		}
		if same := org.Patch(path, apptest.Fields{}).Want(200); string(same.Body) != string(never.Body) {
			t.Errorf("an empty change: %s", same.Body)
		}
		var last string // the reply to the last change
		for _, row := range []struct {
			name string
			body any
			want string // enabled, offsets and channels, or the status of the refusal
		}{
			{"enabled without offsets", apptest.Fields{"enabled": true, "offsets_minutes": []int{}}, "400"},
			{"enabled", apptest.Fields{"enabled": true}, `true [1440,60] ["in_app"]`},
			{"again", apptest.Fields{"enabled": true}, "same"},
			{"nothing", apptest.Fields{}, "same"},
			{"the offsets are ordered", apptest.Fields{"offsets_minutes": []int{5, 40320, 60, 90, 7}}, `true [40320,90,60,7,5] ["in_app"]`},
			{"no offsets while enabled", apptest.Fields{"offsets_minutes": []int{}}, "400"},
			{"an offset twice", apptest.Fields{"offsets_minutes": []int{60, 60}}, "400"},
			{"six offsets", apptest.Fields{"offsets_minutes": []int{10, 20, 30, 40, 50, 60}}, "400"},
			{"too soon", apptest.Fields{"offsets_minutes": []int{4}}, "400"},
			{"too early", apptest.Fields{"offsets_minutes": []int{40321}}, "400"},
			{"half a minute", `{"offsets_minutes":[7.5]}`, "400"},
			{"an unknown channel", apptest.Fields{"channels": []string{"sms"}}, "400"},
			{"a channel twice", apptest.Fields{"channels": []string{"push", "push"}}, "400"},
			{"channels", apptest.Fields{"channels": []string{"push", "email"}}, `true [40320,90,60,7,5] ["push","email"]`},
			{"off", apptest.Fields{"enabled": false, "offsets_minutes": []int{}}, `false [] ["push","email"]`},
			{"on again", apptest.Fields{"enabled": true}, "400"},
			{"no channels", apptest.Fields{"channels": []string{}}, `false [] []`},
		} {
			t.Run(row.name, func(t *testing.T) {
				a.Clock.Advance(time.Second)
				reply := org.In(t).Patch(path, row.body)
				switch row.want {
				case "400":
					reply.WantError(400, "invalid_request")
				case "same":
					if string(reply.Want(200).Body) != last {
						t.Errorf("%s, was %s", reply.Body, last)
					}
				default:
					wantReminders(t, reply.Want(200), row.want)
					if reply.Text("updated_at") != a.Clock.Now().UTC().Format(time.RFC3339) || reply.Text("updated_by_user_id") != org.UserID {
						t.Errorf("changed: %s", reply.Body)
					}
					last = string(reply.Body)
				}
				if now := org.In(t).Get(path).Want(200); last != "" && string(now.Body) != last {
					t.Errorf("read: %s, was %s", now.Body, last)
				}
			})
		}
	}, apptest.StartAt(apptest.Today))
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

// TestRemindersRefuseInOrder checks that 400 comes before 403.
func TestRemindersRefuseInOrder(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := a.As("org").Publish(nil)
		for body, status := range map[string]int{`{"enabled":true,"offsets_minutes":[]}`: 400, `{"enabled":true}`: 403} {
			a.As("ann").Patch("/events/"+event+"/reminders", body).Want(status)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestRemindersAccount exports the settings of a user's events.
func TestRemindersAccount(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		org.Patch("/events/"+org.Publish(nil)+"/reminders", apptest.Fields{"enabled": true}).Want(200)
		for c, want := range map[*apptest.Client]string{org: `"offsets_minutes":[1440,60]`, ann: `[]`} {
			user, err := domain.ParseID[domain.UserKind](c.UserID)
			if err != nil {
				t.Fatal(err)
			}
			value, err := reminder.Export(t.Context(), a.DB, user)
			if err != nil {
				t.Fatal(err)
			}
			if encoded, err := json.Marshal(value); err != nil || !strings.Contains(string(encoded), want) {
				t.Errorf("the export lacks %s: %s, %v", want, encoded, err)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestConcurrentChangesAreKept changes different fields at once.
func TestConcurrentChangesAreKept(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		changes := []apptest.Fields{{"enabled": true}, {"offsets_minutes": []int{30}}, {"channels": []string{"push"}}}
		apptest.Concurrently(12, func(i int) { org.On(i).Patch("/events/"+event+"/reminders", changes[i%3]).Want(200) })
		is := org.Get("/events/" + event + "/reminders").Want(200)
		if is.Get("enabled") != true || is.Number("offsets_minutes.0") != 30 || is.Text("channels.0") != "push" {
			t.Errorf("reminders: %s", is.Body)
		}
	}, apptest.StartAt(apptest.Today))
}
