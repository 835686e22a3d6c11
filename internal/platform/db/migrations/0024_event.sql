-- owner: event
-- The next events of an organizer, without those that are over or not shown.
CREATE INDEX events_organizer_listed ON events (organizer_id, starts_key) WHERE listed;
