package meetup_test

import (
	"fmt"
	"iter"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// positionOf returns the position of a message that was sent.
func positionOf(t *testing.T, sent *apptest.Reply) string {
	t.Helper()
	return strconv.FormatInt(parseTime(t, sent.Text("created_at")).UnixMicro(), 10)
}

// markRead marks a chat as read up to a position.
func markRead(c *apptest.Client, event, position string) *apptest.Reply {
	return c.Post("/events/"+event+"/messages/read", apptest.Fields{"position": position})
}

// wantUnread checks the counts of the chats of a user, the one with the newest message first.
func wantUnread(t *testing.T, what string, c *apptest.Client, want ...string) {
	t.Helper()
	var got []string
	list := c.Get("/me/chats").Want(200)
	for i := range list.Len("items") {
		last := "nothing"
		if list.Get(fmt.Sprintf("items.%d.last_message", i)) != nil {
			last = list.Text(fmt.Sprintf("items.%d.last_message.body", i))
		}
		got = append(got, fmt.Sprintf("%s: %v after %s", list.Text(fmt.Sprintf("items.%d.event.title", i)),
			list.Number(fmt.Sprintf("items.%d.unread_count", i)), last))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// TestUnreadMessages follows the counts of three users through everything that changes them.
func TestUnreadMessages(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob := a.As("org"), a.As("ann"), a.As("bob")
		tea, chess := org.Publish(apptest.Fields{"title": "Tea"}), org.Publish(apptest.Fields{"title": "Chess"})
		for _, c := range []*apptest.Client{ann, bob} {
			c.Join(tea)
			c.Join(chess)
		}
		wantUnread(t, "nobody has written", ann)

		first, second := chatSend(ann, tea, "first"), chatSend(ann, tea, "second")
		third := chatSend(org, tea, "third")
		a.Clock.Advance(time.Second)
		chatSend(org, chess, "move")
		wantUnread(t, "messages of others", bob, "Chess: 1 after move", "Tea: 3 after third")
		wantUnread(t, "one's own do not count", ann, "Chess: 1 after move", "Tea: 1 after third")

		read := markRead(bob, tea, positionOf(t, second)).Want(200)
		if read.Text("read_position") != positionOf(t, second) || read.Number("unread_count") != 1 || read.Text("event_id") != tea {
			t.Errorf("read up to the second: %s", read.Body)
		}
		if earlier := markRead(bob, tea, positionOf(t, first)).Want(200); string(earlier.Body) != string(read.Body) {
			t.Errorf("an earlier position: %s, was %s", earlier.Body, read.Body)
		}
		wantUnread(t, "after reading two", bob, "Chess: 1 after move", "Tea: 1 after third")
		list := bob.Get("/me/chats").Want(200)
		if list.Text("items.1.position") != positionOf(t, third) || list.Text("items.1.read_position") != positionOf(t, second) ||
			list.Text("items.0.read_position") != "0" || list.Text("items.1.event.id") != tea {
			t.Errorf("positions: %s", list.Body)
		}
		if ahead := markRead(bob, tea, "999999999999999999").Want(200); ahead.Text("read_position") != positionOf(t, third) ||
			ahead.Number("unread_count") != 0 {
			t.Errorf("a position after the last message: %s", ahead.Body)
		}
		a.Clock.Advance(time.Second)
		chatSend(ann, tea, "fourth")
		wantUnread(t, "a message after a position ahead", bob, "Tea: 1 after fourth", "Chess: 1 after move")

		bob.Block(ann)
		wantUnread(t, "across a block", bob, "Tea: 0 after third", "Chess: 1 after move")
		bob.Delete("/users/" + ann.UserID + "/block").Want(204)
		org.Post("/events/"+tea+"/cancel", nil).Want(200)
		wantUnread(t, "a canceled event", bob, "Tea: 1 after fourth", "Chess: 1 after move")
		bob.Delete("/events/" + chess + "/join").Want(200)
		wantUnread(t, "after leaving", bob, "Tea: 1 after fourth")
		markRead(bob, chess, "1").WantError(403, "forbidden")
		bob.Block(org)
		wantUnread(t, "events of a blocked organizer", bob)
		markRead(bob, tea, "1").WantError(404, "not_found")
	}, apptest.StartAt(apptest.Today))
}

// TestReadPositionRefusals checks malformed positions, and a chat without messages.
func TestReadPositionRefusals(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		for _, position := range []any{"", "-1", "01", "1e3", "1.5", " 1", "9999999999999999999", "x", 1, nil} {
			org.Post("/events/"+event+"/messages/read", apptest.Fields{"position": position}).WantError(400, "invalid_request")
		}
		if empty := markRead(org, event, "5").Want(200); empty.Text("read_position") != "0" || empty.Number("unread_count") != 0 {
			t.Errorf("an empty chat: %s", empty.Body)
		}
		for _, query := range []string{"?cursor=x", "?limit=0", "?limit=101"} {
			org.Get("/me/chats"+query).WantError(400, "invalid_request")
		}
	}, apptest.StartAt(apptest.Today))
}

