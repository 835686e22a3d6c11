-- owner: event

-- The end of the address of an event's page, which is never used again: rows of events are not deleted. NULL until the job
-- event.codes has given one to an event of a version before.
ALTER TABLE events ADD COLUMN code TEXT;
CREATE UNIQUE INDEX events_code ON events (code);
CREATE INDEX events_without_code ON events (id) WHERE code IS NULL;
