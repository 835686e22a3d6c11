-- owner: signin

-- One valid e-mail code per address. Neither the code nor its hash is stored: the
-- server derives the code from its secret key, the seed and the address.
CREATE TABLE email_challenges (
	email_key  TEXT PRIMARY KEY,
	seed       BYTEA NOT NULL,            -- random
	tries_left INTEGER NOT NULL,
	expires_at BIGINT NOT NULL,
	created_at BIGINT NOT NULL
) -- clustered
;
CREATE INDEX email_challenges_expiry ON email_challenges (expires_at);

-- Expected phone calls. Neither the id that the client polls nor the tokens of its session
-- are stored: the server derives the tokens from its secret key and the id.
CREATE TABLE phone_challenges (
	id_hash     BYTEA PRIMARY KEY,  -- SHA-256 of the challenge's id
	phone       TEXT NOT NULL,      -- E.164, the number that must call
	open        BOOLEAN NOT NULL,   -- until the session is fetched or expires_at, nobody else gets the number to dial for this phone
	provider    TEXT NOT NULL,
	ref         TEXT,               -- the provider's id of the call; NULL until the provider has answered
	call_phone  TEXT NOT NULL DEFAULT '', -- E.164, the number to dial; empty until the provider has answered
	call_pretty TEXT,
	asked_at    BIGINT,             -- when the provider was last polled
	verified_at BIGINT,
	redeemed_at BIGINT,
	created_at  BIGINT NOT NULL,    -- when the provider named the number: earlier calls do not count
	expires_at  BIGINT NOT NULL
) -- clustered
;
CREATE UNIQUE INDEX phone_challenges_number ON phone_challenges (phone, call_phone) WHERE open;
CREATE UNIQUE INDEX phone_challenges_ref ON phone_challenges (provider, ref) WHERE open;
CREATE INDEX phone_challenges_expiry ON phone_challenges (expires_at);

-- Accounts at identity providers and the users they belong to.
CREATE TABLE identities (
	issuer     TEXT NOT NULL,
	subject    TEXT NOT NULL,             -- the provider's id of the user
	user_id    UUID NOT NULL REFERENCES users (id),
	created_at BIGINT NOT NULL,
	PRIMARY KEY (issuer, subject)
) -- clustered
;
CREATE INDEX identities_user ON identities (user_id);

-- Browser sign-ins in progress at a provider. The PKCE verifier and the nonce are
-- not stored: the server derives them from its secret key and the browser's cookie.
CREATE TABLE oauth_states (
	state_hash   BYTEA PRIMARY KEY,       -- SHA-256 of the state in the URL
	browser_hash BYTEA NOT NULL,          -- SHA-256 of the cookie
	provider     TEXT NOT NULL,
	return_to    TEXT NOT NULL,           -- local path
	expires_at   BIGINT NOT NULL
) -- clustered
;
CREATE INDEX oauth_states_expiry ON oauth_states (expires_at);

-- Nonces of ID tokens that were exchanged for a session: each is accepted once.
CREATE TABLE oauth_nonces (
	nonce_hash BYTEA PRIMARY KEY,         -- SHA-256 of issuer and nonce
	expires_at BIGINT NOT NULL            -- when the ID token expires
) -- clustered
;
CREATE INDEX oauth_nonces_expiry ON oauth_nonces (expires_at);
