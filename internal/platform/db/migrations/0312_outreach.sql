-- owner: deliver

-- Messages to people who do not know their sender, one row for each notification and recipient.
CREATE TABLE outreach (
	recipient_id    UUID NOT NULL,
	notification_id UUID NOT NULL,           -- of a calendar message: the event
	about_at        BIGINT NOT NULL,         -- notifications.created_at
	sender_id       UUID NOT NULL,
	kind            TEXT NOT NULL,           -- of the notification
	event_id        UUID,
	trace           TEXT,                    -- traceparent of the request that has caused it; NULL: not recorded
	released_at     BIGINT,                  -- when it was counted against the budget of the sender; NULL: it waits
	weight          INTEGER NOT NULL,        -- 2 if e-mails to the address are suppressed, or this one came back
	sent_at         BIGINT,                  -- when it was first sent by any channel; NULL: not yet
	instant         BOOLEAN NOT NULL,        -- FALSE: not sent, or only in a digest
	mail_id         UUID,                    -- the id of the mail; NULL: no mail
	outcome         TEXT,                    -- bounced, complained; NULL: neither
	PRIMARY KEY (recipient_id, notification_id, about_at)
) -- clustered
;
CREATE INDEX outreach_released ON outreach (sender_id, released_at, about_at);
CREATE INDEX outreach_sent ON outreach (sender_id, sent_at);
CREATE INDEX outreach_age ON outreach (about_at);

-- The senders of outreach.
CREATE TABLE outreach_senders (
	user_id    UUID PRIMARY KEY,
	next_at    BIGINT,                       -- when the next message may be released; NULL: none waits, or all are stopped
	stopped_at BIGINT,                       -- since when a moderator has to look; NULL: not stopped
	resumed_at BIGINT                        -- when a moderator has looked
) -- clustered
;
CREATE INDEX outreach_senders_next ON outreach_senders (next_at) WHERE next_at IS NOT NULL;
