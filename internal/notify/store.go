package notify

import (
	"strconv"

	"moothall/internal/db"
)

var (
	putStmt = db.SQL("notify.put", insertFor(`SELECT CAST($9 AS UUID) AS user_id`))

	takeBackStmt = db.SQL("notify.take_back", `DELETE FROM notifications WHERE id = $1 AND read_at IS NULL`)

	partStmt = db.SQL("notify.part", `
		DELETE FROM notifications WHERE `+unreadOf+` AND actor_id = $2 AND kind NOT IN ('post_liked', 'post_reposted')`)

	// Everything of the days before $1, counted from 1970.
	purgeStmt = db.SQL("notify.purge", `
		DELETE FROM notifications WHERE (user_id, id) IN (
			SELECT n.user_id, n.id FROM notifications AS n WHERE n.created_at / 86400000000 < $1 ORDER BY n.created_at / 86400000000 LIMIT `+strconv.Itoa(purgeChunk)+`)`)
)

// parties are those whom no block may part from a recipient: who did it, and
// the organizer of the event it is about, which such a block hides.
const parties = `(CAST($4 AS UUID), (SELECT e.organizer_id FROM events AS e WHERE e.id = CAST($5 AS UUID)))`

// insertFor tells the users that a SELECT gives as user_id. Its parameters from
// $9 on are the SELECT's own, $1 to $8 are those of Notification.row. Here is
// the one place that keeps out the actor, blocked pairs and suspended accounts
// and that renews repeats. The blocks are counted, not asked for with NOT
// EXISTS, which PostgreSQL may turn into a join: two index probes a recipient
// are what must happen, however wrong its statistics are for a large audience.
func insertFor(recipients string) string {
	return `
		INSERT INTO notifications (user_id, id, kind, subject, actor_id, event_id, params, created_at)
		SELECT u.id, CAST($1 AS UUID), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS UUID), CAST($5 AS UUID),
			CAST($6 AS TEXT), CAST($7 AS BIGINT)
		FROM (` + recipients + `) AS r JOIN users AS u ON u.id = r.user_id
		WHERE u.suspended_at IS NULL AND u.id IS DISTINCT FROM CAST($4 AS UUID)
			AND (SELECT COUNT(*) FROM blocks AS b WHERE b.blocker_id = u.id AND b.blocked_id IN ` + parties + `
				OR b.blocked_id = u.id AND b.blocker_id IN ` + parties + `) = 0
		ON CONFLICT (user_id, id) DO UPDATE SET
			actor_id = excluded.actor_id, params = excluded.params, created_at = excluded.created_at, read_at = NULL
		WHERE notifications.read_at IS NULL OR notifications.created_at <= $8`
}
