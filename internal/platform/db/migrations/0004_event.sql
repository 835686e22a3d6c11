-- owner: event
CREATE TABLE events (
	id                      UUID PRIMARY KEY,
	organizer_id            UUID NOT NULL REFERENCES users (id),
	status                  TEXT NOT NULL,     -- draft, published, canceled; completed is computed on read
	visibility              TEXT NOT NULL,     -- public, private
	listed                  BOOLEAN NOT NULL,  -- published, public, organizer not suspended: has postings until it is swept
	swept                   BOOLEAN NOT NULL,  -- its end was noticed: postings removed, people told
	title                   TEXT NOT NULL,
	description             TEXT,
	category                TEXT,
	starts_at               BIGINT NOT NULL,   -- whole seconds, in microseconds
	ends_at                 BIGINT,
	over_at                 BIGINT NOT NULL,   -- ends_at, or starts_at + 3 h: when it counts as completed
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
	conference_url          TEXT,
	sequence                INTEGER NOT NULL,  -- iCalendar SEQUENCE
	created_at              BIGINT NOT NULL,
	updated_at              BIGINT NOT NULL,
	published_at            BIGINT,
	canceled_at             BIGINT
);
CREATE UNIQUE INDEX events_starts_key ON events (starts_key);
CREATE INDEX events_listed ON events (starts_key) WHERE listed;
CREATE INDEX events_listed_price ON events (price, starts_key) WHERE listed;
CREATE INDEX events_organizer ON events (organizer_id, starts_key);
CREATE INDEX events_to_sweep ON events (over_at) WHERE status = 'published' AND NOT swept;

-- Posting lists: each listed event once per term and once per S2 level, in the
-- order of the list. starts_key stands for the event: it is unique.
CREATE TABLE terms (
	id   BIGINT PRIMARY KEY,
	term TEXT NOT NULL,
	df   BIGINT NOT NULL                       -- how many postings, an estimate for planning
);
CREATE UNIQUE INDEX terms_term ON terms (term);

CREATE TABLE event_terms (
	term_id    BIGINT NOT NULL,
	starts_key BIGINT NOT NULL,
	PRIMARY KEY (term_id, starts_key)
) -- clustered
;

CREATE TABLE event_cells (
	cell       BIGINT NOT NULL,
	starts_key BIGINT NOT NULL,
	x          DOUBLE PRECISION NOT NULL,      -- the place on the unit sphere
	y          DOUBLE PRECISION NOT NULL,
	z          DOUBLE PRECISION NOT NULL,
	PRIMARY KEY (cell, starts_key)
) -- clustered
;
