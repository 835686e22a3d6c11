-- owner: post

-- Posts about an event. A like locks the row of its post and returns the new count from it.
CREATE TABLE posts (
	id            UUID PRIMARY KEY,
	event_id      UUID NOT NULL REFERENCES events (id),
	seq           BIGINT NOT NULL,             -- number among the posts of the event, from 1 without gaps
	author_id     UUID NOT NULL REFERENCES users (id),
	kind          TEXT NOT NULL,               -- post, announcement
	body          TEXT NOT NULL,
	like_count    BIGINT NOT NULL CHECK (like_count >= 0),
	repost_count  BIGINT NOT NULL CHECK (repost_count >= 0),
	comment_count BIGINT NOT NULL CHECK (comment_count >= 0), -- without deleted comments
	last_comment  BIGINT NOT NULL,             -- seq of the latest comment, deleted ones included; 0 = none
	commented_at  BIGINT NOT NULL,             -- created_at of the latest comment, or of the post
	created_at    BIGINT NOT NULL,
	updated_at    BIGINT NOT NULL
);
CREATE UNIQUE INDEX posts_event ON posts (event_id, seq);
CREATE INDEX posts_author ON posts (author_id);

CREATE TABLE comments (
	post_id    UUID NOT NULL REFERENCES posts (id),
	seq        BIGINT NOT NULL,                -- number among the comments of the post, from 1 without gaps
	id         UUID NOT NULL,
	author_id  UUID NOT NULL REFERENCES users (id),
	parent_id  UUID,                           -- a comment of the same post
	depth      INTEGER NOT NULL,               -- 1 at the top level
	body       TEXT NOT NULL,                  -- empty once deleted
	created_at BIGINT NOT NULL,                -- rises with seq
	updated_at BIGINT NOT NULL,
	deleted_at BIGINT,
	PRIMARY KEY (post_id, seq)
) -- clustered
;
CREATE UNIQUE INDEX comments_id ON comments (id);
CREATE INDEX comments_author ON comments (author_id);

CREATE TABLE post_likes (
	user_id    UUID NOT NULL REFERENCES users (id),
	post_id    UUID NOT NULL REFERENCES posts (id),
	created_at BIGINT NOT NULL,
	PRIMARY KEY (user_id, post_id)
) -- clustered
;

CREATE TABLE reposts (
	user_id    UUID NOT NULL REFERENCES users (id),
	post_id    UUID NOT NULL REFERENCES posts (id),
	created_at BIGINT NOT NULL,
	PRIMARY KEY (user_id, post_id)
) -- clustered
;
CREATE INDEX reposts_newest ON reposts (user_id, created_at, post_id);
