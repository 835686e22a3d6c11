-- owner: relation

CREATE TABLE follows (
	follower_id UUID NOT NULL REFERENCES users (id),
	followed_id UUID NOT NULL REFERENCES users (id),
	created_at  BIGINT NOT NULL,
	PRIMARY KEY (follower_id, followed_id)
) -- clustered
;
CREATE INDEX follows_followers ON follows (followed_id, follower_id);

CREATE TABLE blocks (
	blocker_id UUID NOT NULL REFERENCES users (id),
	blocked_id UUID NOT NULL REFERENCES users (id),
	id         UUID NOT NULL,
	created_at BIGINT NOT NULL,
	PRIMARY KEY (blocker_id, blocked_id)
) -- clustered
;
CREATE INDEX blocks_blocked ON blocks (blocked_id, blocker_id);