// TestChatListPages reads the list in pages of every size, with a new message between two
// pages. Invited users see the chat if they accepted or may come.
func TestChatListPages(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		var want []string
		for i, status := range []string{"accepted", "tentative", "declined", "pending", "accepted"} {
			event := org.Publish(apptest.Fields{"title": status, "visibility": "private"})
			org.Post("/events/"+event+"/invitations", apptest.Fields{"email": apptest.Email("ann")}).Want(201)
			if status != "pending" {
				ann.Patch("/events/"+event+"/rsvp", apptest.Fields{"status": status}).Want(200)
			}
			chatSend(org, event, fmt.Sprint(i)) // all at the same time
			if status == "accepted" || status == "tentative" {
				want = append(want, event)
			}
		}
		for limit := 1; limit <= 4; limit++ {
			var got []string
			query := ""
			for {
				page := ann.Get(fmt.Sprintf("/me/chats?limit=%d%s", limit, query)).Want(200)
				for i := range page.Len("items") {
					got = append(got, page.Text(fmt.Sprintf("items.%d.event.id", i)))
				}
				if page.Get("next_cursor") == nil {
					break
				}
				query = "&cursor=" + page.Text("next_cursor")
			}
			if len(got) != len(want) {
				t.Errorf("%d at a time: %q, want %q", limit, got, want)
			}
		}
		first := ann.Get("/me/chats?limit=1").Want(200)
		a.Clock.Advance(time.Second)
		chatSend(org, first.Text("items.0.event.id"), "again")
		if next := ann.Get("/me/chats?limit=9&cursor=" + first.Text("next_cursor")).Want(200); next.Len("items") != len(want)-1 {
			t.Errorf("after a new message: %s", next.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestUnreadCountEndsAtHundred fills a chat with more messages than are counted.
func TestUnreadCountEndsAtHundred(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(apptest.Fields{"title": "Tea"})
		ann.Join(event)
		id, err := domain.ParseID[domain.EventKind](event)
		if err != nil {
			t.Fatal(err)
		}
		var rows iter.Seq[[]any] = func(yield func([]any) bool) {
			for i := range 101 {
				at := apptest.Today.Add(time.Duration(i-200) * time.Second)
				if !yield([]any{id, at, domain.RandomID[domain.MessageKind](), org.ID(), fmt.Sprint(i)}) {
					return
				}
			}
		}
		if _, err := a.DB.Bulk(t.Context(), "messages", []string{"event_id", "created_at", "id", "author_id", "body"}, rows); err != nil {
			t.Fatal(err)
		}
		last := chatSend(org, event, "last")
		wantUnread(t, "102 messages", ann, "Tea: 100 after last")
		markRead(ann, event, strconv.FormatInt(apptest.Today.Add(-102*time.Second).UnixMicro(), 10)).Want(200)
		wantUnread(t, "the newest 3", ann, "Tea: 3 after last")
		markRead(ann, event, positionOf(t, last)).Want(200)
		wantUnread(t, "none", ann, "Tea: 0 after last")
	}, apptest.StartAt(apptest.Today))
}

// TestReadPositionNeverMovesBack marks a chat as read from many clients of one user at the
// same moment. No response shows an earlier position than one that was complete before.
func TestReadPositionNeverMovesBack(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(apptest.Fields{"starts_at": a.Clock.Now().AddDate(0, 0, 2)})
		ann.Join(event)
		positions := make([]string, testutil.Rounds(8, 24))
		for i := range positions {
			positions[i] = positionOf(t, chatSend(org, event, fmt.Sprint(i)))
		}
		var reached atomic.Int64
		apptest.Concurrently(len(positions), func(i int) {
			before := reached.Load()
			at, err := strconv.ParseInt(markRead(ann.On(i), event, positions[(i*5)%len(positions)]).Want(200).Text("read_position"), 10, 64)
			if err != nil || at < before {
				t.Errorf("%d after %d was read, %v", at, before, err)
			}
			for was := reached.Load(); at > was && !reached.CompareAndSwap(was, at); was = reached.Load() {
			}
		})
		if got := ann.Get("/me/chats").Want(200).Text("items.0.read_position"); got != positions[len(positions)-1] {
			t.Errorf("in the end %s, want %s", got, positions[len(positions)-1])
		}
	})
}

var countReads = db.SQL("chat_test.count_reads", `SELECT COUNT(*) FROM chat_reads WHERE user_id = $1`)

// TestReadPositionsAreExportedAndErased covers the rights of users to their data.
func TestReadPositionsAreExportedAndErased(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(nil)
		ann.Join(event)
		sent := chatSend(org, event, "hello")
		markRead(ann, event, positionOf(t, sent)).Want(200)
		export := ann.Get("/me/export").Want(200)
		if export.Text("chat.reads.0.event_id") != event || export.Text("chat.reads.0.read_up_to") != sent.Text("created_at") {
			t.Errorf("the export: %v", export.Get("chat"))
		}
		ann.Delete("/me").Want(204)
		if n := a.Count(countReads, ann.ID()); n != 0 {
			t.Errorf("%d rows are left", n)
		}
	}, apptest.StartAt(apptest.Today))
}
