-- owner: event

ALTER TABLE events ADD COLUMN join_policy TEXT NOT NULL DEFAULT 'open';                -- open, approval
