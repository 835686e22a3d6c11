package browser

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

func TestReposts(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(apptest.Fields{"title": "Oud & tea"})
		page := "/events/" + event
		post := org.Post(page+"/posts", apptest.Fields{"body": "I play <Hijaz>."}).Want(http.StatusCreated).Text("id")
		ann, fields := signedIn(t, a, "ann"), url.Values{"event_id": {event}, "post_id": {post}}
		visitor(t, a).open("/me/reposts").redirects(t, "/login?return_to=%2Fme%2Freposts")
		ann.open("/me/reposts").want(t, http.StatusOK, "Nothing reposted yet")
		ann.submit("repostPost", page, fields).redirects(t, page+"#"+post)
		ann.open(page).want(t, http.StatusOK, `aria-label="Repost: 1 repost" aria-pressed="true"`, "/do/unrepostPost")
		ann.open("/me/reposts").want(t, http.StatusOK, "Oud &amp; tea", "I play &lt;Hijaz&gt;.", "Reposted on Monday, 1 June",
			page+"?show=posts#"+post)

		ben := signedIn(t, a, "ben")
		a.As("ben").Follow(a.As("ann"))
		ben.open("/feed").want(t, http.StatusOK, "Reposted by people you follow")

		ann.submit("unrepostPost", "/me/reposts", fields).redirects(t, "/me/reposts#"+post)
		ann.open("/me/reposts").want(t, http.StatusOK, "Nothing reposted yet")
	}, settings...)
}

// TestPostsOfPrivateEventsCannotBeReposted because that would show them to others.
func TestPostsOfPrivateEventsCannotBeReposted(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(apptest.Fields{"visibility": "private"})
		page := "/events/" + event
		post := org.Post(page+"/posts", apptest.Fields{"body": "Hello"}).Want(http.StatusCreated).Text("id")
		b := signedIn(t, a, "org")
		b.open(page).want(t, http.StatusOK, "likePost", "not", "repostPost")
		b.submit("repostPost", page, url.Values{"event_id": {event}, "post_id": {post}}).want(t, http.StatusUnprocessableEntity)
	}, settings...)
}

func TestOlderReposts(t *testing.T) {
	a := apptest.New(t, db.SQLite, append(settings, apptest.Setting("RATE_LIMITS", "off"))...)
	org := a.As("org")
	event := "/events/" + org.Publish(nil)
	for range 11 {
		post := org.Post(event+"/posts", apptest.Fields{"body": "Hello"}).Want(http.StatusCreated).Text("id")
		org.Post(event+"/posts/"+post+"/repost", nil).Want(http.StatusOK)
	}
	b := signedIn(t, a, "org")
	first := b.open("/me/reposts")
	older := regexp.MustCompile(`href="(/me/reposts\?cursor=[^"]+)"`).FindStringSubmatch(first.Body)
	if older == nil || strings.Count(first.Body, "Reposted on") != 10 {
		t.Fatalf("%d reposts, older: %v", strings.Count(first.Body, "Reposted on"), older)
	}
	if last := b.open(older[1]); strings.Count(last.Body, "Reposted on") != 1 {
		t.Error("the last page has more than the last repost")
	}
}
