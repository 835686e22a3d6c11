package session

import "moothall/internal/platform/db"

var (
	insertStateStmt = db.SQL("session.insert_state", `
		INSERT INTO oauth_states (state_hash, browser_hash, provider, return_to, expires_at) VALUES ($1, $2, $3, $4, $5)`)

	// takeStateStmt gives a state to one callback only. Another browser cannot use
	// it up.
	takeStateStmt = db.SQL("session.take_state", `
		DELETE FROM oauth_states WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3
		RETURNING provider, return_to`)

	burnNonceStmt = db.SQL("session.burn_nonce", `
		INSERT INTO oauth_nonces (nonce_hash, expires_at) VALUES ($1, $2) ON CONFLICT (nonce_hash) DO NOTHING`)

	identityStmt = db.SQL("session.identity", `
		SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2`)

	insertIdentityStmt = db.SQL("session.insert_identity", `
		INSERT INTO identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (issuer, subject) DO NOTHING`)

	purgeStatesStmt = db.SQL("session.purge_states", `
		DELETE FROM oauth_states WHERE state_hash IN (
			SELECT s.state_hash FROM oauth_states s WHERE s.expires_at <= $1 LIMIT 1000)`)

	purgeNoncesStmt = db.SQL("session.purge_nonces", `
		DELETE FROM oauth_nonces WHERE nonce_hash IN (
			SELECT n.nonce_hash FROM oauth_nonces n WHERE n.expires_at <= $1 LIMIT 1000)`)
)
