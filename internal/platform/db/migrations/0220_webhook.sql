-- owner: webhook

-- The servers that are notified of changes of events.
CREATE TABLE webhooks (
	id                UUID PRIMARY KEY,
	user_id           UUID NOT NULL REFERENCES users (id),
	api_key_id        UUID,                  -- that created it; NULL: a session
	url               TEXT NOT NULL,
	kinds             BIGINT NOT NULL,       -- a bit for each kind
	event_id          UUID,                  -- NULL: all events of the user
	include_incognito BOOLEAN NOT NULL,
	status            TEXT NOT NULL,         -- active, paused, disabled
	pending           BOOLEAN NOT NULL DEFAULT FALSE, -- the server has not answered the challenge yet, so it gets no other message
	seed              BYTEA NOT NULL,        -- random; the secret is its HMAC
	old_seed          BYTEA,                 -- before the last rotation
	rotated_at        BIGINT,
	failing_since     BIGINT,                -- first failed attempt since the last success
	lease             UUID,                  -- of the worker that sends its messages
	leased_until      BIGINT NOT NULL,
	created_at        BIGINT NOT NULL
);
CREATE INDEX webhooks_user ON webhooks (user_id, created_at);

-- The outbox: one row for each change and webhook. Written in the transaction of the change.
CREATE TABLE webhook_messages (
	webhook_id        UUID NOT NULL,
	id                UUID NOT NULL,         -- the same for all webhooks
	kind              TEXT NOT NULL,
	event_id          UUID,                  -- NULL: a test
	sequence          BIGINT NOT NULL,       -- rises by event
	user_id           UUID,                  -- who joined, wrote or answered
	participant_count BIGINT NOT NULL,
	data              TEXT NOT NULL,         -- JSON object: further members
	attempts          INTEGER NOT NULL,
	due_at            BIGINT,                -- of the next attempt; NULL: accepted, or given up
	replayed          BOOLEAN NOT NULL DEFAULT FALSE, -- its user has requested it again
	trace             TEXT,                  -- traceparent of the request or job that has caused the message; NULL: not recorded
	created_at        BIGINT NOT NULL,
	PRIMARY KEY (webhook_id, id)
) -- clustered
;
CREATE INDEX webhook_messages_due ON webhook_messages (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_messages_due_of ON webhook_messages (webhook_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_messages_user ON webhook_messages (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX webhook_messages_created ON webhook_messages (created_at);

-- The latest sequence of each event with webhooks.
CREATE TABLE webhook_sequences (
	event_id UUID PRIMARY KEY,
	number   BIGINT NOT NULL
) -- clustered
;

-- The log of attempts.
CREATE TABLE webhook_attempts (
	id          UUID PRIMARY KEY,            -- UUIDv7
	webhook_id  UUID NOT NULL,
	message_id  UUID NOT NULL,
	kind        TEXT NOT NULL,
	attempt     INTEGER NOT NULL,
	at          BIGINT NOT NULL,
	status_code INTEGER,                     -- NULL: no response
	duration_ms BIGINT NOT NULL,
	error       TEXT,                        -- NULL: accepted
	excerpt     TEXT NOT NULL                -- of the response
);
CREATE INDEX webhook_attempts_webhook ON webhook_attempts (webhook_id, id);
CREATE INDEX webhook_attempts_at ON webhook_attempts (at);
