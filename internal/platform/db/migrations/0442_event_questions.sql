-- owner: event

ALTER TABLE events ADD COLUMN has_questions BOOLEAN NOT NULL DEFAULT FALSE;            -- it has or had questions, which event_questions has
CREATE INDEX events_questions ON events (over_at) WHERE has_questions;
