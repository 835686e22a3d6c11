package coord_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"moothall/internal/apptest"
)

func say(c *apptest.Client, event, body string) *apptest.Reply {
	return c.Post("/events/"+event+"/messages", fields{"body": body}).Want(201)
}

// read pages through a chat, newest first, and gives the texts; what is
// written in between goes into meanwhile.
func read(t *testing.T, c *apptest.Client, event string, limit int, meanwhile func()) (bodies []string) {
	t.Helper()
	query, last := fmt.Sprintf("?limit=%d", limit), ""
	for {
		page := c.Get("/events/" + event + "/messages" + query).Want(200)
		n := page.Len("items")
		for i := range n {
			at := page.Text(fmt.Sprintf("items.%d.created_at", i))
			if earlier := moment(t, at); last != "" && !earlier.Before(moment(t, last)) {
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
		if meanwhile != nil {
			meanwhile()
		}
		query = fmt.Sprintf("?limit=%d&before=%s", limit, url.QueryEscape(last))
	}
}

func moment(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestChat(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob := a.As("org"), a.As("ann"), a.As("bob")
		event := published(org, nil)
		path := "/events/" + event + "/messages"
		join(ann, event)
		bob.Post("/events/"+event+"/join", fields{"participation_visibility": "incognito"}).Want(200)
		if empty := org.Get(path).Want(200); empty.Len("items") != 0 || empty.Get("next_cursor") != nil {
			t.Errorf("at first: %s", empty.Body)
		}

		sent := say(ann, event, "  Bring <b>two</b> boards.\r\nAnd tea! ")
		if sent.Text("body") != "Bring <b>two</b> boards.\nAnd tea!" || sent.Text("author_user_id") != ann.UserID || sent.Text("author.user_id") != ann.UserID ||
			sent.Get("client_message_id") != nil || sent.Get("deleted_at") != nil || sent.Text("event_id") != event {
			t.Errorf("sent: %s", sent.Body)
		}
		for n := range 6 { // the clock stands still: the order does not
			say([]*apptest.Client{org, ann, bob}[n%3], event, fmt.Sprint(n))
		}
		want := []string{"5", "4", "3", "2", "1", "0", sent.Text("body")}
		for limit := 1; limit <= 8; limit++ {
			if got := read(t, bob, event, limit, nil); !slices.Equal(got, want) {
				t.Errorf("%d at a time: %q", limit, got)
			}
		}
		n := 0
		if got := read(t, org, event, 2, func() { n++; say(ann, event, fmt.Sprint("late ", n)) }); !slices.Equal(got, want) {
			t.Errorf("while others write: %q", got)
		}
		if got := ann.Get(path).Want(200); got.Text("items.3.author.user_id") != bob.UserID {
			t.Errorf("an incognito guest who writes is shown: %s", got.Body)
		}
		oldest := sent.Text("created_at")
		for before, items := range map[string]int{oldest: 0, "2026-06-01T12:00:00.000001Z": 1, "2026-06-01T12:00:00.000001001Z": 2, "2026-06-01T15:00:00.000001%2B03:00": 1, "2099-01-01T00:00:00Z": 10} {
			if got := ann.Get(path + "?before=" + before).Want(200); got.Len("items") != items {
				t.Errorf("before %s: %s", before, got.Body)
			}
		}
		for _, query := range []string{"limit=0", "limit=101", "before=yesterday", "before=2026-06-01", "limit=x"} {
			ann.Get(path+"?"+query).WantError(400, "invalid_request")
		}

		ann.Delete("/events/" + event + "/join").Want(200)
		ann.Get(path).WantError(403, "forbidden")
		if got := org.Get(path + "?limit=100").Want(200); !strings.Contains(string(got.Body), ann.UserID) {
			t.Error("what she wrote has left with her")
		}
	}, apptest.StartAt(today))
}

// TestClientMessageIDs makes retries safe, and tells nobody else of them.
func TestClientMessageIDs(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event, other := published(org, nil), published(org, nil)
		join(ann, event)
		path := "/events/" + event + "/messages"
		body := fields{"body": "hello", "client_message_id": "9B2F6C1E-2F0E-4C53-9A3E-0F8C2D1B7A55"}
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
			t.Errorf("from somebody else: %s", own.Body)
		}
		if elsewhere := org.Post("/events/"+other+"/messages", body).Want(201); elsewhere.Text("event_id") != other {
			t.Errorf("in another chat: %s", elsewhere.Body)
		}
		ann.Post(path, fields{"body": "x", "client_message_id": "1"}).WantError(400, "invalid_request")
		list := org.Get(path).Want(200)
		if list.Len("items") != 2 || list.Text("items.0.client_message_id") == "" || list.Get("items.1.client_message_id") != nil {
			t.Errorf("the organizer reads %s", list.Body)
		}
	}, apptest.StartAt(today))
}

