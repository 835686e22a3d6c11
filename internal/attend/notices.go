package attend

import (
	"context"
	"moothall/internal/access"
	"moothall/internal/db"
)

func tellJoined(ctx context.Context, tx db.Tx, f access.EventFacts, p Participant) error { return nil }
func tellFollowers(ctx context.Context, tx db.Tx, p Participant) error                   { return nil }
func takeBack(ctx context.Context, tx db.Tx, p Participant) error                        { return nil }
