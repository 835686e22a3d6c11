-- owner: session
-- Accounts of identity providers, and whose they are here.
CREATE TABLE identities (
	issuer     TEXT NOT NULL,
	subject    TEXT NOT NULL,             -- the provider's own id of the person
	user_id    UUID NOT NULL REFERENCES users (id),
	created_at BIGINT NOT NULL,
	PRIMARY KEY (issuer, subject)
) -- clustered
;
CREATE INDEX identities_user ON identities (user_id);

-- Browsers on their way to a provider and back. The PKCE verifier and the nonce
-- are stored nowhere: the server's key makes them from the browser's cookie.
CREATE TABLE oauth_states (
	state_hash   BYTEA PRIMARY KEY,       -- SHA-256 of the state in the URL
	browser_hash BYTEA NOT NULL,          -- SHA-256 of the cookie
	provider     TEXT NOT NULL,
	return_to    TEXT NOT NULL,           -- local path
	expires_at   BIGINT NOT NULL
) -- clustered
;
CREATE INDEX oauth_states_expiry ON oauth_states (expires_at);

-- Nonces of ID tokens that were traded for a session: none is good twice.
CREATE TABLE oauth_nonces (
	nonce_hash BYTEA PRIMARY KEY,         -- SHA-256 of issuer and nonce
	expires_at BIGINT NOT NULL            -- when the token expires by itself
) -- clustered
;
CREATE INDEX oauth_nonces_expiry ON oauth_nonces (expires_at);
