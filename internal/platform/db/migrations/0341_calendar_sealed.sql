-- owner: calendar

-- The secret of an address that was made with an earlier SECRET_KEY, encrypted with SECRET_KEY. Then the seed is a hash, by
-- which the row is found.
ALTER TABLE calendar_feeds ADD COLUMN sealed BYTEA;
