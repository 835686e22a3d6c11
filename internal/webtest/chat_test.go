package webtest

import (
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"moothall/internal/apptest"
)

// chatTogether lets two people chat, each in a window of their own, of whom one loses the connection.
func chatTogether(j *journey) {
	network := newCable(j.T, strings.TrimPrefix(j.base, "http://"))
	j.base = "http://" + network.Addr().String()
	event := j.event("org", "Chess in the park", apptest.Fields{"capacity": nil})
	chat := "/events/" + event + "/chat"
	for _, name := range []string{"ann", "ben"} {
		j.App.As(name).In(j.T).Join(event)
	}
	j.signInAs("ann")
	j.Open(chat)
	j.See("Nobody has written yet")
	j.live()
	runJourney(j.T, j.App, j.name+", the other window", true, func(other *journey) {
		other.signInAs("ben")
		other.Open(chat)
		other.live()
		j.Fill("Write a message", "Who brings the board?")
		other.See("Somebody is typing")
		j.Press("Send")
		other.See("Who brings the board?")
		other.Fill("Write a message", "I do: https://example.org/board.")
		other.Press("Send")
		j.See("I do")
		j.live()
		j.await("a link", `document.querySelector(".line a")?.href === "https://example.org/board"`)
	})
	j.Accessible()
	network.cut()
	j.App.As("ben").In(j.T).Post("/events/"+event+"/messages", apptest.Fields{"body": "On my way."}).Want(http.StatusCreated)
	j.See("On my way.")
	j.live()
	if got := read[int](j, "the messages", `document.querySelectorAll(".line").length`); got != 3 {
		j.Errorf("%d messages, want 3", got)
	}
}

// live waits until the chat is connected and has sent what was written.
func (j *journey) live() {
	j.Helper()
	j.await("the connection", `(chat => chat.dataset.now === "live" && !chat.querySelector("[type=submit]").disabled)(document.querySelector("event-chat"))`)
}

// cable forwards connections to a server, and can cut them.
type cable struct {
	net.Listener
	to   string
	mu   sync.Mutex
	open []net.Conn
}

func newCable(t *testing.T, to string) *cable {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{Listener: listener, to: to}
	go c.forward()
	t.Cleanup(func() {
		_ = listener.Close()
		c.cut()
	})
	return c
}

func (c *cable) forward() {
	for {
		browser, err := c.Accept()
		if err != nil {
			return // closed
		}
		server, err := net.Dial("tcp", c.to)
		if err != nil {
			_ = browser.Close()
			continue
		}
		c.mu.Lock()
		c.open = append(c.open, browser, server)
		c.mu.Unlock()
		for from, to := range map[net.Conn]net.Conn{browser: server, server: browser} {
			go func() {
				_, _ = io.Copy(to, from)
				_ = to.Close()
			}()
		}
	}
}

// cut ends all connections. New ones are possible.
func (c *cable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, connection := range c.open {
		_ = connection.Close()
	}
	c.open = nil
}
