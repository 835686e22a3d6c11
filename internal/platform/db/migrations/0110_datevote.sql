-- owner: datevote

-- Dates on which users can vote. Only the organizer adds them, so a row names no author.
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
