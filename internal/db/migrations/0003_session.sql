-- room: session
CREATE TABLE sessions (
	id                 UUID PRIMARY KEY,
	user_id            UUID NOT NULL REFERENCES users (id),
	auth_method        TEXT NOT NULL,     -- dev_email, phone_call, idp_web, idp_native
	access_hash        BYTEA NOT NULL,    -- SHA-256 of the newest access token
	access_expires_at  BIGINT NOT NULL,
	refresh_hash       BYTEA NOT NULL,    -- SHA-256 of the newest refresh token
	refresh_expires_at BIGINT NOT NULL,   -- sliding
	absolute_expiry_at BIGINT NOT NULL,   -- no refresh reaches beyond it
	refreshed_at       BIGINT NOT NULL,   -- when the newest pair was made
	revoked_at         BIGINT,
	user_agent         TEXT,
	ip                 TEXT,              -- truncated to /24 or /48
	last_used_at       BIGINT NOT NULL,
	created_at         BIGINT NOT NULL
);
CREATE UNIQUE INDEX sessions_access ON sessions (access_hash);
CREATE UNIQUE INDEX sessions_refresh ON sessions (refresh_hash);
CREATE INDEX sessions_user ON sessions (user_id) WHERE revoked_at IS NULL;

-- Refresh tokens that were rotated: presenting one again ends its session.
CREATE TABLE retired_refresh_tokens (
	refresh_hash BYTEA PRIMARY KEY,
	session_id   UUID NOT NULL REFERENCES sessions (id),
	retired_at   BIGINT NOT NULL,
	expires_at   BIGINT NOT NULL
) -- clustered
;
CREATE INDEX retired_refresh_tokens_expiry ON retired_refresh_tokens (expires_at);

-- One live e-mail code per address.
CREATE TABLE email_challenges (
	email_key  TEXT PRIMARY KEY,
	email      TEXT NOT NULL,
	code_mac   BYTEA NOT NULL,            -- HMAC-SHA256 with the server's key
	tries_left INTEGER NOT NULL,
	expires_at BIGINT NOT NULL,
	created_at BIGINT NOT NULL
) -- clustered
;
