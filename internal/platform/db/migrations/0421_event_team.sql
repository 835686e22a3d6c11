-- owner: event

-- The event has or had hosts beside its organizer. Other events need no look at event_hosts.
ALTER TABLE events ADD COLUMN has_team BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX events_team_image ON events (image_url) WHERE has_team;
