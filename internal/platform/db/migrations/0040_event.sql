-- owner: event

CREATE TABLE events (
	id                      UUID PRIMARY KEY,
	organizer_id            UUID NOT NULL REFERENCES users (id),
	status                  TEXT NOT NULL,     -- draft, published, canceled; completed is computed on read
	visibility              TEXT NOT NULL,     -- public, private
	listed                  BOOLEAN NOT NULL,  -- published, public and organizer not suspended: searchable until it is swept
	swept                   BOOLEAN NOT NULL,  -- after its end: postings removed, participants notified
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
CREATE INDEX events_organizer_listed ON events (organizer_id, starts_key) WHERE listed;
CREATE INDEX events_to_sweep ON events (over_at) WHERE status = 'published' AND NOT swept;

-- Posting lists: one row for each listed event and term, and one for each listed
-- event and S2 level, in the order of the list. starts_key identifies the event.
CREATE TABLE terms (
	id   BIGINT PRIMARY KEY,
	term TEXT NOT NULL,
	df   BIGINT NOT NULL                       -- document frequency: an estimate of the number of postings
);
CREATE UNIQUE INDEX terms_term ON terms (term);

-- For typo-tolerant search: each word of four letters or more with one letter
-- removed. Two words that share such a row are one or two typos apart.
CREATE TABLE term_typos (
	typo    TEXT NOT NULL,
	term_id BIGINT NOT NULL,
	PRIMARY KEY (typo, term_id)
) -- clustered
;

CREATE TABLE event_terms (
	term_id    BIGINT NOT NULL,
	starts_key BIGINT NOT NULL,
	PRIMARY KEY (term_id, starts_key)
) -- clustered
;

CREATE TABLE event_cells (
	cell       BIGINT NOT NULL,
	starts_key BIGINT NOT NULL,
	x          DOUBLE PRECISION NOT NULL,      -- the location on the unit sphere
	y          DOUBLE PRECISION NOT NULL,
	z          DOUBLE PRECISION NOT NULL,
	PRIMARY KEY (cell, starts_key)
) -- clustered
;
