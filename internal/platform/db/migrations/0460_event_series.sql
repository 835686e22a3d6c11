-- owner: event

ALTER TABLE events ADD COLUMN series_id UUID;                                  -- of a date of a series
ALTER TABLE events ADD COLUMN occurrence_at TEXT;                              -- its local date and time by the rule
ALTER TABLE events ADD COLUMN series_detached BOOLEAN NOT NULL DEFAULT FALSE;  -- its organizer has changed it by hand
CREATE UNIQUE INDEX events_series ON events (series_id, occurrence_at) WHERE series_id IS NOT NULL;
