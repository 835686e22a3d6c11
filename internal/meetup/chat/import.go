package chat

import (
	"context"
	"iter"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Imported is a message to be seeded.
type Imported struct {
	ID       domain.MessageID
	EventID  domain.EventID
	AuthorID domain.UserID
	Body     string
	At       time.Time // greater than that of the previous message of the event
}

// Import stores the chats of events that have none yet. The messages of one event must be
// adjacent, the oldest first.
func Import(ctx context.Context, d *db.DB, all []Imported) error {
	messages := []string{"event_id", "created_at", "id", "author_id", "client_message_id", "body"}
	if _, err := d.Bulk(ctx, "messages", messages, messageRows(all)); err != nil {
		return err
	}
	_, err := d.Bulk(ctx, "chats", []string{"event_id", "last_at"}, chatRows(all))
	return err
}

func messageRows(all []Imported) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, m := range all {
			if !yield([]any{m.EventID, m.At, m.ID, m.AuthorID, nil, m.Body}) {
				return
			}
		}
	}
}

func chatRows(all []Imported) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for i, m := range all {
			if last := i == len(all)-1 || all[i+1].EventID != m.EventID; last && !yield([]any{m.EventID, m.At}) {
				return
			}
		}
	}
}
