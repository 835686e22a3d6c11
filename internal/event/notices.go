package event

import (
	"context"
	"moothall/internal/db"
)

func tellUpdated(ctx context.Context, tx db.Tx, e Event) error   { return nil }
func tellPublished(ctx context.Context, tx db.Tx, e Event) error { return nil }
func tellCanceled(ctx context.Context, tx db.Tx, e Event) error  { return nil }
