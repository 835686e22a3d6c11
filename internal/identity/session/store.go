package session

import "moothall/internal/platform/db"

// insertStmt inserts nothing if the account is suspended. It locks the account, so that a
// concurrent suspension or deletion does not miss the session.
var insertStmt = db.SQL("session.insert", `
	INSERT INTO sessions (id, user_id, auth_method, access_hash, access_expires_at, refresh_hash, refresh_expires_at,
		absolute_expiry_at, refreshed_at, user_agent, ip, last_used_at, created_at)
	SELECT $1, u.id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $9, $9
	FROM users u WHERE u.id = $2 AND u.suspended_at IS NULL FOR SHARE`)

// issuedBy refuses a token that was issued more than a minute after now: the clock was wrong then,
// and its expiry is wrong, too. A placeholder for now follows.
const issuedBy = `refreshed_at - 60000000 <= `

// ActiveSQL is the condition that a row of sessions is active: not revoked, and not expired at
// the time of a placeholder. The account may be suspended.
func ActiveSQL(alias, now string) string {
	return alias + `.revoked_at IS NULL AND ` + alias + `.refresh_expires_at > ` + now + ` AND ` + alias + `.` + issuedBy + now
}

const viewerSQL = `
	SELECT s.id, s.user_id, s.last_used_at, s.wrote_at, u.email_key, u.email_verified
	FROM sessions s JOIN users u ON u.id = s.user_id
	WHERE s.revoked_at IS NULL AND u.suspended_at IS NULL AND `

var (
	byAccessStmt  = db.SQL("session.by_access", viewerSQL+`s.access_hash = $1 AND s.access_expires_at > $2 AND s.`+issuedBy+`$2`)
	byRefreshStmt = db.SQL("session.by_refresh", viewerSQL+`s.refresh_hash = $1 AND s.refresh_expires_at > $2 AND s.`+issuedBy+`$2`)

	byIDStmt = db.SQL("session.by_id", viewerSQL+`s.id = $1 AND s.refresh_expires_at > $2 AND s.`+issuedBy+`$2`)

	activeStmt = db.SQL("session.active", `
		SELECT s.id, s.refresh_expires_at FROM ids($1) AS l JOIN sessions s ON s.id = l.value JOIN users u ON u.id = s.user_id
		WHERE u.suspended_at IS NULL AND `+ActiveSQL("s", "$2"))

	byPairStmt = db.SQL("session.by_pair", `
		SELECT s.id, s.user_id, s.access_expires_at, s.refresh_expires_at
		FROM sessions s JOIN users u ON u.id = s.user_id
		WHERE s.access_hash = $1 AND s.refresh_hash = $2 AND s.access_expires_at > $3
			AND s.revoked_at IS NULL AND u.suspended_at IS NULL`)

	touchStmt = db.SQL("session.touch", `
		UPDATE sessions SET last_used_at = $2, ip = COALESCE($3, ip) WHERE id = $1 AND last_used_at <= $4`)

	recordWriteStmt = db.SQL("session.record_write", `UPDATE sessions SET wrote_at = $2 WHERE id = $1`)

	listStmt = db.SQL("session.list", `
		SELECT id, auth_method, user_agent, ip, created_at, last_used_at, refresh_expires_at
		FROM sessions WHERE user_id = $1 AND revoked_at IS NULL AND refresh_expires_at > $2
		ORDER BY last_used_at DESC, id DESC`)
)

func scanListed(row db.Row, l *Listed) error {
	return row.Scan(&l.ID, &l.Method, &l.UserAgent, &l.Network, &l.CreatedAt, &l.LastUsedAt, &l.ExpiresAt)
}

// sessionOfRefreshSQL selects the session of a refresh token, whether it is the newest
// token or a retired one.
const sessionOfRefreshSQL = `
	SELECT s.id FROM sessions s WHERE s.refresh_hash = $1
	UNION ALL SELECT r.session_id FROM retired_refresh_tokens r WHERE r.refresh_hash = $1`

