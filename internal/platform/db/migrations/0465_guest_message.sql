-- owner: guestmessage

-- Messages of hosts to some of the guests of an event. A deleted one has no text, and counts for the limit of the day.
CREATE TABLE guest_messages (
	id         UUID PRIMARY KEY,
	event_id   UUID NOT NULL REFERENCES events (id),
	author_id  UUID NOT NULL REFERENCES users (id),
	audience   TEXT NOT NULL,                  -- going, waiting, invited_unanswered, requested
	body       TEXT NOT NULL,
	recipients BIGINT NOT NULL,                -- how many the author saw in the audience
	created_at BIGINT NOT NULL,
	deleted_at BIGINT
);
CREATE INDEX guest_messages_event ON guest_messages (event_id, created_at, id);
CREATE INDEX guest_messages_author ON guest_messages (author_id);
