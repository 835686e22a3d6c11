-- owner: notify

-- There are no foreign keys: recipients and actors are read from rows that have them,
-- and the check costs more than writing the row.
CREATE TABLE notifications (
	user_id    UUID NOT NULL,
	id         UUID NOT NULL,                  -- derived from kind, subject and actor; the same for all recipients
	kind       TEXT NOT NULL,
	subject    TEXT NOT NULL,                  -- the id of the event, post, user or other subject
	actor_id   UUID,                           -- the user who caused it; the latest one when several share a row
	event_id   UUID,
	params     TEXT NOT NULL,                  -- JSON object for the title, rendered when read
	read_at    BIGINT,
	created_at BIGINT NOT NULL,                -- of the latest repeat
	PRIMARY KEY (user_id, id)
) -- clustered
;
CREATE INDEX notifications_newest ON notifications (user_id, created_at);

-- The unread notifications by age. It includes read_at, so that SQLite counts them without
-- reading the table.
CREATE INDEX notifications_unread ON notifications (user_id, created_at, id, read_at) WHERE read_at IS NULL;
CREATE INDEX notifications_unread_same ON notifications (id) WHERE read_at IS NULL; -- to retract one from all recipients

-- For the purge, by day, so that no planner uses this index for a list.
CREATE INDEX notifications_day ON notifications ((created_at / 86400000000));
