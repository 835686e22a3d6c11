-- owner: moderation

-- The author and the text of a reported post, comment or message, as it was at the time of the report. Both are
-- NULL for other targets, and once the author has deleted the account.
ALTER TABLE reports ADD COLUMN author_id UUID REFERENCES users (id);
ALTER TABLE reports ADD COLUMN target_text TEXT;
CREATE INDEX reports_author ON reports (author_id) WHERE author_id IS NOT NULL;
