package meetup_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"moothall/internal/domain"
	"moothall/internal/meetup/chat"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// chatSend writes a message.
func chatSend(c *apptest.Client, event, body string) *apptest.Reply {
	return c.Post("/events/"+event+"/messages", apptest.Fields{"body": body}).Want(201)
}

// chatRead pages through a chat, newest first, and returns the bodies. It calls
// between, if there is one, between two pages.
func chatRead(t *testing.T, c *apptest.Client, event string, limit int, between func()) (bodies []string) {
	t.Helper()
	query, last := fmt.Sprintf("?limit=%d", limit), ""
	for {
		page := c.Get("/events/" + event + "/messages" + query).Want(200)
		n := page.Len("items")
		for i := range n {
			at := page.Text(fmt.Sprintf("items.%d.created_at", i))
			if earlier := parseTime(t, at); last != "" && !earlier.Before(parseTime(t, last)) {
				t.Errorf("%s comes after %s", at, last)
			}
			bodies, last = append(bodies, page.Text(fmt.Sprintf("items.%d.body", i))), at
		}
		if page.Get("next_cursor") == nil {
			return bodies
		}
		if n != limit || page.Text("next_cursor") != last {
			t.Errorf("a page of %d items at %s says %s follows", n, last, page.Text("next_cursor"))
		}
		if between != nil {
			between()
		}
		query = fmt.Sprintf("?limit=%d&cursor=%s", limit, url.QueryEscape(page.Text("next_cursor")))
	}
}

func parseTime(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestChatPages sends messages while the clock stands still and reads them in pages
// of every size.
func TestChatPages(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob := a.As("org"), a.As("ann"), a.As("bob")
		event := org.Publish(nil)
		path := "/events/" + event + "/messages"
		ann.Join(event)
		bob.Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		if empty := org.Get(path).Want(200); empty.Len("items") != 0 || empty.Get("next_cursor") != nil {
			t.Errorf("empty chat: %s", empty.Body)
		}

		sent := chatSend(ann, event, "  Bring <b>two</b> boards.\r\nAnd tea! ")
		if sent.Text("body") != "Bring <b>two</b> boards.\nAnd tea!" || sent.Text("author_user_id") != ann.UserID ||
			sent.Text("author.user_id") != ann.UserID ||
			sent.Get("client_message_id") != nil || sent.Get("deleted_at") != nil || sent.Text("event_id") != event {
			t.Errorf("sent: %s", sent.Body)
		}
		for n := range 6 {
			chatSend([]*apptest.Client{org, ann, bob}[n%3], event, fmt.Sprint(n))
		}
		want := []string{"5", "4", "3", "2", "1", "0", sent.Text("body")}
		for limit := 1; limit <= 8; limit++ {
			if got := chatRead(t, bob, event, limit, nil); !slices.Equal(got, want) {
				t.Errorf("%d at a time: %q", limit, got)
			}
		}
		n := 0
		if got := chatRead(t, org, event, 2, func() { n++; chatSend(ann, event, fmt.Sprint("late ", n)) }); !slices.Equal(got, want) {
			t.Errorf("with new messages between the pages: %q", got)
		}
		if got := ann.Get(path).Want(200); got.Text("items.3.author.user_id") != bob.UserID {
			t.Errorf("the author of an incognito participant's message: %s", got.Body)
		}
		oldest := sent.Text("created_at")
		for before, items := range map[string]int{oldest: 0, "2026-06-01T12:00:00.000001Z": 1, "2026-06-01T12:00:00.000001001Z": 2,
			"2026-06-01T15:00:00.000001%2B03:00": 1, "2099-01-01T00:00:00Z": 10} {
			if got := ann.Get(path + "?before=" + before).Want(200); got.Len("items") != items {
				t.Errorf("before %s: %s", before, got.Body)
			}
		}
		for query, items := range map[string]int{
			"before=" + oldest + "&cursor=2099-01-01T00:00:00Z": 0,
			"cursor=" + oldest + "&before=2099-01-01T00:00:00Z": 0,
			"cursor=2099-01-01T00:00:00Z":                       10,
		} {
			if got := ann.Get(path + "?" + query).Want(200); got.Len("items") != items {
				t.Errorf("%s: %s", query, got.Body)
			}
		}
		for _, query := range []string{"limit=0", "limit=101", "before=yesterday", "before=2026-06-01", "cursor=yesterday", "cursor=",
			"limit=x"} {
			ann.Get(path+"?"+query).WantError(400, "invalid_request")
		}

		ann.Delete("/events/" + event + "/join").Want(200)
		ann.Get(path).WantError(403, "forbidden")
		if got := org.Get(path + "?limit=100").Want(200); !strings.Contains(string(got.Body), ann.UserID) {
			t.Error("the messages of a participant who left are gone")
		}
	}, apptest.StartAt(apptest.Today))
}

