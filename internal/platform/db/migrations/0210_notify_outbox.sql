-- owner: notify

-- What package deliver has not planned yet: one row for a notification to one recipient, or
-- for an announcement to an audience. Rows are written only by a service that delivers
-- notifications outside the app.
CREATE TABLE notification_outbox (
	id              UUID PRIMARY KEY,          -- UUIDv7
	notification_id UUID NOT NULL,
	about_at        BIGINT NOT NULL,           -- notifications.created_at
	user_id         UUID,                      -- the recipient; NULL: an audience
	audience        TEXT,
	audience_id     UUID,
	broadcast       BOOLEAN NOT NULL,          -- the recipients may not have their rows yet
	after_user      UUID NOT NULL              -- up to this recipient of a broadcast, all is planned
) -- clustered
;
