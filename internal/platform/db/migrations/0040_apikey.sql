-- owner: apikey

-- Keys with which programs act for a user.
CREATE TABLE api_keys (
	id           UUID PRIMARY KEY,
	user_id      UUID NOT NULL REFERENCES users (id),
	key_hash     BYTEA NOT NULL,       -- SHA-256
	prefix       TEXT NOT NULL,        -- first characters of the key
	name         TEXT NOT NULL,
	scopes       TEXT NOT NULL,        -- separated by spaces
	expires_at   BIGINT,               -- NULL: never
	last_used_at BIGINT,
	wrote_at     BIGINT,               -- as in sessions
	created_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX api_keys_hash ON api_keys (key_hash);
CREATE INDEX api_keys_user ON api_keys (user_id, created_at);
