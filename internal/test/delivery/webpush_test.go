package delivery_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"moothall/internal/delivery/webpush"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/outboundtest"
)

const path = "/me/push-subscriptions"

// keys returns the keys of a new browser.
func keys(t *testing.T) apptest.Fields {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return apptest.Fields{"p256dh": base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()), "auth": "BTBZMqHH6r4Tts7J_aSIgg"}
}

func subscription(t *testing.T, endpoint string) apptest.Fields {
	t.Helper()
	return apptest.Fields{"endpoint": endpoint, "expirationTime": nil, "keys": keys(t)}
}

// listed returns the ids of the active subscriptions.
func listed(c *apptest.Client) []string {
	var ids []string
	for _, item := range c.Get(path).Want(200).Get("items").([]any) {
		ids = append(ids, item.(map[string]any)["id"].(string))
	}
	return ids
}

// counted returns the number of push subscriptions that the notification preferences show.
func counted(c *apptest.Client) int {
	return int(c.Get("/me/notification-preferences").Want(200).Number("push_subscriptions"))
}

var rowsStmt = db.SQL("webpush_test.rows", `SELECT COUNT(*) FROM push_subscriptions`)

// TestSubscribe stores, lists and removes subscriptions. The same endpoint is the same one.
func TestSubscribe(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann").With("User-Agent", "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36")
		if key := ann.Get("/push/key").Want(200).Text("public_key"); len(key) != 87 || ann.On(1).Get("/push/key").Text("public_key") != key {
			t.Errorf("key %q", key)
		}
		first := ann.Post(path, subscription(t, "https://push.example.com/ann")).Want(201)
		if first.Text("endpoint_host") != "push.example.com" || first.Text("device_name") != "Chrome on Android" ||
			first.Get("is_current") != true {
			t.Errorf("%s", first.Body)
		}
		if strings.Contains(string(first.Body), "/ann") {
			t.Error("the response contains the endpoint")
		}
		again := ann.On(1).Post(path, subscription(t, "https://push.example.com/ann")).Want(201)
		if string(again.Body) != string(first.Body) {
			t.Errorf("%s, repeated %s", first.Body, again.Body)
		}
		other := a.SignIn("ann@example.org")
		a.Clock.Advance(time.Second)
		other.Post(path, subscription(t, "https://push.example.com/other")).Want(201)
		list := ann.Get(path).Want(200)
		if list.Len("items") != 2 || list.Get("items.0.is_current") != true || list.Get("items.1.is_current") != false {
			t.Errorf("%s", list.Body)
		}
		var export struct {
			Subscriptions []struct {
				Host string `json:"endpoint_host"`
			} `json:"push_subscriptions"`
		}
		body := ann.Get("/me/export").Want(200).Body
		if err := json.Unmarshal(body, &export); err != nil || len(export.Subscriptions) != 2 ||
			export.Subscriptions[0].Host != "push.example.com" {
			t.Errorf("%+v, %v", export, err)
		}
		bob, id := a.As("bob"), first.Text("id")
		bob.Delete(path+"/"+id).WantError(404, "not_found")
		if len(listed(bob)) != 0 {
			t.Error("bob sees subscriptions")
		}
		ann.Delete(path + "/" + id).Want(204)
		ann.Delete(path+"/"+id).WantError(404, "not_found")
		ann.Delete("/me").Want(204)
		if n := a.Count(rowsStmt); n != 0 {
			t.Errorf("%d subscriptions of a deleted account", n)
		}
	}, apptest.Instances(2), apptest.StartAt(apptest.Today))
}

// TestBrowserOfTwoUsers lets a second user subscribe in a browser that a first one has used.
func TestBrowserOfTwoUsers(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.As("ann"), a.As("bob")
		shared := subscription(t, "https://push.example.com/shared")
		anns := ann.Post(path, shared).Want(201).Text("id")
		bobs := bob.Post(path, shared).Want(201).Text("id")
		if anns == bobs || len(listed(ann)) != 0 || len(listed(bob)) != 1 {
			t.Errorf("ann %v, bob %v", listed(ann), listed(bob))
		}
		if counted(ann) != 0 || counted(bob) != 1 {
			t.Errorf("the preferences count %d and %d", counted(ann), counted(bob))
		}
		ann.Delete(path+"/"+bobs).WantError(404, "not_found")
	})
}

