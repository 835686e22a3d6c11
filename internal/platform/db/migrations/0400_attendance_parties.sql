-- owner: attendance

-- How many people come with the participation, the user included.
ALTER TABLE participants ADD COLUMN party BIGINT NOT NULL DEFAULT 1;

-- A seat is taken (n), held for a user, kept for the waiting list, or free. There is no index on n or held: each join would have to
-- write it.
ALTER TABLE event_slots ADD COLUMN held BIGINT NOT NULL DEFAULT 0 CHECK (held >= 0);
ALTER TABLE event_slots ADD COLUMN kept BIGINT NOT NULL DEFAULT 0 CHECK (kept >= 0);
