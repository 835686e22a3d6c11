package delivery_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/chat"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// say sends a message and returns its body.
func say(c *apptest.Client, event string, n int) string {
	body := fmt.Sprintf("message %d", n)
	c.Post("/events/"+event+"/messages", apptest.Fields{"body": body}).Want(201)
	return body
}

// chain checks that frames have no gap.
type chain struct {
	t    *testing.T
	last string // position; empty: unknown
}

// next returns the body of the next message, empty if it is hidden.
func (c *chain) next(s *apptest.Socket) string {
	c.t.Helper()
	f := s.Want("message", "skip")
	if prev := f.Text("prev"); c.last != "" && prev != c.last {
		c.t.Errorf("after %s comes a message with prev %s", c.last, prev)
	}
	c.last = f.Text("position")
	if f.Text("op") == "skip" {
		return ""
	}
	return f.Text("message.body")
}

func TestMessagesArriveOnEveryInstance(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(nil)
		ann.Join(event)
		sockets := []*apptest.Socket{org.Socket("/events/" + event + "/ws"), ann.On(1).Socket("/events/" + event + "/ws")}
		for _, s := range sockets {
			s.Want("welcome")
			s.Want("caught_up")
		}
		for n := range 3 {
			body := say(ann.On(n), event, n)
			for i, s := range sockets {
				if got := s.Want("message").Text("message.body"); got != body {
					t.Errorf("socket %d got %q, want %q", i, got, body)
				}
			}
		}
	}, apptest.Instances(3), apptest.StartAt(apptest.Today))
}

// TestResume reconnects with the position of the last message: everything since then follows,
// in order.
func TestResume(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		first := org.Socket("/events/" + event + "/ws")
		first.Want("caught_up")
		say(org, event, -1)
		chain := &chain{t: t}
		chain.next(first)
		first.Close()
		var missed []string
		for n := range 120 { // more than one page
			missed = append(missed, say(org, event, n))
		}
		for name, s := range map[string]*apptest.Socket{
			"WebSocket": org.Socket("/events/" + event + "/ws?after=" + chain.last),
			"stream":    org.With("Last-Event-ID", chain.last).Stream("/realtime/stream?topic=chat:" + event),
		} {
			subscribed := s.Want("subscribed")
			if subscribed.Text("position") != chain.last {
				t.Errorf("%s: %s", name, subscribed.Body)
			}
			own := *chain
			for _, body := range missed {
				if got := own.next(s); got != body {
					t.Errorf("%s: got %q, want %q", name, got, body)
				}
			}
			if got := s.Want("message", "caught_up"); got.Text("position") != subscribed.Text("latest") {
				t.Errorf("%s: caught up at %s, want %s", name, got.Body, subscribed.Body)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestStreamResumesSeveralChats opens one stream of several chats, each with its own position.
func TestStreamResumesSeveralChats(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		query, want := "", map[string]string{}
		for _, missed := range []string{"first", "second", ""} {
			event := org.Publish(nil)
			say(org, event, -1)
			query += "&topic=chat:" + event
			if missed == "" {
				query += "&after="
				continue
			}
			socket := org.Socket("/events/" + event + "/ws")
			query += "&after=" + socket.Want("caught_up").Text("position")
			socket.Close()
			want[org.Post("/events/"+event+"/messages", apptest.Fields{"body": missed}).Want(201).Text("id")] = "chat:" + event
		}
		stream := org.Stream("/realtime/stream?topic=me" + query)
		for range len(want) {
			message := stream.Want("message")
			if topic := want[message.Text("message.id")]; topic != message.Text("topic") {
				t.Errorf("%s, want it in %q", message.Body, topic)
			}
			delete(want, message.Text("message.id"))
		}
	}, apptest.StartAt(apptest.Today))
}

// TestHiddenChain blocks and unblocks the author of messages while a viewer watches: no body
// crosses a block, and the chain has no gap.
func TestHiddenChain(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, author, viewer := a.As("org"), a.As("author"), a.As("viewer")
		event := org.Publish(nil)
		author.Join(event)
		viewer.Join(event)
		var sockets []*apptest.Socket
		var chains []*chain
		for i := range 3 {
			s := viewer.On(i).Socket("/events/" + event + "/ws")
			s.Want("caught_up")
			sockets, chains = append(sockets, s), append(chains, &chain{t: t})
		}
		for n := range 12 {
			want := ""
			switch n % 4 {
			case 0:
				viewer.On(n).Block(author)
			case 2:
				viewer.On(n).Delete("/users/" + author.UserID + "/block").Want(204)
			}
			body := say(author.On(n+1), event, n)
			if n%4 >= 2 {
				want = body
			}
			for i, s := range sockets {
				if got := chains[i].next(s); got != want {
					t.Errorf("message %d on instance %d is %q, want %q", n, i, got, want)
				}
			}
		}
	}, apptest.Instances(3), apptest.StartAt(apptest.Today))
}

