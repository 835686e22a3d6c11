-- owner: idempotency

-- The results of requests with an Idempotency-Key, kept for a day.
CREATE TABLE idempotency_keys (
	user_id     UUID NOT NULL REFERENCES users (id),
	key         TEXT NOT NULL,
	fingerprint BYTEA NOT NULL,                -- SHA-256 of the operation, its path and its body
	result      TEXT NOT NULL,                 -- JSON
	created_at  BIGINT NOT NULL,
	PRIMARY KEY (user_id, key)
) -- clustered
;
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
