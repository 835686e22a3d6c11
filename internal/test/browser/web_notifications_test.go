package browser

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

var idOfNotification = regexp.MustCompile(`name="notification_id" value="([^"]+)"`)

// TestNotifications reads notifications one by one, by opening them, and all at once.
func TestNotifications(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := a.As("org").Publish(apptest.Fields{"title": "Board games"})
		page, b := "/events/"+event, signedIn(t, a, "org")
		unread := func(want string) string {
			t.Helper()
			body := b.open("/notifications").Body
			badge := regexp.MustCompile(`class="badge"[^>]*>(\d+)<`).FindStringSubmatch(body)
			if got := strings.Join(badge[min(1, len(badge)):], ""); got != want {
				t.Fatalf("%q unread, want %q", got, want)
			}
			return body
		}
		if body := unread(""); !strings.Contains(body, "All quiet") || strings.Contains(body, "Mark all as read") {
			t.Errorf("%s", body)
		}
		for _, name := range []string{"ann", "ben", "chloe"} {
			a.As(name).Join(event)
		}
		a.RunJobs()
		body := unread("3")
		for _, want := range []string{"Today", "is coming to Board games", `class="notice unread"`} {
			if !strings.Contains(body, want) {
				t.Errorf("no %q in %s", want, body)
			}
		}
		id := idOfNotification.FindStringSubmatch(body)[1]
		if r := b.submit("readNotification", "/notifications", url.Values{"notification_id": {id}}); r.StatusCode != http.StatusSeeOther ||
			r.Header.Get("Location") != "/notifications" {
			t.Errorf("%d %s", r.StatusCode, r.Header.Get("Location"))
		}
		body = unread("2")
		if !strings.Contains(body, `<a class="title" href="`+page+`">`) {
			t.Errorf("the read notification has no link: %s", body)
		}
		id = idOfNotification.FindStringSubmatch(body)[1]
		if r := b.submit("readNotification", "/notifications", url.Values{"open": {id}}); r.StatusCode != http.StatusSeeOther ||
			r.Header.Get("Location") != page {
			t.Errorf("%d %s", r.StatusCode, r.Header.Get("Location"))
		}
		unread("1")
		if r := b.submit("readAllNotifications", "/notifications", nil); r.StatusCode != http.StatusSeeOther {
			t.Errorf("%d", r.StatusCode)
		}
		unread("")
		if part := b.open("/notifications", "HX-Request", "true").Body; !strings.Contains(part, `hx-swap-oob="true"`) {
			t.Error("a part does not update the badge")
		}
		other := signedIn(t, a, "ann").submit("readNotification", "/notifications", url.Values{"notification_id": {id}})
		if other.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("of another user: %d", other.StatusCode)
		}
	}, settings...)
}

// TestPersonalPagesNeedASession sends anonymous visitors to the sign-in.
func TestPersonalPagesNeedASession(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for _, path := range []string{"/notifications", "/calendar", "/calendar/invites/018f3b0a-5c1d-7000-8000-000000000121"} {
			r := visitor(t, a).open(path)
			if want := "/login?" + (url.Values{"return_to": {path}}).Encode(); r.StatusCode != http.StatusSeeOther ||
				r.Header.Get("Location") != want {
				t.Errorf("%s: %d %s", path, r.StatusCode, r.Header.Get("Location"))
			}
		}
	}, settings...)
}
