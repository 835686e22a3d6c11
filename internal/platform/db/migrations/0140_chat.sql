-- owner: chat

-- Messages in the chats of events. There is no foreign key to events: see participants.
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
-- For the readers that look for chats with new messages.
CREATE INDEX chats_last_at ON chats (last_at);

-- How far users have read chats. Nobody else sees it.
CREATE TABLE chat_reads (
	user_id  UUID NOT NULL REFERENCES users (id),
	event_id UUID NOT NULL,
	read_at  BIGINT NOT NULL,                  -- created_at of the latest message that the user has read; never decreases
	PRIMARY KEY (user_id, event_id)
) -- clustered
;

-- Chats with messages of which package mail has not yet notified members who have not
-- read them. Rows are written only by a service that delivers notifications outside the app.
CREATE TABLE unread_checks (
	event_id UUID PRIMARY KEY,
	since    BIGINT NOT NULL,                  -- created_at of the earliest of the messages
	latest   BIGINT NOT NULL,                  -- created_at of the latest one
	due_at   BIGINT NOT NULL
) -- clustered
;
CREATE INDEX unread_checks_due ON unread_checks (due_at);
