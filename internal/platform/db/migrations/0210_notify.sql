-- owner: notify

-- Notifications of users. There are no foreign keys: recipients and actors are read from rows that have them,
-- and the check costs more than writing the row.
CREATE TABLE notifications (
	user_id    UUID NOT NULL,
	id         UUID NOT NULL,                  -- derived from kind, subject and actor; the same for all recipients
	kind       TEXT NOT NULL,
	subject    TEXT NOT NULL,                  -- the id of the event, post, user or other subject
	actor_id   UUID,                           -- the user who caused it; the latest one when several share a row
	event_id   UUID,
	params     TEXT NOT NULL,                  -- JSON object for the title, rendered when read
	read_at    BIGINT,
	created_at BIGINT NOT NULL,                -- of the latest repeat
	PRIMARY KEY (user_id, id)
) -- clustered
;
-- The lists of a recipient by age. Each row is in one of these indexes, because their pages
-- are most of the cost of a write. The first includes read_at, so that SQLite counts the unread
-- notifications without reading the table.
CREATE INDEX notifications_unread ON notifications (user_id, created_at, id, read_at) WHERE read_at IS NULL;
CREATE INDEX notifications_read ON notifications (user_id, created_at, id) WHERE read_at IS NOT NULL;

-- To retract one of these kinds without knowing its recipients.
CREATE INDEX notifications_retractable ON notifications (id)
	WHERE read_at IS NULL AND kind IN ('followed_user_going', 'post_commented', 'comment_replied');

-- Notifications of large audiences. A recipient gets a row in notifications at their next
-- look at the list.
CREATE TABLE broadcasts (
	id          UUID PRIMARY KEY,              -- as in notifications
	number      BIGINT NOT NULL,               -- in the order of the commits
	audience    TEXT NOT NULL,                 -- followers, going, going_and_invited
	audience_id UUID NOT NULL,                 -- the followed user, or the event
	kind        TEXT NOT NULL,
	subject     TEXT NOT NULL,
	actor_id    UUID,
	event_id    UUID,
	params      TEXT NOT NULL,
	created_at  BIGINT NOT NULL                -- of the latest repeat
) -- clustered
;
CREATE INDEX broadcasts_number ON broadcasts (number);

-- The number of the latest broadcast. A transaction that locks this row numbers its
-- broadcast, so the commits have the order of the numbers.
CREATE TABLE broadcast_counter (
	id BIGINT PRIMARY KEY,                     -- always 1
	n  BIGINT NOT NULL
);

-- The number up to which each recipient has received the broadcasts.
CREATE TABLE broadcasts_received (
	user_id UUID PRIMARY KEY,
	number  BIGINT NOT NULL
) -- clustered
;

-- What package mail has not planned yet: one row for a notification to one recipient, or
-- for an announcement to an audience. Rows are written only by a service that delivers
-- notifications outside the app.
CREATE TABLE notification_outbox (
	id              UUID PRIMARY KEY,          -- UUIDv7
	notification_id UUID NOT NULL,
	kind            TEXT,                      -- of the notification; NULL: unknown
	about_at        BIGINT NOT NULL,           -- notifications.created_at
	user_id         UUID,                      -- the recipient; NULL: an audience
	audience        TEXT,
	audience_id     UUID,
	broadcast       BOOLEAN NOT NULL,          -- the recipients may not have their rows yet
	after_user      UUID NOT NULL,             -- up to this recipient of a broadcast, all is planned
	trace           TEXT                       -- traceparent of the request or job that has notified; NULL: not recorded, or a broadcast
) -- clustered
;
