-- owner: chat

-- There is no foreign key to events: see participants.
CREATE TABLE messages (
	event_id          UUID NOT NULL,
	created_at        BIGINT NOT NULL,         -- strictly increasing within the event, in the order of the commits
	id                UUID NOT NULL,
	author_id         UUID NOT NULL REFERENCES users (id),
	client_message_id UUID,
	body              TEXT NOT NULL,
	deleted_at        BIGINT,
	PRIMARY KEY (event_id, created_at)
) -- clustered
;
CREATE UNIQUE INDEX messages_author ON messages (author_id, event_id, client_message_id);

-- The row that a new message locks, so that the messages of an event have one order.
CREATE TABLE chats (
	event_id UUID PRIMARY KEY,
	last_at  BIGINT NOT NULL                   -- created_at of the latest message
) -- clustered
;
