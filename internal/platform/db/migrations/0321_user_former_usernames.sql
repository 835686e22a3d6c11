-- owner: user

-- The earlier names of users. Until then they lead to the user, and nobody else can take them.
CREATE TABLE former_usernames (
	username TEXT PRIMARY KEY,
	user_id  UUID NOT NULL REFERENCES users (id),
	until    BIGINT NOT NULL
);
CREATE INDEX former_usernames_user ON former_usernames (user_id);
CREATE INDEX former_usernames_until ON former_usernames (until);
