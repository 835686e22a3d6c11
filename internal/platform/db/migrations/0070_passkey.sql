-- owner: passkey

-- Public keys of authenticators (WebAuthn) with which users sign in.
CREATE TABLE passkeys (
	id              UUID PRIMARY KEY,
	user_id         UUID NOT NULL REFERENCES users (id),
	credential_id   BYTEA NOT NULL,    -- chosen by the authenticator
	public_key      BYTEA NOT NULL,    -- COSE
	sign_count      BIGINT NOT NULL,   -- of the last signature; 0: the authenticator does not count
	backup_eligible BOOLEAN NOT NULL,
	backed_up       BOOLEAN NOT NULL,
	name            TEXT NOT NULL,
	created_at      BIGINT NOT NULL,
	last_used_at    BIGINT
);
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);
CREATE INDEX passkeys_user ON passkeys (user_id, created_at);

-- Challenges of sign-ins and registrations in progress. Each works once.
CREATE TABLE passkey_challenges (
	challenge_hash BYTEA PRIMARY KEY,  -- SHA-256
	user_id        UUID,               -- who registers a passkey; NULL for a sign-in
	email_key      TEXT,               -- the only account that may sign in; NULL: any
	expires_at     BIGINT NOT NULL
) -- clustered
;
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);