// TestSubscriptionsAreLimited checks the limit, also for concurrent requests. Subscriptions of
// ended sessions do not count.
func TestSubscriptionsAreLimited(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		old := a.SignIn("ann@example.org")
		old.Post(path, subscription(t, "https://push.example.com/old")).Want(201)
		old.Post("/auth/logout", map[string]string{"refresh_token": old.RefreshToken}).Want(204)
		replies := apptest.Replies(12, func(i int) *apptest.Reply {
			return ann.On(i%2).Post(path, subscription(t, fmt.Sprintf("https://push.example.com/%d", i)))
		})
		refused := 0
		for _, r := range replies {
			if r.Status == 403 {
				r.WantError(403, "forbidden")
				refused++
			}
		}
		if refused != 2 || len(listed(ann)) != 10 || counted(ann) != 10 {
			t.Errorf("%d refused, %d left, %d counted", refused, len(listed(ann)), counted(ann))
		}
	}, apptest.Instances(2))
}

// TestSubscriptionEndsWithSession ends the session in every way.
func TestSubscriptionEndsWithSession(t *testing.T) {
	for name, end := range map[string]func(a *apptest.App, ann, phone *apptest.Client){
		"logout": func(_ *apptest.App, _, phone *apptest.Client) {
			phone.Post("/auth/logout", map[string]string{"refresh_token": phone.RefreshToken}).Want(204)
		},
		"revocation": func(_ *apptest.App, ann, phone *apptest.Client) {
			ann.Delete("/auth/sessions/" + phone.Get("/auth/sessions").Text("items.0.session_id")).Want(204)
		},
		"revocation of the others": func(_ *apptest.App, ann, _ *apptest.Client) {
			ann.Post("/auth/sessions/revoke-others", nil).Want(204)
		},
		"theft of a refresh token": func(a *apptest.App, _, phone *apptest.Client) {
			a.Anonymous().Refresh(phone.RefreshToken).Want(200)
			a.Clock.Advance(time.Minute)
			a.Anonymous().Refresh(phone.RefreshToken).WantError(401, "unauthorized")
		},
		"expiry": func(a *apptest.App, _, _ *apptest.Client) { a.Clock.Advance(31 * 24 * time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			apptest.Rules(t, func(t *testing.T, a *apptest.App) {
				ann, phone := a.As("ann"), a.SignIn("ann@example.org")
				phone.Post(path, subscription(t, "https://push.example.com/phone")).Want(201)
				end(a, ann, phone)
				if name == "expiry" {
					ann = a.SignIn("ann@example.org")
				}
				if ids := listed(ann); len(ids) != 0 {
					t.Errorf("subscriptions %v", ids)
				}
				ann.Post(path, subscription(t, "https://push.example.com/tablet")).Want(201)
				service := &webpush.Service{DB: a.DB, Clock: a.Clock.Now}
				if err := service.Purge(t.Context()); err != nil {
					t.Fatal(err)
				}
				if n := a.Count(rowsStmt); n != 1 {
					t.Errorf("%d rows after the purge", n)
				}
			}, apptest.StartAt(apptest.Today))
		})
	}
}

// TestHostileSubscriptions refuses endpoints that the service must not connect to, in every
// notation, and keys that are none.
func TestHostileSubscriptions(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		for _, row := range outboundtest.URLs(t, "127.0.0.1") {
			if row.Expect != "400" {
				continue
			}
			if r := ann.Post(path, subscription(t, row.URL)); r.Status != 400 {
				t.Errorf("%.80q: %d", row.URL, r.Status)
			}
		}
		good := keys(t)
		for name, change := range map[string]apptest.Fields{
			"no key":                    {"p256dh": ""},
			"short key":                 {"p256dh": "BTBZMqHH6r4Tts7J_aSIgg"},
			"key beside the curve":      {"p256dh": "B" + strings.Repeat("A", 85) + "Q"},
			"compressed key":            {"p256dh": "A" + good["p256dh"].(string)[1:44]},
			"key in another alphabet":   {"p256dh": strings.Repeat("+", 87)},
			"no secret":                 {"auth": ""},
			"short secret":              {"auth": "BTBZMqHH6r4Tts7J_aSI"},
			"secret with a line break":  {"auth": "BTBZMqHH6r4Tts7J_\naSIg"},
			"secret that is not base64": {"auth": "BTBZMqHH6r4Tts7J_aSIg!"},
		} {
			sent := apptest.Fields{"p256dh": good["p256dh"], "auth": good["auth"]}
			maps.Copy(sent, change)
			if r := ann.Post(path, apptest.Fields{"endpoint": "https://push.example.com/1", "keys": sent}); r.Status != 400 {
				t.Errorf("%s: %d %s", name, r.Status, r.Body)
			}
		}
		if n := a.Count(rowsStmt); n != 0 {
			t.Errorf("%d subscriptions", n)
		}
	})
}

// TestWithoutPush hides the operations of a service without VAPID_SUBJECT.
func TestWithoutPush(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		ann.Get("/push/key").WantError(404, "not_found")
		ann.Get(path).WantError(404, "not_found")
		ann.Post(path, subscription(t, "https://push.example.com/ann")).WantError(404, "not_found")
	}, apptest.Setting("VAPID_SUBJECT", ""))
}
