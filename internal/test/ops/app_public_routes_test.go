package ops_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
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
		first, header := readPublic(t, a.URL()+path, "Accept", "*/*")
		second, _ := readPublic(t, a.URL()+path, "Cookie", "service_refresh_token="+org.RefreshToken)
		if first != second || computed(t, a, pattern) != 1 {
			t.Errorf("%s: computed %d times", path, computed(t, a, pattern))
		}
		if body, _ := readPublic(t, a.URL()+path, "If-None-Match", header.Get("ETag")); body != "" {
			t.Errorf("%s: sent again to a client that has it", path)
		}
		if pattern == "GET /sitemap.xml" || pattern == "GET /cards/{file}" || pattern == "GET /oembed" {
			continue // they do not show the new title, or have another address then
		}
		org.Patch("/events/"+id, apptest.Fields{"title": "Chess by " + pattern}).Want(200)
		if changed, _ := readPublic(t, a.URL()+path, "Accept", "*/*"); !strings.Contains(changed, "Chess by") {
			t.Errorf("%s: a cached response shows the old title", path)
		}
	}
}

// readPublic reads a route with a header. It returns the body, or "" after 304.
func readPublic(t *testing.T, address, name, value string) (string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(name, value)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK && response.StatusCode != http.StatusNotModified {
		t.Errorf("%s: %d %v", address, response.StatusCode, err)
	}
	return string(body), response.Header
}
