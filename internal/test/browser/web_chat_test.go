package browser

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestChatWithoutScripts sends messages by the form and reads them, the newest at the end.
func TestChatWithoutScripts(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := a.As("org").Publish(nil)
		page := "/events/" + event + "/chat"
		a.As("ben").Join(event)
		ben := signedIn(t, a, "ben")
		if r := ben.open(page); r.StatusCode != http.StatusOK || !strings.Contains(r.Body, "Nobody has written yet") ||
			!strings.Contains(r.Body, `role="log"`) {
			t.Fatalf("%d %s", r.StatusCode, r.Body)
		}
		fields := url.Values{"event_id": {event}, "client_message_id": {"9b2f6c1e-2f0e-4c53-9a3e-0f8c2d1b7a55"}, "body": {"I bring <b>cake</b>"}}
		for range 2 { // the visitor presses twice
			if r := ben.submit("sendChatMessage", page, fields); r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != page {
				t.Fatalf("%d %s", r.StatusCode, r.Body)
			}
		}
		a.As("org").Post("/events/"+event+"/messages", apptest.Fields{"body": "See https://example.org/map."}).Want(http.StatusCreated)
		body := ben.open(page).Body
		mine, theirs := strings.Index(body, "I bring &lt;b&gt;cake&lt;/b&gt;"), strings.Index(body, `href="https://example.org/map"`)
		if mine < 0 || theirs < mine || strings.Count(body, "I bring") != 1 {
			t.Errorf("messages at %d and %d of %s", mine, theirs, body)
		}
		testutil.Until(t, "the chat is read", func() bool {
			return a.As("ben").Get("/me/chats").Want(http.StatusOK).Get("items.0.unread_count") == 0.0
		})
		fields.Set("body", " ")
		if r := ben.submit("sendChatMessage", page, fields); r.StatusCode != http.StatusUnprocessableEntity ||
			!strings.Contains(r.Body, `role="alert"`) {
			t.Errorf("%d %s", r.StatusCode, r.Body)
		}
	}, settings...)
}

// TestChatIsForThoseWhoGo checks who sees the chat, and where others are sent.
func TestChatIsForThoseWhoGo(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Publish(nil)
	page := "/events/" + event + "/chat"
	a.As("ann").Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(http.StatusOK)
	for _, c := range []struct {
		who    *webBrowser
		to     string // where the browser is sent; "" shows the chat
		status int
	}{
		{signedIn(t, a, "org"), "", http.StatusOK},
		{signedIn(t, a, "ann"), "", http.StatusOK},
		{signedIn(t, a, "stranger"), pageOf(a.As("org"), event), http.StatusSeeOther},
		{visitor(t, a), "/login?return_to=" + url.QueryEscape(page), http.StatusSeeOther},
	} {
		if r := c.who.open(page); r.StatusCode != c.status || r.Header.Get("Location") != c.to {
			t.Errorf("%d %s, want %d %s", r.StatusCode, r.Header.Get("Location"), c.status, c.to)
		}
	}
	if r := signedIn(t, a, "ann").open(page); !strings.Contains(r.Body, "A message shows your name") {
		t.Error("an incognito participant is not warned")
	}
}

func TestChatShowsOlderMessages(t *testing.T) {
	a := apptest.New(t, db.SQLite, append(settings, apptest.Setting("RATE_LIMITS", "off"))...)
	org := a.As("org")
	event := org.Publish(nil)
	for i := range 41 {
		org.Post("/events/"+event+"/messages", apptest.Fields{"body": fmt.Sprintf("message %d.", i)}).Want(http.StatusCreated)
	}
	b := signedIn(t, a, "org")
	newest := b.open("/events/" + event + "/chat").Body
	_, older, found := strings.Cut(newest, `hx-get="`)
	older, _, _ = strings.Cut(older, `"`)
	if !found || strings.Contains(newest, "message 0.") || !strings.Contains(newest, "message 40.") {
		t.Fatalf("%s", newest)
	}
	r := b.open(older)
	if !strings.Contains(r.Body, "message 0.") || strings.Contains(r.Body, "message 1.") || !strings.Contains(r.Body, "Newest messages") {
		t.Errorf("%s: %s", older, r.Body)
	}
}
