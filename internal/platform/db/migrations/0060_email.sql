-- owner: email

-- Sign-ins by e-mail in progress. Neither the code nor the link nor the number is stored:
-- the server derives them from its secret key, the seed and the address.
CREATE TABLE email_sign_ins (
	client_hash  BYTEA PRIMARY KEY,       -- SHA-256 of the secret of the client that started
	link_hash    BYTEA NOT NULL,          -- SHA-256 of the token in the link
	seed         BYTEA NOT NULL,          -- random
	email        TEXT NOT NULL,           -- as typed
	email_key    TEXT NOT NULL,
	language     TEXT NOT NULL,           -- of the mail
	device       TEXT,                    -- kind of device that started, such as iPhone
	return_to    TEXT NOT NULL,           -- local path
	tries_left   INTEGER NOT NULL,
	confirmed_at BIGINT,                  -- when the number was typed into the page of the link
	created_at   BIGINT NOT NULL,
	expires_at   BIGINT NOT NULL
) -- clustered
;
CREATE UNIQUE INDEX email_sign_ins_link ON email_sign_ins (link_hash);
CREATE INDEX email_sign_ins_address ON email_sign_ins (email_key);
CREATE INDEX email_sign_ins_expiry ON email_sign_ins (expires_at);
