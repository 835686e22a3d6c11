// Command centrifuge serves sockets with the library centrifuge and its memory broker, to
// compare it with Moothall: `bench live` starts it. It is a module of its own, so that
// the library and its 25 dependencies are none of the service.
//
// GET /{channel} opens a WebSocket that is subscribed to a channel with history. POST /{channel}
// publishes a message on it.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/centrifugal/centrifuge"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: centrifuge ADDRESS")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "centrifuge:", err)
		os.Exit(1)
	}
}

// serve serves until ctx ends.
func serve(ctx context.Context, address string) error {
	node, err := centrifuge.New(centrifuge.Config{})
	if err != nil {
		return err
	}
	node.OnConnecting(func(ctx context.Context, _ centrifuge.ConnectEvent) (centrifuge.ConnectReply, error) {
		viewer, _ := centrifuge.GetCredentials(ctx)
		return centrifuge.ConnectReply{
			Subscriptions: map[string]centrifuge.SubscribeOptions{viewer.UserID: {EnableRecovery: true}},
		}, nil
	})
	if err := node.Run(); err != nil {
		return err
	}
	sockets := centrifuge.NewWebsocketHandler(node, centrifuge.WebsocketConfig{})
	server := &http.Server{Addr: address, ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			channel := strings.TrimPrefix(r.URL.Path, "/")
			if r.Method == http.MethodPost {
				if err := publish(node, channel); err != nil {
					http.Error(w, err.Error(), http.StatusInternalServerError)
				}
				return
			}
			if r.Header.Get("Upgrade") != "" {
				ctx := centrifuge.SetCredentials(r.Context(), &centrifuge.Credentials{UserID: channel})
				sockets.ServeHTTP(w, r.WithContext(ctx))
			}
		})}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// text makes messages as long as those of a chat.
var text = strings.Repeat("x", 400)

// publish publishes a message. Its position is the current time in microseconds, as in a chat.
func publish(node *centrifuge.Node, channel string) error {
	message := fmt.Sprintf(`{"op":"message","position":"%d","text":%q}`, time.Now().UnixMicro(), text)
	_, err := node.Publish(channel, []byte(message), centrifuge.WithHistory(100, time.Minute))
	return err
}
