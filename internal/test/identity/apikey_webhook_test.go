package identity_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"moothall/internal/test/apptest"
)

// TestKeyNeedsScopesOfWhatWebhookShows creates and changes webhooks with keys that lack a scope.
func TestKeyNeedsScopesOfWhatWebhookShows(t *testing.T) {
	reads := map[string]string{
		"event.created": "events:read", "event.published": "events:read", "event.updated": "events:read", "event.canceled": "events:read",
		"event.completed": "events:read", "date.selected": "events:read", "attendance.joined": "attendance:read",
		"attendance.left":     "attendance:read",
		"invitation.answered": "attendance:read", "post.created": "posts:read", "post.deleted": "posts:read",
		"comment.created": "posts:read", "review.created": "reviews:read",
	}
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		for _, scope := range []string{"events:read", "attendance:read", "posts:read", "reviews:read"} {
			key := keyOf(a, ann, scope, "webhooks:write")
			for kind, needs := range reads {
				body := apptest.Fields{"url": "https://example.com/" + kind, "kinds": []string{kind}}
				if needs == scope {
					key.Delete("/me/webhooks/" + key.Post("/me/webhooks", body).Want(http.StatusCreated).Text("id")).Want(http.StatusNoContent)
				} else {
					wantInsufficientScope(t, key.Post("/me/webhooks", body))
				}
			}
		}
		key := keyOf(a, ann, "attendance:read", "webhooks:write")
		body := apptest.Fields{"url": "https://example.com/", "kinds": []string{"attendance.joined"}, "include_incognito": true}
		wantInsufficientScope(t, key.Post("/me/webhooks", body))
		incognito := "/me/webhooks/" + ann.Post("/me/webhooks", body).Want(http.StatusCreated).Text("id")
		wide := "/me/webhooks/" + ann.Post("/me/webhooks", apptest.Fields{"url": "https://example.com/",
			"kinds": []string{"post.created"}}).Want(http.StatusCreated).Text("id")
		own := "/me/webhooks/" + key.Post("/me/webhooks", apptest.Fields{"url": "https://example.com/",
			"kinds": []string{"attendance.left"}}).Want(http.StatusCreated).Text("id")
		for _, refused := range []*apptest.Reply{
			key.Patch(own, apptest.Fields{"include_incognito": true}),
			key.Patch(own, apptest.Fields{"kinds": []string{"post.created"}}),
			key.Patch(incognito, apptest.Fields{"url": "https://example.com/thief"}),
			key.Patch(wide, apptest.Fields{"url": "https://example.com/thief"}),
		} {
			wantInsufficientScope(t, refused)
		}
		if url := ann.Get(incognito).Want(http.StatusOK).Text("url"); url != "https://example.com/" {
			t.Errorf("the key has changed the URL to %s", url)
		}
		key.Patch(own, apptest.Fields{"kinds": []string{"attendance.joined"}}).Want(http.StatusOK)
		ann.Patch(own, apptest.Fields{"kinds": []string{"post.created"}, "include_incognito": true}).Want(http.StatusOK)
	})
}

// keyOf creates a key and returns a client that uses it.
func keyOf(a *apptest.App, c *apptest.Client, scopes ...string) *apptest.Client {
	return a.WithBearer(create(c, "Till", scopes...).Text("key")).With("Accept", "application/problem+json")
}

func wantInsufficientScope(t *testing.T, r *apptest.Reply) {
	t.Helper()
	if r.Status != http.StatusForbidden || r.Text("reason") != "insufficient_scope" {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

// TestKeyIsListedWithItsWebhooks lists what a key has created, notifies the owner, and ends it on request.
func TestKeyIsListedWithItsWebhooks(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.As("ann"), a.As("bob")
		made, other := create(ann, "Till", "events:read", "webhooks:write"), create(ann, "Other", "events:read")
		body := apptest.Fields{"url": "https://example.com/", "kinds": []string{"event.created"}}
		hook := a.WithBearer(made.Text("key")).Post("/me/webhooks", body).Want(http.StatusCreated)
		if hook.Text("api_key_id") != made.Text("id") {
			t.Errorf("%s", hook.Body)
		}
		var kinds []string
		notifications := ann.Get("/notifications").Want(http.StatusOK)
		for i := range notifications.Len("items") {
			kinds = append(kinds, notifications.Text(fmt.Sprintf("items.%d.kind", i)))
		}
		if !slices.Contains(kinds, "webhook_added") {
			t.Errorf("the owner was notified of %s", kinds)
		}
		if own := ann.Post("/me/webhooks", body).Want(http.StatusCreated); own.Get("api_key_id") != nil {
			t.Errorf("%s", own.Body)
		}
		list := ann.Get("/me/api-keys").Want(http.StatusOK)
		if list.Len("items.0.webhooks") != 1 || list.Text("items.0.webhooks.0.id") != hook.Text("id") ||
			list.Text("items.0.webhooks.0.url") != "https://example.com/" || list.Len("items.1.webhooks") != 0 {
			t.Errorf("%s", list.Body)
		}
		path := "/me/api-keys/" + made.Text("id")
		bob.Delete(path + "?webhooks=true").Want(http.StatusNoContent)
		ann.Delete("/me/api-keys/" + other.Text("id") + "?webhooks=true").Want(http.StatusNoContent)
		if n := ann.Get("/me/webhooks").Want(http.StatusOK).Len("items"); n != 2 {
			t.Errorf("%d webhooks", n)
		}
		ann.Delete(path + "?webhooks=true").Want(http.StatusNoContent)
		if left := ann.Get("/me/webhooks").Want(http.StatusOK); left.Len("items") != 1 || left.Get("items.0.api_key_id") != nil {
			t.Errorf("%s", left.Body)
		}
	})
}
