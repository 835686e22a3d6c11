-- owner: session
-- Calls that are waited for. Neither the id that the client polls with nor the
-- tokens it will get are stored: the server's key makes them from the seed.
CREATE TABLE phone_challenges (
	id_hash     BYTEA PRIMARY KEY,  -- SHA-256 of the challenge's id
	seed        BYTEA NOT NULL,     -- random
	phone       TEXT NOT NULL,      -- E.164, where the call has to come from
	starter     BYTEA NOT NULL,     -- HMAC of the client that asked for it
	open        BOOLEAN NOT NULL,   -- keeps others from starting one for the phone, until expires_at
	provider    TEXT NOT NULL,
	ref         TEXT,               -- the provider's name for the call; NULL while it is being asked
	call_phone  TEXT,               -- E.164, the number to dial
	call_pretty TEXT,
	asked_at    BIGINT,             -- when the provider was last asked
	verified_at BIGINT,
	redeemed_at BIGINT,
	redeemer    BYTEA,              -- HMAC of the client that got the session
	created_at  BIGINT NOT NULL,
	expires_at  BIGINT NOT NULL
) -- clustered
;
CREATE UNIQUE INDEX phone_challenges_phone ON phone_challenges (phone) WHERE open;
CREATE UNIQUE INDEX phone_challenges_ref ON phone_challenges (provider, ref) WHERE open;
CREATE INDEX phone_challenges_expiry ON phone_challenges (expires_at);
