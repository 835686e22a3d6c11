-- owner: payment

-- Whether an organizer may sell. The row is created when the profile is first read or
-- changed.
CREATE TABLE payment_profiles (
	user_id        UUID PRIMARY KEY REFERENCES users (id),
	status         TEXT NOT NULL,              -- unverified, verified, blocked
	provider       TEXT NOT NULL,
	blocked_reason TEXT,
	verified_at    BIGINT,
	created_at     BIGINT NOT NULL,
	updated_at     BIGINT NOT NULL
);

-- Payments for events, also those that nobody has completed.
CREATE TABLE payment_intents (
	id                  UUID PRIMARY KEY,
	event_id            UUID NOT NULL REFERENCES events (id),
	user_id             UUID REFERENCES users (id), -- the payer; NULL once the account is deleted
	provider            TEXT NOT NULL,
	provider_payment_id TEXT NOT NULL,
	status              TEXT NOT NULL,              -- pending, succeeded, canceled, expired; a pending row expires by expires_at
	amount              BIGINT NOT NULL,            -- minor units
	currency            TEXT NOT NULL,
	checkout_url        TEXT NOT NULL,
	expires_at          BIGINT NOT NULL,
	paid_at             BIGINT,
	canceled_at         BIGINT,
	refund_due_at       BIGINT,                     -- paid after it was canceled or expired: a refund is due
	created_at          BIGINT NOT NULL,
	updated_at          BIGINT NOT NULL
);
CREATE UNIQUE INDEX payment_intents_provider ON payment_intents (provider, provider_payment_id);
CREATE UNIQUE INDEX payment_intents_live ON payment_intents (event_id, user_id) WHERE status IN ('pending', 'succeeded');
CREATE INDEX payment_intents_event ON payment_intents (event_id);
CREATE INDEX payment_intents_user ON payment_intents (user_id);
CREATE INDEX payment_intents_refund ON payment_intents (refund_due_at) WHERE refund_due_at IS NOT NULL;

-- Webhook deliveries by the ids of their providers, so that none takes effect twice.
CREATE TABLE payment_notices (
	provider          TEXT NOT NULL,
	provider_event_id TEXT NOT NULL,
	type              TEXT NOT NULL,
	result            TEXT NOT NULL,           -- processed, ignored
	intent_id         UUID,
	received_at       BIGINT NOT NULL,
	PRIMARY KEY (provider, provider_event_id)
) -- clustered
;

-- Idempotency keys of new payments, kept for a day.
CREATE TABLE payment_keys (
	user_id    UUID NOT NULL REFERENCES users (id),
	key        TEXT NOT NULL,
	event_id   UUID NOT NULL,                  -- the event that it was used for
	intent_id  UUID,                           -- the intent that was created; NULL while the request runs
	created_at BIGINT NOT NULL,
	PRIMARY KEY (user_id, key)
) -- clustered
;
CREATE INDEX payment_keys_age ON payment_keys (created_at);
