-- owner: series

-- Dates are local: 2026-12-03T19:00:00 on a clock in the zone.
CREATE TABLE event_series (
	id               UUID PRIMARY KEY,
	owner_id         UUID NOT NULL REFERENCES users (id),
	status           TEXT NOT NULL,            -- active, paused, ended
	rrule            TEXT NOT NULL,
	starts_at        TEXT NOT NULL,            -- the first date
	timezone         TEXT NOT NULL,
	duration_minutes BIGINT,
	publish          TEXT NOT NULL,            -- automatic, manual
	horizon_days     BIGINT NOT NULL,
	template         TEXT NOT NULL,            -- JSON: the fields of its events
	made_until       TEXT NOT NULL,            -- the last date that was made or left out; empty: none
	ends_before      TEXT NOT NULL,            -- the date from which another series continues it; empty: none
	announced        BOOLEAN NOT NULL,         -- followers were notified
	due_at           BIGINT,                   -- when the next date is made; NULL: never
	created_at       BIGINT NOT NULL,
	updated_at       BIGINT NOT NULL
);
CREATE INDEX event_series_owner ON event_series (owner_id, created_at);
CREATE INDEX event_series_due ON event_series (due_at) WHERE due_at IS NOT NULL;

-- Dates that will not be made.
CREATE TABLE series_skips (
	series_id     UUID NOT NULL REFERENCES event_series (id),
	occurrence_at TEXT NOT NULL,
	PRIMARY KEY (series_id, occurrence_at)
) -- clustered
;

-- Users who join every date.
CREATE TABLE series_members (
	series_id  UUID NOT NULL REFERENCES event_series (id),
	user_id    UUID NOT NULL REFERENCES users (id),
	visibility TEXT NOT NULL,                  -- public, incognito
	created_at BIGINT NOT NULL,
	PRIMARY KEY (series_id, user_id)
) -- clustered
;
CREATE INDEX series_members_user ON series_members (user_id);