// TestClientMessageIDMakesRetriesSafe sends messages again. Only their author sees
// the client's id.
func TestClientMessageIDMakesRetriesSafe(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event, other := org.Publish(nil), org.Publish(nil)
		ann.Join(event)
		path := "/events/" + event + "/messages"
		body := apptest.Fields{"body": "hello", "client_message_id": "9B2F6C1E-2F0E-4C53-9A3E-0F8C2D1B7A55"}
		first := ann.Post(path, body).Want(201)
		if first.Text("client_message_id") != "9b2f6c1e-2f0e-4c53-9a3e-0f8c2d1b7a55" {
			t.Errorf("sent: %s", first.Body)
		}
		a.Clock.Advance(time.Minute)
		if again := ann.Post(path, body).Want(201); string(again.Body) != string(first.Body) {
			t.Errorf("again: %s", again.Body)
		}
		body["body"] = "something else"
		if again := ann.Post(path, body).Want(201); string(again.Body) != string(first.Body) {
			t.Errorf("with another text: %s", again.Body)
		}
		if own := org.Post(path, body).Want(201); own.Text("id") == first.Text("id") || own.Text("body") != "something else" {
			t.Errorf("from another user: %s", own.Body)
		}
		if elsewhere := org.Post("/events/"+other+"/messages", body).Want(201); elsewhere.Text("event_id") != other {
			t.Errorf("in another chat: %s", elsewhere.Body)
		}
		ann.Post(path, apptest.Fields{"body": "x", "client_message_id": "1"}).WantError(400, "invalid_request")
		list := org.Get(path).Want(200)
		if list.Len("items") != 2 || list.Text("items.0.client_message_id") == "" || list.Get("items.1.client_message_id") != nil {
			t.Errorf("the organizer reads %s", list.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestChatHidesMessagesAcrossBlock reads the chat as two users with a block: they do not
// see each other's messages, and their pages are full.
func TestChatHidesMessagesAcrossBlock(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob := a.As("org"), a.As("ann"), a.As("bob")
		event := org.Publish(nil)
		ann.Join(event)
		bob.Join(event)
		want := map[*apptest.Client][]string{}
		for n := range 12 {
			writer, body := []*apptest.Client{ann, bob, org}[n%3], fmt.Sprint(n)
			chatSend(writer, event, body)
			for _, reader := range []*apptest.Client{ann, bob, org} {
				if reader == org || writer == org || writer == reader {
					want[reader] = append([]string{body}, want[reader]...)
				}
			}
		}
		ann.Block(bob)
		for reader, bodies := range want {
			if got := chatRead(t, reader, event, 3, nil); !slices.Equal(got, bodies) {
				t.Errorf("%q instead of %q", got, bodies)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

func TestChatIsPolledWithoutRealtime(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := a.As("org").Publish(nil)
		a.As("ann").Join(event)
		reply := a.As("ann").Get("/events/" + event + "/ws").Want(200)
		if reply.Text("user_id") != a.As("ann").UserID || reply.Text("event_id") != event || reply.Get("authorized") != true ||
			reply.Get("realtime_available") != false || reply.Number("poll_interval_seconds") != 5 || reply.Get("websocket_url") != nil ||
			reply.Get("ticket") != nil || reply.Get("ticket_expires_at") != nil {
			t.Errorf("reply: %s", reply.Body)
		}
	}, apptest.StartAt(apptest.Today), apptest.Setting("REALTIME", "off"))
}

// TestMessageTexts sends every text of a hostile list: it is refused, or returned
// unchanged except for the documented clean-up.
func TestMessageTexts(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		for name, value := range apptest.Texts(t) {
			reply := org.Post("/events/"+event+"/messages", apptest.Fields{"body": value})
			cleaned := strings.TrimSpace(norm.NFC.String(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(value)))
			switch {
			case reply.Status == 400 || reply.Status == 413:
			case reply.Status != 201:
				t.Errorf("%s: status %d", name, reply.Status)
			case reply.Get("body") != cleaned:
				t.Errorf("%s: %q came back as %q", name, value, reply.Get("body"))
			}
		}
		org.Post("/events/"+event+"/messages", apptest.Fields{"body": strings.Repeat("ж", 2000)}).Want(201)
		org.Post("/events/"+event+"/messages", apptest.Fields{"body": strings.Repeat("ж", 2001)}).WantError(400, "invalid_request")
	}, apptest.StartAt(apptest.Today))
}

// TestMessagesAreRateLimited is contract §11.
func TestMessagesAreRateLimited(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		for range 30 {
			chatSend(org, event, "hello")
		}
		refused := org.Post("/events/"+event+"/messages", apptest.Fields{"body": "hello"})
		refused.WantError(429, "rate_limited")
		if refused.Header.Get("Retry-After") == "" {
			t.Error("Retry-After is missing")
		}
	}, apptest.StartAt(apptest.Today), apptest.Setting("RATE_LIMITS", "on"))
}

