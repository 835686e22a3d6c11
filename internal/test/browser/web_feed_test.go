package browser

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

func TestFeed(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		org.Publish(apptest.Fields{"title": "Early run", "category": "running", "city": "Oslo"})
		org.Publish(apptest.Fields{"title": "Late oud", "category": "music", "city": "Berlin", "starts_at": "2026-06-20T18:00:00Z"})
		ann := signedIn(t, a, "ann")
		visitor(t, a).open("/feed").redirects(t, "/login?return_to=%2Ffeed")
		visitor(t, a).open("/").want(t, http.StatusOK, "not", `href="/feed"`, `id="for-you"`)
		ann.open("/").want(t, http.StatusOK, `href="/feed"`, "not", `id="for-you"`) // no event has a reason yet
		ann.open("/feed").want(t, http.StatusOK, "What do you like?", "Early run", "Late oud")

		wrong := url.Values{"categories": {"music"}, "price": {"any"}, "lat": {"north"}, "lng": {"13.4"}}
		ann.submit("setFeedPreferences", "/feed", wrong).want(t, http.StatusUnprocessableEntity, `value="north"`, `value="music"`,
			`aria-invalid="true"`)
		ann.submit("setFeedPreferences", "/feed", url.Values{
			"categories": {" music ,, oud"}, "city": {"Berlin"}, "muted_categories": {""}, "price": {"any"}, "include_followed": {"true"}, "lat": {""}, "lng": {""}, "radius_km": {""},
		}).redirects(t, "/feed")
		feed := ann.open("/feed")
		feed.want(t, http.StatusOK, `value="music, oud"`, `value="Berlin"`, "What I like", "Your interests", "not", "What do you like?")
		if strings.Index(feed.Body, "Late oud") > strings.Index(feed.Body, "Early run") {
			t.Error("the event that fits does not come first")
		}
		home := ann.open("/")
		home.want(t, http.StatusOK, `id="for-you"`, "All events for you")
		if strings.Count(home.Body, "Late oud") != 2 || strings.Count(home.Body, "Early run") != 1 {
			t.Error("an event without a reason is recommended")
		}
		ann.open("/?city=Oslo").want(t, http.StatusOK, "not", `id="for-you"`)

		ann.submit("setFeedPreferences", "/feed", url.Values{"muted_categories": {"music"}, "price": {"free"}}).redirects(t, "/feed")
		ann.open("/feed").want(t, http.StatusOK, "Early run", `value="free" selected`, "not", "Late oud", `value="true" checked`)
	}, settings...)
}
