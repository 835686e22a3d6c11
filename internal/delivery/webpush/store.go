package webpush

import (
	"context"
	"strconv"
	"time"

	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/platform/db"
)

var (
	// takeOverStmt removes an endpoint from another user.
	takeOverStmt = db.SQL("webpush.take_over", `DELETE FROM push_subscriptions WHERE endpoint_hash = $1 AND user_id <> $2`)

	countOthersStmt = db.SQL("webpush.count_others", `
		SELECT COUNT(*) FROM push_subscriptions p JOIN sessions s ON s.id = p.session_id
		WHERE p.user_id = $1 AND p.endpoint_hash <> $3 AND `+session.ActiveSQL("s", "$2"))

	countStmt = db.SQL("webpush.count", `
		SELECT COUNT(*) FROM push_subscriptions p JOIN sessions s ON s.id = p.session_id
		WHERE p.user_id = $1 AND `+session.ActiveSQL("s", "$2"))

	upsertStmt = db.SQL("webpush.upsert", `
		INSERT INTO push_subscriptions (id, user_id, session_id, endpoint, endpoint_hash, p256dh, auth, device_name, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (endpoint_hash) DO UPDATE SET user_id = excluded.user_id, session_id = excluded.session_id,
			p256dh = excluded.p256dh, auth = excluded.auth, device_name = excluded.device_name
		RETURNING id, created_at`)

	listStmt = db.SQL("webpush.list", `
		SELECT p.id, p.endpoint, p.device_name, p.created_at, p.session_id = $3
		FROM push_subscriptions p JOIN sessions s ON s.id = p.session_id
		WHERE p.user_id = $1 AND `+session.ActiveSQL("s", "$2")+` ORDER BY p.created_at, p.id`)

	deleteStmt = db.SQL("webpush.delete", `DELETE FROM push_subscriptions WHERE id = $1 AND user_id = $2`)
)

// Count returns how many active subscriptions a user has.
func Count(ctx context.Context, q db.Querier, user domain.UserID, now time.Time) (n int, err error) {
	err = q.One(ctx, countStmt, user, now).Scan(&n)
	return n, err
}

// ActiveSQL is true if the session of a subscription is active.
func ActiveSQL(subscription, now string) string {
	return `EXISTS (SELECT 1 FROM sessions o WHERE o.id = ` + subscription + `.session_id AND ` + session.ActiveSQL("o", now) + `)`
}

func list(ctx context.Context, q db.Querier, v domain.Viewer, now time.Time) ([]Subscription, error) {
	return db.All(ctx, q, func(r db.Row, one *Subscription) error {
		var endpoint string
		err := r.Scan(&one.ID, &endpoint, &one.DeviceName, &one.CreatedAt, &one.Current)
		one.Host = hostOf(endpoint)
		return err
	}, listStmt, v.UserID, now, v.SessionID)
}

// Remove removes a subscription that the push service no longer knows.
func Remove(ctx context.Context, q db.Querier, user domain.UserID, id domain.PushSubscriptionID) error {
	_, err := q.Exec(ctx, deleteStmt, id, user)
	return err
}

const purgeBatch = 1000

// The purge scans the table in the order of its key: sessions have no index by their end.
var (
	purgeEndStmt = db.SQL("webpush.purge_end", `
		SELECT p.id FROM push_subscriptions p WHERE p.id > $1 ORDER BY p.id LIMIT 1 OFFSET `+strconv.Itoa(purgeBatch-1))

	purgeStmt = db.SQL("webpush.purge", `
		DELETE FROM push_subscriptions WHERE id > $1 AND id <= $2
			AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = push_subscriptions.session_id AND `+session.ActiveSQL("s", "$3")+`)`)
)

// Purge deletes the subscriptions whose sessions have ended. Several instances may run it at
// once.
func (s *Service) Purge(ctx context.Context) error {
	now := s.Clock.Now()
	var after domain.PushSubscriptionID
	for more := true; more; {
		end := domain.LastID[domain.PushSubscriptionKind]()
		var err error
		if more, err = s.DB.One(ctx, purgeEndStmt, after).Find(&end); err != nil {
			return err
		}
		if _, err = s.DB.Exec(ctx, purgeStmt, after, end, now); err != nil {
			return err
		}
		after = end
	}
	return nil
}
