-- owner: importer

-- Calendars that users have read. Each is deleted after 7 days.
CREATE TABLE imports (
	id         UUID PRIMARY KEY,
	user_id    UUID NOT NULL REFERENCES users (id),
	name       TEXT,                    -- of the calendar
	host       TEXT,                    -- of its address, which may be secret; NULL: a file
	past       INTEGER NOT NULL,        -- events that were over
	left_out   INTEGER NOT NULL,        -- events beyond the limits
	created_at BIGINT NOT NULL
);
CREATE INDEX imports_user ON imports (user_id, id);
CREATE INDEX imports_created ON imports (created_at);

-- The events of an import, by start.
CREATE TABLE import_rows (
	import_id UUID NOT NULL REFERENCES imports (id),
	position  INTEGER NOT NULL,         -- from 1
	uid       TEXT NOT NULL,            -- UID, and for one of several dates also RECURRENCE-ID
	draft     TEXT NOT NULL,            -- the fields of the draft, as JSON
	hash      TEXT NOT NULL,            -- of the draft
	why       TEXT,                     -- why it is skipped; NULL: it is not
	PRIMARY KEY (import_id, position)
) -- clustered
;
CREATE UNIQUE INDEX import_rows_uid ON import_rows (import_id, uid);

-- The events that imports have made.
CREATE TABLE imported_events (
	source_id  UUID NOT NULL,           -- whose calendars these are: a user
	uid        TEXT NOT NULL,
	event_id   UUID NOT NULL REFERENCES events (id),
	hash       TEXT NOT NULL,           -- of the draft that was imported last
	updated_at BIGINT NOT NULL,         -- of the event after that: a later one means that somebody has edited it
	PRIMARY KEY (source_id, uid)
) -- clustered
;
CREATE INDEX imported_events_event ON imported_events (event_id);
