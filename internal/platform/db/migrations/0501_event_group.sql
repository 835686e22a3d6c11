-- owner: event

-- The group of the event, whose owner and hosts host it, too.
ALTER TABLE events ADD COLUMN group_id UUID;
CREATE INDEX events_group ON events (group_id, starts_key) WHERE group_id IS NOT NULL;
