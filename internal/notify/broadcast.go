package notify

import (
	"context"
	"encoding/json"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// A broadcast is one row for a large audience. Each recipient receives it, as a row in
// notifications, at their next look at the list or the number of unread ones. So an
// announcement costs the same for any number of recipients.

var broadcastStmt = db.SQL("notify.broadcast", `
	INSERT INTO broadcasts (id, audience, audience_id, kind, subject, actor_id, event_id, params, created_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
	ON CONFLICT (id) DO UPDATE SET actor_id = excluded.actor_id, params = excluded.params, created_at = excluded.created_at`)

// maxCommitDelay is longer than any transaction takes from reading the clock to its
// commit. Broadcasts of that time before a look may become visible after it.
const maxCommitDelay = 10 * time.Minute

// newBroadcastsSQL is the FROM and WHERE of the broadcasts after the position of the
// recipient $1.
const newBroadcastsSQL = `FROM broadcasts b WHERE b.created_at > COALESCE(
	(SELECT r.up_to FROM broadcasts_received r WHERE r.user_id = $1), (SELECT u.created_at - 1 FROM users u WHERE u.id = $1))`

// addressedSQL is true if $1 is a recipient of the broadcast b who has not received it:
// a member of its audience at the time of the announcement. The time of an unfollow is
// unknown, so those who have unfollowed since are no recipients.
const addressedSQL = `b.actor_id IS DISTINCT FROM $1
	AND CASE b.audience
		WHEN 'followers' THEN EXISTS (SELECT 1 FROM follows f
			WHERE f.follower_id = $1 AND f.followed_id = b.audience_id AND f.created_at <= b.created_at)
		ELSE EXISTS (SELECT 1 FROM participants p
				WHERE p.event_id = b.audience_id AND p.user_id = $1 AND p.joined_at <= b.created_at
				AND (p.status = 'going' OR p.left_at > b.created_at))
			OR b.audience = 'going_and_invited' AND EXISTS (SELECT 1 FROM invitations i
				WHERE i.event_id = b.audience_id AND i.user_id = $1 AND i.created_at <= b.created_at
				AND (i.status <> 'declined' OR i.responded_at > b.created_at))
		END
	AND NOT EXISTS (SELECT 1 FROM notifications n WHERE n.user_id = $1 AND n.id = b.id AND n.created_at >= b.created_at)`

// dueSQL is true if $1 has broadcasts to receive, or if there are so many new ones for
// others up to the time $2 that the position should advance.
const dueSQL = `EXISTS (SELECT 1 ` + newBroadcastsSQL + ` AND b.created_at <= $2 ORDER BY b.created_at LIMIT 1 OFFSET 100)
	OR EXISTS (SELECT 1 ` + newBroadcastsSQL + ` AND ` + addressedSQL + `)`

var (
	dueBroadcastsStmt = db.SQL("notify.due_broadcasts", `
		SELECT b.kind, b.subject, b.actor_id, b.event_id, b.params, b.created_at `+newBroadcastsSQL+` AND `+addressedSQL)

	advanceStmt = db.SQL("notify.advance", `
		INSERT INTO broadcasts_received (user_id, up_to) VALUES ($1, $2)
		ON CONFLICT (user_id) DO UPDATE SET up_to = excluded.up_to WHERE broadcasts_received.up_to < excluded.up_to`)
)

// broadcast is a notification to be received, and when it was announced.
type broadcast struct {
	Notification
	at time.Time
}

func (b *broadcast) scan(row db.Row) error {
	var actor *domain.UserID
	var event *domain.EventID
	var params string
	if err := row.Scan(&b.Kind, &b.Subject, &actor, &event, &params, &b.at); err != nil {
		return err
	}
	if actor != nil {
		b.Actor = *actor
	}
	if event != nil {
		b.Event = *event
	}
	return json.Unmarshal([]byte(params), &b.Params)
}

// receive writes the rows of the broadcasts to a user and advances the user's position.
func (s *Service) receive(ctx context.Context, user domain.UserID) error {
	upTo := s.upTo()
	due, err := db.All(ctx, s.DB, func(row db.Row, b *broadcast) error { return b.scan(row) }, dueBroadcastsStmt, user)
	if err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		for _, b := range due {
			b.To = user
			if err := Put(ctx, tx, b.at, b.Notification); err != nil {
				return err
			}
		}
		tx.Queue(ctx, advanceStmt, user, upTo)
		return nil
	})
}

// upTo is the time up to which all broadcasts are visible now.
func (s *Service) upTo() time.Time { return s.Clock.Now().Add(-maxCommitDelay) }
