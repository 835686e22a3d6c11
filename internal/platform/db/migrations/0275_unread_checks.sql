-- owner: chat

-- Chats with messages of which package deliver has not yet notified members who have not
-- read them. Rows are written only by a service that delivers notifications outside the app.
CREATE TABLE unread_checks (
	event_id UUID PRIMARY KEY,
	since    BIGINT NOT NULL,                  -- created_at of the earliest of the messages
	latest   BIGINT NOT NULL,                  -- created_at of the latest one
	due_at   BIGINT NOT NULL
) -- clustered
;
CREATE INDEX unread_checks_due ON unread_checks (due_at);
