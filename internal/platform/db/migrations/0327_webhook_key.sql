-- owner: webhook

ALTER TABLE webhooks ADD COLUMN api_key_id UUID; -- that created it; NULL: a session
