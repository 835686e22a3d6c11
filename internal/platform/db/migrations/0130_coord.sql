-- owner: coord

-- Only the organizer adds options, so a row names no author.
CREATE TABLE date_options (
	event_id   UUID NOT NULL REFERENCES events (id),
	id         UUID NOT NULL,
	starts_at  BIGINT NOT NULL,                -- whole seconds, in microseconds
	ends_at    BIGINT,
	note       TEXT,
	created_at BIGINT NOT NULL,
	PRIMARY KEY (event_id, id)
) -- clustered
;
CREATE UNIQUE INDEX date_options_times ON date_options (event_id, starts_at, COALESCE(ends_at, 0));

CREATE TABLE date_votes (
	event_id   UUID NOT NULL,
	option_id  UUID NOT NULL,
	user_id    UUID NOT NULL REFERENCES users (id),
	id         UUID NOT NULL,
	created_at BIGINT NOT NULL,
	PRIMARY KEY (event_id, option_id, user_id)
) -- clustered
;
CREATE INDEX date_votes_user ON date_votes (user_id);

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

CREATE TABLE reminder_settings (
	event_id        UUID PRIMARY KEY REFERENCES events (id),
	enabled         BOOLEAN NOT NULL,
	offsets_minutes TEXT NOT NULL,             -- JSON array, descending
	channels        TEXT NOT NULL,             -- JSON array
	updated_at      BIGINT NOT NULL
);
