-- owner: postings

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
	leaf       BIGINT NOT NULL,                -- the location: the smallest S2 cell, of about 1 cm
	organizer  BIGINT NOT NULL,                -- the last 8 bytes of the organizer's id
	PRIMARY KEY (cell, starts_key)
) -- clustered
;