// TestBlockedPairsDoNotRead fills the pages of two who block each other with
// what others write.
func TestBlockedPairsDoNotRead(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob := a.As("org"), a.As("ann"), a.As("bob")
		event := published(org, nil)
		join(ann, event)
		join(bob, event)
		want := map[*apptest.Client][]string{}
		for n := range 12 {
			writer, body := []*apptest.Client{ann, bob, org}[n%3], fmt.Sprint(n)
			say(writer, event, body)
			for _, reader := range []*apptest.Client{ann, bob, org} {
				if reader == org || writer == org || writer == reader {
					want[reader] = append([]string{body}, want[reader]...)
				}
			}
		}
		block(t, a, ann, bob)
		for reader, bodies := range want {
			if got := read(t, reader, event, 3, nil); !slices.Equal(got, bodies) {
				t.Errorf("%q instead of %q", got, bodies)
			}
		}
	}, apptest.StartAt(today))
}

func TestChatAccess(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		event := published(a.As("org"), nil)
		join(a.As("ann"), event)
		answer := a.As("ann").Get("/events/" + event + "/ws").Want(200)
		if answer.Text("user_id") != a.As("ann").UserID || answer.Text("event_id") != event || answer.Get("authorized") != true ||
			answer.Get("realtime_available") != false || answer.Number("poll_interval_seconds") != 5 || answer.Get("websocket_url") != nil ||
			answer.Get("ticket") != nil || answer.Get("ticket_expires_at") != nil {
			t.Errorf("answer: %s", answer.Body)
		}
	}, apptest.StartAt(today))
}

// TestHostileTexts puts every text of the list into a message and into a note:
// it is refused, or given back as it was but for the documented clean-up.
func TestHostileTexts(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, n := a.As("org"), 0
		event := published(org, nil)
		for name, value := range apptest.Texts(t) {
			n++
			start := today.Add(time.Duration(n) * time.Hour)
			for field, reply := range map[string]*apptest.Reply{
				"body": org.Post("/events/"+event+"/messages", fields{"body": value}),
				"note": org.Post("/events/"+draft(org, nil)+"/date-options", fields{"starts_at": start, "note": value}),
			} {
				cleaned := strings.TrimSpace(norm.NFC.String(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(value)))
				switch {
				case reply.Status == 400 || reply.Status == 413:
				case reply.Status != 201:
					t.Errorf("%s as %s: status %d", name, field, reply.Status)
				case reply.Get(field) != cleaned:
					t.Errorf("%s as %s: %q came back as %q", name, field, value, reply.Get(field))
				}
			}
		}
		org.Post("/events/"+event+"/messages", fields{"body": strings.Repeat("ж", 2000)}).Want(201)
		org.Post("/events/"+event+"/messages", fields{"body": strings.Repeat("ж", 2001)}).WantError(400, "invalid_request")
	}, apptest.StartAt(today))
}

// TestMessagesAreLimited is contract §11.
func TestMessagesAreLimited(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := published(org, nil)
		for range 30 {
			say(org, event, "hello")
		}
		refused := org.Post("/events/"+event+"/messages", fields{"body": "hello"})
		refused.WantError(429, "rate_limited")
		if refused.Header.Get("Retry-After") == "" {
			t.Error("it does not say when to come back")
		}
	}, apptest.StartAt(today), apptest.Setting("RATE_LIMITS", "on"))
}