var bodiesStmt = db.SQL("realtime_test.bodies", `SELECT body FROM messages WHERE event_id = $1 ORDER BY created_at`)

// TestNoGapWithReconnects lets readers lose their connections and freeze while others write on
// several instances. Each ends with the list of the table: nothing is missing, repeated or in
// another order.
func TestNoGapWithReconnects(t *testing.T) {
	const writers, messages, readers = 4, 25, 6
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		var writing, reading sync.WaitGroup
		got := make([][]string, readers)
		for r := range readers {
			s := org.On(r).Socket("/events/" + event + "/ws?after=0")
			chain := &chain{t: t, last: "0"}
			reading.Go(func() {
				for len(got[r]) < writers*messages && !t.Failed() {
					if got[r] = append(got[r], chain.next(s)); rand.IntN(15) == 0 {
						s.Close()
						s = org.On(rand.IntN(3)).Socket("/events/" + event + "/ws?after=" + chain.last)
					}
				}
			})
		}
		for w := range writers {
			writing.Go(func() {
				for n := range messages {
					say(org.On(w+n), event, w*1000+n)
				}
			})
		}
		writing.Wait()
		reading.Wait()
		id, _ := domain.ParseID[domain.EventKind](event)
		want, err := db.All(t.Context(), a.DB, func(row db.Row, body *string) error { return row.Scan(body) }, bodiesStmt, id)
		if err != nil {
			t.Fatal(err)
		}
		for r := range readers {
			if !slices.Equal(got[r], want) {
				t.Errorf("reader %d has %q, the table has %q", r, got[r], want)
			}
		}
	}, apptest.Instances(3), apptest.StartAt(apptest.Today))
}

// flood sends messages until the service waits for a client that reads nothing, and returns their number.
// It sends no more than that takes: the service disconnects the client after ten seconds.
func flood(t *testing.T, a *apptest.App, c *apptest.Client, event string) int {
	t.Helper()
	body := strings.Repeat("\U0001F600", 2000) // 8 KB
	var messages atomic.Int64
	var writing sync.WaitGroup
	for range 4 {
		writing.Go(func() {
			for strings.Contains(a.Metrics(), "moothall_realtime_lagged_total 0\n") {
				if messages.Add(1) > 2000 {
					t.Error("the client that reads nothing is not behind")
					return
				}
				c.Post("/events/"+event+"/messages", apptest.Fields{"body": body}).Want(201)
			}
		})
	}
	writing.Wait()
	return int(messages.Load())
}

