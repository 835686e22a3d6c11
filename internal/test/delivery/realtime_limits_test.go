package delivery_test

import (
	"strings"
	"testing"

	"github.com/gobwas/ws"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestBadFrames sends what no client should send. The service answers with an error of the
// contract; it closes the socket only where the protocol says so.
func TestBadFrames(t *testing.T) {
	text := func(s string) []ws.Frame { return []ws.Frame{ws.NewTextFrame([]byte(s))} }
	hidden := "018f3b0a-5c1d-7000-8000-0000000000e1"
	rows := []struct {
		name   string
		frames []ws.Frame
		code   string // of the error frame
		closed int    // 0: the socket stays open
	}{
		{"no JSON", text(`hello`), "invalid_request", 0},
		{"no object", text(`[]`), "invalid_request", 0},
		{"unknown op", text(`{"op":"shout"}`), "invalid_request", 0},
		{"no op", text(`{}`), "invalid_request", 0},
		{"unknown topic", text(`{"op":"subscribe","topic":"weather"}`), "invalid_request", 0},
		{"malformed event", text(`{"op":"subscribe","topic":"chat:1"}`), "invalid_request", 0},
		{"invisible event", text(`{"op":"subscribe","topic":"event:` + hidden + `"}`), "not_found", 0},
		{"invisible chat", text(`{"op":"subscribe","topic":"chat:` + hidden + `"}`), "not_found", 0},
		{"malformed position", text(`{"op":"subscribe","topic":"chat:EVENT","after":"-1"}`), "invalid_request", 0},
		{"deep JSON", text(strings.Repeat(`[`, 4000)), "invalid_request", 0},
		{"id of another type", text(`{"op":"subscribe","id":"one","topic":"me"}`), "invalid_request", 0},
		{"in fragments", []ws.Frame{
			ws.NewFrame(ws.OpText, false, []byte(`{"op":`)), ws.NewPingFrame(nil), ws.NewFrame(ws.OpContinuation, true, []byte(`"shout"}`)),
		}, "invalid_request", 0},
		{"fragments that are too long", []ws.Frame{
			ws.NewFrame(ws.OpText, false, make([]byte, 4000)), ws.NewFrame(ws.OpContinuation, true, make([]byte, 4000)),
		}, "payload_too_large", 1009},
		{"too long", text(strings.Repeat(" ", 4097)), "payload_too_large", 1009},
		{"binary", []ws.Frame{ws.NewBinaryFrame([]byte(`{}`))}, "unsupported_media_type", 1003},
		{"not UTF-8", text("\xff"), "invalid_request", 1007},
		{"a continuation of nothing", []ws.Frame{ws.NewFrame(ws.OpContinuation, true, nil)}, "", 1002},
		{"a reserved op", []ws.Frame{ws.NewFrame(3, true, nil)}, "", 1002},
		{"a close frame", []ws.Frame{ws.NewCloseFrame(ws.NewCloseFrameBody(1000, ""))}, "", 1000},
	}
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := a.As("org").Publish(nil)
		for _, row := range rows {
			s := a.As("org").Socket("/realtime")
			for _, f := range row.frames {
				f.Payload = []byte(strings.ReplaceAll(string(f.Payload), "EVENT", event))
				f.Header.Length = int64(len(f.Payload))
				s.SendFrame(f)
			}
			if row.code != "" {
				if got := s.Want("error").Text("error"); got != row.code {
					t.Errorf("%s: %s, want %s", row.name, got, row.code)
				}
			}
			if row.closed == 0 {
				s.Send(apptest.Fields{"op": "subscribe", "id": 1, "topic": "chat:" + event})
				s.Want("subscribed")
				s.Close()
			} else if code := s.WantEnd(); code != row.closed {
				t.Errorf("%s: closed with %d, want %d", row.name, code, row.closed)
			}
		}
		unmasked := a.As("org").Socket("/realtime")
		unmasked.SendRaw(ws.MustCompileFrame(ws.NewTextFrame([]byte(`{}`))))
		if code := unmasked.WantEnd(); code != 1002 {
			t.Errorf("an unmasked frame: closed with %d", code)
		}
	}, apptest.StartAt(apptest.Today))
}

func TestSocketLimits(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, bob, cat := a.As("ann"), a.As("bob"), a.As("cat")
		var sockets []*apptest.Socket
		for range 11 {
			s := ann.Socket("/realtime")
			s.Want("welcome") // it is registered: the order decides which one is the oldest
			sockets = append(sockets, s)
		}
		if code := sockets[0].WantEnd(); code != 4409 {
			t.Errorf("the oldest of 11 sockets is closed with %d, want 4409", code)
		}
		sockets[0].Close()
		sockets[10].Send(apptest.Fields{"op": "subscribe", "topic": "me"})
		sockets[10].Want("subscribed")

		many := bob.Socket("/realtime")
		for range 121 {
			many.Send(apptest.Fields{"op": "unsubscribe", "topic": "me"})
		}
		if code := many.WantEnd(); code != 4429 {
			t.Errorf("after 121 frames: closed with %d, want 4429", code)
		}
		many.Close()

		for range 10 {
			s, refused := cat.Allow5xx().Handshake("/realtime")
			if s != nil {
				continue
			}
			if refused.WantError(503, "service_unavailable"); refused.Header.Get("Retry-After") == "" {
				t.Error("503 without Retry-After")
			}
			return
		}
		t.Error("there are more sockets than allowed")
	}, apptest.StartAt(apptest.Today), apptest.Setting("REALTIME_MAX_SOCKETS", "14"))
}

// TestTopicLimit subscribes a socket to as many topics as it may have, all at once as clients do
// when they reconnect. One more is refused, and the socket stays open.
func TestTopicLimit(t *testing.T) {
	const limit = 100
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today))
	org := a.As("org")
	var topics []string
	for range limit/2 + 1 {
		event := org.Publish(nil)
		topics = append(topics, "chat:"+event, "event:"+event)
	}
	s := org.Socket("/realtime")
	for id, topic := range topics {
		s.Send(apptest.Fields{"op": "subscribe", "id": id + 1, "topic": topic})
	}
	for range limit {
		if f := s.Want("subscribed", "error"); f.Text("op") == "error" {
			t.Fatalf("a topic below the limit: %s", f.Body)
		}
	}
	for id := limit + 1; id <= len(topics); id++ {
		if f := s.Want("error"); f.Text("error") != "rate_limited" || f.Number("id") != float64(id) {
			t.Errorf("a topic above the limit: %s", f.Body)
		}
	}
	s.Send(apptest.Fields{"op": "unsubscribe", "topic": topics[0]})
	s.Send(apptest.Fields{"op": "subscribe", "topic": topics[limit]})
	if f := s.Want("subscribed", "error"); f.Text("op") != "subscribed" {
		t.Errorf("a topic in place of another one: %s", f.Body)
	}
}

// TestStreamTopics asks for streams with too many topics.
func TestStreamTopics(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today))
	org := a.As("org")
	event := org.Publish(nil)
	other := func() string { return domain.NewID[domain.EventKind](apptest.Today).String() }
	org.Get("/realtime/stream?topic=me" + strings.Repeat("&topic=event:"+other(), 100)).Want(400)
	org.Get("/realtime/stream?topic=me&after=1&topic=chat:" + event + "&topic=chat:" + other()).Want(400)
	org.Stream("/realtime/stream?topic=me&topic=chat:" + event).Want("caught_up")
}