// TestChatRefusesInOrder checks that 404 comes before 400, and 400 before 403.
func TestChatRefusesInOrder(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		open, hidden := org.Publish(nil), org.Publish(apptest.Fields{"visibility": "private"})
		for _, row := range []struct {
			name, event string
			body        any
			status      int
		}{
			{"a wrong body for a hidden event", hidden, `{}`, 404},
			{"an empty message for a hidden event", hidden, `{"body":" "}`, 404},
			{"an empty message from outside the chat", open, `{"body":" "}`, 400},
			{"a message from outside the chat", open, `{"body":"x"}`, 403},
		} {
			t.Run(row.name, func(t *testing.T) {
				a.As("ann").In(t).Post("/events/"+row.event+"/messages", row.body).Want(row.status)
			})
		}
	}, apptest.StartAt(apptest.Today))
}

// TestChatAccount exports and erases the messages of a user. The erased messages stay in
// the chat, without text.
func TestChatAccount(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(nil)
		ann.Join(event)
		sent := ann.Post("/events/"+event+"/messages", apptest.Fields{"body": "I am ill.", "client_message_id": event}).Want(201)
		chatSend(org, event, "Get well!")
		wantExport := func(c *apptest.Client, part string) {
			t.Helper()
			value, err := chat.Export(t.Context(), a.DB, userID(t, c))
			if err != nil {
				t.Fatal(err)
			}
			if encoded, err := json.Marshal(value); err != nil || !strings.Contains(string(encoded), part) {
				t.Errorf("the export lacks %s: %s, %v", part, encoded, err)
			}
		}
		wantExport(ann, `{"messages":[{"id":"`+sent.Text("id")+`","event_id":"`+event+`","body":"I am ill."`)
		wantExport(org, `"body":"Get well!"`)

		for range 2 { // the second time changes nothing
			a.Clock.Advance(time.Minute)
			if err := a.DB.InTx(t.Context(),
				func(tx db.Tx) error { return chat.Erase(t.Context(), tx, userID(t, ann), a.Clock.Now()) }); err != nil {
				t.Fatal(err)
			}
		}
		wantExport(ann, `{"messages":[],"reads":[]}`)
		list := org.Get("/events/" + event + "/messages").Want(200)
		if list.Len("items") != 2 || list.Text("items.1.body") != "" || list.Text("items.1.created_at") != sent.Text("created_at") ||
			list.Text("items.1.deleted_at") != "2026-06-01T12:01:00Z" || list.Text("items.0.body") != "Get well!" {
			t.Errorf("the chat: %s", list.Body)
		}
		if own := ann.Get("/events/" + event + "/messages").Want(200); own.Get("items.1.client_message_id") != nil {
			t.Errorf("the client's id is still there: %s", own.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

func userID(t *testing.T, c *apptest.Client) domain.UserID {
	t.Helper()
	id, err := domain.ParseID[domain.UserKind](c.UserID)
	if err != nil {
		t.Fatal(err)
	}
	return id
}
