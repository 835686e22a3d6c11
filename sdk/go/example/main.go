// Command example signs in to a service in development, organizes an event, and reads its chat. Argument: the address of the
// service, such as http://localhost:8080.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	moothall "moothall/sdk/go"
	"moothall/sdk/go/realtime"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, url string) error {
	client := moothall.New(moothall.Options{URL: url})

	// Sign in. From here on, requests have the access token, which the session refreshes.
	email := "example@example.org"
	challenge, err := client.StartDevSignIn(ctx, moothall.StartDevSignInRequest{Email: email})
	if err != nil {
		return err
	}
	signedIn, err := client.VerifyDevSignIn(ctx, moothall.VerifyDevSignInRequest{Email: email, Code: *challenge.DevCode})
	if err != nil {
		return err
	}
	if err := client.Session.Start(ctx, signedIn.Tokens()); err != nil {
		return err
	}

	// Create an event. If the response is lost, the client repeats the request, and the event exists once.
	created, err := client.CreateEvent(ctx, moothall.CreateEventRequest{
		Title: new("Chess in the park"), StartsAt: time.Now().AddDate(0, 0, 1), City: new("Berlin"),
	})
	if err != nil {
		return err
	}
	event := created.Event.ID
	if _, err := client.PublishEvent(ctx, event); err != nil {
		return err
	}

	// Read a list to its end. The client asks for the next page when it is needed.
	params := moothall.ListEventsParams{OrganizerID: signedIn.CurrentUser.User.ID, Limit: 2}
	for card, err := range client.ListEventsAll(ctx, params) {
		if err != nil {
			return err
		}
		fmt.Println(card.Event.Title)
	}

	// Branch on errors.
	_, err = client.ReviewEvent(ctx, event, moothall.UpsertEventReviewRequest{Rating: 5})
	if failure := (*moothall.Error)(nil); errors.As(err, &failure) {
		fmt.Println(failure.Status, failure.Code, failure.Reason)
	}

	// Read a chat as it happens.
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	chat := realtime.New(realtime.Options{
		URL:   url,
		Token: client.Session.Token,
		Frame: func(f realtime.Frame) {
			switch f.Op {
			case "subscribed":
				_, err = client.SendChatMessage(ctx, event, moothall.SendEventChatMessageRequest{Body: "Hello"})
			case "message":
				fmt.Println("a message arrived")
				stop()
			}
		},
	})
	chat.Subscribe(realtime.ChatTopic(event))
	if ended := chat.Run(ctx); !errors.Is(ended, context.Canceled) {
		return ended
	}
	return client.Session.End(context.WithoutCancel(ctx))
}
