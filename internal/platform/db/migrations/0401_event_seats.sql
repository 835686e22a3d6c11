-- owner: event

-- How many people may come with one participation, the user included.
ALTER TABLE events ADD COLUMN max_party_size BIGINT NOT NULL DEFAULT 1;