var (
	byAnyRefreshStmt = db.SQL("session.by_any_refresh", sessionOfRefreshSQL)

	// rotateStmt is one conditional UPDATE, so that exactly one of several
	// concurrent refreshes succeeds. No lifetime exceeds absolute_expiry_at.
	rotateStmt = db.SQL("session.rotate", `
		UPDATE sessions SET
			access_hash = $2, access_expires_at = CASE WHEN $3 < absolute_expiry_at THEN $3 ELSE absolute_expiry_at END,
			refresh_hash = $4, refresh_expires_at = CASE WHEN $5 < absolute_expiry_at THEN $5 ELSE absolute_expiry_at END,
			refreshed_at = $6, last_used_at = $6, ip = COALESCE($7, ip)
		WHERE refresh_hash = $1 AND revoked_at IS NULL AND refresh_expires_at > $6 AND `+issuedBy+`$6
			AND EXISTS (SELECT 1 FROM users u WHERE u.id = sessions.user_id AND u.suspended_at IS NULL)
		RETURNING id, access_expires_at, refresh_expires_at`)

	// rotatedBeforeStmt finds the active session whose old token $1 was replaced by $2.
	rotatedBeforeStmt = db.SQL("session.rotated_before", `
		SELECT s.id, s.access_expires_at, s.refresh_expires_at
		FROM retired_refresh_tokens r JOIN sessions s ON s.id = r.session_id JOIN users u ON u.id = s.user_id
		WHERE r.refresh_hash = $1 AND r.retired_at > $4 AND s.refresh_hash = $2 AND s.refresh_expires_at > $3
			AND s.revoked_at IS NULL AND u.suspended_at IS NULL`)

	// retireStmt records the old token $1 of the session whose new token is $2.
	// It inserts nothing if rotateStmt changed nothing; a repeated refresh has already
	// recorded the token.
	retireStmt = db.SQL("session.retire", `
		INSERT INTO retired_refresh_tokens (refresh_hash, session_id, retired_at, expires_at)
		SELECT CAST($1 AS BYTEA), s.id, CAST($3 AS BIGINT), s.refresh_expires_at FROM sessions s WHERE s.refresh_hash = $2
		ON CONFLICT (refresh_hash) DO NOTHING`)

	retiredStmt = db.SQL("session.retired", `
		SELECT r.session_id, s.user_id, r.retired_at FROM retired_refresh_tokens r JOIN sessions s ON s.id = r.session_id
			WHERE r.refresh_hash = $1`)
)

var (
	revokeStmt = db.SQL("session.revoke", `
		UPDATE sessions SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL`)

	revokeOwnStmt = db.SQL("session.revoke_own", `
		UPDATE sessions SET revoked_at = $3 WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL`)

	revokeOthersStmt = db.SQL("session.revoke_others", `
		UPDATE sessions SET revoked_at = $3 WHERE id <> $1 AND user_id = $2 AND revoked_at IS NULL`)

	revokeByRefreshStmt = db.SQL("session.revoke_by_refresh", `
		UPDATE sessions SET revoked_at = $2 WHERE revoked_at IS NULL AND id IN (`+sessionOfRefreshSQL+`)
		RETURNING id, user_id`)
)

// Purge runs these statements in small batches, so that other writers are not blocked.
var (
	purgeRetiredStmt = db.SQL("session.purge_retired", `
		DELETE FROM retired_refresh_tokens WHERE refresh_hash IN (
			SELECT r.refresh_hash FROM retired_refresh_tokens r WHERE r.expires_at <= $1 LIMIT 1000)`)

	purgeSessionsStmt = db.SQL("session.purge_sessions", `
		DELETE FROM sessions WHERE id IN (
			SELECT s.id FROM sessions s WHERE s.refresh_expires_at <= $1 LIMIT 1000)`)
)
