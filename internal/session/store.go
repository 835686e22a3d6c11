package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// insertStmt gives no row for an account that is suspended.
var insertStmt = db.SQL("session.insert", `
	INSERT INTO sessions (id, user_id, auth_method, access_hash, access_expires_at, refresh_hash, refresh_expires_at,
		absolute_expiry_at, refreshed_at, user_agent, ip, last_used_at, created_at)
	SELECT $1, u.id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $9, $9
	FROM users u WHERE u.id = $2 AND u.suspended_at IS NULL`)

// found is a live session and its user.
type found struct {
	viewer        domain.Viewer
	lastUsedAt    time.Time
	emailKey      *string
	emailVerified bool
}

const viewerSQL = `
	SELECT s.id, s.user_id, s.last_used_at, u.email_key, u.email_verified
	FROM sessions s JOIN users u ON u.id = s.user_id
	WHERE s.revoked_at IS NULL AND u.suspended_at IS NULL AND `

var (
	byAccessStmt  = db.SQL("session.by_access", viewerSQL+`s.access_hash = $1 AND s.access_expires_at > $2`)
	byRefreshStmt = db.SQL("session.by_refresh", viewerSQL+`s.refresh_hash = $1 AND s.refresh_expires_at > $2`)
)

// find looks a token up; domain.Unauthorized when no live session has it.
func find(ctx context.Context, q db.Querier, stmt *db.Stmt, hash []byte, now time.Time) (found, error) {
	var f found
	err := q.One(ctx, stmt, hash, now).Scan(&f.viewer.SessionID, &f.viewer.UserID, &f.lastUsedAt, &f.emailKey, &f.emailVerified)
	if errors.Is(err, db.ErrNoRow) {
		return found{}, domain.Unauthorized
	}
	if err != nil {
		return found{}, fmt.Errorf("session.find: %w", err)
	}
	return f, nil
}

var touchStmt = db.SQL("session.touch", `
	UPDATE sessions SET last_used_at = $2, ip = COALESCE($3, ip) WHERE id = $1 AND last_used_at <= $4`)

// rotateStmt is the one conditional UPDATE that lets exactly one of any number
// of parallel refreshes win. Nothing reaches beyond the absolute expiry.
var rotateStmt = db.SQL("session.rotate", `
	UPDATE sessions SET
		access_hash = $2, access_expires_at = CASE WHEN $3 < absolute_expiry_at THEN $3 ELSE absolute_expiry_at END,
		refresh_hash = $4, refresh_expires_at = CASE WHEN $5 < absolute_expiry_at THEN $5 ELSE absolute_expiry_at END,
		refreshed_at = $6, last_used_at = $6, ip = COALESCE($7, ip)
	WHERE refresh_hash = $1 AND revoked_at IS NULL AND refresh_expires_at > $6
		AND EXISTS (SELECT 1 FROM users u WHERE u.id = sessions.user_id AND u.suspended_at IS NULL)
	RETURNING id, access_expires_at, refresh_expires_at`)

// ofRefreshStmt takes the newest refresh token of a session or an older one.
var ofRefreshStmt = db.SQL("session.of_refresh", `
	SELECT s.id FROM sessions s WHERE s.refresh_hash = $1
	UNION ALL SELECT r.session_id FROM retired_refresh_tokens r WHERE r.refresh_hash = $1`)

var (
	// retireStmt keeps the token $1 that was traded for $2.
	retireStmt = db.SQL("session.retire", `
		INSERT INTO retired_refresh_tokens (refresh_hash, session_id, retired_at, expires_at)
		SELECT CAST($1 AS BYTEA), s.id, CAST($3 AS BIGINT), s.refresh_expires_at FROM sessions s WHERE s.refresh_hash = $2`)

	retiredStmt = db.SQL("session.retired", `
		SELECT session_id, retired_at FROM retired_refresh_tokens WHERE refresh_hash = $1`)
)

var (
	revokeStmt = db.SQL("session.revoke", `
		UPDATE sessions SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL`)

	revokeOwnStmt = db.SQL("session.revoke_own", `
		UPDATE sessions SET revoked_at = $3 WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL`)

	revokeOthersStmt = db.SQL("session.revoke_others", `
		UPDATE sessions SET revoked_at = $3 WHERE id <> $1 AND user_id = $2 AND revoked_at IS NULL`)

	// revokeByRefreshStmt takes the newest refresh token of a session or an older one.
	revokeByRefreshStmt = db.SQL("session.revoke_by_refresh", `
		UPDATE sessions SET revoked_at = $2 WHERE revoked_at IS NULL AND id IN (
			SELECT s.id FROM sessions s WHERE s.refresh_hash = $1
			UNION ALL SELECT r.session_id FROM retired_refresh_tokens r WHERE r.refresh_hash = $1)`)
)

var listStmt = db.SQL("session.list", `
	SELECT id, auth_method, user_agent, ip, created_at, last_used_at, refresh_expires_at
	FROM sessions WHERE user_id = $1 AND revoked_at IS NULL AND refresh_expires_at > $2
	ORDER BY last_used_at DESC, id DESC`)

func scanListed(row db.Row, l *Listed) error {
	return row.Scan(&l.ID, &l.Method, &l.UserAgent, &l.Network, &l.CreatedAt, &l.LastUsedAt, &l.ExpiresAt)
}

// startCodeStmt keeps a young code that can still be tried, and replaces any
// other.
var startCodeStmt = db.SQL("session.start_code", `
	INSERT INTO email_challenges (email_key, seed, tries_left, expires_at, created_at) VALUES ($1, $2, $3, $4, $5)
	ON CONFLICT (email_key) DO UPDATE SET
		seed = CASE WHEN `+young+` THEN email_challenges.seed ELSE excluded.seed END,
		tries_left = CASE WHEN `+young+` THEN email_challenges.tries_left ELSE excluded.tries_left END,
		created_at = CASE WHEN `+young+` THEN email_challenges.created_at ELSE excluded.created_at END,
		expires_at = excluded.expires_at
	RETURNING seed`)

const young = `(email_challenges.created_at > $6 AND email_challenges.tries_left > 0)`

var (
	// tryCodeStmt pays for a try before the code is looked at, so that any
	// number of parallel tries look at codeTries codes at most.
	tryCodeStmt = db.SQL("session.try_code", `
		UPDATE email_challenges SET tries_left = tries_left - 1
		WHERE email_key = $1 AND tries_left > 0 AND expires_at > $2 RETURNING seed`)

	redeemCodeStmt = db.SQL("session.redeem_code", `DELETE FROM email_challenges WHERE email_key = $1`)
)

// What is of no use any more, in bites that hold nobody up.
var (
	purgeCodesStmt = db.SQL("session.purge_codes", `
		DELETE FROM email_challenges WHERE email_key IN (
			SELECT c.email_key FROM email_challenges c WHERE c.expires_at <= $1 LIMIT 1000)`)

	purgeRetiredStmt = db.SQL("session.purge_retired", `
		DELETE FROM retired_refresh_tokens WHERE refresh_hash IN (
			SELECT r.refresh_hash FROM retired_refresh_tokens r WHERE r.expires_at <= $1 LIMIT 1000)`)

	purgeSessionsStmt = db.SQL("session.purge_sessions", `
		DELETE FROM sessions WHERE id IN (
			SELECT s.id FROM sessions s WHERE s.refresh_expires_at <= $1 LIMIT 1000)`)
)
