// Command client uses the client that oapi-codegen generates. "client URL create" creates
// 30 events that start together and prints their organizer. "client URL ORGANIZER" reads
// them in pages of 7.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"
)

const count = 30

func main() {
	log.SetFlags(0)
	client, err := NewClientWithResponses(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if os.Args[2] == "create" {
		err = create(context.Background(), client)
	} else {
		err = read(context.Background(), client, uuid.MustParse(os.Args[2]))
	}
	if err != nil {
		log.Fatal(err)
	}
}

func create(ctx context.Context, client *ClientWithResponses) error {
	const email = "org@example.org"
	code, err := client.StartDevSignInWithResponse(ctx, StartDevSignInRequest{Email: email})
	if err != nil || code.JSON200 == nil {
		return fmt.Errorf("start: %v, %w", code, err)
	}
	session, err := client.VerifyDevSignInWithResponse(ctx, VerifyDevSignInRequest{Email: email, Code: *code.JSON200.DevCode})
	if err != nil || session.JSON200 == nil {
		return fmt.Errorf("verify: %v, %w", session, err)
	}
	signed := func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+session.JSON200.AccessToken)
		return nil
	}
	starts := time.Now().Add(24 * time.Hour)
	for i := range count {
		event, err := client.CreateEventWithResponse(ctx, nil, CreateEventRequest{Title: fmt.Sprint("Tea ", i), StartsAt: starts}, signed)
		if err != nil || event.JSON201 == nil {
			return fmt.Errorf("create: %v, %w", event, err)
		}
		if published, err := client.PublishEventWithResponse(ctx, event.JSON201.Event.Id, signed); err != nil || published.JSON200 == nil {
			return fmt.Errorf("publish: %v, %w", published, err)
		}
	}
	fmt.Println(session.JSON200.CurrentUser.Profile.UserId)
	return nil
}

func read(ctx context.Context, client *ClientWithResponses, organizer uuid.UUID) error {
	seen, items, limit := map[uuid.UUID]bool{}, 0, 7
	params := &ListEventsParams{OrganizerId: &organizer, Limit: &limit}
	for items <= count {
		page, err := client.ListEventsWithResponse(ctx, params)
		if err != nil || page.JSON200 == nil {
			return fmt.Errorf("list: %v, %w", page, err)
		}
		for _, card := range page.JSON200.Items {
			seen[card.Event.Id] = true
			items++
		}
		if params.Cursor = page.JSON200.NextCursor; params.Cursor == nil {
			break
		}
	}
	if items != count || len(seen) != count {
		return fmt.Errorf("%d events, %d different, want %d", items, len(seen), count)
	}
	return nil
}
