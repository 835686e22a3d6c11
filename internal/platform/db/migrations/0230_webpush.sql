-- owner: webpush

-- Where browsers and apps receive push messages. A row is valid as long as its session is
-- active. There is no foreign key to it, because its check would cost every purged session.
CREATE TABLE push_subscriptions (
	id            UUID PRIMARY KEY,
	user_id       UUID NOT NULL REFERENCES users (id),
	session_id    UUID NOT NULL,
	endpoint      TEXT NOT NULL,       -- secret: who knows it can send to it
	endpoint_hash BYTEA NOT NULL,      -- SHA-256
	p256dh        BYTEA NOT NULL,      -- public key of the receiver
	auth          BYTEA NOT NULL,
	device_name   TEXT,
	created_at    BIGINT NOT NULL
);
CREATE UNIQUE INDEX push_subscriptions_endpoint ON push_subscriptions (endpoint_hash);
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id, created_at);

-- The key pair of push messages, after SECRET_KEY was replaced: subscriptions are bound to it. Without a row, SECRET_KEY gives it.
CREATE TABLE push_keys (
	id     INTEGER PRIMARY KEY, -- always 1
	sealed BYTEA NOT NULL       -- the private key, encrypted with SECRET_KEY
);
