-- owner: source

-- Calendars of other services whose events groups show.
CREATE TABLE group_sources (
	id            UUID PRIMARY KEY,
	group_id      UUID NOT NULL,                     -- which may be deleted since
	user_id       UUID NOT NULL REFERENCES users (id), -- who has added it
	url           TEXT NOT NULL,
	host          TEXT NOT NULL,                     -- of url
	status        TEXT NOT NULL,                     -- waiting, ok, failing, resting
	error         TEXT,                              -- why the last attempt changed nothing, or not all
	etag          TEXT NOT NULL DEFAULT '',          -- of the content that was applied last
	modified      TEXT NOT NULL DEFAULT '',          -- its Last-Modified
	content_at    BIGINT,                            -- when that was
	reads         BIGINT NOT NULL DEFAULT 0,         -- successful ones
	read_at       BIGINT,                            -- the last successful one
	failures      BIGINT NOT NULL DEFAULT 0,         -- since then
	failing_since BIGINT,                            -- the first of them
	notified      BOOLEAN NOT NULL DEFAULT FALSE,    -- hosts know of them
	told_at       BIGINT,                            -- when members were told of new events
	due_at        BIGINT NOT NULL,                   -- the next attempt
	ended_at      BIGINT,                            -- its events are being withdrawn
	created_at    BIGINT NOT NULL
);
CREATE UNIQUE INDEX group_sources_url ON group_sources (group_id, url) WHERE ended_at IS NULL;
CREATE INDEX group_sources_due ON group_sources (due_at) WHERE ended_at IS NULL;
CREATE INDEX group_sources_user ON group_sources (user_id);

-- The events that were made of a calendar.
CREATE TABLE group_source_events (
	source_id UUID NOT NULL REFERENCES group_sources (id),
	uid       TEXT NOT NULL,                         -- UID, and for one of several dates also RECURRENCE-ID
	event_id  UUID NOT NULL REFERENCES events (id),
	hash      TEXT NOT NULL,                         -- of what was applied last
	starts_at BIGINT NOT NULL,
	missed    BIGINT,                                -- the number of reads before the one in which it was first gone
	canceled  BOOLEAN NOT NULL DEFAULT FALSE,        -- because the calendar has canceled or lost it
	made_at   BIGINT NOT NULL,
	PRIMARY KEY (source_id, uid)
) -- clustered
;
CREATE INDEX group_source_events_event ON group_source_events (event_id);
CREATE INDEX group_source_events_starts ON group_source_events (source_id, starts_at);
