package notify

import (
	"strconv"

	"moothall/internal/platform/db"
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

// apart is true of a recipient u whom a block parts from those. The blocks are
// counted, not asked for with EXISTS, which PostgreSQL may turn into a join: two
// index probes a recipient are what must happen, however wrong its statistics are
// for a large audience.
const apart = `(SELECT COUNT(*) FROM blocks AS b WHERE b.blocker_id = u.id AND b.blocked_id IN ` + parties + `
	OR b.blocked_id = u.id AND b.blocker_id IN ` + parties + `) > 0`

// apartInChunk is the same for the recipients behind $10 up to $11. SQLite reads
// all whom blocks part once, no more than lie between, where the probes took as
// long as writing the rows. PostgreSQL would then read all users for a chunk.
var apartInChunk = map[db.Engine]string{
	db.SQLite: `u.id IN (
		SELECT b.blocked_id FROM blocks AS b WHERE b.blocker_id IN ` + parties + ` AND b.blocked_id > $10 AND b.blocked_id <= $11
		UNION ALL
		SELECT b.blocker_id FROM blocks AS b WHERE b.blocked_id IN ` + parties + ` AND b.blocker_id > $10 AND b.blocker_id <= $11)`,
	db.PostgreSQL: apart,
}

// insertFor tells the users that a SELECT gives as user_id. Its parameters from
// $9 on are the SELECT's own, $1 to $8 are those of Notification.row.
func insertFor(recipients string) string { return insertUnless(apart, recipients) }

// insertUnless is the one place that keeps out the actor, blocked pairs and
// suspended accounts and that renews repeats.
func insertUnless(apart, recipients string) string {
	return `
		INSERT INTO notifications (user_id, id, kind, subject, actor_id, event_id, params, created_at)
		SELECT u.id, CAST($1 AS UUID), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS UUID), CAST($5 AS UUID),
			CAST($6 AS TEXT), CAST($7 AS BIGINT)
		FROM (` + recipients + `) AS r JOIN users AS u ON u.id = r.user_id
		WHERE u.suspended_at IS NULL AND u.id IS DISTINCT FROM CAST($4 AS UUID) AND NOT (` + apart + `)
		ON CONFLICT (user_id, id) DO UPDATE SET
			actor_id = excluded.actor_id, params = excluded.params, created_at = excluded.created_at, read_at = NULL
		WHERE notifications.read_at IS NULL OR notifications.created_at <= $8`
}
