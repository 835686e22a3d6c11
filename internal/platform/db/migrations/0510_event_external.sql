-- owner: event

-- An event that comes from a calendar of another service: the host of the calendar, and its page there.
ALTER TABLE events ADD COLUMN source_host TEXT;
ALTER TABLE events ADD COLUMN external_url TEXT;
