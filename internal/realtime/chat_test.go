package realtime_test

import (
	"fmt"
	"testing"

	"moothall/internal/apptest"
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
