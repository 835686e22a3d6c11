package delivery_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

const preferencesPath = "/me/notification-preferences"

// modeOf returns the mode and the default of a rule.
func modeOf(r *apptest.Reply, kind, channel string) string {
	for _, rule := range r.Get("rules").([]any) {
		fields := rule.(map[string]any)
		if fields["kind"] == kind && fields["channel"] == channel {
			return fields["mode"].(string) + " " + fields["default"].(string)
		}
	}
	return "no rule"
}

func rule(kind, channel, mode string) apptest.Fields {
	return apptest.Fields{"rules": []apptest.Fields{{"kind": kind, "channel": channel, "mode": mode}}}
}

var storedStmt = db.SQL("deliver_test.stored", `SELECT (SELECT COUNT(*) FROM notification_rules) + (SELECT COUNT(*)
	FROM notification_settings)`)

// TestPreferences changes one field after the other. Defaults are not stored.
func TestPreferences(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		never := ann.Get(preferencesPath).Want(200)
		for kind, want := range map[string]string{
			"event_canceled email": "instant instant", "event_joined email": "digest digest", "event_joined push": "instant instant",
			"followed_user_event email": "digest digest", "followed_user_event push": "off off", "post_liked email": "off off",
		} {
			kind, channel, _ := strings.Cut(kind, " ")
			if got := modeOf(never, kind, channel); got != want {
				t.Errorf("default of %s %s: %s", kind, channel, got)
			}
		}
		if never.Text("email.address") != "ann@example.org" || never.Get("email.verified") != true {
			t.Errorf("email: %s", never.Body)
		}
		for _, row := range []struct {
			name string
			body apptest.Fields
			path string
			want string // JSON, or "400"
		}{
			{"nothing", apptest.Fields{}, "quiet_hours", "null"},
			{"quiet hours", apptest.Fields{"quiet_hours": apptest.Fields{"from": "22:00", "to": "08:05"}}, "quiet_hours", `{"from":"22:00","to":"08:05"}`},
			{"quiet hours that end as they begin", apptest.Fields{"quiet_hours": apptest.Fields{"from": "22:00", "to": "22:00"}}, "", "400"},
			{"quiet hours after midnight", apptest.Fields{"quiet_hours": apptest.Fields{"from": "24:00", "to": "22:00"}}, "", "400"},
			{"half of the quiet hours", apptest.Fields{"quiet_hours": apptest.Fields{"from": "20:00"}}, "", "400"},
			{"zone", apptest.Fields{"timezone": "Europe/Berlin"}, "timezone", `"Europe/Berlin"`},
			{"an offset is no zone", apptest.Fields{"timezone": "Etc/GMT-3"}, "", "400"},
			{"an unknown zone", apptest.Fields{"timezone": "Europe/Atlantis"}, "", "400"},
			{"digest", apptest.Fields{"digest": apptest.Fields{"hour": 0, "weekdays": []int{5, 1}}}, "digest", `{"hour":0,"weekdays":[1,5]}`},
			{"a digest on no day", apptest.Fields{"digest": apptest.Fields{"hour": 8, "weekdays": []int{}}}, "", "400"},
			{"a digest at 24:00", apptest.Fields{"digest": apptest.Fields{"hour": 24, "weekdays": []int{1}}}, "", "400"},
			{"language", apptest.Fields{"language": "de"}, "language", `"de"`},
			{"an unknown language", apptest.Fields{"language": "tlh"}, "", "400"},
			{"no quiet hours", apptest.Fields{"quiet_hours": nil}, "quiet_hours", "null"},
			{"the default zone", apptest.Fields{"timezone": nil}, "timezone", `"UTC"`},
			{"the default digest", apptest.Fields{"digest": nil}, "digest", `{"hour":8,"weekdays":[1,2,3,4,5,6,7]}`},
			{"the default language", apptest.Fields{"language": nil}, "language", `"en"`},
			{"locale", apptest.Fields{"locale": "de-AT"}, "locale", `"de-AT"`},
			{"the language of the locale", apptest.Fields{}, "language", `"de"`},
			{"another language", apptest.Fields{"language": "ru"}, "language", `"ru"`},
			{"that of the locale again", apptest.Fields{"language": nil}, "language", `"de"`},
			{"a malformed locale", apptest.Fields{"locale": "de at"}, "", "400"},
			{"no locale", apptest.Fields{"locale": nil}, "locale", "null"},
		} {
			t.Run(row.name, func(t *testing.T) {
				reply := ann.In(t).Patch(preferencesPath, row.body)
				if row.want == "400" {
					reply.WantError(400, "invalid_request")
					return
				}
				if got, _ := json.Marshal(reply.Want(200).Get(row.path)); string(got) != row.want {
					t.Errorf("%s: %s", row.path, got)
				}
				if now := ann.In(t).Get(preferencesPath).Want(200); string(now.Body) != string(reply.Body) {
					t.Errorf("read %s, changed %s", now.Body, reply.Body)
				}
			})
		}
		if n := a.Count(storedStmt); n != 0 {
			t.Errorf("%d rows of defaults are stored", n)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestPreferenceRules changes the modes of kinds and channels.
func TestPreferenceRules(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, ben := a.As("ann"), a.As("ben")
		for _, row := range []struct {
			kind, channel, mode string
			want                string // the mode and the default, or "400"
		}{
			{"event_joined", "email", "off", "off digest"},
			{"event_joined", "email", "instant", "instant digest"},
			{"event_joined", "email", "digest", "digest digest"},
			{"post_liked", "email", "digest", "digest off"},
			{"event_canceled", "email", "off", "off instant"},
			{"event_canceled", "email", "digest", "400"},
			{"event_reminder", "email", "digest", "400"},
			{"event_joined", "push", "digest", "400"},
			{"event_joined", "push", "off", "off instant"},
			{"event_joined", "in_app", "off", "400"},
			{"event_joined", "email", "sometimes", "400"},
			{"event_burnt", "email", "off", "400"},
		} {
			reply := ann.Patch(preferencesPath, rule(row.kind, row.channel, row.mode))
			if row.want == "400" {
				reply.WantError(400, "invalid_request")
				continue
			}
			if got := modeOf(reply.Want(200), row.kind, row.channel); got != row.want {
				t.Errorf("%s %s %s: %s", row.kind, row.channel, row.mode, got)
			}
		}
		if n := a.Count(storedStmt); n != 3 {
			t.Errorf("%d rules are stored, want those that differ from the default", n)
		}
		twice := apptest.Fields{"kind": "event_post", "channel": "email", "mode": "off"}
		ann.Patch(preferencesPath, apptest.Fields{"rules": []apptest.Fields{twice, twice}}).WantError(400, "invalid_request")
		if got := modeOf(ben.Get(preferencesPath).Want(200), "event_canceled", "email"); got != "instant instant" {
			t.Errorf("the rule of another user: %s", got)
		}
		a.Anonymous().Get(preferencesPath).WantError(401, "unauthorized")
	}, apptest.StartAt(apptest.Today))
}

var mutedRowsStmt = db.SQL("deliver_test.muted", `SELECT COUNT(*) FROM muted_events`)

// TestMute mutes events that the user sees.
func TestMute(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		open, hidden := "/events/"+org.Publish(nil)+"/mute", "/events/"+org.Publish(apptest.Fields{"visibility": "private"})+"/mute"
		for _, row := range []struct {
			method string
			muted  bool
			rows   int
		}{{"PUT", true, 1}, {"PUT", true, 1}, {"DELETE", false, 0}, {"DELETE", false, 0}} {
			if got := ann.Do(row.method, open, nil).Want(200); got.Get("muted") != row.muted {
				t.Errorf("%s: %s", row.method, got.Body)
			}
			if n := a.Count(mutedRowsStmt); n != row.rows {
				t.Errorf("%s: %d rows", row.method, n)
			}
		}
		ann.Do("PUT", hidden, nil).WantError(404, "not_found")
		org.Do("PUT", hidden, nil).Want(200)
	}, apptest.StartAt(apptest.Today))
}
