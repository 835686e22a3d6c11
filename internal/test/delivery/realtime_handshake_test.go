package delivery_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestHijack opens sockets as foreign pages and thieves of tickets do (cross-site WebSocket
// hijacking), and as clients may.
func TestHijack(t *testing.T) {
	const open = 101
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, stranger := a.As("org"), a.As("ann"), a.As("stranger")
		event, other := org.Publish(nil), org.Publish(nil)
		ann.Join(event)
		ann.Join(other)
		socket := "/events/" + event + "/ws"
		ticketOf := func(c *apptest.Client, event string) string {
			return "?ticket=" + c.Get("/events/"+event+"/ws").Want(200).Text("ticket")
		}
		anywhere := func() string { return "?ticket=" + ann.Post("/realtime/tickets", nil).Want(200).Text("ticket") }
		page := func(origin string) *apptest.Client {
			c := a.Anonymous().With("Cookie", "service_refresh_token="+ann.RefreshToken)
			if origin != "" {
				c = c.With("Origin", origin)
			}
			return c
		}
		used := ticketOf(ann, event)
		a.Anonymous().Socket(socket + used).Want("welcome")
		ended := a.SignIn(apptest.Email("ann"))
		endedTicket := ticketOf(ended, event)
		ann.Delete("/auth/sessions/" + ended.SessionID).Want(204)
		key := ann.Post("/me/api-keys", apptest.Fields{"name": "Bot", "scopes": []string{"chat:read"}}).Want(201).Text("key")

		for _, row := range []struct {
			name   string
			caller *apptest.Client
			path   string
			status int
		}{
			{"a program with an access token", ann, socket, open},
			{"a program on a page: it knows the token", ann.With("Origin", "https://evil.test"), socket, open},
			{"a page of the web client", page(apptest.WebOrigin), socket, open},
			{"no origin", page(""), socket, 403},
			{"a foreign origin", page("https://evil.test"), socket, 403},
			{"a sandboxed page", page("null"), socket, 403},
			{"a subdomain", page("https://blog.moothall.test"), socket, 403},
			{"http instead of https", page("http://moothall.test"), socket, 403},
			{"another port", page("https://moothall.test:8443"), socket, 403},
			{"a foreign origin without an event", page("https://evil.test"), "/realtime", 403},
			{"a ticket", a.Anonymous(), socket + ticketOf(ann, event), open},
			{"a ticket beside the cookie", page("https://moothall.test"), socket + ticketOf(ann, event), open},
			{"a used ticket", a.Anonymous(), socket + used, 401},
			{"a ticket of another event", a.Anonymous(), socket + ticketOf(ann, other), 401},
			{"a ticket of no event", a.Anonymous(), socket + anywhere(), 401},
			{"a ticket of an event, for none", a.Anonymous(), "/realtime" + ticketOf(ann, event), 401},
			{"a ticket for none", a.Anonymous(), "/realtime" + anywhere(), open},
			{"a ticket of an ended session", a.Anonymous(), socket + endedTicket, 401},
			{"two tickets", a.Anonymous(), socket + ticketOf(ann, event) + "&ticket=x", 401},
			{"an invented ticket", a.Anonymous(), socket + "?ticket=wt_x", 401},
			{"an access token as a ticket", a.Anonymous(), socket + "?ticket=" + ann.AccessToken, 401},
			{"an API key", a.WithBearer(key), socket, 403},
			{"nobody", a.Anonymous(), socket, 401},
			{"not a member of the chat", stranger, socket, 403},
			{"an unknown event", ann, "/events/018f3b0a-5c1d-7000-8000-0000000000e1/ws", 404},
		} {
			s, refused := row.caller.Handshake(row.path)
			switch {
			case s != nil && row.status != open:
				t.Errorf("%s: the socket is open, want %d", row.name, row.status)
			case s != nil:
				s.Want("welcome")
				s.Close()
			case refused.Status != row.status:
				t.Errorf("%s: %d %s, want %d", row.name, refused.Status, refused.Body, row.status)
			}
		}

		late := ticketOf(ann, event)
		a.Clock.Advance(30 * time.Second)
		if s, refused := a.Anonymous().Handshake(socket + late); s != nil || refused.Status != 401 {
			t.Error("a ticket is valid after 30 seconds")
		}
	}, apptest.StartAt(apptest.Today))
}

// TestMalformedPositionIsRejected sends positions that violate the contract.
func TestMalformedPositionIsRejected(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today))
	org := a.As("org")
	path := "/events/" + org.Publish(nil) + "/ws?after="
	for _, after := range []string{strings.Repeat("1", 21), "%FF", "%00", "1&after=2"} {
		if _, answer := org.Handshake(path + after); answer == nil {
			t.Errorf("after=%s opens a socket", after)
		} else {
			answer.WantError(400, "invalid_request")
		}
	}
}

// TestPanicInFirstFrames lets the first subscription of a socket panic once. The client is told, and
// the socket does everything else.
func TestPanicInFirstFrames(t *testing.T) {
	var armed atomic.Bool
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today), apptest.OnStatement(func(_ context.Context, s *db.Stmt) {
		if s.Name() == "chat.latest" && armed.CompareAndSwap(true, false) {
			panic("a test")
		}
	}))
	org := a.As("org")
	event := org.Publish(nil)
	armed.Store(true)
	s := org.Socket("/events/" + event + "/ws")
	if f := s.Want("error"); f.Text("error") != "internal_error" {
		t.Errorf("after a panic: %s", f.Body)
	}
	s.Want("changed")
	s.Send(apptest.Fields{"op": "subscribe", "topic": "chat:" + event})
	s.Want("caught_up")
	s.Close()
	testutil.Until(t, "the end of the socket", func() bool {
		return strings.Contains(a.Metrics(), `moothall_realtime_sockets{transport="websocket"} 0`)
	})
}

func TestRealtimeOff(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		if _, answer := org.Handshake("/events/" + event + "/ws"); answer == nil || answer.Get("realtime_available") != false {
			t.Error("a handshake gets another answer than an access check")
		}
		org.Get("/realtime").WantError(404, "not_found")
		org.Get("/realtime/stream?topic=me").WantError(404, "not_found")
		org.Post("/realtime/tickets", nil).WantError(404, "not_found")
	}, apptest.StartAt(apptest.Today), apptest.Setting("REALTIME", "off"))
}
