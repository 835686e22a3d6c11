-- owner: webpush

-- The key pair of push messages, after SECRET_KEY was replaced: subscriptions are bound to it. Without a row, SECRET_KEY gives it.
CREATE TABLE push_keys (
	id     INTEGER PRIMARY KEY, -- 1
	sealed BYTEA NOT NULL       -- the private key, encrypted with SECRET_KEY
);
