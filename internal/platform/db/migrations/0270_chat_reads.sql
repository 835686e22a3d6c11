-- owner: chat

-- How far users have read chats. Nobody else sees it.
CREATE TABLE chat_reads (
	user_id  UUID NOT NULL REFERENCES users (id),
	event_id UUID NOT NULL,
	read_at  BIGINT NOT NULL,                  -- created_at of the latest message that the user has read; never decreases
	PRIMARY KEY (user_id, event_id)
) -- clustered
;
