-- owner: session

-- Sessions of users. Ended ones stay until they are purged.
CREATE TABLE sessions (
	id                 UUID PRIMARY KEY,
	user_id            UUID NOT NULL REFERENCES users (id),
	auth_method        TEXT NOT NULL,     -- dev_email, email, phone_call, idp_web, idp_native, passkey
	access_hash        BYTEA NOT NULL,    -- SHA-256 of the newest access token
	access_expires_at  BIGINT NOT NULL,
	refresh_hash       BYTEA NOT NULL,    -- SHA-256 of the newest refresh token
	refresh_expires_at BIGINT NOT NULL,   -- sliding
	absolute_expiry_at BIGINT NOT NULL,   -- refreshing never extends the session beyond it
	refreshed_at       BIGINT NOT NULL,   -- when the newest token pair was issued
	revoked_at         BIGINT,
	user_agent         TEXT,
	ip                 TEXT,              -- truncated to /24 or /48
	last_used_at       BIGINT NOT NULL,
	wrote_at           BIGINT,            -- the latest change of an entity, by the instance's clock; only on PostgreSQL
	created_at         BIGINT NOT NULL
);
CREATE UNIQUE INDEX sessions_access ON sessions (access_hash);
CREATE UNIQUE INDEX sessions_refresh ON sessions (refresh_hash);
CREATE INDEX sessions_user ON sessions (user_id) WHERE revoked_at IS NULL;
-- A sign-in compares its device with those of the user's earlier sessions, also the ended ones.
CREATE INDEX sessions_ended ON sessions (user_id) WHERE revoked_at IS NOT NULL;
CREATE INDEX sessions_expiry ON sessions (refresh_expires_at);

-- Rotated refresh tokens: presenting one again revokes its session. There is no
-- foreign key, because its check would scan the table for every purged session.
CREATE TABLE retired_refresh_tokens (
	refresh_hash BYTEA PRIMARY KEY,
	session_id   UUID NOT NULL,
	retired_at   BIGINT NOT NULL,
	expires_at   BIGINT NOT NULL
) -- clustered
;
CREATE INDEX retired_refresh_tokens_expiry ON retired_refresh_tokens (expires_at);