// TestSlowReader lets a client hang. Others are not delayed; it gets everything once it reads
// again.
func TestSlowReader(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		slow, other := org.Socket("/events/"+event+"/ws"), org.Socket("/events/"+event+"/ws")
		slow.Want("caught_up")
		other.Want("caught_up")
		thaw := slow.Freeze()
		chains := []*chain{{t: t}, {t: t}}
		messages := flood(t, a, org, event)
		for range messages {
			chains[0].next(other)
		}
		thaw()
		for range messages {
			chains[1].next(slow)
		}
		slow.Want("caught_up")
		if chains[0].last != chains[1].last {
			t.Errorf("the slow client ends with %s, the other with %s", chains[1].last, chains[0].last)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestTooSlowReader is behind for more than 30 seconds, although it reads something in between.
func TestTooSlowReader(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		slow := org.Socket("/events/" + event + "/ws")
		slow.Want("caught_up")
		thaw := slow.Freeze()
		flood(t, a, org, event)
		a.Clock.Advance(31 * time.Second)
		thaw()
		code := slow.WantEnd()
		if code != 4408 {
			t.Errorf("closed with %d, want 4408", code)
		}
		testutil.Fault(t, "clients that read their WebSocket slowly", "behind for 31 s, closed with %d", code)
	}, apptest.StartAt(apptest.Today))
}

// TestLostTopics writes messages without publishing to any instance: the sweep of each one finds them.
func TestLostTopics(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t, engine)
			a := apptest.New(t, engine, apptest.Instances(2), apptest.StartAt(apptest.Today), apptest.Setting("DATABASE_URL", url))
			org := a.As("org")
			event := org.Publish(nil)
			silent, err := db.Open(t.Context(), url, db.Options{}) // sends no notices, because it does not follow changes
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = silent.Close() }()
			chats := &chat.Service{DB: silent, Clock: a.Clock.Now}
			id, _ := domain.ParseID[domain.EventKind](event)
			user, _ := domain.ParseID[domain.UserKind](org.UserID)
			var sockets []*apptest.Socket
			for i := range 2 {
				s := org.On(i).Socket("/events/" + event + "/ws")
				s.Want("caught_up")
				sockets = append(sockets, s)
			}
			for _, body := range []string{"one", "two"} {
				if _, err := chats.Send(t.Context(), domain.Viewer{UserID: user}, id, body, nil); err != nil {
					t.Fatal(err)
				}
				for i, s := range sockets {
					if got := s.Want("message").Text("message.body"); got != body {
						t.Errorf("socket %d got %q, want %q", i, got, body)
					}
				}
			}
			testutil.Fault(t, "topics of chat messages are lost", "two messages on two instances, none missing: %t", !t.Failed())
		})
	}
}

// TestPanicWhileReading lets the reader of a chat panic once: the message arrives nevertheless,
// before the next one.
func TestPanicWhileReading(t *testing.T) {
	var armed atomic.Bool
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today), apptest.OnStatement(func(_ context.Context, s *db.Stmt) {
		if s.Name() == "access.blocks" && armed.CompareAndSwap(true, false) {
			panic("a test")
		}
	}))
	org := a.As("org")
	event := org.Publish(nil)
	s := org.Socket("/events/" + event + "/ws")
	s.Want("caught_up")
	armed.Store(true)
	chain := &chain{t: t}
	for n := range 2 {
		if body := say(org, event, n); chain.next(s) != body {
			t.Errorf("message %d is missing", n)
		}
	}
	if armed.Load() {
		t.Error("nothing has panicked")
	}
	testutil.Fault(t, "reading a chat for WebSockets panics", "two messages, none missing: %t", !t.Failed())
}

// TestShutdownClosesSockets stops an instance, although net/http does not know its sockets.
func TestShutdownClosesSockets(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		chain := &chain{t: t}
		s, stream := org.Socket("/events/"+event+"/ws"), org.Stream("/realtime/stream?topic=me")
		s.Want("caught_up")
		stream.Want("counts")
		say(org, event, 1)
		chain.next(s)
		a.Stop(0)
		if code := s.WantEnd(); code != 1001 {
			t.Errorf("closed with %d, want 1001", code)
		}
		stream.WantEnd()
		body := say(org.On(1), event, 2)
		if chain.next(org.On(1).Socket("/events/"+event+"/ws?after="+chain.last)) != body {
			t.Error("the next message is missing on the other instance")
		}
	}, apptest.Instances(2), apptest.StartAt(apptest.Today), apptest.Setting("SHUTDOWN_DELAY", "50ms"))
}
