-- owner: deliver

-- The tokens of the requests of mail providers whose signature does not cover the body, so that nobody
-- can send one again with another body.
CREATE TABLE mail_event_tokens (
	token   BYTEA PRIMARY KEY,       -- SHA-256
	used_at BIGINT NOT NULL
) -- clustered
;
