-- owner: webhook

ALTER TABLE webhook_messages ADD COLUMN replayed BOOLEAN NOT NULL DEFAULT FALSE; -- its user has requested it again
