package notify

import (
	"context"
	"strconv"
	"strings"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// A public join writes no row for the followers of the user. Its participation has the id of their notification, and
// an index by user and time. A follower counts it from there, and receives it as a row in notifications at their next
// look at the list. A join that ends or becomes incognito before is not received.

// AnnounceJoin notifies the followers of n.Actor of their join. The participation must have the id of n (Notification.ID) as its
// announcement and now as the time of the join.
func AnnounceJoin(ctx context.Context, tx db.Tx, now time.Time, n Notification) {
	to := FollowersOf(n.Actor)
	addToOutbox(ctx, tx, now, n.withSubject(), &to, false)
	tx.Publish(to.topic())
}

// overlap is how far a recipient reads joins again: a transaction commits at most that long after the time of its join.
const overlap = time.Minute

// newJoinsSQL is true if the user of the follow f has not received the join of the participation p, and it is not before
// the time oldest. COUNT, because PostgreSQL may turn EXISTS into a scan.
func newJoinsSQL(oldest string) string {
	return strings.ReplaceAll(`p.user_id = f.followed_id AND p.status = 'going' AND p.visibility = 'public'
	AND p.joined_at >= CASE WHEN f.created_at > {from} THEN f.created_at ELSE {from} END AND p.announcement IS NOT NULL
	AND (SELECT COUNT(*) FROM notifications n WHERE n.user_id = f.follower_id AND n.id = p.announcement
		AND (n.created_at >= p.joined_at OR n.read_at IS NOT NULL AND n.created_at > p.joined_at - `+micros(renotifyAfter)+`)) = 0
	AND (SELECT COUNT(*) FROM events e JOIN blocks b ON b.blocker_id = e.organizer_id AND b.blocked_id = f.follower_id
		OR b.blocked_id = e.organizer_id AND b.blocker_id = f.follower_id WHERE e.id = p.event_id) = 0`,
		"{from}", joinsFromSQL(oldest))
}

// joinsFromSQL is the time from which the user of the follow f has joins to receive.
func joinsFromSQL(oldest string) string {
	return `COALESCE((SELECT r.joins_at FROM broadcasts_received r
		WHERE r.user_id = f.follower_id AND r.joins_at > ` + oldest + `), ` + oldest + `)`
}

// joinsCountSQL counts the joins that a user has not received. One subquery for each follow keeps PostgreSQL from scanning.
func joinsCountSQL(user, now string) string {
	oldest := now + ` - ` + micros(retention)
	return `(SELECT CAST(COALESCE(SUM((SELECT COUNT(*) FROM participants p WHERE ` + newJoinsSQL(oldest) + `)), 0) AS BIGINT)
		FROM follows f WHERE f.follower_id = ` + user + `)`
}

// joinsBatch is how many joins one transaction receives, so that other writers are not blocked for long.
const joinsBatch = 500

var (
	// receiveJoinsStmt shares the participations: one that ends at the same time ends before, or deletes its row afterwards.
	// The empty subject is the event.
	receiveJoinsStmt = db.SQL("notify.receive_joins", `
		INSERT INTO notifications (user_id, id, kind, subject, actor_id, event_id, params, created_at)
		SELECT f.follower_id, p.announcement, 'followed_user_going', '', p.user_id, p.event_id, '{}', p.joined_at
		FROM follows f JOIN participants p ON `+newJoinsSQL("CAST($2 AS BIGINT)")+`
		WHERE f.follower_id = $1 ORDER BY p.joined_at LIMIT `+strconv.Itoa(joinsBatch)+` FOR SHARE OF p
		ON CONFLICT (user_id, id) DO UPDATE SET created_at = excluded.created_at, read_at = NULL
		WHERE notifications.created_at < excluded.created_at
			AND (notifications.read_at IS NULL OR notifications.created_at <= excluded.created_at - `+micros(renotifyAfter)+`)`)

	joinsReceivedStmt = db.SQL("notify.joins_received", `
		INSERT INTO broadcasts_received (user_id, number, joins_at) VALUES ($1, 0, $2)
		ON CONFLICT (user_id) DO UPDATE SET joins_at = excluded.joins_at WHERE broadcasts_received.joins_at < excluded.joins_at`)
)

// receiveJoins writes the rows of the joins that are new to a user, the oldest first. It shares their account, so that a block
// at the same time comes before, or deletes the rows afterwards.
func (s *Service) receiveJoins(ctx context.Context, to domain.UserID) error {
	now := s.Clock.Now()
	for more := true; more; {
		err := s.DB.InTx(ctx, func(tx db.Tx) error {
			user.Share(ctx, tx, to)
			n, err := tx.Exec(ctx, receiveJoinsStmt, to, now.Add(-retention))
			if more = err == nil && n == joinsBatch; !more {
				tx.Queue(ctx, joinsReceivedStmt, to, now.Add(-overlap))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// OnUnfollow is called before a user ends a follow. It queues the rows of the joins that they have not received: they stay
// in the list.
func OnUnfollow(ctx context.Context, tx db.Tx, follower domain.UserID, now time.Time) {
	tx.Queue(ctx, receiveJoinsStmt, follower, now.Add(-retention))
}

// micros returns a duration as SQL.
func micros(d time.Duration) string { return strconv.FormatInt(d.Microseconds(), 10) }
