-- owner: event

CREATE TABLE events (
	id                      UUID PRIMARY KEY,
	organizer_id            UUID NOT NULL REFERENCES users (id),
	status                  TEXT NOT NULL,     -- draft, published, canceled; completed is computed on read
	visibility              TEXT NOT NULL,     -- public, private
	listed                  BOOLEAN NOT NULL,  -- published, public, and the organizer is not suspended
	swept                   BOOLEAN NOT NULL,  -- after its end: postings are deleted and participants notified
	title                   TEXT NOT NULL,
	description             TEXT,
	category                TEXT,
	starts_at               BIGINT NOT NULL,   -- whole seconds, in microseconds
	ends_at                 BIGINT,
	over_at                 BIGINT NOT NULL,   -- ends_at, or starts_at + 3 h: from then on the event is completed
	starts_key              BIGINT NOT NULL,   -- starts_at in nanoseconds + random sub-second tie-breaker
	timezone                TEXT NOT NULL,
	date_mode               TEXT NOT NULL,     -- fixed, vote
	selected_date_option_id UUID,
	price                   TEXT NOT NULL,     -- free, paid
	price_amount            BIGINT,            -- minor units
	price_currency          TEXT,
	capacity                INTEGER,
	city                    TEXT,
	location_text           TEXT,
	lat                     DOUBLE PRECISION,
	lng                     DOUBLE PRECISION,
	image_url               TEXT,
	image_alt               TEXT,              -- alternative text of the image
	conference_url          TEXT,
	sequence                INTEGER NOT NULL,  -- iCalendar SEQUENCE
	created_at              BIGINT NOT NULL,
	updated_at              BIGINT NOT NULL,
	published_at            BIGINT,
	canceled_at             BIGINT
);
CREATE UNIQUE INDEX events_starts_key ON events (starts_key);
-- SQLite needs the column to answer from an index alone.
CREATE INDEX events_listed ON events (starts_key, listed) WHERE listed;
CREATE INDEX events_organizer ON events (organizer_id, starts_key);
CREATE INDEX events_organizer_listed ON events (organizer_id, starts_key, listed) WHERE listed;
CREATE INDEX events_to_sweep ON events (over_at) WHERE status = 'published' AND NOT swept;
