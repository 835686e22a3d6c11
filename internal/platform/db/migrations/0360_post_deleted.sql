-- owner: post

-- A deleted post has no text. Its row keeps the number, and its comments, likes and reposts are not shown.
ALTER TABLE posts ADD COLUMN deleted_at BIGINT;
