package webhook

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// maxReplayed is how many messages one replay queues.
const maxReplayed = 1000

// Range selects messages: one, or those of a time range.
type Range struct {
	Message  *domain.WebhookMessageID
	From, To *time.Time
}

func (r Range) check() error {
	switch {
	case r.Message != nil && (r.From != nil || r.To != nil):
		return domain.Invalid("/message_id", "must not be sent with a range")
	case r.Message == nil && r.From == nil:
		return domain.Invalid("/from", "must be sent, or message_id")
	case r.Message == nil && (r.To == nil || r.To.Before(*r.From)):
		return domain.Invalid("/to", "must not be before from")
	}
	return nil
}

// Replay queues one message again, or up to 1000 messages of a time range, and returns their number. It
// returns a domain.Forbidden until all messages of the user's previous replay have had an attempt, and a
// domain.RateLimited for more messages than ReplaysPerUserDay allows now.
func (s *Service) Replay(ctx context.Context, v domain.Viewer, id domain.WebhookID, r Range) (n int64, err error) {
	if err := r.check(); err != nil {
		return 0, err
	}
	if err := mustBeActive(ctx, s.DB, v, id); err != nil {
		return 0, err
	}
	most := min(maxReplayed, s.Limits.Quota(ReplaysPerUserDay).N)
	var count int
	if err := s.DB.One(ctx, countReplayStmt, id, r.Message, r.From, r.To, most).Scan(&count); err != nil || count == 0 {
		return 0, err
	}
	if err := s.Limits.SpendN(ctx, ReplaysPerUserDay, v.UserID.String(), count); err != nil {
		return 0, err
	}
	n, err = s.replay(ctx, v, id, r, count)
	if unused := count - int(n); unused > 0 {
		s.Limits.RefundN(ctx, ReplaysPerUserDay, v.UserID.String(), unused)
	}
	return n, err
}

// replay queues at most limit messages, unless a replay of the user is in progress.
func (s *Service) replay(ctx context.Context, v domain.Viewer, id domain.WebhookID, r Range, limit int) (n int64, err error) {
	err = s.DB.InTx(ctx, func(tx db.Tx) error { // which locks the account: no two replays begin together
		if err := mustBeActive(ctx, tx, v, id); err != nil {
			return err
		}
		var replaying bool
		if err := tx.One(ctx, replayingStmt, v.UserID).Scan(&replaying); err != nil {
			return err
		}
		if replaying {
			return domain.Forbid(domain.BlockedByState)
		}
		n, err = tx.Exec(ctx, replayStmt, id, r.Message, r.From, r.To, limit, s.Clock.Now())
		tx.Publish(topic)
		return err
	})
	if err != nil {
		n = 0
	}
	return n, err
}

// inRange selects the messages of a replay: $2 or, without it, those from $3 to $4; at most $5.
const inRange = `FROM webhook_messages m
	WHERE m.webhook_id = $1 AND m.kind <> 'challenge' AND (m.id = CAST($2 AS UUID)
		OR CAST($2 AS UUID) IS NULL AND m.created_at >= CAST($3 AS BIGINT) AND m.created_at <= CAST($4 AS BIGINT))
	ORDER BY m.id LIMIT $5`

var (
	countReplayStmt = db.SQL("webhook.count_replay", `SELECT COUNT(*) FROM (SELECT m.id `+inRange+`) AS r`)

	replayingStmt = db.SQL("webhook.replaying", `
		SELECT EXISTS (SELECT 1 FROM webhook_messages m JOIN webhooks w ON w.id = m.webhook_id
			WHERE w.user_id = $1 AND m.replayed AND m.attempts = 0 AND m.due_at IS NOT NULL)`)

	replayStmt = db.SQL("webhook.replay", `
		UPDATE webhook_messages SET due_at = $6, attempts = 0, replayed = TRUE WHERE webhook_id = $1 AND id IN (SELECT m.id `+inRange+`)`)
)
