package notify

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// A broadcast is one row for a large audience. Each recipient receives it, as a row in
// notifications, at their next look at the list or the number of unread ones. So an
// announcement costs the same for any number of recipients.

var (
	// countStmt makes concurrent broadcasts wait for each other.
	countStmt = db.SQL("notify.count_broadcast", `
		INSERT INTO broadcast_counter (id, n) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET n = broadcast_counter.n + 1`)

	broadcastStmt = db.SQL("notify.broadcast", `
		INSERT INTO broadcasts (id, audience, audience_id, kind, subject, actor_id, event_id, params, created_at, number)
		SELECT CAST($1 AS UUID), CAST($2 AS TEXT), CAST($3 AS UUID), CAST($4 AS TEXT), CAST($5 AS TEXT), CAST($6 AS UUID), CAST($7 AS UUID),
			CAST($8 AS TEXT), CAST($9 AS BIGINT), c.n
		FROM broadcast_counter c WHERE c.id = 1
		ON CONFLICT (id) DO UPDATE SET
			actor_id = excluded.actor_id, params = excluded.params, created_at = excluded.created_at, number = excluded.number`)
)

// newSQL is true if a recipient has not looked at the broadcast b.
func newSQL(user string) string {
	return `b.number > COALESCE((SELECT r.number FROM broadcasts_received r WHERE r.user_id = ` + user + `), 0)`
}

// addressedSQL is true if a user is a recipient of the broadcast b who has not received it:
// a member of its audience at the time of the announcement. The time of an unfollow is
// unknown, so those who have unfollowed since are no recipients.
func addressedSQL(user string) string {
	return strings.ReplaceAll(`b.actor_id IS DISTINCT FROM {user}
	AND CASE b.audience
		WHEN 'followers' THEN EXISTS (SELECT 1 FROM follows f
			WHERE f.follower_id = {user} AND f.followed_id = b.audience_id AND f.created_at <= b.created_at)
		WHEN 'waiting' THEN EXISTS (SELECT 1 FROM waitlist_entries w WHERE w.event_id = b.audience_id AND w.user_id = {user}
			AND w.status IN ('waiting', 'offered') AND w.created_at <= b.created_at)
		WHEN 'invited_unanswered' THEN EXISTS (SELECT 1 FROM invitations i WHERE i.event_id = b.audience_id AND i.user_id = {user}
			AND i.status = 'pending' AND i.created_at <= b.created_at)
		WHEN 'requested' THEN EXISTS (SELECT 1 FROM join_requests j WHERE j.event_id = b.audience_id AND j.user_id = {user}
			AND j.status = 'pending' AND j.created_at <= b.created_at)
		WHEN 'group_members' THEN EXISTS (SELECT 1 FROM group_members m
			WHERE m.group_id = b.audience_id AND m.user_id = {user} AND m.status = 'active' AND m.since <= b.created_at)
		WHEN 'group_of_event' THEN EXISTS (SELECT 1 FROM events e JOIN group_members m ON m.group_id = e.group_id
			WHERE e.id = b.audience_id AND m.user_id = {user} AND m.status = 'active' AND m.since <= b.created_at
			AND (e.visibility <> 'public' OR NOT EXISTS (SELECT 1 FROM follows f
				WHERE f.follower_id = {user} AND f.followed_id = e.organizer_id AND f.created_at <= b.created_at)))
		ELSE EXISTS (SELECT 1 FROM participants p
				WHERE p.event_id = b.audience_id AND p.user_id = {user} AND p.joined_at <= b.created_at
				AND (p.status = 'going' OR p.left_at > b.created_at))
			OR b.audience = 'going_invited_and_waiting' AND EXISTS (SELECT 1 FROM waitlist_entries w
				WHERE w.event_id = b.audience_id AND w.user_id = {user} AND w.created_at <= b.created_at
				AND (w.status IN ('waiting', 'offered') OR w.status = 'closed' AND w.updated_at >= b.created_at))
			OR b.audience = 'going_invited_and_waiting' AND EXISTS (SELECT 1 FROM join_requests j
				WHERE j.event_id = b.audience_id AND j.user_id = {user} AND j.status = 'pending' AND j.created_at <= b.created_at)
			OR b.audience IN ('going_and_invited', 'going_invited_and_waiting', 'attending') AND EXISTS (SELECT 1 FROM invitations i
				WHERE i.event_id = b.audience_id AND i.user_id = {user} AND i.created_at <= b.created_at
				AND (i.status <> 'declined' OR i.responded_at > b.created_at)
				AND (b.audience <> 'attending' OR i.status IN ('accepted', 'tentative')))
		END
	AND NOT EXISTS (SELECT 1 FROM notifications n WHERE n.user_id = {user} AND n.id = b.id AND n.created_at >= b.created_at)`, "{user}", user)
}

