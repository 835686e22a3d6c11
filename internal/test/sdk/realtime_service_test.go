package sdk

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/contract"
	"moothall/internal/test/testutil"
	"moothall/sdk/go/realtime"
)

// TestClientWithService reads a chat of the real service over a network that cuts connections, and at last drops everything without an
// error. The client gets the messages of the list, in its order.
func TestClientWithService(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(apptest.Fields{"starts_at": a.Clock.Now().AddDate(0, 0, 2)})
		ann.Join(event)
		urls := a.URLs()
		network := apptest.NewCable(t, urls[len(urls)-1]) // messages are sent to the first instance
		var mu sync.Mutex
		var got []string
		live := make(chan struct{}, 1000)
		client := realtime.New(realtime.Options{
			URL:   network.URL,
			Token: func(context.Context, string) (string, error) { return ann.AccessToken, nil },
			Frame: func(f realtime.Frame) {
				contract.ServerFrame(t, f.Raw)
				var m struct{ Body string }
				if f.Op == "message" && json.Unmarshal(f.Message, &m) == nil {
					mu.Lock()
					defer mu.Unlock()
					got = append(got, m.Body)
				}
			},
			State: func(s realtime.State) {
				if s == realtime.Live {
					live <- struct{}{}
				}
			},
			MaxDelay: time.Millisecond,
		})
		client.Subscribe(realtime.ChatTopic(event), 0)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- client.Run(ctx) }()
		<-live
		var want []string
		for round := range testutil.Rounds(5, 50) {
			for i := range 4 {
				want = append(want, fmt.Sprint(round, " ", i))
				org.Post("/events/"+event+"/messages", apptest.Fields{"body": want[len(want)-1]}).Want(201)
				if i == round%4 {
					network.Cut()
				}
			}
		}
		await := func(what string) {
			t.Helper()
			testutil.Until(t, what, func() bool {
				mu.Lock()
				defer mu.Unlock()
				return len(got) >= len(want)
			})
		}
		await("all messages")
		network.Silence()
		began := time.Now()
		want = append(want, "the last")
		org.Post("/events/"+event+"/messages", apptest.Fields{"body": "the last"}).Want(201)
		await("a message after the connection has gone silent")
		testutil.Fault(t, "the network drops a WebSocket without an error", "the next message arrives after %v, with pings every second",
			time.Since(began).Round(time.Millisecond))
		stop()
		<-ended
		if strings.Contains(a.Log(), "taken over the connection") {
			t.Error("the log has handshakes as errors")
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}, apptest.Setting("REALTIME_PING_INTERVAL", "1s"))
}

// TestClientWithManyTopics subscribes to as many topics as a socket may have, and to more, and
// loses the connection. The service refuses a topic above its limit once; the others come back.
func TestClientWithManyTopics(t *testing.T) {
	for _, row := range []struct{ topics, refused int }{{30, 0}, {101, 1}} {
		t.Run(fmt.Sprint(row.topics), func(t *testing.T) {
			t.Parallel()
			a := apptest.New(t, db.SQLite)
			org := a.As("org")
			network := apptest.NewCable(t, a.URL())
			var mu sync.Mutex
			subscribed, refusals := map[realtime.Topic]int{}, []realtime.Frame{}
			client := realtime.New(realtime.Options{
				URL:   network.URL,
				Token: func(context.Context, string) (string, error) { return org.AccessToken, nil },
				Frame: func(f realtime.Frame) {
					mu.Lock()
					defer mu.Unlock()
					switch f.Op {
					case "subscribed":
						subscribed[f.Topic]++
					case "error":
						refusals = append(refusals, f)
					}
				},
				MaxDelay: time.Millisecond,
			})
			for n := range row.topics {
				event := org.Publish(apptest.Fields{"starts_at": a.Clock.Now().AddDate(0, 0, 2)})
				topic := realtime.ChatTopic(event)
				if n%2 == 0 {
					topic = realtime.EventTopic(event)
				}
				client.Subscribe(topic, 0)
			}
			go func() { _ = client.Run(t.Context()) }()
			for connection := 1; connection <= 3; connection++ {
				testutil.Until(t, "the subscriptions", func() bool {
					mu.Lock()
					defer mu.Unlock()
					complete := 0
					for _, times := range subscribed {
						if times == connection {
							complete++
						}
					}
					return complete == row.topics-row.refused && len(refusals) >= row.refused
				})
				network.Cut()
			}
			mu.Lock()
			defer mu.Unlock()
			if len(refusals) != row.refused || row.refused > 0 && (refusals[0].Error != "rate_limited" || subscribed[refusals[0].Topic] > 0) {
				t.Errorf("refused: %v", refusals)
			}
		})
	}
}
