-- room: notify

-- The unread ones by their age, for the list of them; their number is counted in it alone.
DROP INDEX notifications_unread;
CREATE INDEX notifications_unread ON notifications (user_id, created_at) WHERE read_at IS NULL;

-- Follows from the kind, and is made when it is read.
ALTER TABLE notifications DROP COLUMN href;
