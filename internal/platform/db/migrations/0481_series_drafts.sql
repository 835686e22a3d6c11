-- owner: series

ALTER TABLE event_series ADD COLUMN drafts_notified BOOLEAN NOT NULL DEFAULT FALSE;  -- the owner knows that new dates are drafts
