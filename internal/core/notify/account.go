package notify

import (
	"context"
	"encoding/json"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is one notification in an account export.
type exported struct {
	ID        domain.NotificationID `json:"id"`
	Kind      Kind                  `json:"kind"`
	Subject   string                `json:"subject"`
	ActorID   *domain.UserID        `json:"actor_user_id"`
	EventID   *domain.EventID       `json:"event_id"`
	Params    json.RawMessage       `json:"params"`
	ReadAt    *time.Time            `json:"read_at"`
	CreatedAt time.Time             `json:"created_at"`
}

// exportStmt includes the broadcasts and joins that the user has not received. It omits actors
// whose participation in the event has ended or is no longer public, as the list does.
var exportStmt = db.SQL("notify.export", `
	SELECT n.id, n.kind, n.subject, CASE WHEN n.kind <> 'followed_user_going' OR EXISTS (
			SELECT 1 FROM participants p WHERE p.event_id = n.event_id AND p.user_id = n.actor_id AND p.status = 'going' AND p.visibility = 'public')
		THEN n.actor_id END, n.event_id, n.params, n.read_at, n.created_at
	FROM (
		SELECT `+rowColumns+` FROM notifications n WHERE n.user_id = $1
		UNION ALL
		SELECT b.id, b.kind, b.subject, b.params, b.event_id, b.actor_id, NULL, b.created_at FROM broadcasts b
			WHERE `+newSQL("$1")+` AND `+addressedSQL("$1")+`
		UNION ALL
		SELECT p.announcement, 'followed_user_going', '', '{}', p.event_id, p.user_id, NULL, p.joined_at
		FROM follows f JOIN participants p ON `+newJoinsSQL("0")+` WHERE f.follower_id = $1
	) AS n ORDER BY n.created_at, n.id`)

// Export returns the notifications of a user, the oldest first.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	all, err := db.All(ctx, q, func(row db.Row, e *exported) error {
		var params string
		err := row.Scan(&e.ID, &e.Kind, &e.Subject, &e.ActorID, &e.EventID, &params, &e.ReadAt, &e.CreatedAt)
		e.Params = json.RawMessage(params)
		if e.Subject == "" && e.EventID != nil { // a join
			e.Subject = e.EventID.String()
		}
		return err
	}, exportStmt, user)
	return append([]exported{}, all...), err
}

var (
	eraseStmt           = db.SQL("notify.erase", `DELETE FROM notifications WHERE user_id = $1`)
	erasePositionStmt   = db.SQL("notify.erase_position", `DELETE FROM broadcasts_received WHERE user_id = $1`)
	eraseBroadcastsStmt = db.SQL("notify.erase_broadcasts", `DELETE FROM broadcasts WHERE audience_id = $1`)
	eraseOutboxStmt     = db.SQL("notify.erase_outbox", `DELETE FROM notification_outbox WHERE user_id = $1 OR audience_id = $1`)
)

// Erase deletes the notifications of a user and the broadcasts to their followers.
// Notifications that the user caused for others stay: they contain no name.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	tx.Queue(ctx, eraseStmt, user)
	tx.Queue(ctx, erasePositionStmt, user)
	tx.Queue(ctx, eraseBroadcastsStmt, user)
	tx.Queue(ctx, eraseOutboxStmt, user)
	return nil
}
