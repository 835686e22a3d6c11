-- owner: notify

-- The unread ones by their age, for the list of them. Their number is counted in it alone: for that
-- SQLite needs read_at in it.
DROP INDEX notifications_unread;
CREATE INDEX notifications_unread ON notifications (user_id, created_at, id, read_at) WHERE read_at IS NULL;

-- By days, for the purge: no list can be walked in it, so that no plan does.
DROP INDEX notifications_age;
CREATE INDEX notifications_day ON notifications ((created_at / 86400000000));

-- Follows from the kind, and is made when it is read.
ALTER TABLE notifications DROP COLUMN href;