// dueSQL is true if a user is a recipient of a new broadcast, or if there are more than 20 new
// broadcasts: then the user's position moves past them, so that later requests do not check them again.
func dueSQL(user string) string {
	return `(EXISTS (SELECT 1 FROM broadcasts b WHERE ` + newSQL(user) + ` ORDER BY b.number LIMIT 1 OFFSET 20)
	OR EXISTS (SELECT 1 FROM broadcasts b WHERE ` + newSQL(user) + ` AND ` + addressedSQL(user) + `))`
}

var (
	dueUsersStmt = db.SQL("notify.due_users", `
		SELECT u.id FROM users u WHERE u.id IN (SELECT l.value FROM ids($1) AS l) AND `+dueSQL("u.id"))

	dueJoinsStmt = db.SQL("notify.due_joins", `
		SELECT u.id FROM users u WHERE u.id IN (SELECT l.value FROM ids($1) AS l)
			AND `+joinsCountSQL("u.id", "CAST($2 AS BIGINT)")+` > 0`)

	latestStmt = db.SQL("notify.latest_broadcast", `SELECT COALESCE(MAX(b.number), 0) FROM broadcasts b`)

	dueBroadcastsStmt = db.SQL("notify.due_broadcasts", `
		SELECT u.value, b.kind, b.subject, b.actor_id, b.event_id, b.params, b.created_at
		FROM ids($1) AS u JOIN broadcasts b ON `+newSQL("u.value")+` AND `+addressedSQL("u.value"))

	receivedStmt = db.SQL("notify.received", `
		INSERT INTO broadcasts_received (user_id, number) VALUES ($1, $2)
		ON CONFLICT (user_id) DO UPDATE SET number = excluded.number WHERE broadcasts_received.number < excluded.number`)
)

// announced is a notification to be received, and when it was announced.
type announced struct {
	Notification
	at time.Time
}

func (b *announced) scan(row db.Row) error {
	var actor *domain.UserID
	var event *domain.EventID
	var params string
	if err := row.Scan(&b.To, &b.Kind, &b.Subject, &actor, &event, &params, &b.at); err != nil {
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

// Receive writes the rows of broadcasts and joins that are new to users. They need no row of the outbox: the
// announcement has one for all recipients.
func (s *Service) Receive(ctx context.Context, users []domain.UserID) error {
	due, err := db.Values[domain.UserID](ctx, s.DB, dueUsersStmt, users)
	if err == nil && len(due) > 0 {
		err = s.receiveBroadcasts(ctx, due)
	}
	if err != nil {
		return err
	}
	due, err = db.Values[domain.UserID](ctx, s.DB, dueJoinsStmt, users, s.Clock.Now())
	for _, user := range due {
		if err == nil {
			err = s.receiveJoins(ctx, user)
		}
	}
	return err
}

// receiveBroadcasts writes the rows of the broadcasts to users.
func (s *Service) receiveBroadcasts(ctx context.Context, users []domain.UserID) error {
	var latest int64 // all up to this number are visible
	if err := s.DB.One(ctx, latestStmt).Scan(&latest); err != nil {
		return err
	}
	due, err := db.All(ctx, s.DB, func(row db.Row, b *announced) error { return b.scan(row) }, dueBroadcastsStmt, users)
	if err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		for _, b := range due {
			if err := put(ctx, tx, b.at, b.Notification); err != nil {
				return err
			}
		}
		for _, user := range users {
			tx.Queue(ctx, receivedStmt, user, latest)
		}
		return nil
	})
}
