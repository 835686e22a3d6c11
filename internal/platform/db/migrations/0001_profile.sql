-- owner: user
CREATE TABLE users (
	id             UUID PRIMARY KEY,
	email          TEXT,              -- as typed, domain in lower case; NULL for phone-only accounts
	email_key      TEXT,              -- folded for comparison
	email_verified BOOLEAN NOT NULL,
	phone          TEXT,              -- E.164
	suspended_at   BIGINT,
	test_profile   BOOLEAN NOT NULL,  -- automated accounts, left out of the people list
	created_at     BIGINT NOT NULL
);
CREATE UNIQUE INDEX users_email ON users (email_key) WHERE email_key IS NOT NULL;
CREATE UNIQUE INDEX users_phone ON users (phone) WHERE phone IS NOT NULL;

CREATE TABLE profiles (
	user_id      UUID PRIMARY KEY REFERENCES users (id),
	display_name TEXT NOT NULL,
	username     TEXT NOT NULL,       -- lower case ASCII
	avatar_url   TEXT,
	city         TEXT,
	interests    TEXT NOT NULL,       -- JSON array of strings
	created_at   BIGINT NOT NULL,
	updated_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX profiles_username ON profiles (username);
