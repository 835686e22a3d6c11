-- owner: deliver

-- One row for each notification, or digest, that a channel brings to a user.
CREATE TABLE deliveries (
	user_id         UUID NOT NULL,
	notification_id UUID NOT NULL,             -- of a digest: the user
	about_at        BIGINT NOT NULL,           -- notifications.created_at; of a digest: when it is due
	channel         TEXT NOT NULL,             -- email
	target          UUID NOT NULL,             -- of email: the user
	kind            TEXT NOT NULL,             -- of the notification, or digest
	state           TEXT NOT NULL,             -- waiting, digest, sending, sent, skipped, failed
	due_at          BIGINT NOT NULL,           -- sending: when the lease ends; digest: when the digest is due
	expires_at      BIGINT NOT NULL,
	attempts        INTEGER NOT NULL,
	lease           UUID,                      -- while sending
	reason          TEXT,                      -- of skipped and failed, and of the last attempt
	ended_at        BIGINT,                    -- sent, skipped or failed
	PRIMARY KEY (user_id, notification_id, about_at, channel, target)
) -- clustered
;
CREATE INDEX deliveries_due ON deliveries (channel, due_at) WHERE state IN ('waiting', 'sending');
CREATE INDEX deliveries_failed ON deliveries (ended_at) WHERE state = 'failed';
