-- room: notify
CREATE TABLE notifications (
	user_id    UUID NOT NULL REFERENCES users (id),
	id         UUID NOT NULL,
	kind       TEXT NOT NULL,
	subject    TEXT NOT NULL,                  -- what it is about: with kind and actor it makes one row per recipient
	actor_id   UUID REFERENCES users (id),
	actor_key  TEXT NOT NULL,                  -- actor_id in text, empty for none: NULLs are never equal in a key
	event_id   UUID,
	params     TEXT NOT NULL,                  -- JSON object for the title, rendered when read
	href       TEXT,
	read_at    BIGINT,
	created_at BIGINT NOT NULL,
	PRIMARY KEY (user_id, id)
) -- clustered
;
CREATE UNIQUE INDEX notifications_once ON notifications (user_id, kind, subject, actor_key);
CREATE INDEX notifications_unread ON notifications (user_id) WHERE read_at IS NULL;
