package app_test

import (
	"strings"
	"testing"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

// TestPublicRoutesAreCached reads feeds, embeds and previews twice, the second time with a session: they are computed
// once, until the event changes.
func TestPublicRoutesAreCached(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.StartAt(noon))
	org := a.As("org")
	id := evening(org, "Chess")
	for pattern, path := range map[string]string{
		"GET /feeds/events.atom":           "/feeds/events.atom",
		"GET /feeds/events.ics":            "/feeds/events.ics",
		"GET /users/{user_id}/events.atom": "/users/" + org.UserID + "/events.atom",
		"GET /users/{user_id}/events.ics":  "/users/" + org.UserID + "/events.ics",
		"GET /embed/events":                "/embed/events",
		"GET /oembed":                      "/oembed?url=" + strings.TrimSuffix(apptest.BaseURL, "/api") + "/events/" + id,
		"GET /sitemap.xml":                 "/sitemap.xml",
		"GET /cards/{file}":                "/cards/" + id + ".png",
	} {
		first := a.Anonymous().Get(path).Want(200)
		second := org.With("Cookie", "service_refresh_token="+org.RefreshToken).Get(path).Want(200)
		if string(first.Body) != string(second.Body) || computed(t, a, pattern) != 1 {
			t.Errorf("%s: computed %d times", path, computed(t, a, pattern))
		}
		a.Anonymous().With("If-None-Match", first.Header.Get("ETag")).Get(path).Want(304)
		if pattern == "GET /sitemap.xml" || pattern == "GET /cards/{file}" || pattern == "GET /oembed" {
			continue // they do not show the new title, or have another address then
		}
		org.Patch("/events/"+id, apptest.Fields{"title": "Chess by " + pattern}).Want(200)
		if changed := a.Anonymous().Get(path).Want(200); !strings.Contains(string(changed.Body), "Chess by") {
			t.Errorf("%s: a cached response shows the old title", path)
		}
	}
}
