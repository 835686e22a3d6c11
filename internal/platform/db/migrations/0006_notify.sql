-- owner: notify

-- No foreign keys: recipients and actors come from rows that have theirs, and
-- checking every row of a large audience again costs more than writing it.
CREATE TABLE notifications (
	user_id    UUID NOT NULL,
	id         UUID NOT NULL,                  -- made of kind, subject and actor: the same for all recipients
	kind       TEXT NOT NULL,
	subject    TEXT NOT NULL,                  -- what it is about
	actor_id   UUID,                           -- whose doing; the latest one where several share a row
	event_id   UUID,
	params     TEXT NOT NULL,                  -- JSON object for the title, rendered when read
	href       TEXT,
	read_at    BIGINT,
	created_at BIGINT NOT NULL,                -- of the latest repeat
	PRIMARY KEY (user_id, id)
) -- clustered
;
CREATE INDEX notifications_newest ON notifications (user_id, created_at);
CREATE INDEX notifications_unread ON notifications (user_id) WHERE read_at IS NULL;
CREATE INDEX notifications_unread_same ON notifications (id) WHERE read_at IS NULL; -- to take one back from everybody
CREATE INDEX notifications_age ON notifications (created_at);
