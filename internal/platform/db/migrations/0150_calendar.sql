-- owner: calendar

-- Entries that users add to their own calendars. The calendar reads events from
-- events, participants and invitations.
CREATE TABLE calendar_entries (
	id            UUID PRIMARY KEY,
	owner_id      UUID NOT NULL REFERENCES users (id),
	title         TEXT NOT NULL,
	starts_at     BIGINT NOT NULL,
	ends_at       BIGINT,
	over_at       BIGINT NOT NULL,   -- ends_at; without it the start, or the end of the day
	timezone      TEXT NOT NULL,
	all_day       BOOLEAN NOT NULL,
	location_text TEXT,
	notes         TEXT,
	canceled_at   BIGINT,
	sequence      INTEGER NOT NULL,  -- iCalendar SEQUENCE
	created_at    BIGINT NOT NULL,
	updated_at    BIGINT NOT NULL
);
CREATE INDEX calendar_entries_owner ON calendar_entries (owner_id, starts_at, id);

-- Invites to calendar entries. An invite to an event is its row in invitations.
CREATE TABLE calendar_invites (
	entry_id     UUID NOT NULL REFERENCES calendar_entries (id),
	user_id      UUID NOT NULL REFERENCES users (id),
	id           UUID NOT NULL,
	invited_by   UUID NOT NULL REFERENCES users (id), -- the owner of the entry
	status       TEXT NOT NULL,      -- pending, accepted, declined, tentative
	responded_at BIGINT,
	created_at   BIGINT NOT NULL,
	updated_at   BIGINT NOT NULL,
	PRIMARY KEY (entry_id, user_id)
) -- clustered
;
CREATE UNIQUE INDEX calendar_invites_id ON calendar_invites (id);
CREATE INDEX calendar_invites_incoming ON calendar_invites (user_id, created_at, id);
CREATE INDEX calendar_invites_outgoing ON calendar_invites (invited_by, created_at, id);

-- Notes and removals: a user's private changes of events and of other users'
-- entries. They apply to the user's own calendar only.
CREATE TABLE calendar_overrides (
	user_id     UUID NOT NULL REFERENCES users (id),
	entry_id    UUID NOT NULL,       -- or the id of an event
	notes       TEXT,
	canceled_at BIGINT,              -- removed from the calendar; a later RSVP or join restores it
	updated_at  BIGINT NOT NULL,
	PRIMARY KEY (user_id, entry_id)
) -- clustered
;

-- Calendar feeds: secret URLs that calendar programs subscribe to. The row of a URL is found by the seed.
CREATE TABLE calendar_feeds (
	user_id    UUID PRIMARY KEY REFERENCES users (id),
	seed       BYTEA NOT NULL,       -- random; if the secret was made with an earlier SECRET_KEY, its hash
	sealed     BYTEA,                -- the secret, encrypted with SECRET_KEY; NULL: the server derives it from the seed
	created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX calendar_feeds_seed ON calendar_feeds (seed);
