-- owner: event

-- The drafts of an organizer.
CREATE INDEX events_drafts ON events (organizer_id, starts_key) WHERE status = 'draft';
