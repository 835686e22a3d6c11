-- owner: user

CREATE TABLE users (
	id             UUID PRIMARY KEY,
	email          TEXT,              -- as typed, domain in lower case; NULL for phone-only accounts
	email_key      TEXT,              -- folded for comparison
	email_verified BOOLEAN NOT NULL,
	phone          TEXT,              -- E.164
	suspended_at   BIGINT,
	test_profile   BOOLEAN NOT NULL,  -- automated account, omitted from search
	created_at     BIGINT NOT NULL,
	deleted_at     BIGINT             -- all columns except the id and the dates are erased then, and suspended_at is set
);
CREATE UNIQUE INDEX users_email ON users (email_key) WHERE email_key IS NOT NULL;
CREATE UNIQUE INDEX users_phone ON users (phone) WHERE phone IS NOT NULL;

-- What other users see of a user.
CREATE TABLE profiles (
	user_id      UUID PRIMARY KEY REFERENCES users (id),
	display_name TEXT NOT NULL,
	username     TEXT NOT NULL,       -- lower case ASCII
	avatar_url   TEXT,
	city         TEXT,
	interests    TEXT NOT NULL,       -- JSON array of strings
	words        TEXT NOT NULL,       -- folded words of both names, each after a space
	created_at   BIGINT NOT NULL,
	updated_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX profiles_username ON profiles (username);

-- The search index of users: one row for each user and word of their names, once
-- worldwide and once in their city, in the order of the results. There is no foreign
-- key: package user deletes the rows together with the profile.
CREATE TABLE people (
	term     TEXT NOT NULL,    -- folded city or empty, the separator, folded word or empty
	name_key TEXT NOT NULL,    -- first characters of the folded display name
	user_id  UUID NOT NULL,
	shared   INTEGER NOT NULL, -- bytes of the prefix shared with the user's previous word; searches for prefixes up to this length skip the row
	PRIMARY KEY (term, name_key, user_id)
) -- clustered
;
